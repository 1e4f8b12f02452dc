// What the body of a derivation's function carries, so that a call needs no table and notices any
// change.
#pragma once

#include <string>
#include <string_view>

#include "identity/derivation.hpp"
#include "identity/golden_vector.hpp"

namespace arbiter::identity {

struct Seal {
    std::string spec;   // canonical_text
    std::string vector; // sealed_text
    std::string digest; // SHA-256 of spec, a line feed, vector; in hexadecimal

    friend bool operator==(const Seal &, const Seal &) = default;
};

Seal seal(const Spec &spec, const GoldenVector &vector);

// The derivation inside. Throws RB040 where a byte of the seal was changed, and where this library
// computes another id for the vector than the one that was sealed.
Derivation open_seal(const Seal &seal);

} // namespace arbiter::identity
