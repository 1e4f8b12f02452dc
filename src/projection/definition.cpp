#include "projection/definition.hpp"

#include <string>

#include "base/failure.hpp"
#include "log/stream_name.hpp"

namespace arbiter::projection {

namespace {

[[noreturn]] void refuse(std::string message, std::string detail = {}, std::string hint = {})
{
    throw Failure(sqlstate::kInvalidParameterValue, std::move(message), std::move(detail),
                  std::move(hint));
}

void check_length(std::string_view text, std::size_t limit, const char *what)
{
    if (text.empty())
        refuse(std::string(what) + " must not be empty");
    if (text.size() > limit)
        refuse(std::string(what) + " is too long", "It has " + std::to_string(text.size()) +
                                                       " bytes, the limit is " +
                                                       std::to_string(limit) + ".");
}

void check_types(const Definition &definition)
{
    if (!definition.types)
        return;
    if (definition.types->empty())
        refuse("argument \"types\" must not be empty", {}, "Pass null for events of every type.");
    for (std::string_view type : *definition.types)
        check_length(type, log::kMaxEventType, "event type");
}

void check_reconciler(const Definition &definition)
{
    if (definition.reconciler && !definition.reconcile_every)
        refuse("a reconciler needs reconcile_every",
               "Without an interval nobody would notice that it does not run.");
    if (!definition.reconciler && definition.reconcile_every)
        refuse("reconcile_every needs a reconciler");
    if (definition.reconcile_every == Duration::zero())
        refuse("reconcile_every must be positive");
    // The server refuses to add what leads beyond its last timestamp, to whoever looks what is due.
    if (definition.reconcile_every > kLongestReconcileEvery)
        refuse("reconcile_every is too long", "The limit is 1000 years.");
}

void check_strictness(const Definition &definition)
{
    if (definition.types && definition.strict)
        refuse("a projection of some types cannot be strict",
               "It is not shown the revisions of other types, so each would be a gap.",
               "Pass strict => false.");
}

void check_external(const Definition &definition)
{
    if (definition.handler)
        refuse("an external projection has no handler",
               "Its consumer applies the effect and calls arbiter.advance in the same "
               "transaction.");
    if (definition.reconciler && *definition.reconciler != kOutsideReconciler)
        refuse("the reconciler of an external projection is 'external'",
               "An outside process compares what should exist with what does.");
}

void check_inline(const Definition &definition)
{
    if (!definition.handler)
        refuse("an inline projection needs a handler",
               "It is the function that applies the effect of an event.");
    if (definition.reconciler)
        refuse("an inline projection has no reconciler",
               "Its effect commits with the event, so none can be missing.");
}

void check_of_this_log(const Definition &definition)
{
    Kind const kind = kind_from(definition.kind);
    if (kind == Kind::inline_)
        check_inline(definition);
    if (kind == Kind::async && !definition.reconciler)
        refuse("an async projection needs a reconciler and reconcile_every",
               "It goes on past events whose effect failed, so somebody has to make up for them.",
               "A reconciler is a function, or 'external' for an outside process.");
    if (!definition.handler && definition.reconciler &&
        *definition.reconciler != kOutsideReconciler)
        refuse("the reconciler of a projection without a handler is 'external'",
               "What a reconciler finds missing is offered to the handler again.");
}

} // namespace

Kind kind_from(std::string_view word)
{
    if (word == "inline")
        return Kind::inline_;
    if (word == "transactional")
        return Kind::transactional;
    if (word == "async")
        return Kind::async;
    if (word == "external")
        return Kind::external;
    refuse("unknown kind of projection \"" + std::string(word) + "\"", {},
           "Kinds are inline, transactional, async and external.");
}

void check_name(std::string_view name)
{
    check_length(name, kMaxName, "projection name");
}

void check_entity(std::string_view entity)
{
    check_length(entity, kMaxEntity, "entity");
}

void check_revision(std::int64_t revision)
{
    if (revision < 0)
        refuse("revision must not be negative", "It is " + std::to_string(revision) + ".",
               "The first event of a stream has revision 0.");
}

void check(const Definition &definition)
{
    check_name(definition.name);
    Kind const kind = kind_from(definition.kind);
    check_types(definition);
    if (definition.category)
        log::stream_name(*definition.category, "id"); // refuses what begins no stream's name
    if (definition.max_attempts < 1)
        refuse("max_attempts must be positive",
               "It is " + std::to_string(definition.max_attempts) + ".");
    check_reconciler(definition);
    kind == Kind::external ? check_external(definition) : check_of_this_log(definition);
    check_strictness(definition);
}

} // namespace arbiter::projection
