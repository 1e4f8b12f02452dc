#include "identity/normalize.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <numeric>

#include "base/failure.hpp"
#include "base/utf8.hpp"
#include "identity/invisible.hpp"
#include "identity/utf16_order.hpp"

namespace arbiter::identity {
namespace {

// Past this a backend gives its scratch memory back after use.
constexpr std::size_t kKeptScratch = std::size_t{4} * 1024 * 1024;

struct Text {
    std::string_view now;
    char *owned; // the same characters once they are ours to change
};

void own(Text &text, Scratch &scratch)
{
    if (text.owned == nullptr) {
        text.owned = scratch.copy(text.now);
        text.now = {text.owned, text.now.size()};
    }
}

void drop_prefix(Text &text, std::size_t size) noexcept
{
    text.now.remove_prefix(size);
    if (text.owned != nullptr)
        text.owned += size;
}

struct AsciiSpace {
    constexpr bool operator()(char32_t point) const noexcept
    {
        return point == 0x20 || (point >= 0x09 && point <= 0x0D);
    }
};

// What String.prototype.trim strips: WhiteSpace and LineTerminator of ECMAScript, 25 code points.
struct JsSpace {
    constexpr bool operator()(char32_t point) const noexcept
    {
        if (point < 0x80)
            return AsciiSpace{}(point);
        return point == 0x00A0 || point == 0x1680 || (point >= 0x2000 && point <= 0x200A) ||
               point == 0x2028 || point == 0x2029 || point == 0x202F || point == 0x205F ||
               point == 0x3000 || point == 0xFEFF;
    }
};

// No trim strips it, whichever it is; spares most texts the decoding.
constexpr bool is_plain(char c) noexcept
{
    return c > 0x20 && c < 0x7F;
}

template <typename IsSpace>
void trim(Text &text, IsSpace is_space) noexcept
{
    while (!text.now.empty() && !is_plain(text.now.front())) {
        const CodePoint first = first_code_point(text.now);
        if (first.size == 0 || !is_space(first.value))
            break;
        drop_prefix(text, first.size);
    }
    while (!text.now.empty() && !is_plain(text.now.back())) {
        const CodePoint last = last_code_point(text.now);
        if (last.size == 0 || !is_space(last.value))
            break;
        text.now.remove_suffix(last.size);
    }
}

// Eight octets at a time: the bit 0x80 of each octet in first … last, which are ASCII. Adding to
// the low seven bits carries into the high one exactly where the octet reaches the bound.
constexpr std::uint64_t mark_range(std::uint64_t word, char first, char last) noexcept
{
    constexpr std::uint64_t kOnes = 0x0101010101010101U, kHighs = kOnes * 0x80;
    const std::uint64_t low = word & ~kHighs;
    const std::uint64_t from_first = low + kOnes * static_cast<unsigned char>(0x80 - first);
    const std::uint64_t past_last = low + kOnes * static_cast<unsigned char>(0x7F - last);
    return (from_first ^ past_last) & ~word & kHighs;
}

// Flips the case of first … last in one pass, copying only a text that has any.
void change_case(Text &text, char first, char last, Scratch &scratch)
{
    for (std::size_t at = 0; at < text.now.size(); at += sizeof(std::uint64_t)) {
        const std::size_t size = std::min(sizeof(std::uint64_t), text.now.size() - at);
        std::uint64_t word = 0;
        std::memcpy(&word, text.now.data() + at, size);
        const std::uint64_t marks = mark_range(word, first, last);
        if (marks == 0)
            continue;
        own(text, scratch);
        word ^= marks >> 2; // 0x20 in each marked octet
        std::memcpy(text.owned + at, &word, size);
    }
}

void remove_chars(Text &text, const AsciiSet &removed, Scratch &scratch)
{
    const auto is_removed = [&removed](char c) { return removed.has(c); };
    if (std::none_of(text.now.begin(), text.now.end(), is_removed))
        return;
    own(text, scratch);
    char *end = std::remove_if(text.owned, text.owned + text.now.size(), is_removed);
    text.now = {text.owned, static_cast<std::size_t>(end - text.owned)};
}

[[noreturn]] void refuse(const Place &place, std::string what, std::string detail)
{
    throw Failure(sqlstate::kUnderivableKey, to_string(place) + " " + std::move(what),
                  std::move(detail));
}

template <typename Bad>
void refuse_code_points(std::string_view text, const Place &place, const char *why, Bad is_bad)
{
    for (std::size_t at = 0; at < text.size();) {
        const CodePoint point = first_code_point(text.substr(at));
        if (is_bad(point.value))
            refuse(place, "holds " + code_point_name(point.value),
                   std::string(why) + " It stands at byte " + std::to_string(at) + ".");
        at += point.size;
    }
}

void check_well_formed(std::string_view text, const Place &place)
{
    const std::size_t at = find_malformed_utf8(text);
    if (at != kWellFormed)
        refuse(place, "is not well-formed UTF-8",
               "The first malformed sequence is at byte " + std::to_string(at) + ".");
}

// Keeps the first of equals, wherever the others stand.
void dedup_in_place(std::vector<std::string_view> &texts)
{
    std::vector<std::size_t> order(texts.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(), [&texts](std::size_t a, std::size_t b) {
        const int compared = texts[a].compare(texts[b]);
        return compared != 0 ? compared < 0 : a < b;
    });
    std::vector<bool> repeated(texts.size());
    for (std::size_t i = 1; i < order.size(); ++i)
        repeated[order[i]] = texts[order[i]] == texts[order[i - 1]];
    std::size_t kept = 0;
    for (std::size_t i = 0; i < texts.size(); ++i)
        if (!repeated[i])
            texts[kept++] = texts[i];
    texts.resize(kept);
}

} // namespace

std::string to_string(const Place &place)
{
    std::string text = "part \"" + std::string(place.part) + "\"";
    if (place.element != 0)
        text += ", element " + std::to_string(place.element);
    return text;
}

void Scratch::begin(std::size_t input_size)
{
    if (room_.capacity() > kKeptScratch && input_size <= kKeptScratch)
        std::string().swap(room_);
    room_.clear();
    room_.reserve(input_size);
}

char *Scratch::copy(std::string_view text)
{
    const std::size_t at = room_.size();
    room_.append(text);
    return room_.data() + at;
}

std::optional<std::string_view> normalize_text(const std::vector<Step> &steps,
                                               std::string_view text, const Place &place,
                                               Scratch &scratch)
{
    check_well_formed(text, place);
    Text state{text, nullptr};
    for (const Step &step : steps) {
        switch (step.kind) {
        case StepKind::trim_js25:
            trim(state, JsSpace{});
            break;
        case StepKind::trim_ascii:
            trim(state, AsciiSpace{});
            break;
        case StepKind::lower_ascii:
            change_case(state, 'A', 'Z', scratch);
            break;
        case StepKind::upper_ascii:
            change_case(state, 'a', 'z', scratch);
            break;
        case StepKind::remove_chars:
            remove_chars(state, step.removed, scratch);
            break;
        case StepKind::require_ascii_printable:
            refuse_code_points(state.now, place, "Only printable ASCII is allowed here.",
                               [](char32_t point) { return point < 0x20 || point > 0x7E; });
            break;
        case StepKind::refuse_invisible:
            refuse_code_points(state.now, place, "Invisible characters are refused here.",
                               is_invisible);
            break;
        case StepKind::drop_empty:
            if (state.now.empty())
                return std::nullopt;
            break;
        case StepKind::refuse_empty:
            if (state.now.empty())
                refuse(place, "is empty", "An empty text is refused here.");
            break;
        }
    }
    return state.now;
}

void normalize_list(const std::vector<SetStep> &set, std::vector<std::string_view> &texts)
{
    const bool dedup = set.front() == SetStep::dedup;
    const auto sort = [&](auto compare) {
        std::sort(texts.begin(), texts.end(),
                  [compare](std::string_view a, std::string_view b) { return compare(a, b) < 0; });
        if (dedup)
            texts.erase(std::unique(texts.begin(), texts.end()), texts.end());
    };
    switch (set.back()) {
    case SetStep::sort_utf16:
        return sort([](std::string_view a, std::string_view b) { return compare_utf16(a, b); });
    case SetStep::sort_codepoint:
        return sort([](std::string_view a, std::string_view b) { return a.compare(b); });
    case SetStep::dedup:
    case SetStep::keep_order:
        if (dedup)
            dedup_in_place(texts);
    }
}

} // namespace arbiter::identity
