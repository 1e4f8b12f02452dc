// What is said in several places about machines.
#pragma once

#include <set>
#include <string>
#include <string_view>

namespace arbiter::machine {

class Machine;

std::string quoted(std::string_view name);
// "a", "b"
std::string listed(const std::set<std::string_view> &names);

// The first thing in which two machines of one name differ, as a sentence; empty if they are the
// same.
std::string difference(const Machine &existing, const Machine &given);

} // namespace arbiter::machine
