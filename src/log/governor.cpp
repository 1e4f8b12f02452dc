#include "log/governor.hpp"

namespace arbiter::log {

namespace {
constinit Governor appointed{};
}

void appoint(const Governor &governor) noexcept
{
    appointed = governor;
}

const Governor &governor() noexcept
{
    return appointed;
}

} // namespace arbiter::log
