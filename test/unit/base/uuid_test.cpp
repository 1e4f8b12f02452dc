#include "base/uuid.hpp"

#include <gtest/gtest.h>

using namespace arbiter;

TEST(Uuid, ReadsAndWritesTheCanonicalForm)
{
    const auto uuid = parse_uuid("6BA7B810-9dad-11d1-80b4-00c04fd430c8");
    ASSERT_TRUE(uuid);
    EXPECT_EQ(uuid->octets[0], 0x6B);
    EXPECT_EQ(uuid->octets[15], 0xC8);
    EXPECT_EQ(to_string(*uuid), "6ba7b810-9dad-11d1-80b4-00c04fd430c8");
}

TEST(Uuid, RefusesWhatOtherReadersTake)
{
    for (const char *text :
         {"", "6ba7b8109dad11d180b400c04fd430c8", "{6ba7b810-9dad-11d1-80b4-00c04fd430c8}",
          "6ba7b810-9dad-11d1-80b4-00c04fd430c", "6ba7b810-9dad-11d1-80b4-00c04fd430c88",
          "6ba7-b810-9dad-11d1-80b4-00c04fd430c8", "6ba7b810-9dad-11d1-80b4-00c04fd430cg",
          "6ba7b810-9dad-11d1-80b400c04f-d430c8", " ba7b810-9dad-11d1-80b4-00c04fd430c8",
          "6ba7b810_9dad_11d1_80b4_00c04fd430c8", "+ba7b810-9dad-11d1-80b4-00c04fd430c8"})
        EXPECT_FALSE(parse_uuid(text)) << text;
}

TEST(Uuid, OrdersByOctet)
{
    EXPECT_LT(*parse_uuid("00000000-0000-0000-0000-0000000000ff"),
              *parse_uuid("00000001-0000-0000-0000-000000000000"));
}
