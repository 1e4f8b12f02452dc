#include "pg/postgres.hpp"

#include "pg/text.hpp"

#include "pg/guard.hpp"

namespace arbiter::pg {

std::string_view text_view(Datum text)
{
    auto *packed = reinterpret_cast<varlena *>(text);
    // Short and plain headers, nearly all arguments, need no server call.
    if (VARATT_IS_COMPRESSED(packed) || VARATT_IS_EXTERNAL(packed))
        packed = call([packed] { return pg_detoast_datum_packed(packed); });
    return {VARDATA_ANY(packed), static_cast<std::size_t>(VARSIZE_ANY_EXHDR(packed))};
}

} // namespace arbiter::pg
