#include "pg/postgres.hpp"

#include "pg/settings.hpp"

#include "pg/guard.hpp"

namespace arbiter::pg {

// At the level of a function's SET clause: an error that unwinds takes it back with the
// (sub)transaction.
PortableNames::PortableNames() : level_(NewGUCNestLevel())
{
    set("search_path", "pg_catalog, pg_temp");
}

PortableNames::~PortableNames()
{
    if (!unwinding_)
        AtEOXact_GUC(true, level_);
}

void PortableNames::set(const char *setting, const char *value)
{
    call([=] {
        set_config_option(setting, value, PGC_USERSET, PGC_S_SESSION, GUC_ACTION_SAVE, true, 0,
                          false);
    });
}

PortableSettings::PortableSettings()
{
    set("datestyle", "ISO, MDY");
    set("intervalstyle", "postgres");
    set("timezone", "UTC");
}

} // namespace arbiter::pg
