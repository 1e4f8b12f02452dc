#include "identity/derivation.hpp"

#include <charconv>

#include "base/failure.hpp"
#include "base/uuid_v5.hpp"

namespace arbiter::identity {
namespace {

// Room for the text of a uuid or a bigint.
constexpr std::size_t kScalarSize = 40;

std::size_t input_size(std::span<const Value> values) noexcept
{
    std::size_t size = 0;
    for (const Value &value : values) {
        size += kScalarSize + value.text.size();
        for (const auto &text : value.texts)
            size += text ? text->size() : 0;
    }
    return size;
}

std::string_view keep(Scratch &scratch, std::string_view text)
{
    return {scratch.copy(text), text.size()};
}

std::string_view uuid_text(const Uuid &uuid, Scratch &scratch)
{
    char text[Uuid::kTextSize];
    write_uuid(uuid, text);
    return keep(scratch, {text, sizeof text});
}

std::string_view integer_text(std::int64_t integer, const Place &place, Scratch &scratch)
{
    char text[kScalarSize];
    const char *end = std::to_chars(text, text + sizeof text, integer).ptr;
    const std::string_view digits(text, static_cast<std::size_t>(end - text));
    if (integer > kMaxInteger || integer < -kMaxInteger)
        throw Failure(sqlstate::kUnderivableKey, to_string(place) + " is " + std::string(digits),
                      "Beyond 2^53 - 1 not every runtime holds an integer exactly.",
                      "Pass such a number as text.");
    return keep(scratch, digits);
}

[[noreturn]] void refuse_null(const Place &place)
{
    throw Failure(sqlstate::kNullValueNotAllowed, to_string(place) + " is null",
                  "A name with a part missing is the name of nothing.");
}

} // namespace

void Derivation::normalize_part(const Part &part, const Value &value, NormalPart &normal)
{
    Place place{part.name, 0};
    if (value.null)
        refuse_null(place);
    normal.type = part.type;
    switch (part.type) {
    case PartType::uuid:
        normal.text = uuid_text(value.uuid, scratch_);
        return;
    case PartType::bigint:
        normal.text = integer_text(value.integer, place, scratch_);
        return;
    case PartType::boolean:
        normal.text = value.boolean ? "true" : "false";
        return;
    case PartType::text:
        normal.text = *normalize_text(part.each, value.text, place, scratch_);
        return;
    case PartType::text_list:
        normal.texts.clear();
        for (const auto &text : value.texts) {
            ++place.element;
            if (!text)
                refuse_null(place);
            if (const auto kept = normalize_text(part.each, *text, place, scratch_))
                normal.texts.push_back(*kept);
        }
        normalize_list(part.set, normal.texts);
    }
}

std::span<const NormalPart> Derivation::normalize(std::span<const Value> values)
{
    if (values.size() != spec_.parts.size())
        throw Failure(sqlstate::kInvalidParameterValue,
                      "derivation takes " + std::to_string(spec_.parts.size()) + " values, not " +
                          std::to_string(values.size()));
    scratch_.begin(input_size(values));
    for (std::size_t i = 0; i < values.size(); ++i)
        normalize_part(spec_.parts[i], values[i], parts_[i]);
    return parts_;
}

std::string_view Derivation::name(std::span<const Value> values)
{
    name_.clear();
    append_name(name_, spec_.layout, normalize(values));
    return name_;
}

Uuid Derivation::id(std::span<const Value> values)
{
    return uuid_v5(spec_.name_space, name(values));
}

} // namespace arbiter::identity
