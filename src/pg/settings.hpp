// Settings under which a text means the same in every session.
#pragma once

#include "pg/unwinding.hpp"

namespace arbiter::pg {

// While one lives, names are those of pg_catalog or qualified.
class PortableNames {
public:
    PortableNames();
    ~PortableNames();
    PortableNames(const PortableNames &) = delete;
    PortableNames &operator=(const PortableNames &) = delete;

protected:
    static void set(const char *setting, const char *value);

private:
    int const level_;
    Unwinding unwinding_;
};

// And constants are written as every session reads them.
class PortableSettings : PortableNames {
public:
    PortableSettings();
};

} // namespace arbiter::pg
