// A pool as its calls see it: found in the registry, its statements ready.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "pg/column.hpp"
#include "pg/spi.hpp"
#include "pool/definition.hpp"
#include "store/store.hpp"

namespace arbiter::pool {

// The statements are the server's in everything: privileges, row security, triggers, constraints.
struct Pool {
    Pool(std::string name, Definition definition, const pg::TableName &table);

    std::string name;
    Definition definition;
    pg::IndexWanted wanted;

    // $1 = now → ctid; the free rows whose time has come, in order, those in use left out.
    pg::Statement pick;
    // The same without locking them.
    pg::Statement look;
    // $1 = ctid, $2 = owner, $3 = now, $4 = least token → key, token, row
    pg::Statement take;
    // $1 = key → ctid, owner, token
    pg::Statement find;
    // $1 = ctid, $2 = since
    pg::Statement touch;
    // $1 = ctid, $2 = since, $3 = least token
    pg::Statement give_back;
    // $1 = the time → ctid, key; owned since then or longer, and free if nobody owned them. The
    // longest first.
    pg::Statement stale;
};

using PoolPtr = std::shared_ptr<Pool>;

// Checks the privilege on the registry (42501), locks it against drop_pool and the table as a
// writer does. 42704 where there is no pool of that name, RB050 where its table lacks the trigger,
// 55000 where the table or one of the columns is gone.
PoolPtr open(store::Store &store, std::string_view name);

// The trigger of a pool on its table.
std::string trigger_name(std::string_view pool);

// What the registry says; nothing if there is no such pool.
std::optional<Definition> find_definition(store::Store &store, std::string_view name);

// What open asks for, for who looks at all of them.
bool has_table(const Definition &definition);
bool is_armed(const Definition &definition, std::string_view name);

[[noreturn]] void refuse_unknown(const store::Store &store, std::string_view name);

void check_name(std::string_view name);

// Called once, from _PG_init.
void initialize();

} // namespace arbiter::pool
