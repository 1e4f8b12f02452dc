// Making and dropping machines.
#pragma once

#include <string_view>

#include "machine/machine.hpp"
#include "pg/types.hpp"
#include "store/store.hpp"

namespace arbiter::machine {

enum class Made { created, existed };

// The rules hold for every event that is written from then on: waits for all who are writing to the
// log. Identical again is `existed`, and waits for nobody. 42710 for another definition; 22023 for
// an event type that another machine of the category has.
Made create(store::Store &store, const Machine &machine, Datum transitions);

// 2BP01 while a stream has events of the machine, unless forced; and while a sweep needs it.
void drop(store::Store &store, std::string_view name, bool force);

// RB003 unless a call of ours writes the table: no session would hear of the change.
void guard_machines(std::string_view store, std::string_view command);

} // namespace arbiter::machine
