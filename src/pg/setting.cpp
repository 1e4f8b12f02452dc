#include "pg/postgres.hpp"

#include "pg/setting.hpp"

#include "pg/guard.hpp"

namespace arbiter::pg {

void Setting::define()
{
    call([this] {
        DefineCustomBoolVariable(name_, description_, nullptr, &on_, false, PGC_USERSET, 0, nullptr,
                                 nullptr, nullptr);
    });
}

} // namespace arbiter::pg
