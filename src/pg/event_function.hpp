// Functions that a caller names to be called for events.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "pg/types.hpp"

namespace arbiter::pg {

// The one function of that name that takes an event, an array of events, or an event as jsonb, and
// returns void: its signature, the same in every search_path. 42883 for none, 42725 for several,
// 42501 where the current role may not execute it.
std::string event_function_signature(std::string_view name);

// The function of that name that takes a text and returns rows: its name, qualified and quoted. The
// same SQLSTATEs.
std::string listing_function_name(std::string_view name);

// Ready to be called while the (sub)transaction that made it lasts.
class EventFunction {
public:
    // As event_function_signature returned it. 42883 if it is gone.
    explicit EventFunction(std::string_view signature);
    EventFunction(const EventFunction &) = delete;
    EventFunction &operator=(const EventFunction &) = delete;

    // Events as values of type arbiter.recorded_event: one call for all, or one for each.
    void operator()(std::span<const Datum> events);

private:
    void run(Datum argument);

    Oid function_;
    Oid argument_; // its type: that of an event, of an array of them, or jsonb
    struct ExprState *state_;
    struct ExprContext *context_;
};

// arbiter.recorded_event.
Oid event_type();

} // namespace arbiter::pg
