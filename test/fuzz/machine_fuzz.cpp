// A machine that is taken knows where each of its types leads, lets a command out of a state in one
// way only, and is the same again when it is made of its own transitions.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "base/failure.hpp"
#include "identity/json_string.hpp"
#include "machine/machine.hpp"
#include "machine/wording.hpp"
#include "take.hpp"

using namespace arbiter;
using arbiter::machine::Machine;
using arbiter::machine::Transition;

static void append_member(std::string &out, std::string_view key, std::string_view value)
{
    identity::append_json_string(out, key);
    out += ':';
    identity::append_json_string(out, value);
}

static std::string transitions_of(const Machine &machine)
{
    std::string out;
    for (const Transition &transition : machine.transitions()) {
        out += out.empty() ? "[{\"from\":[" : ",{\"from\":[";
        identity::append_json_string(out, transition.from);
        out += "],";
        append_member(out, "command", transition.command);
        out += ',';
        append_member(out, "to", transition.to);
        out += ',';
        append_member(out, "event", transition.event);
        out += '}';
    }
    return out + ']';
}

static void require(bool holds)
{
    if (!holds)
        std::abort();
}

static void check(const Machine &machine)
{
    for (const Transition &transition : machine.transitions()) {
        const std::string *target = machine.target(transition.event);
        require(target != nullptr && *target == transition.to);
        const Transition *found = machine.find(transition.from, transition.command);
        require(found != nullptr && *found == transition);
        require(machine.allows(transition.from, transition.event));
        require(machine.raises(transition.command, transition.event));
        require(machine.has_command(transition.command));
    }
    for (const std::string_view type : machine.types())
        require(machine.target(type) != nullptr);
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    std::string_view rest{reinterpret_cast<const char *>(data), size};
    try {
        const std::string_view category = take_line(rest), initial = take_line(rest);
        const Machine machine("m", category, initial, read_json(rest));
        check(machine);
        const Machine again("m", category, initial, read_json(transitions_of(machine)));
        require(machine::difference(machine, again).empty());
    } catch (const Failure &) {
    }
    return 0;
}
