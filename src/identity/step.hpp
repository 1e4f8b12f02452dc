// The vocabulary of normalization: what each step is called and which orders of steps make sense.
// doc/identity.md defines the steps; their meaning is frozen, a changed meaning is a new name.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace arbiter::identity {

class AsciiSet {
public:
    void add(char c) noexcept { words_[index(c)] |= bit(c); }
    bool has(char c) const noexcept
    {
        return static_cast<unsigned char>(c) < 0x80 && (words_[index(c)] & bit(c)) != 0;
    }

private:
    static std::size_t index(char c) noexcept { return static_cast<unsigned char>(c) >> 6 & 1; }
    static std::uint64_t bit(char c) noexcept { return std::uint64_t{1} << (c & 0x3F); }

    std::array<std::uint64_t, 2> words_{};
};

// What is done to one text.
enum class StepKind {
    trim_js25,
    trim_ascii,
    lower_ascii,
    upper_ascii,
    remove_chars,
    require_ascii_printable,
    refuse_invisible,
    drop_empty,
    refuse_empty,
};

struct Step {
    StepKind kind;
    std::string chars; // of remove_chars: the characters as listed
    AsciiSet removed;  // the same as a set
};

// What is done to the texts of a list, after every text has had its steps.
enum class SetStep { dedup, sort_utf16, sort_codepoint, keep_order };

// As a spec writes them: trim_js25, remove_chars("- .").
Step parse_step(std::string_view text);
SetStep parse_set_step(std::string_view text);
std::string to_string(const Step &step);
std::string_view to_string(SetStep step) noexcept;

// Refuses steps that repeat or contradict one another, and every order that is not idempotent:
// normalize(normalize(x)) = normalize(x) is what lets a stored name be normalized again.
void check_text_steps(const std::vector<Step> &steps);
void check_list_steps(const std::vector<Step> &each, const std::vector<SetStep> &set);

} // namespace arbiter::identity
