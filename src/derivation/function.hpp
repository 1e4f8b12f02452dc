// The SQL function that a derivation is to its callers.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "derivation/record.hpp"
#include "store/store.hpp"

namespace arbiter::derivation {

void make_function(store::Store &store, const Record &record, const identity::Spec &spec,
                   std::string_view create);
void drop_function(store::Store &store, const Record &record, bool force);

// 42710 where the schema has a function of that name, whatever its arguments.
void refuse_taken_name(store::Store &store, std::string_view name);

struct FunctionProblem {
    std::string what;
    std::string other; // the signature, where it is another function of that name
};

// In what way the function is not the one that was made; nothing where it is.
std::vector<FunctionProblem> function_problems(store::Store &store, const Record &record,
                                               const identity::Spec &spec, pg::Sees sees);

// The same of one function of that name alone, as it is at this moment.
std::vector<FunctionProblem> problems_of_function(store::Store &store, const Record &record,
                                                  const identity::Spec &spec, Oid function);

// Functions that derive ids here and stand in no registry.
std::vector<std::string> unregistered_functions(store::Store &store);

} // namespace arbiter::derivation
