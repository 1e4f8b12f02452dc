// What the catalog says about schemas, tables and triggers, with the checks for the calling role.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>

#include "pg/spi.hpp"
#include "pg/types.hpp"

struct SnapshotData;

namespace arbiter::pg {

inline constexpr Oid kNoOid = 0;

// kNoOid if there is none. Asks for no privilege.
Oid find_schema(std::string_view name);
Oid find_relation(Oid schema, const char *name);
// The same, once whoever is changing or dropping it has ended; locked for a reader.
Oid find_settled(Oid schema, const char *name);
Oid schema_of(Oid relation);
std::string schema_name(Oid schema);

// Whose session it is, whatever role it has taken on.
std::string session_user();
std::string current_user();

// 42501 unless the current role has them.
void require_usage(Oid schema);
enum class Privileges {
    select,
    insert,
    select_and_insert,
    select_insert_and_update,
    select_insert_and_delete
};
void require_privileges(Oid table, Privileges privileges);
// 42501 unless the current role has the rights of the table's owner.
void require_owner(Oid table);
// SELECT on one column, be it granted for the table or for the column.
void require_column(Oid table, int column);
// SELECT on the whole table.
bool may_select(Oid table);
// Row security applies to the current role on this table.
bool has_row_security(Oid table);

struct Column {
    const char *name;
    Type type;
};
// True if it is a plain table whose first columns are exactly these. What is read past the type
// system (dirty look-ups, sole rows) is asked this first: anyone may make a table of any name.
bool has_leading_columns(Oid table, std::span<const Column> columns);
Oid find_sequence(Oid schema, const char *name);
// The index of that name if it is a valid, immediate, unique btree index of the table on exactly
// these columns and without predicate; kNoOid otherwise.
Oid find_unique_index(Oid table, const char *name, std::initializer_list<int> columns);
// True if a trigger of that name fires for ordinary writers, without WHEN or column list, on the
// events that `event` names ("BEFORE INSERT ON … FOR EACH ROW"), and calls that function of our
// schema.
bool is_armed(Oid table, const char *trigger, const char *function, const char *event);

// The sole row of a one-row table, without asking for privileges: columns that are bigint, integer
// or boolean, counted from 1. With the newest snapshot unless another is given. False if the table
// is empty.
bool read_sole_row(Oid table, std::initializer_list<int> columns, std::int64_t *values,
                   SnapshotData *seen = nullptr);

// Calls the listener for each relation whose definition changed, with kNoOid for "any". It runs
// inside the server's invalidation: it may mark things stale and nothing else.
void on_relation_change(void (*listener)(Oid relation));
// The same for schemas, without saying which.
void on_schema_change(void (*listener)());
// Makes every session's listener hear of the relation when this transaction commits.
void announce_change(Oid relation);

} // namespace arbiter::pg
