// What an update of the extension must not do: go on with derivations that are not what they were.
#pragma once

#include <string_view>

namespace arbiter::derivation {

// RB040 naming every derivation of every store that drifted, by this library's computing. 55000
// where the library is older than `version`, the one that the update is to: it would prove nothing.
void require_undrifted(std::string_view version);

} // namespace arbiter::derivation
