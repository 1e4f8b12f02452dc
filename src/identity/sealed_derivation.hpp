// The seals that this process has opened, so that a call pays for one comparison and not for the
// opening.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "identity/seal.hpp"

namespace arbiter::identity {

// An opened seal, with room for one call's values.
struct SealedDerivation {
    Seal seal;
    Derivation derivation;
    std::vector<Value> values;
    std::vector<std::vector<std::optional<std::string_view>>> lists;
};

// Every call compares all octets it was given with those that were opened; what differs in any of
// them is opened for itself, which throws RB040 where something was changed.
SealedDerivation &open_sealed(std::string_view spec, std::string_view vector,
                              std::string_view digest);

} // namespace arbiter::identity
