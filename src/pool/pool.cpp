#include "pool/pool.hpp"

#include <array>
#include <map>

#include "base/failure.hpp"
#include "base/quote.hpp"
#include "pg/catalog.hpp"
#include "pg/column.hpp"
#include "pg/dirty_lookup.hpp"
#include "pg/lock_manager.hpp"
#include "pg/row_predicate.hpp"
#include "pg/settings.hpp"
#include "pg/text.hpp"
#include "pool/tables.hpp"

namespace arbiter::pool {

namespace {

constexpr std::string_view kTriggerPrefix = "zz_arbiter_pool_";
// Beyond it the server would cut the trigger's name off.
constexpr std::size_t kMaxName = 63 - kTriggerPrefix.size();

using pg::Planning;
using pg::Type;

// The pieces of SQL, with every name in its place. The table has no alias, since the predicate may
// name it.
struct Pieces {
    Pieces(const Definition &given, const pg::TableName &name)
        : definition(given), table(name.quoted()), whole_row(quote_identifier(name.name) + ".*"),
          key(quote_identifier(definition.key)), owner(quote_identifier(definition.owner)),
          since(quote_identifier(definition.since)), token(quote_identifier(definition.token))
    {
    }

    std::string since_is_at_most_first() const
    {
        return "(" + since + " IS NULL OR " + since + " OPERATOR(pg_catalog.<=) $1)";
    }
    std::string larger_token(const char *least) const
    {
        return token + " = GREATEST(" + token + " OPERATOR(pg_catalog.+) 1, " + least + ")";
    }
    std::string update() const { return "UPDATE ONLY " + table + " SET "; }
    static std::string at_first() { return " WHERE ctid OPERATOR(pg_catalog.=) $1"; }

    std::string look() const
    {
        return "SELECT ctid FROM ONLY " + table + " WHERE " + definition.free_rows() + " AND " +
               since_is_at_most_first() + " ORDER BY " + definition.order_by;
    }
    std::string pick() const { return look() + " FOR NO KEY UPDATE SKIP LOCKED"; }
    std::string take() const
    {
        auto const facts = pg::describe_column(definition.relation, definition.owner);
        // What takes text takes it as it is, and refuses what is too long; a cast would cut it off.
        std::string const value = facts.is_text ? "$2" : "$2::" + facts.type_name;
        return update() + owner + " = " + value + ", " + since + " = $3, " + larger_token("$4") +
               at_first() + " RETURNING " + key + "::pg_catalog.text, " + token +
               ", pg_catalog.to_jsonb(" + whole_row + ")";
    }
    std::string find() const
    {
        auto const facts = pg::describe_column(definition.relation, definition.key);
        return "SELECT ctid, " + owner + "::pg_catalog.text, " + token + " FROM ONLY " + table +
               " WHERE " + key + " " + facts.equals + " $1::" + facts.type_name;
    }
    std::string touch() const { return update() + since + " = $2" + at_first(); }
    std::string give_back() const
    {
        return update() + owner + " = NULL, " + since + " = $2, " + larger_token("$3") + at_first();
    }
    std::string stale() const
    {
        std::string would_be_free;
        if (definition.predicate)
            would_be_free = " AND (" +
                            pg::predicate_with_null(definition.relation, *definition.predicate,
                                                    definition.owner) +
                            ")";
        return "SELECT ctid, " + key + "::pg_catalog.text FROM ONLY " + table + " WHERE " + owner +
               " IS NOT NULL AND " + since_is_at_most_first() + would_be_free + " ORDER BY " +
               since + " NULLS FIRST, " + key + " FOR NO KEY UPDATE SKIP LOCKED";
    }

