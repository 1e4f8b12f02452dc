// A boolean setting of the server, off unless switched on.
#pragma once

namespace arbiter::pg {

class Setting {
public:
    constexpr Setting(const char *name, const char *description) noexcept
        : name_(name), description_(description)
    {
    }
    void define();
    bool is_on() const noexcept { return on_; }

private:
    const char *name_;
    const char *description_;
    bool on_ = false;
};

} // namespace arbiter::pg
