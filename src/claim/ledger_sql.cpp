#include "pg/arguments.hpp"
#include "pg/catalog.hpp"
#include "pg/entry.hpp"
#include "pg/procedure.hpp"
#include "pg/transaction.hpp"
#include "pg/trigger.hpp"

#include "base/failure.hpp"
#include "claim/guard.hpp"
#include "claim/ledger.hpp"
#include "claim/prune.hpp"
#include "claim/tables.hpp"
#include "shared/progress.hpp"

using namespace arbiter;

ARBITER_FUNCTION(arbiter_create_ledger)
{
    pg::Arguments arguments(fcinfo);
    auto const store_name = arguments.text(0, "store");
    auto const ledger = arguments.text(1, "ledger");
    auto const takeover = arguments.text(2, "takeover");
    claim::Policy const policy = claim::policy_of(takeover, arguments.optional_duration(3, "lease"),
                                                  arguments.boolean(4, "durable"));
    pg::require_writable("arbiter.create_ledger()");
    auto const store = store::open_for_writing(store_name);
    if (claim::create(*store, ledger, takeover, arguments.value(3), policy) == claim::Made::existed)
        pg::notice("ledger \"" + std::string(ledger) + "\" already exists, skipping");
    PG_RETURN_VOID();
}

ARBITER_FUNCTION(arbiter_drop_ledger)
{
    pg::Arguments arguments(fcinfo);
    auto const store_name = arguments.text(0, "store");
    auto const ledger = arguments.text(1, "ledger");
    bool const force = arguments.boolean(2, "force");
    pg::require_writable("arbiter.drop_ledger()");
    claim::drop(*store::open_for_writing(store_name), ledger, force);
    PG_RETURN_VOID();
}

ARBITER_FUNCTION(arbiter_prune_claims)
{
    pg::Arguments arguments(fcinfo);
    // Copied: the arguments' own memory may not outlive a commit.
    std::string const store(arguments.text(0, "store"));
    std::string const ledger(arguments.text(1, "ledger"));
    Duration const older_than = arguments.duration(2, "older_than");
    pg::require_writable("arbiter.prune_claims()");
    pg::Procedure procedure(fcinfo);
    shared::Progress progress(shared::LongCall::prune_claims,
                              store::open_for_writing(store)->schema, ledger, claim::kDigestShares);
    std::optional<Uuid> from = Uuid{};
    while (from) {
        from = claim::prune_batch(*store::open_for_writing(store), ledger, *from, older_than);
        progress.set(from ? claim::share_below(*from) : claim::kDigestShares);
        procedure.commit();
    }
    PG_RETURN_VOID();
}

namespace {

struct Row {
    claim::Standing standing;
    Datum ledger, key;
};

Row read(HeapTuple tuple, TupleDesc descriptor)
{
    return pg::call([=] {
        auto const value = [=](int column) {
            bool null = false;
            return heap_getattr(tuple, column, descriptor, &null);
        };
        text *const state = DatumGetTextPP(value(claim::kState));
        auto const known = claim::state_named(
            {VARDATA_ANY(state), static_cast<std::size_t>(VARSIZE_ANY_EXHDR(state))});
        // A state of another name is the table's CHECK to refuse; no rule lets anything become
        // this.
        return Row{{DatumGetInt64(value(claim::kToken)), known.value_or(claim::State::failed)},
                   value(claim::kLedger),
                   value(claim::kKey)};
    });
}

bool has_null(HeapTuple tuple, TupleDesc descriptor)
{
    for (int column : {claim::kLedger, claim::kKey, claim::kToken, claim::kState})
        if (heap_attisnull(tuple, column, descriptor))
            return true;
    return false;
}

bool are_equal(Datum left, Datum right)
{
    return pg::call([=] {
        return DatumGetBool(DirectFunctionCall2Coll(texteq, C_COLLATION_OID, left, right));
    });
}

} // namespace

ARBITER_FUNCTION(arbiter_guard_claims)
{
    TriggerData const &trigger = pg::trigger_data(fcinfo);
    std::string const store = pg::schema_of(trigger);
    if (!TRIGGER_FIRED_BY_UPDATE(trigger.tg_event)) {
        claim::guard_removal(store, pg::command_of(trigger));
        return PointerGetDatum(trigger.tg_trigtuple);
    }
    TupleDesc const descriptor = RelationGetDescr(trigger.tg_relation);
    if (has_null(trigger.tg_newtuple, descriptor)) // the table's to refuse
        return PointerGetDatum(trigger.tg_newtuple);
    Row const from = read(trigger.tg_trigtuple, descriptor);
    Row const to = read(trigger.tg_newtuple, descriptor);
    claim::guard_change(store, from.standing, to.standing,
                        are_equal(from.ledger, to.ledger) && are_equal(from.key, to.key));
    return PointerGetDatum(trigger.tg_newtuple);
}
