#include "base/digest.hpp"

#include <gtest/gtest.h>

#include <string>

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
