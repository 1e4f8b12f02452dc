#include "machine/wording.hpp"

#include <algorithm>

#include "machine/machine.hpp"

namespace arbiter::machine {

namespace {

std::string describe(const Transition &transition)
{
    return "the transition from " + quoted(transition.from) + " by " + quoted(transition.command) +
           " to " + quoted(transition.to) + " with event type " + quoted(transition.event);
}

// The first that one has and the other has not; null if there is none.
const Transition *missing_from(const Machine &other, const Machine &machine)
{
    for (const Transition &transition : machine.transitions())
        if (!std::ranges::binary_search(other.transitions(), transition))
            return &transition;
    return nullptr;
}

} // namespace

std::string quoted(std::string_view name)
{
    return '"' + std::string(name) + '"';
}

std::string listed(const std::set<std::string_view> &names)
{
    std::string list;
    for (std::string_view name : names)
        list.append(list.empty() ? "" : ", ").append(quoted(name));
    return list;
}

std::string difference(const Machine &existing, const Machine &given)
{
    auto const differs = [](const char *what, const std::string &was, const std::string &now) {
        return std::string("It was created with ") + what + " " + quoted(was) + ", now it is " +
               quoted(now) + ".";
    };
    if (existing.category() != given.category())
        return differs("category", existing.category(), given.category());
    if (existing.initial() != given.initial())
        return differs("initial state", existing.initial(), given.initial());
    if (const Transition *lost = missing_from(given, existing))
        return "It was created with " + describe(*lost) + ", which is not given now.";
    if (const Transition *added = missing_from(existing, given))
        return "It was created without " + describe(*added) + ".";
    return {};
}

} // namespace arbiter::machine
