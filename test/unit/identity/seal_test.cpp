#include "identity/seal.hpp"

#include <gtest/gtest.h>

#include "../expect_failure.hpp"
#include "device_group.hpp"

using namespace arbiter;
using namespace arbiter::identity;

namespace {

const char *const kVectors =
    R"([{"args":{"serial_numbers":["B","A","a ","\tb"],"organization_id":"3f2c8a1e-0000-4000-8000-000000000001"},)"
    R"("uuid":"b3308c75-9039-59a8-90c9-09cbb8be69df","origin":"node 20, npm uuid 9"}])";

Seal device_group_seal()
{
    const Spec spec = device_group();
    return seal(spec, parse_vectors(spec, read_json(kVectors)).front());
}

} // namespace

TEST(Seal, Opens)
{
    Derivation derivation = open_seal(device_group_seal());
    EXPECT_EQ(canonical_text(derivation.spec()), canonical_text(device_group()));
}

TEST(Seal, NoticesEveryFlippedBit)
{
    const Seal good = device_group_seal();
    for (std::string Seal::*field : {&Seal::spec, &Seal::vector, &Seal::digest})
        for (std::size_t at = 0; at < (good.*field).size(); ++at)
            for (int bit = 0; bit < 8; ++bit) {
                Seal bad = good;
                (bad.*field)[at] ^= static_cast<char>(1 << bit);
                expect_failure(sqlstate::kDerivationDrift,
                               "derivation was changed after it was made", [&] { open_seal(bad); });
            }
}

TEST(Seal, NoticesALibraryThatComputesAnotherId)
{
    // As if lower_ascii had lost its meaning: the vector was minted with it, the spec that is
    // sealed lacks it.
    Spec spec = device_group();
    spec.parts[1].each.erase(spec.parts[1].each.begin() + 1);
    const Seal drifted = seal(spec, parse_vectors(spec, read_json(kVectors)).front());
    expect_failure(sqlstate::kDerivationDrift, "vector 1 says b3308c75",
                   [&] { open_seal(drifted); });
}

TEST(GoldenVector, IsWrittenWithTheNameThatWasHashed)
{
    const Spec spec = device_group();
    std::string text = kVectors;
    text.insert(text.size() - 2, R"(,"hashed_name":"3f2c8a1e\n")");
    const std::vector<GoldenVector> vectors = parse_vectors(spec, read_json(text));
    EXPECT_EQ(vectors.front().hashed_name, "3f2c8a1e\n");
    const std::string written = canonical_text(vectors);
    EXPECT_TRUE(written.ends_with(R"("origin":"node 20, npm uuid 9","hashed_name":"3f2c8a1e\n"}])"))
        << written;
    EXPECT_EQ(canonical_text(parse_vectors(spec, read_json(written))), written);
}

TEST(GoldenVector, NeedsAnOriginThatIsNotUs)
{
    const Spec spec = device_group();
    const auto with_origin = [&](const std::string &origin) {
        std::string text = kVectors;
        text.replace(text.find("node 20, npm uuid 9"), 19, origin);
        parse_vectors(spec, read_json(text));
    };
    for (const char *origin : {"", "  ", "arbiter", "arbiter 0.1.0"})
        expect_failure(sqlstate::kInvalidParameterValue, "proves nothing",
                       [&] { with_origin(origin); });
    EXPECT_NO_THROW(with_origin("python 3.11 uuid"));
}

TEST(GoldenVector, IsReadStrictly)
{
    const Spec spec = device_group();
    const auto refused = [&](const char *why, const char *text) {
        expect_failure(sqlstate::kInvalidParameterValue, why,
                       [&] { parse_vectors(spec, read_json(text)); });
    };
    refused("needs a golden vector", "[]");
    refused("vectors is not an array but object", "{}");
    refused("vector 1 is not an object", "[3]");
    refused("vector 1 needs the key \"uuid\" with a JSON string", "[{}]");
    refused("vector 1 has the uuid \"x\"", R"([{"uuid":"x"}])");
    refused("vector 1 has an unknown key \"id\"", R"([{"id":1}])");
    refused("vector 1 needs the key \"args\" with a JSON object",
            R"([{"uuid":"b3308c75-9039-59a8-90c9-09cbb8be69df"}])");
}

TEST(GoldenVector, ShowsBothSidesWhenItDisagrees)
{
    Derivation derivation(device_group());
    const auto disagree = [&](const std::string &id, const std::string &more) {
        std::string text = kVectors;
        text.replace(text.find("b3308c75-9039-59a8-90c9-09cbb8be69df"), 36, id);
        text.insert(text.size() - 2, more);
        const auto vectors = parse_vectors(derivation.spec(), read_json(text));
        check_vector(derivation, vectors.front(), 7);
    };
    EXPECT_NO_THROW(disagree("b3308c75-9039-59a8-90c9-09cbb8be69df", ""));
    const auto code = sqlstate::kDerivationDrift;
    const std::string other = "11111111-1111-5111-8111-111111111111";
    expect_failure(
        code, "vector 7 says " + other + ", computed here is b3308c75-9039-59a8-90c9-09cbb8be69df",
        [&] { disagree(other, ""); });
    expect_failure(code,
                   "Hashed here: 3f2c8a1e-0000-4000-8000-000000000001:[\"a\",\"b\"] = \\x3366",
                   [&] { disagree(other, ""); });
    expect_failure(code, "Hashed there: x = \\x78.",
                   [&] { disagree(other, ",\"hashed_name\":\"x\""); });
    expect_failure(code, "vector 7 has the right id and another name", [&] {
        disagree("b3308c75-9039-59a8-90c9-09cbb8be69df", ",\"hashed_name\":\"x\"");
    });
}
