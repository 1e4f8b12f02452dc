// A line of parts, then lines of arguments. Any two arguments with one name have the same
// normalized parts, under every layout that the injectivity check accepts; what it refuses really
// collides.
#include <cstdint>
#include <cstdlib>
#include <map>
#include <string>
#include <string_view>

#include "base/failure.hpp"
#include "identity/arguments.hpp"
#include "identity/derivation.hpp"
#include "identity/injectivity.hpp"
#include "take.hpp"

using namespace arbiter;
using namespace arbiter::identity;

static void derive(const Spec &spec, std::string_view lines)
{
    Derivation derivation(spec);
    std::map<std::string, std::string> parts_of_name;
    while (!lines.empty()) {
        const Arguments args(spec, read_json(take_line(lines)));
        std::string parts;
        append_name(parts, Layout::json, derivation.normalize(args.values()));
        const std::string name(derivation.name(args.values()));
        if (parts_of_name.emplace(name, parts).first->second != parts)
            std::abort();
    }
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    std::string_view rest{reinterpret_cast<const char *>(data), size};
    try {
        Spec spec{{}, Layout::prefix, parse_parts(read_json(take_line(rest)))};
        if (canonical_text(parse_spec(canonical_text(spec))) != canonical_text(spec))
            std::abort();
        if (spec.parts.size() <= 6) {
            const auto collision = find_collision(spec);
            if (collision && !collides(spec, *collision))
                std::abort();
            if (!collision)
                derive(spec, rest);
        }
        spec.layout = Layout::json;
        derive(spec, rest);
    } catch (const Failure &) {
    }
    return 0;
}
