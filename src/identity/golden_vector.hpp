// Arguments with the id that another runtime computed for them.
#pragma once

#include <string>
#include <vector>

#include "identity/arguments.hpp"
#include "identity/derivation.hpp"

namespace arbiter::identity {

struct GoldenVector {
    Arguments args;
    Uuid uuid;
    std::string origin;                     // who minted it: "node 20, npm uuid 9"
    std::optional<std::string> hashed_name; // what they hashed, where they say so
};

// From the `vectors` argument of create_derivation. Each needs an origin that is not this library:
// a vector that we computed ourselves proves nothing.
std::vector<GoldenVector> parse_vectors(const Spec &spec, const Json &vectors);

// All of them again, in one spelling; what a registry keeps.
std::string canonical_text(const std::vector<GoldenVector> &vectors);

// The spelling that is sealed: {"args":{...},"uuid":"..."}; parse_sealed reads it back.
std::string sealed_text(const GoldenVector &vector);
GoldenVector parse_sealed(const Spec &spec, std::string_view text);

// Throws RB040 showing what both sides hash, and which mistake explains the other id where one
// does. `number` counts from 1.
void check_vector(Derivation &derivation, const GoldenVector &vector, std::size_t number);

} // namespace arbiter::identity