    const Definition &definition;
    std::string const table, whole_row, key, owner, since, token;
};

constexpr std::array kNowTypes{Type::timestamptz};
constexpr std::array kTakeTypes{Type::tid, Type::text, Type::timestamptz, Type::bigint};
constexpr std::array kFindTypes{Type::text};
constexpr std::array kTouchTypes{Type::tid, Type::timestamptz};
constexpr std::array kGiveBackTypes{Type::tid, Type::timestamptz, Type::bigint};

struct Place {
    Oid schema;
    std::string pool;
    auto operator<=>(const Place &) const = default;
};

// Outdated where the definition of the table has changed since.
struct Known {
    PoolPtr pool;
    bool outdated = false;
};

// Reached by pointer: a static destructor would run at backend exit. Calls hold a shared_ptr, so
// that a plan is not freed under its own feet by a nested call.
constinit std::map<Place, Known> *known = nullptr;

// Tells whether something changed while a pool was being prepared.
constinit std::uint64_t changes = 0;

void mark_outdated(Oid relation)
{
    ++changes;
    for (auto &[place, entry] : *known)
        if (relation == pg::kNoOid || relation == entry.pool->definition.relation)
            entry.outdated = true;
}

void mark_all_outdated()
{
    mark_outdated(pg::kNoOid);
}

bool is_text(const pg::FoundRow &row, int column, const std::string &text)
{
    return row.text(column) == text;
}

bool is_predicate(const pg::FoundRow &row, const std::optional<std::string> &predicate)
{
    return predicate ? !row.is_null(kPredicate) && row.text(kPredicate) == *predicate
                     : row.is_null(kPredicate);
}

bool is_as_registered(const pg::FoundRow &row, const Definition &known)
{
    return static_cast<Oid>(row.datum(kRelation)) == known.relation &&
           is_text(row, kKeyColumn, known.key) && is_text(row, kOwnerColumn, known.owner) &&
           is_text(row, kSinceColumn, known.since) && is_text(row, kTokenColumn, known.token) &&
           is_predicate(row, known.predicate) && is_text(row, kOrderBy, known.order_by);
}

// The registry's row, past the reader in which it was found.
struct Copied {
    Oid relation = 0;
    std::array<Datum, 5> texts{}; // key, owner, since, token, order_by
    std::optional<Datum> predicate;
};

Definition to_definition(const Copied &copied)
{
    auto const text = [](Datum datum) { return std::string(pg::text_view(datum)); };
    Definition definition{.relation = copied.relation,
                          .key = text(copied.texts[0]),
                          .owner = text(copied.texts[1]),
                          .since = text(copied.texts[2]),
                          .token = text(copied.texts[3]),
                          .predicate = {},
                          .order_by = text(copied.texts[4])};
    if (copied.predicate)
        definition.predicate = text(*copied.predicate);
    return definition;
}

// False if there is no such pool; true without a copy if it is what is known already.
bool look_up(store::Store &store, std::string_view name, const Definition *known,
             std::optional<Copied> &copied)
{
    auto const [table, key] = store.table(kPools);
    pg::IndexKey const wanted(name);
    return pg::dirty_lookup(
        table, key, {&wanted, 1}, pg::Pick::first, [&](const pg::FoundRow &row) {
            if (known && is_as_registered(row, *known))
                return;
            Copied &copy = copied.emplace();
            copy.relation = static_cast<Oid>(row.datum(kRelation));
            std::size_t n = 0;
            for (int column : {kKeyColumn, kOwnerColumn, kSinceColumn, kTokenColumn, kOrderBy})
                copy.texts[n++] = row.detached(column);
            if (!row.is_null(kPredicate))
                copy.predicate = row.detached(kPredicate);
        });
}

PoolPtr prepare(const store::Store &store, std::string_view name, Definition definition)
{
    std::string const pool = "pool \"" + std::string(name) + "\"";
    auto const table = pg::table_name(definition.relation);
    if (!table)
        throw Failure(sqlstate::kNotInPrerequisiteState, "the table of " + pool + " is gone", {},
                      "Drop the pool, and create it anew.");
    if (!is_armed(definition, name))
        throw Failure(sqlstate::kStoreFormat, pool + " is not armed",
                      "The trigger that guards its tokens is missing or disabled.",
                      "Run SELECT arbiter.upgrade_store(" + quote_literal(store.name) +
                          ") as the owner of the store and of the table.");
    pg::PortableSettings const portable;
    return std::make_shared<Pool>(std::string(name), std::move(definition), *table);
}

} // namespace

Pool::Pool(std::string pool_name, Definition given, const pg::TableName &table)
    : name(std::move(pool_name)), definition(std::move(given)), wanted(definition.index_wanted()),
      pick(Pieces(definition, table).pick(), kNowTypes, Planning::by_index, &wanted),
      look(Pieces(definition, table).look(), kNowTypes, Planning::by_index, &wanted),
      take(Pieces(definition, table).take(), kTakeTypes, Planning::by_index),
      find(Pieces(definition, table).find(), kFindTypes, Planning::by_index),
      touch(Pieces(definition, table).touch(), kTouchTypes, Planning::by_index),
      give_back(Pieces(definition, table).give_back(), kGiveBackTypes, Planning::by_index),
      stale(Pieces(definition, table).stale(), kNowTypes)
{
}

std::string trigger_name(std::string_view pool)
{
    return std::string(kTriggerPrefix).append(pool);
}

void check_name(std::string_view name)
{
    if (name.empty())
        throw Failure(sqlstate::kInvalidParameterValue, "pool must not be empty");
    if (name.size() > kMaxName)
        throw Failure(sqlstate::kInvalidParameterValue,
                      "pool name of " + std::to_string(name.size()) + " bytes is too long",
                      "It may have " + std::to_string(kMaxName) + " bytes.");
}

std::optional<Definition> find_definition(store::Store &store, std::string_view name)
{
    std::optional<Copied> copied;
    if (!look_up(store, name, nullptr, copied))
        return std::nullopt;
    return to_definition(*copied);
}

bool has_table(const Definition &definition)
{
    return pg::table_name(definition.relation).has_value();
}

bool is_armed(const Definition &definition, std::string_view name)
{
    return pg::is_armed(definition.relation, trigger_name(name).c_str(), "guard_pool",
                        "BEFORE UPDATE ON {table} FOR EACH ROW");
}

void refuse_unknown(const store::Store &store, std::string_view name)
{
    throw Failure(sqlstate::kUndefinedObject,
                  "pool \"" + std::string(name) + "\" does not exist in store \"" + store.name +
                      "\"",
                  {}, "Create it with arbiter.create_pool.");
}

PoolPtr open(store::Store &store, std::string_view name)
{
    check_name(name);
    pg::require_privileges(store.table(kPools).table, pg::Privileges::select);
    Place const place{store.schema, std::string(name)};
    auto const found = known->find(place);
    PoolPtr pool = found == known->end() ? nullptr : found->second.pool;
    std::optional<Copied> copied;
    if (!look_up(store, name, pool ? &pool->definition : nullptr, copied))
        refuse_unknown(store, name);
    if (pool && !copied) {
        // Now this session has heard of every change of the table's definition, and none follows.
        pg::lock_table_for_writing(pool->definition.relation);
        if (!(*known)[place].outdated)
            return pool;
    }
    Definition definition = copied ? to_definition(*copied) : pool->definition;
    pg::lock_table_for_writing(definition.relation);
    std::uint64_t const before = changes;
    pool = prepare(store, name, std::move(definition));
    (*known)[place] = {.pool = pool, .outdated = changes != before};
    return pool;
}

void initialize()
{
    known = new std::map<Place, Known>;
    pg::on_relation_change(mark_outdated);
    pg::on_schema_change(mark_all_outdated);
}

} // namespace arbiter::pool
