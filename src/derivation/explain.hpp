// A derivation laid open: what is accepted, what is hashed, what a client's tests run.
#pragma once

#include <string>
#include <vector>

#include "base/json.hpp"
#include "derivation/record.hpp"

namespace arbiter::derivation {

// The vectors, once the spec is known to be injective (RB041) and every vector agrees (RB040).
std::vector<identity::GoldenVector> accept(const identity::Spec &spec, const Json &vectors);

struct Step {
    std::string kind;   // part, namespace, name, id
    std::string name;   // of a part
    std::string value;  // readable; a part as it stands in the name
    std::string octets; // exact
};

// Each normalized part, then namespace and name in the order in which they are hashed, then the id.
std::vector<Step> explain(const Record &record, Json args);

// The derivation and its vectors as one JSON object, each vector with the name that is hashed.
std::string export_text(const Record &record);

} // namespace arbiter::derivation
