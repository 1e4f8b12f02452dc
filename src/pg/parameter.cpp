#include "pg/postgres.hpp"

#include "pg/parameter.hpp"

#include "pg/guard.hpp"

namespace arbiter::pg {

void define_count(const char *name, const char *what, int *value, int least, int most)
{
    call([=] {
        DefineCustomIntVariable(name, what, nullptr, value, *value, least, most, PGC_SIGHUP, 0,
                                nullptr, nullptr, nullptr);
    });
}

void define_time(const char *name, const char *what, int *milliseconds, int least, int most)
{
    call([=] {
        DefineCustomIntVariable(name, what, nullptr, milliseconds, *milliseconds, least, most,
                                PGC_SIGHUP, GUC_UNIT_MS, nullptr, nullptr, nullptr);
    });
}

void define_names(const char *name, const char *what, char **value, const char *by_default)
{
    call([=] {
        DefineCustomStringVariable(name, what, nullptr, value, by_default, PGC_SIGHUP,
                                   GUC_LIST_INPUT, nullptr, nullptr, nullptr);
    });
}

} // namespace arbiter::pg
