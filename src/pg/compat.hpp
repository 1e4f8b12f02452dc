// Every difference between the supported server versions. No other file asks for PG_VERSION_NUM.
#pragma once

#include "pg/postgres.hpp"

#if PG_VERSION_NUM >= 180000
#define ARBITER_MODULE_MAGIC PG_MODULE_MAGIC_EXT(.name = "arbiter", .version = ARBITER_VERSION)
#else
#define ARBITER_MODULE_MAGIC PG_MODULE_MAGIC
#endif

namespace arbiter::pg::compat {

inline IndexScanDesc index_beginscan(Relation table, Relation index, Snapshot snapshot, int keys)
{
#if PG_VERSION_NUM >= 180000
    return ::index_beginscan(table, index, snapshot, nullptr, keys, 0);
#else
    return ::index_beginscan(table, index, snapshot, keys, 0);
#endif
}

#if PG_VERSION_NUM >= 160000
using UpdateIndexes = TU_UpdateIndexes;
inline bool any(UpdateIndexes indexes)
{
    return indexes != TU_None;
}
#else
using UpdateIndexes = bool;
inline bool any(UpdateIndexes indexes)
{
    return indexes;
}
#endif

// Index entries of an updated row that the table reports to be due.
inline void insert_index_entries(ResultRelInfo *relation, TupleTableSlot *row, EState *state,
                                 [[maybe_unused]] UpdateIndexes due)
{
#if PG_VERSION_NUM >= 160000
    list_free(ExecInsertIndexTuples(relation, row, state, true, false, nullptr, NIL,
                                    due == TU_Summarizing));
#else
    list_free(ExecInsertIndexTuples(relation, row, state, true, false, nullptr, NIL));
#endif
}

// Index entries of a row inserted speculatively; says if another row has the arbiters' key already.
inline void insert_index_entries_unless_beaten(ResultRelInfo *relation, TupleTableSlot *row,
                                               EState *state, List *arbiters, bool *beaten)
{
#if PG_VERSION_NUM >= 160000
    list_free(ExecInsertIndexTuples(relation, row, state, false, true, beaten, arbiters, false));
#else
    list_free(ExecInsertIndexTuples(relation, row, state, false, true, beaten, arbiters));
#endif
}

inline LocalPgBackendStatus *local_backend_status(int n)
{
#if PG_VERSION_NUM >= 160000
    return pgstat_get_local_beentry_by_index(n);
#else
    return pgstat_fetch_stat_local_beentry(n);
#endif
}

inline bool same_transaction(const LockInstanceData &left, const LockInstanceData &right)
{
#if PG_VERSION_NUM >= 170000
    return VirtualTransactionIdEquals(left.vxid, right.vxid);
#else
    return left.backend == right.backend && left.lxid == right.lxid;
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

inline AclResult function_aclcheck(Oid function, Oid role, AclMode mode)
{
#if PG_VERSION_NUM >= 160000
    return object_aclcheck(ProcedureRelationId, function, role, mode);
#else
    return pg_proc_aclcheck(function, role, mode);
#endif
}

inline List *qualified_name(const char *text)
{
#if PG_VERSION_NUM >= 160000
    return stringToQualifiedNameList(text, nullptr);
#else
    return stringToQualifiedNameList(text);
#endif
}

// To its end, at the top level, its rows to one receiver.
inline void run_portal(Portal portal, DestReceiver *receiver)
{
#if PG_VERSION_NUM >= 180000
    PortalRun(portal, FETCH_ALL, true, receiver, receiver, nullptr);
#else
    PortalRun(portal, FETCH_ALL, true, true, receiver, receiver, nullptr);
#endif
}

using Mutator = Node *(*)(Node *, void *);
inline Node *mutate_expression(Node *node, Mutator mutator, void *context)
{
#if PG_VERSION_NUM >= 160000
    return expression_tree_mutator(node, mutator, context);
#else
    // Declared without parameters, which C++ takes at its word.
    auto const untyped = reinterpret_cast<void (*)()>(mutator);
    return ::expression_tree_mutator(node, reinterpret_cast<Node *(*)()>(untyped), context);
#endif
}

// Before the servers that give extensions wait events of their own, all of theirs are one.
inline uint32 new_wait_event([[maybe_unused]] const char *name)
{
#if PG_VERSION_NUM >= 170000
    return WaitEventExtensionNew(name);
#else
    return PG_WAIT_EXTENSION;
#endif
}

inline bool owns_relation(Oid relation, Oid role)
{
#if PG_VERSION_NUM >= 160000
    return object_ownercheck(RelationRelationId, relation, role);
#else
    return pg_class_ownercheck(relation, role);
#endif
}

} // namespace arbiter::pg::compat
