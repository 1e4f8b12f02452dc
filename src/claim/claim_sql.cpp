#include "pg/arguments.hpp"
#include "pg/entry.hpp"
#include "pg/json_view.hpp"
#include "pg/result_set.hpp"
#include "pg/transaction.hpp"

#include "base/failure.hpp"
#include "claim/claim.hpp"
#include "claim/settle.hpp"

using namespace arbiter;

namespace {

pg::Value value_of(const std::optional<Datum> &datum)
{
    return datum ? pg::Value::of(*datum) : pg::Value::null();
}

// token, state, result, claimant, since: nothing to show where it is busy. The token is told to
// whoever holds the claim by it; who lost and did not look would otherwise settle what is
// another's.
struct Columns {
    explicit Columns(const claim::Answer &answer)
        : outcome(std::string_view(claim::outcome(answer.decision)))
    {
        if (answer.decision == claim::Decision::busy)
            return;
        if (claim::is_won(answer.decision))
            token = answer.standing.token;
        state = std::string_view(claim::name(answer.standing.state));
        result = value_of(answer.result);
        claimant = value_of(answer.claimant);
        since = pg::Value::of(static_cast<Datum>(answer.since));
    }
    pg::Value outcome;
    pg::Value token = pg::Value::null(), state = pg::Value::null(), result = pg::Value::null(),
              claimant = pg::Value::null(), since = pg::Value::null();
};

// The arguments that every call on one claim begins with.
struct OneClaim {
    explicit OneClaim(const pg::Arguments &arguments)
        : store(arguments.text(0, "store")), ledger(arguments.text(1, "ledger")),
          key(arguments.text(2, "key"))
    {
    }
    std::string_view store, ledger, key;
};

} // namespace

ARBITER_FUNCTION(arbiter_claim)
{
    pg::Arguments arguments(fcinfo);
    OneClaim const target(arguments);
    claim::Request const request{.fingerprint = arguments.optional_text(3),
                                 .claimant = arguments.optional_text(4)};
    Deadline const deadline(arguments.duration(5, "wait"));
    pg::require_writable("arbiter.claim()");
    auto const store = store::open_for_writing(target.store);
    claim::Ledger const ledger = claim::open(*store, target.ledger);
    Columns const row(claim::claim(*store, ledger, target.key, request, deadline));
    return pg::row_datum(fcinfo,
                         {row.outcome, row.token, row.state, row.result, row.claimant, row.since});
}

ARBITER_FUNCTION(arbiter_claim_keys)
{
    pg::Arguments arguments(fcinfo);
    auto const store_name = arguments.text(0, "store");
    auto const ledger_name = arguments.text(1, "ledger");
    auto const keys = arguments.texts(2, "keys");
    claim::Request const request{.fingerprint = arguments.optional_text(3),
                                 .claimant = arguments.optional_text(4)};
    Deadline const deadline(arguments.duration(5, "wait"));
    pg::require_writable("arbiter.claim_keys()");
    auto const store = store::open_for_writing(store_name);
    claim::Ledger const ledger = claim::open(*store, ledger_name);
    auto const answers = claim::claim_keys(*store, ledger, keys, request, deadline);
    pg::ResultSet rows(fcinfo);
    for (std::size_t i = 0; i < keys.size(); ++i) {
        Columns const row(answers[i]);
        rows.add({keys[i], row.outcome, row.token, row.state, row.result, row.claimant, row.since});
    }
    return 0;
}

ARBITER_FUNCTION(arbiter_settle)
{
    pg::Arguments arguments(fcinfo);
    OneClaim const target(arguments);
    std::int64_t const token = arguments.bigint(3, "token");
    claim::State const state = claim::settled_state(arguments.text(4, "state"));
    claim::Settlement const settlement{target.key, token, arguments.optional_jsonb(5)};
    pg::require_writable("arbiter.settle()");
    auto const store = store::open_for_writing(target.store);
    claim::settle(*store, claim::open(*store, target.ledger), settlement, state);
    PG_RETURN_VOID();
}

namespace {

void require_one_each(std::size_t count, const char *name, std::size_t keys)
{
    if (count != keys)
        throw Failure(sqlstate::kInvalidParameterValue,
                      std::string("argument \"") + name + "\" needs one element for each key",
                      "Keys: " + std::to_string(keys) + ", elements: " + std::to_string(count) +
                          ".");
}

// One JSON array, where null means that there is nothing to say of that key.
void add_results(Datum array, std::vector<claim::Settlement> &settlements)
{
    auto const results = pg::JsonView::of(array);
    if (!results.is_array())
        throw Failure(sqlstate::kInvalidParameterValue,
                      std::string("argument \"results\" must be a JSON array, not ") +
                          results.kind());
    auto const elements = results.elements();
    require_one_each(elements.size(), "results", settlements.size());
    for (std::size_t i = 0; i < elements.size(); ++i)
        if (!elements[i].is_null())
            settlements[i].result = elements[i].datum();
}

std::vector<claim::Settlement> settlements_of(const pg::Arguments &arguments)
{
    auto const keys = arguments.texts(2, "keys");
    auto const tokens = arguments.bigints(3, "tokens");
    require_one_each(tokens.size(), "tokens", keys.size());
    std::vector<claim::Settlement> settlements;
    settlements.reserve(keys.size());
    for (std::size_t i = 0; i < keys.size(); ++i)
        settlements.push_back({keys[i], tokens[i], std::nullopt});
    if (auto const results = arguments.optional_jsonb(5))
        add_results(*results, settlements);
    return settlements;
}

} // namespace

ARBITER_FUNCTION(arbiter_settle_keys)
{
    pg::Arguments arguments(fcinfo);
    auto const store_name = arguments.text(0, "store");
    auto const ledger_name = arguments.text(1, "ledger");
    auto const settlements = settlements_of(arguments);
    claim::State const state = claim::settled_state(arguments.text(4, "state"));
    pg::require_writable("arbiter.settle_keys()");
    auto const store = store::open_for_writing(store_name);
    auto const answers =
        claim::settle_keys(*store, claim::open(*store, ledger_name), settlements, state);
    pg::ResultSet rows(fcinfo);
    for (std::size_t i = 0; i < answers.size(); ++i) {
        const claim::Settled &answer = answers[i];
        std::string_view const outcome = answer.is_settled ? "settled" : "lost";
        if (answer.exists)
            rows.add({settlements[i].key, outcome, answer.standing.token,
                      std::string_view(claim::name(answer.standing.state)),
                      value_of(answer.claimant)});
        else
            rows.add({settlements[i].key, outcome, pg::Value::null(), pg::Value::null(),
                      pg::Value::null()});
    }
    return 0;
}

ARBITER_FUNCTION(arbiter_renew)
{
    pg::Arguments arguments(fcinfo);
    OneClaim const target(arguments);
    std::int64_t const token = arguments.bigint(3, "token");
    pg::require_writable("arbiter.renew()");
    auto const store = store::open_for_writing(target.store);
    PG_RETURN_TIMESTAMPTZ(
        claim::renew(*store, claim::open(*store, target.ledger), target.key, token));
}

ARBITER_FUNCTION(arbiter_force_takeover)
{
    pg::Arguments arguments(fcinfo);
    OneClaim const target(arguments);
    auto const reason = arguments.text(3, "reason");
    pg::require_writable("arbiter.force_takeover()");
    auto const store = store::open_for_writing(target.store);
    PG_RETURN_INT64(
        claim::force_takeover(*store, claim::open(*store, target.ledger), target.key, reason));
}
