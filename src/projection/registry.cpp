#include "projection/registry.hpp"

#include <array>
#include <optional>
#include <string>

#include "base/failure.hpp"
#include "base/quote.hpp"
#include "pg/acting_role.hpp"
#include "pg/catalog.hpp"
#include "pg/dirty_lookup.hpp"
#include "pg/event_function.hpp"
#include "projection/guard.hpp"
#include "projection/inline.hpp"
#include "projection/tables.hpp"
#include "store/as_owner.hpp"
#include "store/lifecycle.hpp"

namespace arbiter::projection {

namespace {

constexpr store::Query kInsert{
    "INSERT INTO {store}.projections (projection, kind, strict, max_attempts, handler, reconciler, "
    "reconcile_every, types, category) "
    "VALUES ($1, $2, $3, $4, $5, $6, $7, (SELECT pg_catalog.array_agg(DISTINCT t.type COLLATE "
    "pg_catalog.\"C\") FROM pg_catalog.unnest($8) AS t (type)), $9) "
    "ON CONFLICT (projection) DO NOTHING",
    pg::Type::text,
    pg::Type::text,
    pg::Type::boolean,
    pg::Type::bigint,
    pg::Type::text,
    pg::Type::text,
    pg::Type::interval,
    pg::Type::text_array,
    pg::Type::text};

// The same columns twice, as text: as registered, and as given now.
constexpr store::Query kCompare{
    "SELECT p.kind, p.strict::pg_catalog.text, p.max_attempts::pg_catalog.text, p.handler, "
    "p.reconciler, p.reconcile_every::pg_catalog.text, p.types::pg_catalog.text, p.category "
    "FROM {store}.projections AS p WHERE p.projection OPERATOR(pg_catalog.=) $1 "
    "UNION ALL SELECT $2, $3::pg_catalog.text, $4::pg_catalog.text, $5, $6, "
    "$7::pg_catalog.text, (SELECT pg_catalog.array_agg(DISTINCT t.type COLLATE pg_catalog.\"C\") "
    "FROM pg_catalog.unnest($8) AS t (type))::pg_catalog.text, $9",
    pg::Type::text,
    pg::Type::text,
    pg::Type::boolean,
    pg::Type::bigint,
    pg::Type::text,
    pg::Type::text,
    pg::Type::interval,
    pg::Type::text_array,
    pg::Type::text};
constexpr std::array kCompared{"kind",       "strict",          "max_attempts", "handler",
                               "reconciler", "reconcile_every", "types",        "category"};

constexpr store::Query kInsertCursor{
    "INSERT INTO {store}.projection_cursors (projection) VALUES ($1)", pg::Type::text};
constexpr store::Query kAskOwner{"SELECT p.kind, p.owner FROM {store}.projections AS p "
                                 "WHERE p.projection OPERATOR(pg_catalog.=) $1",
                                 pg::Type::text};

constexpr store::Query kLockEvents{"LOCK TABLE ONLY {store}.events IN ACCESS EXCLUSIVE MODE"};
constexpr store::Query kLockOffsets{"LOCK TABLE {store}.offsets IN SHARE ROW EXCLUSIVE MODE"};
constexpr store::Query kHasOffsets{"SELECT FROM {store}.offsets AS o "
                                   "WHERE o.projection OPERATOR(pg_catalog.=) $1 LIMIT 1",
                                   pg::Type::text};
constexpr store::Query kDeleteFailedEvents{"DELETE FROM {store}.failed_events AS f "
                                           "WHERE f.projection OPERATOR(pg_catalog.=) $1",
                                           pg::Type::text};
constexpr store::Query kDeleteOffsets{
    "DELETE FROM {store}.offsets AS o WHERE o.projection OPERATOR(pg_catalog.=) $1",
    pg::Type::text};
constexpr store::Query kDeleteCursor{"DELETE FROM {store}.projection_cursors AS c "
                                     "WHERE c.projection OPERATOR(pg_catalog.=) $1",
                                     pg::Type::text};
constexpr store::Query kDeleteReconciliation{"DELETE FROM {store}.reconciliations AS r "
                                             "WHERE r.projection OPERATOR(pg_catalog.=) $1",
                                             pg::Type::text};
constexpr store::Query kDeleteResolutions{"DELETE FROM {store}.resolutions AS r "
                                          "WHERE r.projection OPERATOR(pg_catalog.=) $1",
                                          pg::Type::text};
constexpr store::Query kDeleteTaken{"DELETE FROM {store}.taken_streams AS t "
                                    "WHERE t.projection OPERATOR(pg_catalog.=) $1",
                                    pg::Type::text};
constexpr store::Query kDeleteSetAside{"DELETE FROM {store}.streams_set_aside AS a "
                                       "WHERE a.projection OPERATOR(pg_catalog.=) $1",
                                       pg::Type::text};
constexpr store::Query kDelete{
    "DELETE FROM {store}.projections AS p WHERE p.projection OPERATOR(pg_catalog.=) $1",
    pg::Type::text};

std::string shown(const pg::Rows &rows, std::uint64_t row, int column)
{
    return rows.is_null(row, column) ? "null" : quote_literal(std::string(rows.text(row, column)));
}

void require_identical(const Definition &definition, const pg::Rows &rows)
{
    if (rows.count() != 2)
        store::refuse_unseen_definition();
    for (int column = 0; column < static_cast<int>(kCompared.size()); ++column) {
        std::string const registered = shown(rows, 0, column);
        if (registered != shown(rows, 1, column))
            throw Failure(sqlstate::kDuplicateObject,
                          "projection \"" + std::string(definition.name) +
                              "\" exists with another definition",
                          std::string("It was created with ") +
                              kCompared[static_cast<std::size_t>(column)] + " => " + registered +
                              ", now it is " + shown(rows, 1, column) + ".",
                          "Drop it first, or give the new one another name.");
    }
}

// As the registry names them: so that they are found again whatever the search_path.
struct Functions {
    std::optional<std::string> handler;
    std::optional<std::string> reconciler;
};

Functions find_functions(store::Store &store, const Definition &definition)
{
    Functions found;
    if (definition.handler) {
        require_vouched(store, pg::current_role());
        found.handler = pg::event_function_signature(*definition.handler);
    }
    if (definition.reconciler)
        found.reconciler = *definition.reconciler == kOutsideReconciler
                               ? std::string(kOutsideReconciler)
                               : pg::listing_function_name(*definition.reconciler);
    return found;
}

} // namespace

void refuse_unknown(const store::Store &store, std::string_view name)
{
    throw Failure(sqlstate::kUndefinedObject,
                  "projection \"" + std::string(name) + "\" does not exist in store \"" +
                      store.name + "\"",
                  {}, "Create it with arbiter.create_projection.");
}

Projection find(store::Store &store, std::string_view name)
{
    check_name(name);
    auto const [table, key] = store.table(kProjections);
    Projection projection;
    pg::IndexKey const wanted(name);
    bool const found =
        pg::dirty_lookup(table, key, {&wanted, 1}, pg::Pick::first, [&](const pg::FoundRow &row) {
            projection.strict = row.boolean(kStrict);
            projection.reconciled = !row.is_null(kReconciler);
            projection.external = row.text(kKind) == "external";
            projection.has_tokens = row.text(kKind) == "async" && row.is_null(kHandler);
            projection.max_attempts = row.bigint(kMaxAttempts);
            projection.is_inline = row.text(kKind) == "inline";
        });
    if (!found)
        refuse_unknown(store, name);
    return projection;
}

void require_vouched(store::Store &store, Oid owner)
{
    Oid const writer = pg::owner_of_table(store.table(kProjections).table);
    if (pg::has_rights_of(writer, owner))
        return;
    throw Failure(sqlstate::kInsufficientPrivilege,
                  "a projection of store \"" + store.name + "\" cannot have a handler of role \"" +
                      pg::role_name(owner) + "\"",
                  "The store belongs to role \"" + pg::role_name(writer) +
                      "\", which does not have the rights of that role and could borrow them.",
                  "Create the projection as the owner of the store: SET ROLE " +
                      quote_identifier(pg::role_name(writer)) + ".");
}

Oid handler_owner(store::Store &store, std::string_view name)
{
    check_name(name);
    store.table(kProjections); // and not a view, whose code would run as the caller
    pg::Spi spi;
    pg::Rows const rows = spi.run(store.statement(kAskOwner), {name}, pg::Sees::fresh);
    if (rows.empty())
        refuse_unknown(store, name);
    if (kind_from(rows.text(0, 0)) == Kind::external)
        throw Failure(sqlstate::kNotInPrerequisiteState,
                      "projection \"" + std::string(name) + "\" is external",
                      "It has no handler; its consumer applies the effects.",
                      "Call arbiter.advance in the transaction of each effect.");
    Oid const owner = pg::find_role(rows.text(0, 1));
    require_vouched(store, owner);
    return owner;
}

namespace {

void begin(store::Store &store, const Definition &definition)
{
    switch (kind_from(definition.kind)) {
    case Kind::inline_:
        lock_out_writers(store);
        store::arm_inline(store.name);
        catch_up(store, definition.name, shared::LongCall::create_projection);
        break;
    case Kind::transactional:
    case Kind::async: {
        pg::Spi spi;
        spi.run(store.statement(kInsertCursor), {definition.name}, pg::Sees::fresh);
        break;
    }
    case Kind::external:
        break;
    }
}

} // namespace

Made create(store::Store &store, const Definition &definition, const pg::Value &types,
            const pg::Value &reconcile_every)
{
    store::serialize_definition(store.name);
    Functions const functions = find_functions(store, definition);
    // A handler is its creator's, and whoever owns the store has his rights already.
    std::optional<store::AsOwner> owner;
    if (!definition.handler)
        owner.emplace(store);
    std::array<pg::Value, 9> const values{
        definition.name,    definition.kind,      definition.strict, definition.max_attempts,
        functions.handler,  functions.reconciler, reconcile_every,   types,
        definition.category};
    pg::Spi spi;
    if (spi.run(store.statement(kInsert), values, pg::Sees::fresh).count() == 1) {
        begin(store, definition);
        return Made::created;
    }
    require_identical(definition, spi.run(store.statement(kCompare), values, pg::Sees::fresh));
    return Made::existed;
}

void drop(store::Store &store, std::string_view name, bool force)
{
    store::AsOwner const owner(store);
    store::serialize_definition(store.name);
    bool const is_inline = find(store, name).is_inline;
    pg::Spi spi;
    // Events before offsets, as a writer has them.
    if (is_inline) {
        pg::require_owner(store.events);
        spi.run(store.statement(kLockEvents), {}, pg::Sees::fresh);
    }
    // Whoever is about to advance waits here for us, and then finds no projection.
    spi.run(store.statement(kLockOffsets), {}, pg::Sees::fresh);
    find(store, name);
    if (!force && !spi.run(store.statement(kHasOffsets), {name}, pg::Sees::latest).empty())
        throw Failure(sqlstate::kDependentObjectsStillExist,
                      "projection \"" + std::string(name) + "\" has offsets",
                      "Without them, all that it has applied would be applied again.",
                      "Pass force => true if that is meant.");
    OffsetsMayChange permit;
    spi.run(store.statement(kDeleteFailedEvents), {name}, pg::Sees::fresh);
    spi.run(store.statement(kDeleteOffsets), {name}, pg::Sees::fresh);
    spi.run(store.statement(kDeleteTaken), {name}, pg::Sees::fresh);
    spi.run(store.statement(kDeleteSetAside), {name}, pg::Sees::fresh);
    spi.run(store.statement(kDeleteCursor), {name}, pg::Sees::fresh);
    spi.run(store.statement(kDeleteReconciliation), {name}, pg::Sees::fresh);
    spi.run(store.statement(kDeleteResolutions), {name}, pg::Sees::fresh);
    if (spi.run(store.statement(kDelete), {name}, pg::Sees::fresh).count() == 0)
        store::refuse_unseen_definition();
    if (is_inline && !store::has_inline_projections(store.schema))
        store::disarm_inline(store.name);
}

} // namespace arbiter::projection
