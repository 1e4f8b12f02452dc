// Values written as JSON: the args of vectors and of explain_derivation.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/json.hpp"
#include "identity/derivation.hpp"

namespace arbiter::identity {

// One value for each part of a spec, with the texts they point into.
class Arguments {
public:
    // `args` is an object with one member for each part, named like it: uuid and text as strings,
    // bigint as a number, boolean as a literal, text[] as an array of strings. A JSON null is a
    // NULL.
    Arguments(const Spec &spec, Json args);

    // Movable, not copyable: the values point into what it owns.
    Arguments(Arguments &&) = default;
    Arguments &operator=(Arguments &&) = default;

    std::span<const Value> values() const noexcept { return values_; }

    // The object again, in the spec's order and without white space.
    std::string canonical_text() const;

private:
    Value read_value(const Part &part, const Json &json);

    Json args_;
    std::vector<const Json *> members_; // in the order of the parts
    std::vector<std::string> names_;
    std::vector<std::vector<std::optional<std::string_view>>> lists_;
    std::vector<Value> values_;
};

} // namespace arbiter::identity
