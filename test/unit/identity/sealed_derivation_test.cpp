#include "identity/sealed_derivation.hpp"

#include <gtest/gtest.h>

#include "../expect_failure.hpp"
#include "device_group.hpp"

using namespace arbiter;
using namespace arbiter::identity;

namespace {

Seal make_seal()
{
    Spec const spec = device_group();
    return seal(
        spec,
        parse_vectors(
            spec, read_json(R"([{"args":{"organization_id":)"
                            R"("3f2c8a1e-0000-4000-8000-000000000001","serial_numbers":["A","B"]},)"
                            R"("uuid":"b3308c75-9039-59a8-90c9-09cbb8be69df","origin":"x"}])"))
            .front());
}

} // namespace

TEST(SealedDerivation, IsOpenedOnce)
{
    Seal const seal = make_seal();
    SealedDerivation &first = open_sealed(seal.spec, seal.vector, seal.digest);
    EXPECT_EQ(&open_sealed(seal.spec, seal.vector, seal.digest), &first);
}

TEST(SealedDerivation, ComparesEveryCallWithWhatWasOpened)
{
    Seal const seal = make_seal();
    SealedDerivation &opened = open_sealed(seal.spec, seal.vector, seal.digest);
    for (std::string Seal::*field : {&Seal::spec, &Seal::vector, &Seal::digest}) {
        Seal bad = seal;
        (bad.*field)[10] ^= 1;
        expect_failure(sqlstate::kDerivationDrift, "changed after it was made",
                       [&] { open_sealed(bad.spec, bad.vector, bad.digest); });
    }
    EXPECT_EQ(&open_sealed(seal.spec, seal.vector, seal.digest), &opened);
}
