// The table of this noun that is read straight; its SQL is in src/store/steps/.
#pragma once

#include "store/store.hpp"

namespace arbiter::machine {

enum MachineColumn : int { kMachine = 1, kCategory, kInitial, kTransitions };
inline constexpr pg::Column kMachineColumns[] = {
    {"machine", pg::Type::text},
    {"category", pg::Type::text},
    {"initial", pg::Type::text},
    {"transitions", pg::Type::jsonb},
};
inline constexpr store::Table kMachines{.name = "machines",
                                        .columns = kMachineColumns,
                                        .key = "machines_pkey",
                                        .key_columns = {kMachine}};

} // namespace arbiter::machine
