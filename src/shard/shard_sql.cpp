#include "pg/arguments.hpp"
#include "pg/entry.hpp"

#include <string>

#include "base/failure.hpp"
#include "shard/shard.hpp"

using namespace arbiter;

ARBITER_FUNCTION(arbiter_shard_of)
{
    pg::Arguments const arguments(fcinfo);
    std::string_view const stream = arguments.text(0, "stream");
    std::int64_t const shards = arguments.bigint(1, "shards");
    if (shards < 1 || shards > shard::kMaxShards)
        throw Failure(sqlstate::kInvalidParameterValue,
                      std::to_string(shards) + " is no number of shards", {},
                      "Give a number from 1 to " + std::to_string(shard::kMaxShards) + ".");
    return Int64GetDatum(shard::shard_of(stream, shards));
}
