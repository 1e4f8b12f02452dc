// The server's two most basic names, so that modules above src/pg/ can carry values without a
// server header.
#pragma once

#include <cstdint>

// Identical redeclarations of what postgres_ext.h and postgres.h say.
typedef unsigned int Oid;
typedef uintptr_t Datum;

struct RelationData;
struct FunctionCallInfoBaseData;
