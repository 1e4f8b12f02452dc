#include "base/uuid_v5.hpp"

#include <gtest/gtest.h>

#include "../expect_failure.hpp"
#include "../read_file.hpp"
#include "base/json.hpp"

using namespace arbiter;

namespace {

std::string from_hex(const std::string &hex)
{
    std::string octets;
    for (std::size_t i = 0; i < hex.size(); i += 2)
        octets += static_cast<char>(std::stoi(hex.substr(i, 2), nullptr, 16));
    return octets;
}

// A vector gives its name in hexadecimal, whole or as a piece and how often it is repeated.
std::string name_of(const Json &vector)
{
    if (const Json *hex = vector.find("name_hex"))
        return from_hex(hex->text);
    const Json *repeat = vector.find("name_repeat");
    std::string name;
    for (int i = 0; i < std::stoi(repeat->items[1].text); ++i)
        name += from_hex(repeat->items[0].text);
    return name;
}

} // namespace

TEST(UuidV5, AgreesWithEveryPublishedVector)
{
    const Json vectors = read_json(read_file("test/vectors/uuid_v5.json"));
    EXPECT_EQ(vectors.items.size(), 71U);
    for (const Json &vector : vectors.items) {
        const auto name_space = parse_uuid(vector.find("ns")->text);
        ASSERT_TRUE(name_space);
        EXPECT_EQ(to_string(uuid_v5(*name_space, name_of(vector))), vector.find("uuid")->text)
            << vector.find("src")->text;
    }
}

TEST(UuidV5, WritesVersionAndVariantOverEveryDigest)
{
    for (int octet = 0; octet < 256; ++octet) {
        Sha1 digest;
        digest.fill(static_cast<std::uint8_t>(octet));
        const Uuid uuid = uuid_v5(digest);
        EXPECT_EQ(uuid.octets[6] >> 4, 5);
        EXPECT_EQ(uuid.octets[6] & 0x0F, octet & 0x0F);
        EXPECT_EQ(uuid.octets[8] >> 6, 2);
        EXPECT_EQ(uuid.octets[8] & 0x3F, octet & 0x3F);
    }
}

TEST(UuidV5, CapsTheName)
{
    const Uuid name_space{};
    EXPECT_NO_THROW(uuid_v5(name_space, std::string(kMaxNameSize, 'a')));
    expect_failure(sqlstate::kProgramLimitExceeded, "1048577 bytes",
                   [&] { uuid_v5(name_space, std::string(kMaxNameSize + 1, 'a')); });
}
