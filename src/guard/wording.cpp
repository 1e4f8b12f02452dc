#include "guard/wording.hpp"

#include "base/failure.hpp"
#include "base/json.hpp"
#include "identity/json_string.hpp"

namespace arbiter::guard {

namespace {

constexpr std::string_view kKey = "arbiter.guard";

std::optional<Wording> from_json(const Json &document)
{
    Json const *const guard = document.find(kKey);
    Json const *const message = guard ? guard->find("message") : nullptr;
    Json const *const hint = guard ? guard->find("hint") : nullptr;
    if (!message || !message->is(Json::Kind::string) || (hint && !hint->is(Json::Kind::string)))
        return std::nullopt;
    return Wording{message->text, hint ? std::optional(hint->text) : std::nullopt};
}

} // namespace

std::string to_comment(const Wording &wording)
{
    std::string comment = "{";
    identity::append_json_string(comment, kKey);
    comment += R"(:{"message":)";
    identity::append_json_string(comment, wording.message);
    if (wording.hint) {
        comment += R"(,"hint":)";
        identity::append_json_string(comment, *wording.hint);
    }
    comment += "}}";
    return comment;
}

std::optional<Wording> from_comment(std::string_view comment)
{
    // Most comments are prose: not worth an exception each.
    if (!comment.starts_with('{') || comment.find(kKey) == std::string_view::npos)
        return std::nullopt;
    try {
        return from_json(read_json(comment));
    } catch (const Failure &) {
        return std::nullopt;
    }
}

} // namespace arbiter::guard
