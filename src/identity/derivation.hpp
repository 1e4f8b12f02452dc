// A spec at work: from typed values to the id.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/uuid.hpp"
#include "identity/encode.hpp"
#include "identity/normalize.hpp"
#include "identity/spec.hpp"

namespace arbiter::identity {

// One argument as it arrives. Owns nothing; a NULL has no type of its own.
struct Value {
    bool null = true;
    Uuid uuid{};
    std::int64_t integer = 0;
    bool boolean = false;
    std::string_view text{};
    std::span<const std::optional<std::string_view>> texts{};
};

// Numbers that every runtime holds exactly: JavaScript's safe integers.
inline constexpr std::int64_t kMaxInteger = (std::int64_t{1} << 53) - 1;

// Not for two callers at once: it keeps its working memory from call to call.
class Derivation {
public:
    explicit Derivation(Spec spec) : spec_(std::move(spec)), parts_(spec_.parts.size()) {}

    const Spec &spec() const noexcept { return spec_; }

    // One value for each part, in their order. Throws 22004 for a NULL and RB042 for what has no
    // stable name, naming part, element and code point. The results stay good until the next call.
    std::span<const NormalPart> normalize(std::span<const Value> values);
    std::string_view name(std::span<const Value> values);
    Uuid id(std::span<const Value> values);

private:
    void normalize_part(const Part &part, const Value &value, NormalPart &normal);

    Spec spec_;
    std::vector<NormalPart> parts_;
    Scratch scratch_;
    std::string name_;
};

} // namespace arbiter::identity
