#include "shard/shard.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "../read_file.hpp"
#include "base/json.hpp"

using namespace arbiter;
using shard::shard_of;

TEST(Shard, AgreesWithEveryVector)
{
    const Json vectors = read_json(read_file("test/vectors/shard_of.json"));
    EXPECT_EQ(vectors.items.size(), 17U);
    for (const Json &vector : vectors.items) {
        std::string const &stream = vector.find("stream")->text;
        const Json &shards = *vector.find("shards");
        for (std::size_t i = 0; i < shards.items.size(); ++i)
            EXPECT_EQ(shard_of(stream, std::stoll(shards.keys[i])),
                      std::stoll(shards.items[i].text))
                << stream << " of " << shards.keys[i];
    }
}

TEST(Shard, IsSpreadEvenly)
{
    std::vector<int> streams(7);
    for (int i = 0; i < 70000; ++i)
        ++streams.at(static_cast<std::size_t>(shard_of("order-" + std::to_string(i), 7)));
    for (int const count : streams) // five standard deviations
        EXPECT_NEAR(count, 10000, 470);
}

TEST(Shard, OneMoreTakesFromAllAndMovesNothingElse)
{
    for (int shards = 1; shards < 20; ++shards) {
        int moved = 0;
        for (int i = 0; i < 2000; ++i) {
            std::string const stream = "order-" + std::to_string(i);
            std::int64_t const before = shard_of(stream, shards);
            std::int64_t const after = shard_of(stream, shards + 1);
            if (after == before)
                continue;
            EXPECT_EQ(after, shards) << stream;
            ++moved;
        }
        EXPECT_NEAR(moved, 2000 / (shards + 1), 120);
    }
}
