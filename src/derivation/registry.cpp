#include "derivation/registry.hpp"

#include "base/failure.hpp"
#include "base/quote.hpp"
#include "derivation/function.hpp"
#include "pg/catalog.hpp"
#include "pg/spi.hpp"
#include "store/as_owner.hpp"
#include "store/lifecycle.hpp"

namespace arbiter::derivation {

namespace {

constinit int permits = 0;

// Ended by whatever ends the block, errors included: they are C++ exceptions on this side of
// pg::call.
class RegistryMayChange {
public:
    RegistryMayChange() noexcept { ++permits; }
    ~RegistryMayChange() { --permits; }
    RegistryMayChange(const RegistryMayChange &) = delete;
    RegistryMayChange &operator=(const RegistryMayChange &) = delete;
};

constexpr pg::Column kColumns[] = {
    {"name", pg::Type::text},
    {"spec", pg::Type::text},
    {"sealed_vector", pg::Type::text},
    {"sealed_digest", pg::Type::text},
    {"vectors", pg::Type::text},
    {"supersedes", pg::Type::text},
    {"digest", pg::Type::text},
    {"created_at", pg::Type::timestamptz},
    {"dropped_at", pg::Type::timestamptz},
};

constexpr store::Query kSelect{
    "SELECT d.name, d.spec, d.sealed_vector, d.sealed_digest, d.vectors, d.supersedes, d.digest, "
    "d.dropped_at IS NOT NULL FROM {store}.derivations AS d "
    "WHERE $1 IS NULL OR d.name OPERATOR(pg_catalog.=) $1 ORDER BY d.name",
    pg::Type::text};
constexpr store::Query kInsert{
    "INSERT INTO {store}.derivations "
    "(name, spec, sealed_vector, sealed_digest, vectors, supersedes, digest) "
    "VALUES ($1, $2, $3, $4, $5, $6, $7)",
    pg::Type::text,
    pg::Type::text,
    pg::Type::text,
    pg::Type::text,
    pg::Type::text,
    pg::Type::text,
    pg::Type::text};
constexpr store::Query kDrop{"UPDATE {store}.derivations AS d SET dropped_at = pg_catalog.now() "
                             "WHERE d.name OPERATOR(pg_catalog.=) $1 AND d.dropped_at IS NULL",
                             pg::Type::text};
constexpr store::Query kRevive{"UPDATE {store}.derivations AS d SET dropped_at = NULL "
                               "WHERE d.name OPERATOR(pg_catalog.=) $1",
                               pg::Type::text};
// Reserved words need quotes, which nobody would remember.
constexpr store::Query kIsReserved{"SELECT pg_catalog.quote_ident($1) OPERATOR(pg_catalog.<>) $1",
                                   pg::Type::text};

void require_registry(const store::Store &store)
{
    if (!has_registry(store))
        throw Failure(
            sqlstate::kStoreFormat, "store \"" + store.name + "\" has no registry of derivations",
            "Its table derivations is missing or has other columns.",
            store.format < kFirstFormat ? "Run SELECT arbiter.upgrade_store(" +
                                              quote_literal(store.name) + ") as the store's owner."
                                        : "Restore the table from a backup.");
}

std::vector<Record> select(store::Store &store, std::optional<std::string_view> name, pg::Sees sees)
{
    require_registry(store);
    pg::Spi spi;
    pg::Rows const rows = spi.run(store.statement(kSelect), {name}, sees);
    std::vector<Record> records;
    for (std::uint64_t row = 0; row < rows.count(); ++row) {
        auto const text = [&](int column) { return std::string(rows.text(row, column)); };
        records.push_back(
            {.name = text(0),
             .seal = {text(1), text(2), text(3)},
             .vectors = text(4),
             .supersedes = rows.is_null(row, 5) ? std::nullopt : std::optional(text(5)),
             .digest = text(6),
             .dropped = rows.boolean(row, 7)});
    }
    return records;
}

std::string named(std::string_view name)
{
    return "derivation \"" + std::string(name) + "\"";
}

[[noreturn]] void refuse_unknown(const store::Store &store, std::string_view name)
{
    throw Failure(sqlstate::kUndefinedObject,
                  named(name) + " does not exist in store \"" + store.name + "\"", {},
                  "Create it with arbiter.create_derivation.");
}

void check_name(store::Store &store, std::string_view name, const std::string &what)
{
    pg::Spi spi;
    if (!identity::is_name(name) ||
        spi.run(store.statement(kIsReserved), {name}, pg::Sees::caller).boolean(0, 0))
        throw Failure(
            sqlstate::kInvalidParameterValue, what + " has the name \"" + std::string(name) + "\"",
            {},
            "Use lower-case ASCII letters, digits and underscores, at most 63, not beginning "
            "with a digit, and no reserved word of SQL.");
}

void require_identical(const Record &known, const Record &given)
{
    auto const differ = [&](const char *what, const std::string &before, const std::string &now) {
        if (before != now)
            throw Failure(sqlstate::kDuplicateObject,
                          named(known.name) + " exists with another definition",
                          std::string("It was created with ") + what + " " + before +
                              ", now it is " + now + ".",
                          "A derivation is frozen: a change is a new name with a new namespace.");
    };
    differ("the spec", known.seal.spec, given.seal.spec);
    differ("the vectors", known.vectors, given.vectors);
    differ("supersedes =>", known.supersedes.value_or("null"), given.supersedes.value_or("null"));
}

// One namespace, one meaning: two derivations in it could give one id to two things.
void check_neighbours(store::Store &store, const Definition &definition)
{
    bool superseded_exists = !definition.supersedes;
    for (const Record &other : select(store, std::nullopt, pg::Sees::fresh)) {
        if (identity::parse_spec(other.seal.spec).name_space == definition.spec.name_space)
            throw Failure(sqlstate::kInvalidParameterValue,
                          "namespace " + to_string(definition.spec.name_space) + " is taken by " +
                              named(other.name),
                          "Two derivations in one namespace could give one id to two things.",
                          "A change is a new name with a new namespace.");
        if (definition.supersedes && other.name == *definition.supersedes)
            superseded_exists = true;
        if (definition.supersedes && other.supersedes == definition.supersedes)
            throw Failure(sqlstate::kInvalidParameterValue,
                          named(*definition.supersedes) + " is superseded by " + named(other.name),
                          {}, "Supersede that one.");
    }
    if (!superseded_exists)
        refuse_unknown(store, *definition.supersedes);
}

void insert(store::Store &store, const Record &record)
{
    pg::Spi spi;
    spi.run(
        store.statement(kInsert),
        {std::string_view(record.name), std::string_view(record.seal.spec),
         std::string_view(record.seal.vector), std::string_view(record.seal.digest),
         std::string_view(record.vectors),
         record.supersedes ? pg::Value(std::string_view(*record.supersedes)) : pg::Value::null(),
         std::string_view(record.digest)},
        pg::Sees::fresh);
}

Made restore(store::Store &store, const Record &known, const identity::Spec &spec)
{
    if (known.dropped) {
        RegistryMayChange permit;
        pg::Spi spi;
        spi.run(store.statement(kRevive), {std::string_view(known.name)}, pg::Sees::fresh);
    }
    if (function_problems(store, known, spec, pg::Sees::fresh).empty())
        return Made::existed;
    make_function(store, known, spec, "CREATE OR REPLACE");
    return Made::restored;
}

} // namespace

Made create(store::Store &store, const Definition &definition)
{
    check_name(store, definition.name, "derivation");
    for (const identity::Part &part : definition.spec.parts)
        check_name(store, part.name, "part");
    store::AsOwner const owner(store);
    store::serialize_definition(store.name);
    Record const record =
        make_record(definition.name, definition.spec, definition.vectors, definition.supersedes);
    auto const known = select(store, definition.name, pg::Sees::fresh);
    if (!known.empty()) {
        require_identical(known.front(), record);
        return restore(store, known.front(), definition.spec);
    }
    check_neighbours(store, definition);
    refuse_taken_name(store, definition.name);
    insert(store, record);
    make_function(store, record, definition.spec, "CREATE");
    return Made::created;
}

void drop(store::Store &store, std::string_view name, bool force)
{
    store::AsOwner const owner(store);
    store::serialize_definition(store.name);
    Record const record = find(store, name);
    if (record.dropped)
        refuse_unknown(store, name);
    drop_function(store, record, force);
    RegistryMayChange permit;
    pg::Spi spi;
    spi.run(store.statement(kDrop), {name}, pg::Sees::fresh);
}

bool has_registry(const store::Store &store)
{
    Oid const table = pg::find_relation(store.schema, "derivations");
    return table != pg::kNoOid && pg::has_leading_columns(table, kColumns);
}

std::optional<Record> known(store::Store &store, std::string_view name)
{
    auto const found = select(store, name, pg::Sees::caller);
    return found.empty() ? std::nullopt : std::optional(found.front());
}

Record find(store::Store &store, std::string_view name)
{
    auto const found = known(store, name);
    if (!found)
        refuse_unknown(store, name);
    return *found;
}

std::vector<Record> all(store::Store &store)
{
    return select(store, std::nullopt, pg::Sees::caller);
}

void guard_registry(std::string_view store, std::string_view command)
{
    if (permits > 0)
        return;
    throw Failure(
        sqlstate::kAppendOnly, "the derivations of store \"" + std::string(store) + "\" are frozen",
        std::string(command) + " on them is refused, for every role: an id that was derived "
                               "once must be derived the same for ever.",
        "A change is a new derivation with a new name and a new namespace.");
}

} // namespace arbiter::derivation
