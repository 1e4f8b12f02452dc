#include "base/digest.hpp"

#include <algorithm>
#include <cstring>
#include <new>

#include <openssl/evp.h>

#include "base/failure.hpp"
#include "base/sha1_x86.hpp"

namespace arbiter {
namespace {

// OpenSSL 3 looks the algorithm up by name on each one-shot call, which costs more than hashing a
// short name. So algorithm and context are fetched once a process and kept. They are made on first
// use, never while the library is loaded: a preloading postmaster must not hand a context down to
// its children. Plain pointers, never freed: a destructor would run at backend exit, after
// OpenSSL's own clean-up.
struct Hasher {
    const char *name;
    EVP_MD *algorithm;
    EVP_MD_CTX *context;
};

constinit Hasher sha1_hasher{"SHA1", nullptr, nullptr};
constinit Hasher sha256_hasher{"SHA256", nullptr, nullptr};

void prepare(Hasher &hasher)
{
    if (hasher.algorithm == nullptr)
        hasher.algorithm = EVP_MD_fetch(nullptr, hasher.name, nullptr);
    if (hasher.algorithm == nullptr)
        throw Failure(sqlstate::kNotInPrerequisiteState,
                      std::string("OpenSSL does not provide ") + hasher.name, {},
                      "A FIPS configuration may have switched it off.");
    if (hasher.context == nullptr)
        hasher.context = EVP_MD_CTX_new();
    if (hasher.context == nullptr)
        throw std::bad_alloc();
}

template <typename Digest>
Digest hash(Hasher &hasher, std::string_view head, std::string_view tail)
{
    if (hasher.context == nullptr)
        prepare(hasher);
    Digest digest;
    // A copy of a short text is cheaper than a second update.
    char joined[256];
    bool ok = EVP_DigestInit_ex2(hasher.context, hasher.algorithm, nullptr) == 1;
    if (head.size() + tail.size() <= sizeof joined) {
        char *const end = std::ranges::copy(tail, std::ranges::copy(head, joined).out).out;
        ok = ok &&
             EVP_DigestUpdate(hasher.context, joined, static_cast<std::size_t>(end - joined)) == 1;
    } else {
        ok = ok && EVP_DigestUpdate(hasher.context, head.data(), head.size()) == 1 &&
             EVP_DigestUpdate(hasher.context, tail.data(), tail.size()) == 1;
    }
    ok = ok && EVP_DigestFinal_ex(hasher.context, digest.data(), nullptr) == 1;
    if (!ok)
        throw Failure(sqlstate::kInternalError,
                      std::string("OpenSSL failed to compute ") + hasher.name);
    return digest;
}

// What OpenSSL does around the compression costs more than the compression of a short text.
constexpr std::size_t kBlock = 64;
constexpr std::size_t kMaxPadded = 4 * kBlock;
constexpr std::size_t kMaxShort = kMaxPadded - 1 - sizeof(std::uint64_t);

Sha1 short_sha1(std::string_view head, std::string_view tail) noexcept
{
    std::size_t const size = head.size() + tail.size();
    std::size_t const blocks = (size + 1 + sizeof(std::uint64_t) + kBlock - 1) / kBlock;
    std::uint8_t padded[kMaxPadded];
    // The zeros first, and of constant length: those in the last block, and the few that may stand
    // before it. The text then covers what is not padding.
    std::uint8_t *const last = padded + (blocks - 1) * kBlock;
    std::memset(last, 0, kBlock);
    if (blocks > 1)
        std::memset(last - sizeof(std::uint64_t), 0, sizeof(std::uint64_t));
    std::ranges::copy(tail, std::ranges::copy(head, padded).out);
    padded[size] = 0x80;
    std::uint64_t const bits = __builtin_bswap64(std::uint64_t{size} * 8);
    std::memcpy(last + kBlock - sizeof bits, &bits, sizeof bits);
    return sha1_x86(padded, blocks);
}

} // namespace

Sha1 sha1(std::string_view head, std::string_view tail)
{
    if (head.size() + tail.size() <= kMaxShort && has_sha1_x86())
        return short_sha1(head, tail);
    return sha1_by_openssl(head, tail);
}

Sha1 sha1_by_openssl(std::string_view head, std::string_view tail)
{
    return hash<Sha1>(sha1_hasher, head, tail);
}

Sha256 sha256(std::string_view head, std::string_view tail)
{
    return hash<Sha256>(sha256_hasher, head, tail);
}

std::string to_hex(std::string_view octets)
{
    static constexpr char kDigits[] = "0123456789abcdef";
    std::string text;
    text.reserve(octets.size() * 2);
    for (const char c : octets) {
        text += kDigits[static_cast<std::uint8_t>(c) >> 4];
        text += kDigits[static_cast<std::uint8_t>(c) & 0x0F];
    }
    return text;
}

std::string to_hex(const Sha256 &digest)
{
    return to_hex({reinterpret_cast<const char *>(digest.data()), digest.size()});
}

} // namespace arbiter
