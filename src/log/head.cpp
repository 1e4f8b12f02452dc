#include "log/head.hpp"

#include <string>

#include "base/failure.hpp"
#include "log/stream_name.hpp"
#include "pg/dirty_lookup.hpp"
#include "pg/error.hpp"
#include "pg/lock_manager.hpp"
#include "pg/lock_timeout.hpp"
#include "pg/transaction.hpp"

namespace arbiter::log {

namespace {

// The server says no more than that lock_timeout is up.
[[noreturn]] void refuse_to_wait(std::string_view stream, std::uint32_t writer)
{
    auto const holder = pg::transaction_holder(writer);
    throw Failure(sqlstate::kLockNotAvailable,
                  "another writer of stream \"" + std::string(stream) + "\" has not ended within " +
                      std::to_string(pg::lock_timeout_milliseconds()) + " ms",
                  holder ? pg::describe(*holder) + " has written to the stream and is still open."
                         : "Whoever it was has just ended.",
                  "Roll back and try again later.");
}

} // namespace

std::string describe_next(const Head &head)
{
    return std::to_string(static_cast<std::uint64_t>(head.revision) + 1);
}

Head find_head(const store::Store &store, std::string_view stream)
{
    Head head;
    std::uint32_t writer = 0;
    pg::IndexKey const key(stream);
    try {
        pg::dirty_lookup(
            store.events, store.primary_key, {&key, 1}, pg::Pick::last,
            [&head](const pg::FoundRow &row) {
                head = {.revision = row.bigint(store::kRevision),
                        .position = row.bigint(store::kPosition),
                        .closed = row.text(store::kType) == kClosedType,
                        .written_by_me = row.written_by_me(),
                        .newer_than_snapshot = row.newer_than_snapshot()};
            },
            &writer);
    } catch (const pg::Error &error) {
        if (error.is(sqlstate::kLockNotAvailable))
            refuse_to_wait(stream, writer);
        throw;
    }
    return head;
}

std::int64_t find_first(const store::Store &store, std::string_view stream)
{
    std::int64_t revision = kNoRevision;
    pg::IndexKey const key(stream);
    pg::dirty_lookup(
        store.events, store.primary_key, {&key, 1}, pg::Pick::first,
        [&revision](const pg::FoundRow &row) { revision = row.bigint(store::kRevision); });
    return revision;
}

std::optional<Predecessor> find_predecessor(const store::Store &store, std::string_view stream)
{
    Head const head = find_head(store, stream);
    if (head.revision == kNoRevision)
        return std::nullopt;
    return Predecessor{head.revision, head.position, head.closed};
}

bool is_taken(const store::Store &store, std::string_view stream, std::int64_t revision)
{
    pg::IndexKey const keys[] = {stream, revision};
    return pg::dirty_lookup(store.events, store.primary_key, keys, pg::Pick::first,
                            [](const pg::FoundRow &) {});
}

void refuse_unserializable(const Head &head)
{
    if (head.newer_than_snapshot && pg::is_serializable())
        throw Failure(sqlstate::kSerializationFailure,
                      "could not serialize access due to a concurrent append", {},
                      "The transaction might succeed if retried.");
}

void refuse_closed(std::string_view stream, std::int64_t revision)
{
    throw Failure(sqlstate::kStreamClosed, "stream \"" + std::string(stream) + "\" is closed",
                  "It was closed at revision " + std::to_string(revision) + ".");
}

} // namespace arbiter::log
