#include "projection/offset.hpp"

#include <array>
#include <string>
#include <vector>

#include "base/failure.hpp"
#include "log/head.hpp"
#include "pg/catalog.hpp"
#include "pg/keyed_row.hpp"
#include "pg/lock_manager.hpp"
#include "pg/transaction.hpp"
#include "projection/tables.hpp"
#include "shared/counters.hpp"

namespace arbiter::projection {

namespace {

constexpr store::Query kLastRevision{
    "SELECT o.revision FROM {store}.projections AS p LEFT JOIN {store}.offsets AS o "
    "ON o.projection OPERATOR(pg_catalog.=) p.projection AND o.entity OPERATOR(pg_catalog.=) $2 "
    "WHERE p.projection OPERATOR(pg_catalog.=) $1",
    pg::Type::text, pg::Type::text};

void require_privileges(Oid offsets, Oid projections)
{
    pg::require_privileges(projections, pg::Privileges::select);
    pg::require_privileges(offsets, pg::Privileges::select_insert_and_update);
    if (pg::has_row_security(offsets) || pg::has_row_security(projections))
        throw Failure(sqlstate::kFeatureNotSupported,
                      "row security on offsets and projections is not supported",
                      "Whether a revision has been applied cannot depend on who asks.",
                      "Keep the projections of separate tenants in separate stores.");
}

// Calls decide(applied, in_flight, row) until it is content; what it answers `write` to becomes the
// offset.
template <typename Decide>
void move(store::Store &store, const Place &place, std::int64_t revision, Decide decide)
{
    auto const [table, key] = store.table(kOffsets);
    std::array const values{pg::IndexKey(place.projection), pg::IndexKey(place.entity)};
    pg::decide_row({.table = table, .index = key, .values = values},
                   [&](const pg::FoundRow *row, bool in_flight, pg::Draft &draft) {
                       draft.set(kOffsetProjection, values[0].datum());
                       draft.set(kOffsetEntity, values[1].datum());
                       draft.set(kOffsetRevision, static_cast<Datum>(revision));
                       return decide(row ? row->bigint(kOffsetRevision) : kNothingApplied,
                                     in_flight, row);
                   });
}

// Whoever is in flight can only raise the offset: what is applied stays so, and needs no waiting.
// It has to stay so through a crash too, since the caller will acknowledge the event.
pg::Verdict verdict(Decision decision, const pg::FoundRow *row, bool in_flight,
                    pg::Verdict on_apply)
{
    if (row && decision == Decision::already) {
        row->flush_commit();
        return pg::Verdict::leave;
    }
    if (in_flight)
        return pg::Verdict::wait;
    return decision == Decision::apply ? on_apply : pg::Verdict::leave;
}

} // namespace

Projection open_offsets(store::Store &store, std::string_view projection)
{
    Oid const offsets = store.table(kOffsets).table;
    require_privileges(offsets, store.table(kProjections).table);
    pg::lock_table_for_writing(offsets);
    return find(store, projection);
}

void refuse_gap(const Place &place, std::int64_t applied, std::int64_t revision)
{
    // Frozen, the names last, since they may hold anything: see RB001.
    throw Failure(sqlstate::kOffsetGap,
                  "revision " + std::to_string(revision) + " would leave a gap in projection \"" +
                      std::string(place.projection) + "\"",
                  "Expected next revision " + std::to_string(applied + 1) + ", given revision " +
                      std::to_string(revision) + ", projection \"" + std::string(place.projection) +
                      "\", entity \"" + std::string(place.entity) + "\".",
                  "Deliver again from the expected revision.");
}

namespace {

struct Moved {
    Decision decision = Decision::already;
    std::int64_t applied = kNothingApplied;
    bool hidden = false;
};

Moved try_advance(store::Store &store, const Place &place, std::int64_t revision, bool strict)
{
    bool const one_snapshot = pg::keeps_its_snapshot();
    Moved moved;
    move(store, place, revision, [&](std::int64_t found, bool in_flight, const pg::FoundRow *row) {
        moved.applied = found;
        moved.decision = decide(found, revision, strict);
        // Applying on top of an effect that the snapshot can't see would lose it, or this one.
        moved.hidden = one_snapshot && row && row->newer_than_snapshot();
        return verdict(moved.decision, row, in_flight,
                       moved.hidden ? pg::Verdict::leave : pg::Verdict::write);
    });
    return moved;
}

[[noreturn]] void refuse_hidden(std::int64_t applied)
{
    throw Failure(sqlstate::kSerializationFailure,
                  "could not serialize access due to a concurrent advance",
                  "The effect of revision " + std::to_string(applied) +
                      " was committed after this transaction's snapshot was taken.",
                  "The transaction might succeed if retried.");
}

// What lies between has been truncated: it will never be delivered, and is no reason to wait.
bool is_first_left(const store::Store &store, const Place &place, std::int64_t revision)
{
    return log::find_first(store, place.entity) == revision;
}

} // namespace

bool advance(store::Store &store, const Place &place, std::int64_t revision)
{
    check_revision(revision);
    check_entity(place.entity);
    bool const strict = open_offsets(store, place.projection).strict;
    Moved moved = try_advance(store, place, revision, strict);
    if (moved.decision == Decision::gap && is_first_left(store, place, revision))
        moved = try_advance(store, place, revision, false);
    auto const [decision, applied, hidden] = moved;
    switch (decision) {
    case Decision::already:
        shared::count(store.schema, shared::Noun::advance, shared::Outcome::already);
        return false;
    case Decision::gap:
        shared::count(store.schema, shared::Noun::advance, shared::Outcome::conflict);
        refuse_gap(place, applied, revision);
    case Decision::apply:
        break;
    }
    if (hidden)
        refuse_hidden(applied);
    shared::count(store.schema, shared::Noun::advance, shared::Outcome::done);
    return true;
}

namespace {

// The offsets of one projection, as keys and as drafts know them.
class Offsets {
public:
    Offsets(store::Store &store, std::string_view projection, std::span<Advance> advances)
        : advances_(advances)
    {
        auto const [table, key] = store.table(kOffsets);
        pg::IndexKey const name(projection);
        values_.reserve(advances.size());
        for (const Advance &advance : advances)
            values_.push_back({name, pg::IndexKey(advance.entity)});
        for (const auto &value : values_)
            keys_.push_back({.table = table, .index = key, .values = value});
    }

