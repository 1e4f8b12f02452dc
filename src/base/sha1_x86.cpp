#include "base/sha1_x86.hpp"

#if defined(__x86_64__)

#include <cstring>
#include <utility>

#include <cpuid.h>
#include <immintrin.h>

namespace arbiter {
namespace {

#define ARBITER_SHA __attribute__((target("sha,sse4.1")))
#define ARBITER_SHA_INLINE ARBITER_SHA __attribute__((always_inline)) inline

// Four words of the message schedule a register, the newest four of them; W[t] of FIPS 180-4.
struct Schedule {
    __m128i words[4];
};

// Rounds 4 * Group to 4 * Group + 3. `e` holds what becomes of the fifth word: before the first
// group the state's own, then the first four of the group before.
template <int Group>
ARBITER_SHA_INLINE void four_rounds(__m128i &abcd, __m128i &e, Schedule &schedule)
{
    __m128i &words = schedule.words[Group % 4];
    __m128i const input = Group == 0 ? _mm_add_epi32(e, words) : _mm_sha1nexte_epu32(e, words);
    e = abcd;
    abcd = _mm_sha1rnds4_epu32(abcd, input, Group / 5);
    if constexpr (Group < 16) { // the words that four groups later will want
        __m128i const half =
            _mm_xor_si128(_mm_sha1msg1_epu32(words, schedule.words[(Group + 1) % 4]),
                          schedule.words[(Group + 2) % 4]);
        words = _mm_sha1msg2_epu32(half, schedule.words[(Group + 3) % 4]);
    }
}

template <int... Groups>
ARBITER_SHA_INLINE void all_rounds(std::integer_sequence<int, Groups...> /*unrolled*/,
                                   __m128i &abcd, __m128i &e, Schedule &schedule)
{
    (four_rounds<Groups>(abcd, e, schedule), ...);
}

ARBITER_SHA_INLINE __m128i load(const void *octets)
{
    return _mm_loadu_si128(static_cast<const __m128i *>(octets));
}

bool ask_processor() noexcept
{
    unsigned a = 0, b = 0, c = 0, d = 0;
    constexpr unsigned kSha = 1U << 29;
    return __get_cpuid(1, &a, &b, &c, &d) != 0 && (c & bit_SSE4_1) != 0 &&
           __get_cpuid_count(7, 0, &a, &b, &c, &d) != 0 && (b & kSha) != 0;
}

constexpr int kInitialB = static_cast<int>(0xEFCDAB89);
constexpr int kInitialC = static_cast<int>(0x98BADCFE);
constexpr int kInitialE = static_cast<int>(0xC3D2E1F0);

enum class Answer { unknown, no, yes };
constinit Answer answer = Answer::unknown;

} // namespace

bool has_sha1_x86() noexcept
{
    if (answer == Answer::unknown)
        answer = ask_processor() ? Answer::yes : Answer::no;
    return answer == Answer::yes;
}

ARBITER_SHA Sha1 sha1_x86(const std::uint8_t *blocks, std::size_t count) noexcept
{
    // Turns sixteen octets around: words are big-endian, and the instructions want the first on
    // top.
    __m128i const reversed = _mm_set_epi64x(0x0001020304050607, 0x08090A0B0C0D0E0F);
    __m128i abcd = _mm_set_epi32(0x67452301, kInitialB, kInitialC, 0x10325476);
    __m128i e = _mm_set_epi32(kInitialE, 0, 0, 0);
    for (; count > 0; --count, blocks += 64) {
        __m128i const abcd_before = abcd;
        __m128i const e_before = e;
        Schedule schedule;
        for (int i = 0; i < 4; ++i)
            schedule.words[i] = _mm_shuffle_epi8(load(blocks + std::ptrdiff_t{16} * i), reversed);
        all_rounds(std::make_integer_sequence<int, 20>(), abcd, e, schedule);
        e = _mm_sha1nexte_epu32(e, e_before);
        abcd = _mm_add_epi32(abcd, abcd_before);
    }
    Sha1 digest;
    _mm_storeu_si128(reinterpret_cast<__m128i *>(digest.data()), _mm_shuffle_epi8(abcd, reversed));
    auto const last = __builtin_bswap32(static_cast<std::uint32_t>(_mm_extract_epi32(e, 3)));
    std::memcpy(digest.data() + 16, &last, sizeof last);
    return digest;
}

} // namespace arbiter

#else

namespace arbiter {

bool has_sha1_x86() noexcept
{
    return false;
}

Sha1 sha1_x86(const std::uint8_t * /*blocks*/, std::size_t /*count*/) noexcept
{
    return {};
}

} // namespace arbiter

#endif
