#include "pg/arguments.hpp"
#include "pg/entry.hpp"
#include "pg/result_set.hpp"
#include "pg/transaction.hpp"

#include "command/handle.hpp"
#include "log/append.hpp"

using namespace arbiter;

namespace {

std::string_view name(command::Outcome outcome)
{
    switch (outcome) {
    case command::Outcome::applied:
        return "applied";
    case command::Outcome::already:
        return "already";
    case command::Outcome::replayed:
        return "replayed";
    }
    return {};
}

} // namespace

ARBITER_FUNCTION(arbiter_handle)
{
    pg::Arguments arguments(fcinfo);
    auto const store_name = arguments.text(0, "store");
    command::Command const command{.stream = arguments.text(1, "stream"),
                                   .payload = arguments.jsonb(2, "command"),
                                   .decide = arguments.text(3, "decide"),
                                   .evolve = arguments.text(4, "evolve"),
                                   .initial = arguments.jsonb(5, "initial"),
                                   .id = arguments.optional_uuid(6),
                                   .key = arguments.optional_jsonb(7),
                                   .metadata = arguments.jsonb(8, "metadata"),
                                   .lock = arguments.boolean(9, "lock"),
                                   .max_attempts = arguments.bigint(10, "max_attempts")};
    pg::require_writable("arbiter.handle()");
    auto const store = log::open_for_append(store_name);
    auto const handled = command::handle(*store, command);
    return pg::row_datum(fcinfo, {name(handled.outcome), handled.revision, handled.attempts});
}
