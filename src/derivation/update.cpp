#include "derivation/update.hpp"

#include <string>
#include <vector>

#include "base/failure.hpp"
#include "base/version.hpp"
#include "derivation/registry.hpp"
#include "derivation/verify.hpp"
#include "pg/spi.hpp"
#include "store/store.hpp"

namespace arbiter::derivation {

namespace {

void require_new_library(std::string_view version)
{
    if (is_older(ARBITER_VERSION, version))
        throw Failure(sqlstate::kNotInPrerequisiteState,
                      "this session has the library of version " ARBITER_VERSION
                      " loaded, and the update is to " +
                          std::string(version),
                      "Whether that version derives the same ids, only its own library can tell.",
                      "Update in a new session; where the library is preloaded, restart the server "
                      "first.");
}

std::vector<Oid> schemas()
{
    pg::Spi spi;
    pg::Rows const rows = spi.run("SELECT c.relnamespace::pg_catalog.int8 "
                                  "FROM pg_catalog.pg_class AS c WHERE c.relname "
                                  "OPERATOR(pg_catalog.=) 'derivations' ORDER BY 1",
                                  pg::Sees::caller);
    std::vector<Oid> found;
    for (std::uint64_t row = 0; row < rows.count(); ++row)
        found.push_back(static_cast<Oid>(rows.bigint(row, 0)));
    return found;
}

// A line for each problem, the first one's derivation beside it.
struct Drift {
    std::string first;
    std::string lines;
};

void examine(store::Store &store, Drift &drift)
{
    for (const Finding &finding : verify(store)) {
        if (finding.verdict != Verdict::drift)
            continue;
        std::string const name =
            "derivation \"" + finding.derivation + "\" of store \"" + store.name + "\"";
        if (drift.first.empty())
            drift.first = name;
        drift.lines += (drift.lines.empty() ? "" : "\n") + name + ": " + finding.problem;
    }
}

} // namespace

void require_undrifted(std::string_view version)
{
    require_new_library(version);
    Drift drift;
    for (Oid const schema : schemas())
        if (store::StorePtr const store = store::find(schema); store && has_registry(*store))
            examine(*store, drift);
    if (!drift.first.empty())
        throw Failure(
            sqlstate::kDerivationDrift, drift.first + " is not what it was", std::move(drift.lines),
            "Nothing was updated. arbiter.verify_derivations has a remedy for each; where "
            "the new library computes something else, go back to the one before.");
}

} // namespace arbiter::derivation
