#include "derivation/verify.hpp"

#include "base/failure.hpp"
#include "derivation/function.hpp"
#include "derivation/registry.hpp"

namespace arbiter::derivation {

namespace {

constexpr const char *kRestoreRow =
    "Restore the row from a backup with triggers off; the ids of its time are the only proof.";
constexpr const char *kCreateAgain =
    "Call arbiter.create_derivation again with the definition that arbiter.export_vectors shows.";
constexpr const char *kDropFunction = "Drop the function, or rename it.";

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
    void found(std::string problem, const char *remedy)
    {
        findings_.push_back({record_.name, Verdict::drift, std::move(problem), remedy});
    }

    void examine_vectors(identity::Derivation &derivation)
    {
        auto const vectors = parse_vectors(derivation.spec(), read_json(record_.vectors));
        for (std::size_t i = 0; i < vectors.size(); ++i)
            check_vector(derivation, vectors[i], i + 1);
    }

    void examine_function(const identity::Spec &spec)
    {
        for (std::string &problem : function_problems(store_, record_, spec, pg::Sees::caller)) {
            bool const is_another = problem.starts_with("another");
            found(std::move(problem), is_another ? kDropFunction : kCreateAgain);
        }
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
        findings.push_back(
            {std::move(function), Verdict::drift, std::move(problem), kDropFunction});
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
