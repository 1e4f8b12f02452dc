// The projections of a store.
#pragma once

#include <cstdint>
#include <string_view>

#include "pg/types.hpp"
#include "projection/definition.hpp"
#include "store/store.hpp"

namespace arbiter::projection {

// What the calls that move an offset ask of the registry.
struct Projection {
    bool strict = true;
    bool reconciled = false;
    bool external = true;
    bool has_tokens = false; // its workers take streams with them
    std::int64_t max_attempts = 0;
    bool is_inline = false;
};

// As it is now, not as a snapshot shows it. 42704 where there is none of that name. A projection
// that is found stays for the rest of the transaction: dropping one waits for whoever holds the
// offsets, which are locked before the question.
Projection find(store::Store &store, std::string_view name);

// The error where find would raise it, for calls that read with the caller's snapshot.
[[noreturn]] void refuse_unknown(const store::Store &store, std::string_view name);

// Whom a handler runs as: the owner that the registry names. 55000 for an external projection,
// which has no handler; 42501 where the owner of the registry itself could not be that role, for he
// can write any name into it, also one that would lend its rights to a handler of his.
Oid handler_owner(store::Store &store, std::string_view name);

// The latter part of that: 42501 unless the owner of the registry could be the role.
void require_vouched(store::Store &store, Oid owner);

enum class Made { created, existed };

// 42710 naming the difference where another definition has the name. types and reconcile_every are
// given once more in the server's form, null where not given. 42883, 42725 and 42501 for what is no
// handler or reconciler. An inline projection applies what the log holds, before writers go on.
Made create(store::Store &store, const Definition &definition, const pg::Value &types,
            const pg::Value &reconcile_every);

// 2BP01 while it has offsets, unless forced: without them everything would be applied again.
void drop(store::Store &store, std::string_view name, bool force);

} // namespace arbiter::projection
