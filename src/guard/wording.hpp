// What a guard says to whoever meets it, as it stands in the comment of its index.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace arbiter::guard {

struct Wording {
    std::string message;
    std::optional<std::string> hint;
    friend bool operator==(const Wording &, const Wording &) = default;
};

// {"arbiter.guard":{"message":"…","hint":"…"}}, without the hint where there is none. Dumps,
// renames and restores carry it along, since they carry comments.
std::string to_comment(const Wording &wording);

// Nothing if the comment is somebody's own, or was damaged by hand.
std::optional<Wording> from_comment(std::string_view comment);

} // namespace arbiter::guard
