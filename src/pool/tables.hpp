// The table of this noun that is read straight; its SQL is in src/store/steps/.
#pragma once

#include "store/store.hpp"

namespace arbiter::pool {

enum PoolColumn : int {
    kPoolName = 1,
    kRelation,
    kKeyColumn,
    kOwnerColumn,
    kSinceColumn,
    kTokenColumn,
    kPredicate,
    kOrderBy,
};
inline constexpr pg::Column kPoolColumns[] = {
    {"pool", pg::Type::text},         {"relation", pg::Type::regclass},
    {"key_column", pg::Type::text},   {"owner_column", pg::Type::text},
    {"since_column", pg::Type::text}, {"token_column", pg::Type::text},
    {"predicate", pg::Type::text},    {"order_by", pg::Type::text},
};
inline constexpr store::Table kPools{
    .name = "pools", .columns = kPoolColumns, .key = "pools_pkey", .key_columns = {kPoolName}};

} // namespace arbiter::pool
