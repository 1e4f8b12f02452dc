// Every difference between the supported server versions. No other file asks for PG_VERSION_NUM.
#pragma once

#include "pg/postgres.hpp"

namespace arbiter::pg::compat {

inline IndexScanDesc index_beginscan(Relation table, Relation index, Snapshot snapshot, int keys)
{
#if PG_VERSION_NUM >= 180000
    return ::index_beginscan(table, index, snapshot, nullptr, keys, 0);
#else
    return ::index_beginscan(table, index, snapshot, keys, 0);
#endif
}

inline AclResult schema_aclcheck(Oid schema, Oid role, AclMode mode)
{
#if PG_VERSION_NUM >= 160000
    return object_aclcheck(NamespaceRelationId, schema, role, mode);
#else
    return pg_namespace_aclcheck(schema, role, mode);
#endif
}

} // namespace arbiter::pg::compat
