#include "base/digest.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>

#include <openssl/evp.h>

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

// What OpenSSL recommends instead of the calls used here, and its own judgement of them.
TEST(Digest, IsEvpsForEveryLength)
{
    std::mt19937 random(7);
    for (std::size_t size = 0; size < 600; ++size) {
        std::string text(size, '\0');
        std::generate(text.begin(), text.end(), [&] { return static_cast<char>(random()); });
        const std::size_t cut = random() % (size + 1);
        const std::string_view whole = text;
        Sha1 first;
        Sha256 second;
        ASSERT_EQ(EVP_Digest(text.data(), size, first.data(), nullptr, EVP_sha1(), nullptr), 1);
        ASSERT_EQ(EVP_Digest(text.data(), size, second.data(), nullptr, EVP_sha256(), nullptr), 1);
        ASSERT_EQ(sha1(whole.substr(0, cut), whole.substr(cut)), first)
            << size << " cut at " << cut;
        ASSERT_EQ(sha256(whole.substr(0, cut), whole.substr(cut)), second)
            << size << " cut at " << cut;
    }
}
