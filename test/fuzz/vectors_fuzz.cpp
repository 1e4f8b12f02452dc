// A line of parts, a line of vectors. Vectors that are taken are written so that they are read back
// as the same, each refusal can say why, and what is sealed opens again, but with no byte of it
// changed.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>

#include "base/failure.hpp"
#include "derivation/explain.hpp"
#include "identity/derivation.hpp"
#include "identity/golden_vector.hpp"
#include "identity/seal.hpp"
#include "take.hpp"

using namespace arbiter;
using namespace arbiter::identity;

static void require_sealed(const Seal &seal)
{
    Seal broken = seal;
    broken.spec.back() ^= 1;
    try {
        open_seal(broken);
        std::abort();
    } catch (const Failure &failure) {
        if (failure.sqlstate() != sqlstate::kDerivationDrift)
            std::abort();
    }
}

// The vector as if this library were the other runtime; a text that has no stable name is refused.
static void check_own(const Spec &spec, std::vector<GoldenVector> vectors)
{
    Derivation derivation(spec);
    GoldenVector &vector = vectors.front();
    vector.uuid = derivation.id(vector.args.values());
    vector.hashed_name = std::string(derivation.name(vector.args.values()));
    check_vector(derivation, vector, 1);
    const Seal sealed = seal(spec, vector);
    require_sealed(sealed);
    if (open_seal(sealed).id(vector.args.values()) != vector.uuid)
        std::abort();
    vectors.erase(vectors.begin() + 1, vectors.end());
    const derivation::Record record = derivation::make_record("d", spec, vectors, "c");
    read_json(derivation::export_text(record));
    derivation::function_definition("CREATE", "s", record, spec);
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    std::string_view rest{reinterpret_cast<const char *>(data), size};
    try {
        for (const Layout layout : {Layout::json, Layout::prefix}) {
            std::string_view lines = rest;
            const Spec spec{{}, layout, parse_parts(read_json(take_line(lines)))};
            std::vector<GoldenVector> vectors = parse_vectors(spec, read_json(lines));
            const std::string text = canonical_text(vectors);
            if (canonical_text(parse_vectors(spec, read_json(text))) != text)
                std::abort();
            try {
                derivation::accept(spec, read_json(lines));
            } catch (const Failure &) {
            }
            check_own(spec, std::move(vectors));
        }
    } catch (const Failure &) {
    }
    return 0;
}
