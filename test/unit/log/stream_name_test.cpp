#include "log/stream_name.hpp"

#include <gtest/gtest.h>

#include "../expect_failure.hpp"

using namespace arbiter;
using namespace arbiter::log;

namespace {

void expect_refused(const std::string &category, const std::string &id, const char *because)
{
    expect_failure(sqlstate::kInvalidParameterValue, because, [&] { stream_name(category, id); });
}

TEST(StreamName, IsCategoryHyphenId)
{
    EXPECT_EQ(stream_name("order", "42"), "order-42");
    EXPECT_EQ(stream_name("order", "4-2"), "order-4-2");
    EXPECT_EQ(stream_name("order", "-"), "order--");
    EXPECT_EQ(stream_name("Caf\xC3\xA9", " "), "Caf\xC3\xA9- ");
}

TEST(StreamName, RefusesWhatWouldNotComeApartAgain)
{
    expect_refused("", "42", "must not be empty");
    expect_refused("order", "", "must not be empty");
    expect_refused("or-der", "42", "or-der");
    expect_refused("-", "42", "hyphen");
}

TEST(StreamName, ComesApartAsItWasPutTogether)
{
    for (const char *category : {"order", "a", "order 1", "\xE2\x82\xAC"})
        for (const char *id : {"1", "-", "a-b", "--", "\xE2\x82\xAC"}) {
            std::string const name = stream_name(category, id);
            EXPECT_EQ(arbiter::log::category(name), category);
            EXPECT_EQ(stream_id(name), id);
        }
}

TEST(StreamName, WithoutHyphenIsAllCategory)
{
    EXPECT_EQ(category("order"), "order");
    EXPECT_EQ(stream_id("order"), "");
    EXPECT_EQ(category("-42"), "");
    EXPECT_EQ(stream_id("-42"), "42");
    EXPECT_EQ(category(""), "");
    EXPECT_EQ(stream_id(""), "");
}

TEST(StreamName, IsBoundedInBytes)
{
    EXPECT_EQ(stream_name("o", std::string(kMaxStreamName - 2, 'x')).size(), kMaxStreamName);
    expect_refused("o", std::string(kMaxStreamName - 1, 'x'), "1025 bytes");
    EXPECT_NO_THROW(check_stream_name(std::string(kMaxStreamName, 'x')));
    expect_failure(sqlstate::kInvalidParameterValue, "the limit is 1024",
                   [] { check_stream_name(std::string(kMaxStreamName + 1, 'x')); });
    expect_failure(sqlstate::kInvalidParameterValue, "must not be empty",
                   [] { check_stream_name(""); });
}

TEST(StreamName, MayHoldAnything)
{
    for (const char *name : {" a", "A", "$a", "%_,'\"", "two\nlines", "-"})
        EXPECT_NO_THROW(check_stream_name(name));
}

TEST(EventType, IsBoundedAndNotReserved)
{
    EXPECT_NO_THROW(check_event_type(std::string(kMaxEventType, 'x')));
    EXPECT_NO_THROW(check_event_type("Order$Placed"));
    EXPECT_NO_THROW(check_event_type(" $"));
    for (const std::string &type : {std::string(), std::string(kMaxEventType + 1, 'x'),
                                    std::string("$"), std::string(kClosedType)})
        expect_failure(sqlstate::kInvalidParameterValue, "event type",
                       [&] { check_event_type(type); });
}

} // namespace
