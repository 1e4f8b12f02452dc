// Effects that are owed: of events that failed and were passed, or that a reconciler missed.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "projection/batch.hpp"
#include "projection/offset.hpp"
#include "projection/turn.hpp"

namespace arbiter::projection {

struct Debt {
    std::string stream;
    std::int64_t revision;
};

// The oldest ones.
std::vector<Debt> debts(store::Store &store, std::string_view projection, std::int64_t max_count);

// A debt now, if it was none; detail is jsonb or null.
void record_debt(store::Store &store, const Place &place, std::int64_t revision,
                 std::string_view error, const pg::Value &detail);

// Offers the event to the handler once more. Paid: the debt is forgotten, in the transaction of the
// effect. Not paid: the attempt is counted. An event that is no longer in the log cannot be paid.
bool pay(Turn &turn, Batch &batch, const Debt &debt);

} // namespace arbiter::projection
