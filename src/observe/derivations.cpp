#include "observe/derivations.hpp"

#include "derivation/registry.hpp"
#include "derivation/verify.hpp"

namespace arbiter::observe {

void examine_derivations(store::Store &store, std::vector<Finding> &findings)
{
    if (store.format < derivation::kFirstFormat)
        return;
    for (const derivation::Finding &found : derivation::verify(store))
        if (found.verdict == derivation::Verdict::drift)
            findings.push_back(
                {Severity::error, "derivation " + found.derivation, found.problem, found.remedy});
}

} // namespace arbiter::observe
