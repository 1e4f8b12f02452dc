// The guarded append: an arbiter. It holds for every writer because the table's primary key
// decides.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "base/uuid.hpp"
#include "log/expectation.hpp"
#include "pg/types.hpp"
#include "store/store.hpp"

namespace arbiter::log {

struct NewEvent {
    std::string_view type;
    Datum data;     // jsonb
    Datum metadata; // jsonb, an object
    std::optional<Uuid> id;
};

// All events or none, if the stream is as expected. Without events it is a check: judged at the
// same moment and by the same rules, but nothing holds the stream until the commit.
struct Request {
    std::string_view stream;
    Expectation expected;
    std::span<const NewEvent> events;
    // The log's own events: of its own types, and past the closing one.
    bool own = false;
};

enum class Outcome { appended, replayed, conflict, closed };

struct Appended {
    Outcome outcome;
    std::int64_t revision; // of the last event written now or, replayed, then; the head for a check
    std::int64_t current;  // the last revision of the stream
};

// What the caller makes of a refusal. Who raises an error ends the transaction with it, and so can
// be told of a lost race after the fact, without the price of a subtransaction.
enum class Refusal { is_error, is_answer };

// 42704, 42501, RB050 as open_for_writing has them; takes the writer's lock on the log, so that
// what was found out about it stays true to the end of the transaction.
store::StorePtr open_for_append(std::string_view store);

// All requests or none, each for another stream: if one is refused, none is written and the answers
// say which. Streams are taken in one order, whatever order they are named in, so that no two calls
// wait for each other. RB005 where an id is known and this is no retry of the append that wrote it.
std::vector<Appended> try_append(store::Store &store, std::span<const Request> requests,
                                 Refusal refusal);

// The same, with refusals as an error, all in one: RB001, RB002.
std::vector<Appended> append(store::Store &store, std::span<const Request> requests);
std::int64_t append(store::Store &store, const Request &request);

// For a caller who has judged the events himself, ids included, against this head of an open
// stream: writes them behind it. False if another writer has been there; then nothing is written.
struct Head;
bool append_behind(store::Store &store, std::string_view stream, const Head &head,
                   std::span<const NewEvent> events);

} // namespace arbiter::log
