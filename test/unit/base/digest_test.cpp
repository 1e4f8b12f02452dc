#include "base/digest.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>

#include "base/sha1_x86.hpp"

using namespace arbiter;

namespace {
std::string hex(const Sha1 &digest)
{
    return to_hex({reinterpret_cast<const char *>(digest.data()), digest.size()});
}
} // namespace

TEST(Digest, KnowsThePublishedExamples)
{
    EXPECT_EQ(hex(sha1("abc")), "a9993e364706816aba3e25717850c26c9cd0d89d");
    EXPECT_EQ(hex(sha1("")), "da39a3ee5e6b4b0d3255bfef95601890afd80709");
    EXPECT_EQ(to_hex(sha256("abc")),
              "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    EXPECT_EQ(hex(sha1(std::string(1000000, 'a'))), "34aa973cd4c4daa4f61eeb2bdbad27316534016f");
}

TEST(Digest, HashesTheConcatenationWhereverItIsCut)
{
    const std::string text(600, 'x');
    for (std::size_t size : {0, 1, 255, 256, 257, 600})
        for (std::size_t cut = 0; cut <= size; cut += 1 + size / 7)
            EXPECT_EQ(sha1(text.substr(0, cut), text.substr(cut, size - cut)),
                      sha1(text.substr(0, size)))
                << size << " cut at " << cut;
}

// Short texts are hashed without OpenSSL where the processor can: every length up to the limit and
// beyond, so every place of the padding.
TEST(Digest, IsOpensslsForEveryLength)
{
    std::mt19937 random(7);
    for (std::size_t size = 0; size < 600; ++size)
        for (int round = 0; round < 20; ++round) {
            std::string text(size, '\0');
            std::generate(text.begin(), text.end(), [&] { return static_cast<char>(random()); });
            const std::size_t cut = random() % (size + 1);
            const std::string_view whole = text;
            ASSERT_EQ(hex(sha1(whole.substr(0, cut), whole.substr(cut))),
                      hex(sha1_by_openssl(text)))
                << size << " cut at " << cut;
        }
}

TEST(Digest, IsTheProcessorsWhereItCan)
{
    if (!has_sha1_x86())
        GTEST_SKIP() << "this processor has no instructions for SHA-1";
    std::uint8_t block[64] = {'a', 'b', 'c', 0x80};
    block[63] = 24;
    EXPECT_EQ(hex(sha1_x86(block, 1)), "a9993e364706816aba3e25717850c26c9cd0d89d");
}
