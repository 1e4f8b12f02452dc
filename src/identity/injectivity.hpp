// Whether two different lists of parts can ever be laid out as the same name.
#pragma once

#include <optional>
#include <string>

#include "identity/spec.hpp"

namespace arbiter::identity {

// Two arguments with one name; each as a JSON object.
struct Collision {
    std::string first, second, name;
};

// Decides by exhaustive search over the automata of the parts, so "nothing" is a proof.
// doc/identity.md has the argument.
std::optional<Collision> find_collision(const Spec &spec);

// The search reasons about a model of the encoder; this puts what it found to the encoder itself.
bool collides(const Spec &spec, const Collision &collision);

// Throws RB041 with the counterexample.
void check_injective(const Spec &spec);

} // namespace arbiter::identity
