// Index look-ups that see what is being written right now, and wait for its writer to end.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <type_traits>

#include "base/duration.hpp"
#include "base/uuid.hpp"
#include "pg/types.hpp"

struct TupleTableSlot;

namespace arbiter::pg {

// Column n (from 0) of the index equals the value.
class IndexKey {
public:
    enum class Kind { text, bigint, uuid };
    IndexKey(std::string_view text);
    IndexKey(std::int64_t value) noexcept;
    IndexKey(const Uuid &uuid);
    Kind kind() const noexcept { return kind_; }
    Datum datum() const noexcept { return datum_; }

private:
    Kind kind_;
    Datum datum_;
};

// Where a table keeps a row, until it is updated, moved or forgotten.
struct RowPlace {
    std::uint32_t block = 0;
    std::uint16_t number = 0; // from 1
};

// The row found, valid inside the reader only. Columns count from 1, as in the table.
class FoundRow {
public:
    explicit FoundRow(TupleTableSlot *slot) noexcept : slot_(slot) {}
    bool is_null(int column) const;
    bool boolean(int column) const;
    std::int64_t bigint(int column) const;
    std::string_view text(int column) const;
    Datum datum(int column) const;
    // A copy that outlives the reader, of a value of variable length.
    Datum detached(int column) const;
    Duration duration(int column) const;
    RowPlace place() const noexcept;
    bool written_by_me() const;
    // Committed after the calling statement's (in SERIALIZABLE: the transaction's) snapshot was
    // taken.
    bool newer_than_snapshot() const;
    // Whoever is told of this row can be sure that no crash takes it back: flushes the commit that
    // wrote it, if that was asynchronous and this session's commits are not.
    void flush_commit() const;

private:
    TupleTableSlot *slot_;
};

// Which of several rows with the same leading keys.
enum class Pick { first, last };

namespace detail {
using RowReader = void (*)(const FoundRow &, void *);
using RowTaker = bool (*)(const FoundRow &, void *); // false: not this one, the next
bool dirty_lookup(Oid table, Oid index, std::span<const IndexKey> keys, Pick pick, RowTaker taker,
                  void *closure, std::uint32_t *waited_for);
void read_at(Oid table, const RowPlace &place, RowReader reader, void *closure);
} // namespace detail

// Finds the first or last row under the keys with a dirty snapshot, hands it to read and returns
// true; false if there is none. A row whose inserter or deleter is still in flight is waited for:
// lock_timeout and the deadlock detector work as for any row lock. Takes RowExclusiveLock on the
// table, as a writer. read runs inside pg::call: only trivially destructible values. Where it has
// to wait, waited_for is first told for which transaction.
template <typename Read>
bool dirty_lookup(Oid table, Oid index, std::span<const IndexKey> keys, Pick pick, Read read,
                  std::uint32_t *waited_for = nullptr)
{
    return detail::dirty_lookup(
        table, index, keys, pick,
        [](const FoundRow &row, void *closure) {
            (*static_cast<Read *>(closure))(row);
            return true;
        },
        &read, waited_for);
}

// The same for the first or last row that accept takes. It is called with one row after the other,
// and from the start again after a wait.
template <typename Accept>
bool dirty_search(Oid table, Oid index, std::span<const IndexKey> keys, Pick pick, Accept accept)
{
    return detail::dirty_lookup(
        table, index, keys, pick,
        [](const FoundRow &row, void *closure) { return (*static_cast<Accept *>(closure))(row); },
        &accept, nullptr);
}

// Hands the row at that place to read, if one is there that nobody is writing: for who looks for
// the same row again and again, and saves the way through the index. That it is the row that was
// meant, read has to see; otherwise the look-up finds it.
template <typename Read>
void read_at(Oid table, const RowPlace &place, Read read)
{
    detail::read_at(
        table, place,
        [](const FoundRow &row, void *closure) { (*static_cast<Read *>(closure))(row); }, &read);
}

} // namespace arbiter::pg
