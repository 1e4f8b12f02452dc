// The first line lists steps, each following line is an element. Accepted lists of steps are
// idempotent, and what comes out is well-formed UTF-8 and no longer than what went in.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "base/failure.hpp"
#include "base/utf8.hpp"
#include "identity/normalize.hpp"
#include "take.hpp"

using namespace arbiter;
using namespace arbiter::identity;

namespace {

std::vector<Step> read_steps(std::string_view line)
{
    std::vector<Step> steps;
    while (!line.empty())
        steps.push_back(parse_step(take_until(line, ' ')));
    check_text_steps(steps);
    return steps;
}

std::vector<std::string> normalize(const std::vector<Step> &steps, SetStep order,
                                   const std::vector<std::string> &texts)
{
    std::size_t size = 0;
    for (const std::string &text : texts)
        size += text.size();
    Scratch scratch;
    scratch.begin(size);
    std::vector<std::string_view> kept;
    for (const std::string &text : texts)
        if (const auto normal = normalize_text(steps, text, {"p", 1}, scratch))
            kept.push_back(*normal);
    normalize_list({SetStep::dedup, order}, kept);
    return {kept.begin(), kept.end()};
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    std::string_view rest{reinterpret_cast<const char *>(data), size};
    try {
        const std::vector<Step> steps = read_steps(take_until(rest, '\n'));
        std::vector<std::string> texts;
        while (!rest.empty())
            texts.emplace_back(take_until(rest, '\n'));
        for (const SetStep order :
             {SetStep::sort_utf16, SetStep::sort_codepoint, SetStep::keep_order}) {
            const std::vector<std::string> once = normalize(steps, order, texts);
            if (normalize(steps, order, once) != once)
                std::abort();
            for (const std::string &text : once)
                if (find_malformed_utf8(text) != kWellFormed)
                    std::abort();
        }
    } catch (const Failure &) {
    }
    return 0;
}
