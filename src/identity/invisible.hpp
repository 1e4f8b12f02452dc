// Code points that leave no mark: two names that differ only in them look the same to everybody.
#pragma once

namespace arbiter::identity {

// Controls (Cc) and Default_Ignorable_Code_Point of Unicode 15.0.0, frozen.
bool is_invisible(char32_t code_point) noexcept;

} // namespace arbiter::identity
