// EXPECT that an expression throws our Failure with an SQLSTATE and a text in its message or
// detail.
#pragma once

#include <string>

#include <gtest/gtest.h>

#include "base/failure.hpp"

template <typename Body>
void expect_failure(arbiter::Sqlstate sqlstate, const std::string &part, Body body)
{
    try {
        body();
        ADD_FAILURE() << "nothing was thrown; expected: " << part;
    } catch (const arbiter::Failure &failure) {
        EXPECT_EQ(failure.sqlstate().packed(), sqlstate.packed()) << failure.message();
        const std::string text =
            failure.message() + "\n" + failure.detail() + "\n" + failure.hint();
        EXPECT_NE(text.find(part), std::string::npos) << text;
    }
}
