#include "derivation/verify.hpp"

#include "base/failure.hpp"
#include "base/quote.hpp"
#include "derivation/function.hpp"
#include "derivation/registry.hpp"

namespace arbiter::derivation {

namespace {

constexpr const char *kRestoreRow =
    "Restore the row from a backup with triggers off; the ids of its time are the only proof.";

std::string drop_function(const std::string &signature)
{
    return "DROP FUNCTION " + signature;
}

// The same definition again puts the function back.
std::string create_again(const store::Store &store, const std::string &name)
{
    return "SELECT arbiter.create_derivation(" + quote_literal(store.name) +
           ", d.name, (d.spec::jsonb ->> 'namespace')::uuid, d.spec::jsonb -> 'parts', "
           "d.vectors::jsonb, d.spec::jsonb ->> 'layout', d.supersedes) FROM " +
           quote_identifier(store.name) + ".derivations AS d WHERE d.name = " + quote_literal(name);
}

class Examination {
public:
    Examination(store::Store &store, const Record &record) : store_(store), record_(record) {}

    std::vector<Finding> run()
    {
        if (digest_of(record_) != record_.digest)
            found("its row in the registry was changed", kRestoreRow);
        try {
            identity::Derivation derivation = identity::open_seal(record_.seal);
            examine_vectors(derivation);
            if (!record_.dropped)
                examine_function(derivation.spec());
        } catch (const Failure &failure) {
            found(failure.message() + (failure.detail().empty() ? "" : ": " + failure.detail()),
                  kRestoreRow);
        }
        if (findings_.empty())
            findings_.push_back(
                {record_.name, record_.dropped ? Verdict::dropped : Verdict::ok, {}, {}});
        return std::move(findings_);
    }

private:
    void found(std::string problem, std::string remedy)
    {
        findings_.push_back({record_.name, Verdict::drift, std::move(problem), std::move(remedy)});
    }

    void examine_vectors(identity::Derivation &derivation)
    {
        auto const vectors = parse_vectors(derivation.spec(), read_json(record_.vectors));
        for (std::size_t i = 0; i < vectors.size(); ++i)
            check_vector(derivation, vectors[i], i + 1);
    }

    void examine_function(const identity::Spec &spec)
    {
        for (FunctionProblem &problem : function_problems(store_, record_, spec, pg::Sees::caller))
            found(std::move(problem.what), problem.other.empty()
                                               ? create_again(store_, record_.name)
                                               : drop_function(problem.other));
    }

    store::Store &store_;
    const Record &record_;
    std::vector<Finding> findings_;
};

} // namespace

std::vector<Finding> verify(store::Store &store)
{
    std::vector<Finding> findings;
    for (const Record &record : all(store)) {
        std::vector<Finding> const found = Examination(store, record).run();
        findings.insert(findings.end(), found.begin(), found.end());
    }
    for (std::string &function : unregistered_functions(store)) {
        std::string problem = function + " derives ids and stands in no registry";
        std::string remedy = drop_function(function);
        findings.push_back(
            {std::move(function), Verdict::drift, std::move(problem), std::move(remedy)});
    }
    return findings;
}

const char *verdict_name(Verdict verdict) noexcept
{
    switch (verdict) {
    case Verdict::ok:
        return "ok";
    case Verdict::dropped:
        return "dropped";
    case Verdict::drift:
        return "drift";
    }
    return "unknown";
}

} // namespace arbiter::derivation
