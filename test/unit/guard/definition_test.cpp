#include "guard/definition.hpp"

#include "../expect_failure.hpp"

namespace sqlstate = arbiter::sqlstate;
using namespace arbiter::guard;

namespace {

Definition one_open_batch()
{
    return {{"host"}, "(closed_at IS NULL)", Wording{"a batch is open", "Close it."}};
}

// The one-line answer to a change of the definition that exists.
template <typename Change>
std::string difference_after(Change change)
{
    Definition given = one_open_batch();
    change(given);
    return difference(one_open_batch(), given);
}

template <typename Change>
void refuses(const std::string &part, Change change)
{
    Definition given = one_open_batch();
    change(given);
    expect_failure(sqlstate::kInvalidParameterValue, part, [&] { check(given); });
}

} // namespace

TEST(Definition, TheSameAgainIsNoDifference)
{
    EXPECT_EQ(difference(one_open_batch(), one_open_batch()), "");
}

TEST(Definition, AnIndexWithoutWordingBecomesAGuard)
{
    Definition index = one_open_batch();
    index.wording.reset();
    EXPECT_EQ(difference(index, one_open_batch()), "");
    index.columns = {"rack"};
    EXPECT_NE(difference(index, one_open_batch()), "");
}

TEST(Definition, NamesTheFirstDifference)
{
    EXPECT_EQ(difference_after([](Definition &given) {
                  given.columns = {"host", "a \"b\""};
              }),
              "It was created with columns (\"host\"), now it is (\"host\", \"a \"\"b\"\"\").");
    EXPECT_EQ(difference_after([](Definition &given) { given.predicate.reset(); }),
              "It was created with predicate '(closed_at IS NULL)', now it is null.");
    EXPECT_EQ(difference_after([](Definition &given) { given.wording->message = "b"; }),
              "It was created with message 'a batch is open', now it is 'b'.");
    EXPECT_EQ(difference_after([](Definition &given) { given.wording->hint.reset(); }),
              "It was created with hint 'Close it.', now it is null.");
}

TEST(Definition, RefusesWhatIsNone)
{
    check(one_open_batch());
    refuses("at least one column", [](Definition &given) { given.columns.clear(); });
    refuses("\"a\" is named twice", [](Definition &given) { given.columns = {"a", "b", "a"}; });
    refuses("message must not be empty", [](Definition &given) { given.wording->message = ""; });
    refuses("hint must not be empty", [](Definition &given) { given.wording->hint = ""; });
}
