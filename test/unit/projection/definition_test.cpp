#include "projection/definition.hpp"

#include <string>

#include "../expect_failure.hpp"

namespace sqlstate = arbiter::sqlstate;
using arbiter::Duration;
using arbiter::kForever;
using namespace arbiter::projection;

namespace {

Definition external()
{
    return {.name = "mailer",
            .kind = "external",
            .handler = {},
            .reconciler = {},
            .reconcile_every = {},
            .types = {},
            .category = {},
            .strict = true,
            .max_attempts = 10};
}

void refuses(const Definition &definition, arbiter::Sqlstate sqlstate, const std::string &part)
{
    expect_failure(sqlstate, part, [&] { check(definition); });
}

} // namespace

TEST(Definition, ExternalIsTaken)
{
    check(external());
    Definition filtered = external();
    filtered.strict = false;
    filtered.types = {"Placed", "Paid"};
    filtered.category = "order";
    check(filtered);
    Definition reconciled = external();
    reconciled.reconciler = "external";
    reconciled.reconcile_every = Duration(1);
    check(reconciled);
}

TEST(Definition, AHandlerAppliesTheEventsOfThisLogOrWorkersDo)
{
    Definition definition = external();
    definition.kind = "transactional";
    check(definition);
    definition.handler = "apply";
    check(definition);
    definition.kind = "async";
    refuses(definition, sqlstate::kInvalidParameterValue, "needs a reconciler");
    definition.reconciler = "missing";
    definition.reconcile_every = Duration(1);
    check(definition);
    definition.types = {"Placed"};
    refuses(definition, sqlstate::kInvalidParameterValue, "strict => false");
    definition.types.reset();
    definition.handler.reset();
    refuses(definition, sqlstate::kInvalidParameterValue, "without a handler");
    definition.reconciler = "external";
    check(definition);
}

TEST(Definition, OtherKindsAreRefused)
{
    Definition definition = external();
    definition.kind = "External";
    refuses(definition, sqlstate::kInvalidParameterValue, "Kinds are inline");
}

TEST(Definition, AnInlineOneHasAHandlerAndOwesNothing)
{
    Definition definition = external();
    definition.kind = "inline";
    refuses(definition, sqlstate::kInvalidParameterValue, "needs a handler");
    definition.handler = "app.apply";
    check(definition);
    definition.reconciler = "external";
    definition.reconcile_every = Duration(1);
    refuses(definition, sqlstate::kInvalidParameterValue, "has no reconciler");
}

TEST(Definition, NamesHaveLimits)
{
    Definition definition = external();
    definition.name = "";
    refuses(definition, sqlstate::kInvalidParameterValue, "must not be empty");
    std::string const longest(kMaxName, 'x');
    std::string const longer(kMaxName + 1, 'x');
    definition.name = longest;
    check(definition);
    definition.name = longer;
    refuses(definition, sqlstate::kInvalidParameterValue, "257 bytes");
    expect_failure(sqlstate::kInvalidParameterValue, "1025 bytes",
                   [] { check_entity(std::string(kMaxEntity + 1, 'x')); });
    expect_failure(sqlstate::kInvalidParameterValue, "It is -1.", [] { check_revision(-1); });
}

TEST(Definition, ContradictionsAreRefused)
{
    Definition handled = external();
    handled.handler = "f";
    refuses(handled, sqlstate::kInvalidParameterValue, "no handler");

    Definition strict = external();
    strict.types = {"Placed"};
    refuses(strict, sqlstate::kInvalidParameterValue, "strict => false");

    Definition no_types = external();
    no_types.types.emplace();
    refuses(no_types, sqlstate::kInvalidParameterValue, "every type");

    Definition hyphen = external();
    hyphen.category = "a-b";
    refuses(hyphen, sqlstate::kInvalidParameterValue, "hyphen");

    Definition never = external();
    never.max_attempts = 0;
    refuses(never, sqlstate::kInvalidParameterValue, "It is 0.");
}

TEST(Definition, AReconcilerHasAnInterval)
{
    Definition definition = external();
    definition.reconciler = "external";
    refuses(definition, sqlstate::kInvalidParameterValue, "needs reconcile_every");
    definition.reconcile_every = Duration::zero();
    refuses(definition, sqlstate::kInvalidParameterValue, "must be positive");
    definition.reconcile_every = kForever;
    refuses(definition, sqlstate::kInvalidParameterValue, "1000 years");
    definition.reconcile_every = Duration(1);
    definition.reconciler = "some_function";
    refuses(definition, sqlstate::kInvalidParameterValue, "'external'");
    definition.reconciler.reset();
    refuses(definition, sqlstate::kInvalidParameterValue, "needs a reconciler");
}
