#include "identity/diagnosis.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/digest.hpp"
#include "base/uuid_v5.hpp"
#include "device_group.hpp"
#include "identity/dialect.hpp"

using namespace arbiter;
using namespace arbiter::identity;

namespace {

constexpr const char *kOrganization = "3f2c8a1e-00aa-4000-8000-000000000001";

// Ids below were computed by Python 3's hashlib and uuid from the wrong construction named beside
// them.
std::string diagnosed(const std::string &serials, const std::string &id)
{
    const Spec spec = device_group();
    const Arguments args(spec, read_json(R"({"organization_id":")" + std::string(kOrganization) +
                                         R"(","serial_numbers":)" + serials + "}"));
    const auto diagnosis = diagnose(spec, args.values(), *parse_uuid(id));
    return diagnosis ? diagnosis->construction : "";
}

} // namespace

TEST(Diagnosis, RecognizesEachWrongConstruction)
{
    EXPECT_EQ(diagnosed(R"(["B", "a"])", "fd7181da-1baf-55d7-bd52-168a8ea1cf35"),
              R"(the namespace in little-endian byte order)");
    EXPECT_EQ(diagnosed(R"(["B", "a"])", "9475d5e0-29b1-55c2-88fc-5c9ac099c369"),
              R"(the namespace hashed as its text)");
    EXPECT_EQ(diagnosed(R"(["B", "a"])", "4686ffbd-284c-5584-b274-1ea51b6b2ac0"),
              R"(the namespace hashed as its upper-case text)");
    EXPECT_EQ(diagnosed(R"(["B", "a"])", "b6f1ad2a-25d1-5653-a24d-1d37440960dd"),
              R"(no namespace)");
    EXPECT_EQ(diagnosed(R"(["\u00e9"])", "8c350c23-0735-55fe-b2e2-72700e480011"),
              R"(the name in Latin-1)");
    EXPECT_EQ(diagnosed(R"(["B", "a"])", "53f155f5-fd10-5a84-82c9-ebbc339ab5bb"),
              R"(the name in UTF-16, little-endian)");
    EXPECT_EQ(diagnosed(R"(["\ud83d\ude00"])", "fc378477-8595-5a1a-a9bf-e6f21772dae5"),
              R"(the name in UTF-16, big-endian)");
    EXPECT_EQ(diagnosed(R"(["\ud83d\ude00", "\ue000"])", "3b295d93-d69d-50b8-847e-1375ceaf23d6"),
              R"(code-point order of part "serial_numbers")");
    EXPECT_EQ(diagnosed(R"(["B", "a"])", "0af4171d-06d7-500b-9731-437f6b1b6d37"),
              R"(the order given of part "serial_numbers")");
    EXPECT_EQ(diagnosed(R"(["z", "a", "\u00e9", "b"])", "dbd2fa65-20c0-5aa2-82c4-fdd9ef550346"),
              R"(another order, such as a locale's, of part "serial_numbers")");
    EXPECT_EQ(diagnosed(R"(["B", "a"])", "4c9ce5d6-e76a-563b-98ed-b96c6239918e"),
              R"(JSON with a space after each comma)");
    EXPECT_EQ(diagnosed(R"(["\u00e9", "\ud83d\ude00"])", "c35540b9-af7c-594a-a800-71d5acc38614"),
              R"(JSON with everything beyond ASCII escaped)");
    EXPECT_EQ(diagnosed(R"(["\u00e9", "a"])", "431fce1d-7888-52e8-86ce-2ecd3b479869"),
              R"(JSON with a space after each comma and everything beyond ASCII escaped)");
    EXPECT_EQ(diagnosed(R"(["a/b"])", "7d1881a8-046d-51a5-a57c-0fa8e2e5dfae"),
              R"(JSON with slashes and everything beyond ASCII escaped)");
    EXPECT_EQ(diagnosed(R"(["B", "a"])", "ec641120-408d-59b9-bfb1-a179ccd3effa"),
              R"(uuids in upper case)");
    EXPECT_EQ(diagnosed(R"(["B", "a"])", "9de6f649-c53b-5a72-8543-5ce21cd1c1f7"),
              R"(elements joined by "," instead of JSON)");
    EXPECT_EQ(diagnosed(R"(["B", "a"])", "a1fabba7-658e-5a57-8067-812d5cab4a68"),
              R"(elements joined by "" instead of JSON)");
    EXPECT_EQ(diagnosed(R"(["B", "a"])", "357ffa61-0530-5465-a677-7233dfb53bfb"),
              R"(parts separated by "|")");
    EXPECT_EQ(diagnosed(R"(["B", "a"])", "0e24991d-6daf-578c-a154-1b6ff7e27600"),
              R"(the layout json)");
    EXPECT_EQ(diagnosed(R"(["B", "A "])", "04280445-fcac-5f8f-b61f-da03959e4f72"),
              R"(no lower_ascii on part "serial_numbers")");
    EXPECT_EQ(diagnosed(R"(["B", "A "])", "c1ae872a-f1e0-5502-94bf-94d850b0ea99"),
              R"(no trim_js25 on part "serial_numbers")");
    EXPECT_EQ(diagnosed(R"(["B", ""])", "7c263c99-e671-5e6b-8fa3-deaa8de6b9bb"),
              R"(no drop_empty on part "serial_numbers")");
    EXPECT_EQ(diagnosed(R"(["B", "b", "a"])", "9ac50f24-fbd6-5c6c-921f-fb1821457e4f"),
              R"(no dedup on part "serial_numbers")");
    EXPECT_EQ(diagnosed(R"(["B ", "A"])", "5be2513d-e2db-5890-af56-ce74a205851c"),
              R"(no steps on part "serial_numbers")");
    EXPECT_EQ(diagnosed(R"(["B", "a"])", "7c31979a-6a3a-5c0b-b340-497396f98a6f"), R"()");
}

TEST(Diagnosis, ShowsWhatTheOtherSideHashed)
{
    const Spec spec = device_group();
    const Arguments args(
        spec,
        read_json(
            R"({"organization_id":"3f2c8a1e-00aa-4000-8000-000000000001","serial_numbers":["B","a"]})"));
    const std::string joined = std::string(kOrganization) + ":a,b";
    const auto diagnosis = diagnose(spec, args.values(), uuid_v5(spec.name_space, joined));
    ASSERT_TRUE(diagnosis);
    EXPECT_EQ(diagnosis->octets, joined);
}

TEST(Dialect, IsTheRealEncoderWithoutAMistake)
{
    for (const Layout layout : {Layout::json, Layout::prefix}) {
        Derivation derivation(make_spec(kDeviceGroupParts, layout));
        const Arguments args(
            derivation.spec(),
            read_json(
                R"({"organization_id":"3f2c8a1e-00aa-4000-8000-000000000001","serial_numbers":["B","é","/"]})"));
        const std::string name(derivation.name(args.values()));
        EXPECT_EQ(write_name(layout, derivation.normalize(args.values()), {}), name);
    }
}
