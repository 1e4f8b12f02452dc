#include "pg/entry.hpp"

#include "base/failure.hpp"
#include "pg/arguments.hpp"

using namespace arbiter;

ARBITER_FUNCTION(arbiter_version)
{
    return pg::text_datum(ARBITER_VERSION);
}

ARBITER_FUNCTION(arbiter_require_utf8)
{
    if (GetDatabaseEncoding() != PG_UTF8)
        throw Failure(sqlstate::kFeatureNotSupported,
                      std::string("database encoding is ") + GetDatabaseEncodingName() +
                          ", arbiter needs UTF8",
                      "Ids are hashed over UTF-8; in another encoding they would differ silently.",
                      "Create the database with ENCODING 'UTF8' TEMPLATE template0.");
    PG_RETURN_VOID();
}
