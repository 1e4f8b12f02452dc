#include "pool/order.hpp"

#include "../expect_failure.hpp"

namespace sqlstate = arbiter::sqlstate;
using namespace arbiter::pool;
using arbiter::SortColumn;

namespace {

std::string round_trip(std::string_view text)
{
    return to_sql(read_order(text));
}

TEST(Order, ReadsColumnsAsSqlWritesThem)
{
    EXPECT_EQ(read_order("Priority DESC, \"Id\""),
              (std::vector<SortColumn>{{"priority", true, true}, {"Id", false, false}}));
    EXPECT_EQ(read_order("a nulls first, b desc nulls last"),
              (std::vector<SortColumn>{{"a", false, true}, {"b", true, false}}));
}

TEST(Order, IsWrittenInOneWay)
{
    EXPECT_EQ(round_trip("a"), "\"a\"");
    EXPECT_EQ(round_trip(" \t\na\r ASC  Nulls Last ,b$1 desc nulls FIRST , _c Desc Nulls Last"),
              "\"a\", \"b$1\" DESC, \"_c\" DESC NULLS LAST");
    EXPECT_EQ(round_trip("\"a\"\"b, c\"asc,\"d\"desc"), "\"a\"\"b, c\", \"d\" DESC");
    EXPECT_EQ(round_trip("größe"), "\"größe\"");
    EXPECT_EQ(round_trip("desc desc, nulls nulls first, asc"),
              "\"desc\" DESC, \"nulls\" NULLS FIRST, \"asc\"");
    for (const char *text : {"a, b DESC NULLS LAST", "\"x y\" NULLS FIRST"})
        EXPECT_EQ(round_trip(round_trip(text)), round_trip(text));
}

TEST(Order, RefusesEverythingElse)
{
    for (const char *text : {"",
                             " ",
                             ",",
                             "a,",
                             ",a",
                             "a b",
                             "a descending",
                             "a desc asc",
                             "a nulls",
                             "a nulls 1",
                             "a nulls first last",
                             "1",
                             "a + 1",
                             "lower(a)",
                             "t.a",
                             "a;",
                             "a -- x",
                             "\"",
                             "\"a",
                             "\"\"",
                             "a collate \"C\"",
                             "a using <",
                             "'a'",
                             "-a"})
        expect_failure(sqlstate::kInvalidParameterValue, "order_by", [&] { read_order(text); });
    for (const char *text : {"a, a", "A, a", "a, \"a\" desc"})
        expect_failure(sqlstate::kInvalidParameterValue, "twice", [&] { read_order(text); });
}

} // namespace
