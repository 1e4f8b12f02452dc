#include "derivation/record.hpp"

#include <gtest/gtest.h>

#include "../identity/device_group.hpp"

using namespace arbiter;
using namespace arbiter::derivation;

namespace {

Record make(const std::string &key)
{
    identity::Spec const spec = identity::make_spec(
        R"([{"name":"key","type":"text"},{"name":"n","type":"bigint"}])", identity::Layout::json);
    auto const vectors = identity::parse_vectors(
        spec,
        read_json(R"([{"args":{"key":")" + key +
                  R"(","n":1},"uuid":"b3308c75-9039-59a8-90c9-09cbb8be69df","origin":"x"}])"));
    return make_record("key_id", spec, vectors, std::nullopt);
}

} // namespace

TEST(Record, DigestNoticesEveryField)
{
    Record const good = make("a");
    EXPECT_EQ(digest_of(good), good.digest);
    for (std::string Record::*field : {&Record::name, &Record::vectors}) {
        Record bad = good;
        (bad.*field).back() ^= 1;
        EXPECT_NE(digest_of(bad), good.digest);
    }
    for (std::string identity::Seal::*field :
         {&identity::Seal::spec, &identity::Seal::vector, &identity::Seal::digest}) {
        Record bad = good;
        (bad.seal.*field).back() ^= 1;
        EXPECT_NE(digest_of(bad), good.digest);
    }
    Record superseding = good;
    superseding.supersedes = "other";
    EXPECT_NE(digest_of(superseding), good.digest);
}

TEST(Record, DigestKeepsNeighboursApart)
{
    Record one = make("a"), other = one;
    one.seal.spec += 'x';
    other.seal.vector = 'x' + other.seal.vector;
    EXPECT_NE(digest_of(one), digest_of(other));
}

TEST(Record, BodyQuotesWhateverAVectorHolds)
{
    std::string const body = function_body(make("$arbiter$ '\\\\ $arbiter1$"), 2);
    EXPECT_NE(body.find("$arbiter2${\"args\":{\"key\":\"$arbiter$ '\\\\ $arbiter1$\""),
              std::string::npos)
        << body;
    EXPECT_TRUE(body.ends_with(", $1, $2)")) << body;
}

TEST(Record, DefinitionNamesTypesWithTheirSchema)
{
    identity::Spec const spec = identity::make_spec(
        R"([{"name":"key","type":"text"},{"name":"n","type":"bigint"}])", identity::Layout::json);
    std::string const sql = function_definition("CREATE", "Odd \"store\"", make("a"), spec);
    EXPECT_TRUE(sql.starts_with(
        "CREATE FUNCTION \"Odd \"\"store\"\"\".\"key_id\"(\"key\" pg_catalog.text, \"n\" "
        "pg_catalog.int8) RETURNS pg_catalog.uuid LANGUAGE sql IMMUTABLE PARALLEL SAFE AS "))
        << sql;
    EXPECT_EQ(sql_types(spec), "pg_catalog.text, pg_catalog.int8");
    EXPECT_EQ(argument_names(spec), "key, n");
}
