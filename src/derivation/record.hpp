// A derivation as a store's registry keeps it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "identity/golden_vector.hpp"
#include "identity/seal.hpp"
#include "identity/spec.hpp"

namespace arbiter::derivation {

struct Record {
    std::string name;
    identity::Seal seal;
    std::string vectors; // all of them, in their canonical spelling
    std::optional<std::string> supersedes;
    std::string digest; // SHA-256 of the above: an edited row is found
    bool dropped = false;
};

Record make_record(std::string_view name, const identity::Spec &spec,
                   const std::vector<identity::GoldenVector> &vectors,
                   std::optional<std::string_view> supersedes);

std::string digest_of(const Record &record);

// What the function is made of. The body is a string: a parsed one would depend on the extension,
// and DROP EXTENSION … CASCADE would take the user's generated column with it.
std::string function_body(const Record &record, std::size_t parts);
// `create` is CREATE or CREATE OR REPLACE.
std::string function_definition(std::string_view create, std::string_view store,
                                const Record &record, const identity::Spec &spec);

// For SQL of ours: qualified, since the search_path may be anything.
std::string sql_types(const identity::Spec &spec);
std::string argument_names(const identity::Spec &spec);

} // namespace arbiter::derivation