    // From an entity on, until one is a gap or hidden: which one.
    std::size_t move(std::size_t from, bool strict, Moved &stopped)
    {
        bool const one_snapshot = pg::keeps_its_snapshot();
        auto const judge = [&](std::size_t n, const pg::FoundRow *row, bool in_flight,
                               pg::Draft &draft) {
            Advance &advance = advances_[from + n];
            advance.applied = row ? row->bigint(kOffsetRevision) : kNothingApplied;
            if (advance.last <= advance.applied)
                return pg::Verdict::leave;
            if (in_flight)
                return pg::Verdict::wait;
            stopped = {decide(advance.applied, advance.first, strict && !advance.behind_a_hole),
                       advance.applied, one_snapshot && row && row->newer_than_snapshot()};
            if (stopped.decision == Decision::gap || stopped.hidden)
                return pg::Verdict::stop;
            draft.set(kOffsetProjection, values_[from + n][0].datum());
            draft.set(kOffsetEntity, values_[from + n][1].datum());
            draft.set(kOffsetRevision, static_cast<Datum>(advance.last));
            return pg::Verdict::write;
        };
        return from + pg::decide_rows(std::span<const pg::RowKey>(keys_).subspan(from), judge);
    }

private:
    std::span<Advance> advances_;
    std::vector<std::array<pg::IndexKey, 2>> values_;
    std::vector<pg::RowKey> keys_;
};

} // namespace

void advance_all(store::Store &store, std::string_view projection, bool strict,
                 std::span<Advance> advances)
{
    Offsets offsets(store, projection, advances);
    Moved stopped;
    for (std::size_t at = 0; (at = offsets.move(at, strict, stopped)) < advances.size();) {
        if (stopped.hidden)
            refuse_hidden(stopped.applied);
        Place const place{projection, advances[at].entity};
        if (!is_first_left(store, place, advances[at].first))
            refuse_gap(place, stopped.applied, advances[at].first);
        advances[at].behind_a_hole = true;
    }
}

bool start_at(store::Store &store, const Place &place, std::int64_t revision)
{
    check_revision(revision);
    check_entity(place.entity);
    open_offsets(store, place.projection);
    bool reached = false;
    move(store, place, revision - 1,
         [&](std::int64_t applied, bool in_flight, const pg::FoundRow *) {
             reached = applied < revision;
             if (reached && in_flight)
                 return pg::Verdict::wait;
             return applied < revision - 1 ? pg::Verdict::write : pg::Verdict::leave;
         });
    return reached;
}

Decision look(store::Store &store, const Projection &projection, const Place &place,
              std::int64_t revision, std::int64_t &applied)
{
    Decision decision = Decision::already;
    move(store, place, revision, [&](std::int64_t found, bool in_flight, const pg::FoundRow *row) {
        applied = found;
        decision = decide(found, revision, projection.strict);
        return verdict(decision, row, in_flight, pg::Verdict::leave);
    });
    if (decision == Decision::gap && is_first_left(store, place, revision))
        return Decision::apply;
    return decision;
}

std::int64_t last_revision(store::Store &store, const Place &place)
{
    check_name(place.projection);
    check_entity(place.entity);
    store.table(kOffsets);
    pg::Spi spi;
    pg::Rows const rows =
        spi.run(store.statement(kLastRevision), {place.projection, place.entity}, pg::Sees::caller);
    if (rows.empty())
        refuse_unknown(store, place.projection);
    return rows.is_null(0, 0) ? kNothingApplied : rows.bigint(0, 0);
}

} // namespace arbiter::projection
