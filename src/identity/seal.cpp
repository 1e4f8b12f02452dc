#include "identity/seal.hpp"

#include "base/digest.hpp"
#include "base/failure.hpp"

namespace arbiter::identity {
namespace {

std::string digest_of(const Seal &seal)
{
    return to_hex(sha256(seal.spec + '\n', seal.vector));
}

} // namespace

Seal seal(const Spec &spec, const GoldenVector &vector)
{
    Seal result{canonical_text(spec), sealed_text(vector), {}};
    result.digest = digest_of(result);
    return result;
}

Derivation open_seal(const Seal &seal)
{
    const std::string digest = digest_of(seal);
    if (digest != seal.digest)
        throw Failure(sqlstate::kDerivationDrift, "derivation was changed after it was made",
                      "Its spec and vector hash to " + digest + ", sealed was " + seal.digest + ".",
                      "Restore the function from a backup; a change is a new derivation with a new "
                      "name and a new namespace.");
    Derivation derivation(parse_spec(seal.spec));
    check_vector(derivation, parse_sealed(derivation.spec(), seal.vector), 1);
    return derivation;
}

} // namespace arbiter::identity
