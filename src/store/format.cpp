#include "store/format.hpp"

#include <array>

#include "store/steps/01_log.hpp"
#include "store/steps/02_projection.hpp"
#include "store/steps/03_derivation.hpp"
#include "store/steps/04_claim.hpp"
#include "store/steps/05_feed.hpp"
#include "store/steps/06_runner.hpp"
#include "store/steps/07_machine.hpp"
#include "store/steps/08_pool.hpp"
#include "store/steps/09_resolution.hpp"
#include "store/steps/10_worker.hpp"

namespace arbiter::store {

namespace {

constexpr std::array kSteps{
    step::kLog,    step::kProjection, step::kDerivation, step::kClaim,      step::kFeed,
    step::kRunner, step::kMachine,    step::kPool,       step::kResolution, step::kWorker,
};

constexpr std::array kTriggers{
    // Last by name: it judges the row that is really written, after the user's own triggers.
    Trigger{"events", "zz_arbiter_append", "guard_append", "BEFORE INSERT ON {table} FOR EACH ROW"},
    Trigger{"events", "zz_arbiter_append_only", "refuse_rewrite",
            "BEFORE UPDATE OR DELETE OR TRUNCATE ON {table} FOR EACH STATEMENT"},
    Trigger{"offsets", "zz_arbiter_offsets", "guard_offsets",
            "BEFORE UPDATE OR DELETE OR TRUNCATE ON {table} FOR EACH STATEMENT"},
    Trigger{"projection_cursors", "zz_arbiter_projection_cursors", "guard_offsets",
            "BEFORE UPDATE OR DELETE OR TRUNCATE ON {table} FOR EACH STATEMENT"},
    Trigger{"taken_streams", "zz_arbiter_taken_streams", "guard_offsets",
            "BEFORE UPDATE OR DELETE OR TRUNCATE ON {table} FOR EACH STATEMENT"},
    Trigger{"streams_set_aside", "zz_arbiter_streams_set_aside", "guard_offsets",
            "BEFORE UPDATE OR DELETE OR TRUNCATE ON {table} FOR EACH STATEMENT"},
    Trigger{"projections", "zz_arbiter_projections", "guard_projections",
            "BEFORE INSERT OR UPDATE ON {table} FOR EACH ROW"},
    Trigger{"derivations", "zz_arbiter_derivations", "guard_derivations",
            "BEFORE UPDATE OR DELETE OR TRUNCATE ON {table} FOR EACH STATEMENT"},
    Trigger{"claims", "zz_arbiter_claims", "guard_claims",
            "BEFORE UPDATE OR DELETE ON {table} FOR EACH ROW"},
    Trigger{"claims", "zz_arbiter_claims_stay", "guard_claims",
            "BEFORE TRUNCATE ON {table} FOR EACH STATEMENT"},
    Trigger{"feed", "zz_arbiter_feed", "guard_feed",
            "BEFORE INSERT OR UPDATE ON {table} FOR EACH ROW"},
    Trigger{"feed", "zz_arbiter_feed_stays", "guard_feed",
            "BEFORE DELETE OR TRUNCATE ON {table} FOR EACH STATEMENT"},
    Trigger{"cursors", "zz_arbiter_cursors", "guard_cursors",
            "BEFORE UPDATE ON {table} FOR EACH ROW"},
    Trigger{"machines", "zz_arbiter_machines", "guard_machines",
            "BEFORE INSERT OR UPDATE OR DELETE OR TRUNCATE ON {table} FOR EACH STATEMENT"},
};

// Tables first.
constexpr std::array kRelations{
    "arbiter_store",
    "events",
    "projections",
    "offsets",
    "failed_events",
    "derivations",
    "ledgers",
    "claims",
    "takeovers",
    "feed",
    "cursors",
    "projection_cursors",
    "reconciliations",
    "machines",
    "pools",
    "reassignments",
    "sweeps",
    "sweep_rests",
    "resolutions",
    "taken_streams",
    "streams_set_aside",
    "events_position",
    "failures",
    "debts",
    "unsettled_claims",
    "projection_status",
};
constexpr std::size_t kOthers = 5; // views and a sequence

// Last by name too: after the user's own triggers.
constexpr Trigger kInlineTrigger{"events", "zz_arbiter_inline", "apply_inline",
                                 "AFTER INSERT ON {table} FOR EACH ROW"};

} // namespace

std::span<const Step> steps() noexcept
{
    return kSteps;
}

std::span<const char *const> relations() noexcept
{
    return kRelations;
}

std::span<const char *const> tables() noexcept
{
    return relations().first(kRelations.size() - kOthers);
}

int current_format() noexcept
{
    return static_cast<int>(kSteps.size());
}

std::span<const Trigger> triggers() noexcept
{
    return kTriggers;
}

const Trigger &inline_trigger() noexcept
{
    return kInlineTrigger;
}

} // namespace arbiter::store
