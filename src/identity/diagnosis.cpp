#include "identity/diagnosis.hpp"

#include <algorithm>
#include <vector>

#include "base/digest.hpp"
#include "base/utf8.hpp"
#include "base/uuid_v5.hpp"
#include "identity/dialect.hpp"

namespace arbiter::identity {
namespace {

// 7! = 5040 orders are tried; a vector with more elements is seldom needed to tell two orders
// apart.
constexpr std::size_t kMaxPermuted = 7;

std::string octets_of(const Uuid &uuid)
{
    return {reinterpret_cast<const char *>(uuid.octets.data()), uuid.octets.size()};
}

std::string to_upper(std::string text)
{
    for (char &c : text)
        if (c >= 'a' && c <= 'z')
            c ^= 0x20;
    return text;
}

// The layout that Microsoft's GUID has in memory: the first three fields byte-swapped.
std::string little_endian(const Uuid &uuid)
{
    std::string octets = octets_of(uuid);
    std::reverse(octets.begin(), octets.begin() + 4);
    std::reverse(octets.begin() + 4, octets.begin() + 6);
    std::reverse(octets.begin() + 6, octets.begin() + 8);
    return octets;
}

std::string utf16(std::string_view text, bool big_endian)
{
    std::string out;
    const auto put = [&](char32_t unit) {
        const char high = static_cast<char>(unit >> 8), low = static_cast<char>(unit & 0xFF);
        out += big_endian ? high : low;
        out += big_endian ? low : high;
    };
    while (!text.empty()) {
        const CodePoint point = first_code_point(text);
        if (point.value >= 0x10000) {
            put(0xD800 + ((point.value - 0x10000) >> 10));
            put(0xDC00 + ((point.value - 0x10000) & 0x3FF));
        } else {
            put(point.value);
        }
        text.remove_prefix(point.size);
    }
    return out;
}

// Latin-1 has no octet for what lies beyond; runtimes write a question mark there.
std::string latin1(std::string_view text)
{
    std::string out;
    while (!text.empty()) {
        const CodePoint point = first_code_point(text);
        out += point.value <= 0xFF ? static_cast<char>(point.value) : '?';
        text.remove_prefix(point.size);
    }
    return out;
}

class Suspects {
public:
    Suspects(const Spec &spec, std::span<const Value> values, const Uuid &id)
        : spec_(spec), values_(values), id_(id), derivation_(spec), name_(derivation_.name(values))
    {
        const auto parts = derivation_.normalize(values);
        parts_.assign(parts.begin(), parts.end());
    }

    std::optional<Diagnosis> find()
    {
        try_namespaces();
        try_encodings();
        try_orders();
        try_dialects();
        try_missing_steps();
        return std::move(found_);
    }

private:
    void suspect(std::string construction, std::string_view name_space, std::string_view octets)
    {
        if (!found_ && uuid_v5(sha1(name_space, octets)) == id_)
            found_ = Diagnosis{std::move(construction), std::string(octets)};
    }

    void suspect_name(std::string construction, std::string_view octets)
    {
        suspect(std::move(construction), octets_of(spec_.name_space), octets);
    }

    void suspect_spec(const std::string &construction, const Spec &variant)
    {
        suspect_name(construction, Derivation(variant).name(values_));
    }

    void try_namespaces()
    {
        const std::string text = to_string(spec_.name_space);
        suspect("the namespace in little-endian byte order", little_endian(spec_.name_space),
                name_);
        suspect("the namespace hashed as its text", text, name_);
        suspect("the namespace hashed as its upper-case text", to_upper(text), name_);
        suspect("no namespace", {}, name_);
    }

    void try_encodings()
    {
        suspect_name("the name in Latin-1", latin1(name_));
        suspect_name("the name in UTF-16, little-endian", utf16(name_, false));
        suspect_name("the name in UTF-16, big-endian", utf16(name_, true));
    }

    void try_orders()
    {
        for (std::size_t i = 0; i < spec_.parts.size(); ++i) {
            if (spec_.parts[i].type != PartType::text_list)
                continue;
            const std::string part = " of part \"" + spec_.parts[i].name + '"';
            const auto try_order = [&](SetStep order, const char *what) {
                Spec variant = spec_;
                variant.parts[i].set.back() = order;
                suspect_spec(what + part, variant);
            };
            try_order(SetStep::sort_codepoint, "code-point order");
            try_order(SetStep::sort_utf16, "UTF-16 order");
            try_order(SetStep::keep_order, "the order given");
            try_permutations(i, "another order, such as a locale's," + part);
        }
    }

    // No locale is asked: the orders are few, and the one that fits is the one the other side had.
    void try_permutations(std::size_t part, const std::string &construction)
    {
        std::vector<NormalPart> parts = parts_;
        std::vector<std::string_view> &texts = parts[part].texts;
        if (texts.size() > kMaxPermuted)
            return;
        std::sort(texts.begin(), texts.end());
        do {
            std::string name;
            append_name(name, spec_.layout, parts);
            suspect_name(construction, name);
        } while (!found_ && std::next_permutation(texts.begin(), texts.end()));
    }

    void try_dialects()
    {
        for (const Dialect &dialect : wrong_dialects())
            suspect_name(dialect.description, write_name(spec_.layout, parts_, dialect));
        Spec variant = spec_;
        variant.layout = spec_.layout == Layout::json ? Layout::prefix : Layout::json;
        suspect_spec("the layout " + std::string(to_string(variant.layout)), variant);
    }

    void try_missing_steps()
    {
        for (std::size_t i = 0; i < spec_.parts.size(); ++i) {
            const Part &part = spec_.parts[i];
            const std::string on_part = " on part \"" + part.name + '"';
            for (std::size_t step = 0; step < part.each.size(); ++step) {
                Spec variant = spec_;
                auto &each = variant.parts[i].each;
                each.erase(each.begin() + static_cast<std::ptrdiff_t>(step));
                suspect_spec("no " + to_string(part.each[step]) + on_part, variant);
            }
            Spec variant = spec_;
            variant.parts[i].each.clear();
            suspect_spec("no steps" + on_part, variant);
            if (part.set.size() == 2) {
                variant = spec_;
                variant.parts[i].set.erase(variant.parts[i].set.begin());
                suspect_spec("no dedup" + on_part, variant);
            }
        }
    }

    const Spec &spec_;
    std::span<const Value> values_;
    const Uuid &id_;
    Derivation derivation_;
    std::string name_;
    std::vector<NormalPart> parts_;
    std::optional<Diagnosis> found_;
};

} // namespace

std::optional<Diagnosis> diagnose(const Spec &spec, std::span<const Value> values, const Uuid &id)
{
    return Suspects(spec, values, id).find();
}

} // namespace arbiter::identity
