// The server headers that only our own processes need. Beside postgres.hpp, so that the rest does
// not see them.
#pragma once
#pragma GCC system_header

#include "pg/postgres.hpp"

extern "C" {
#include "access/heapam.h"
#include "catalog/pg_database.h"
#include "pgstat.h"
#include "postmaster/bgworker.h"
#include "postmaster/interrupt.h"
#include "tcop/tcopprot.h"
#include "utils/guc.h"
#include "utils/timeout.h"
#include "utils/varlena.h"
}
