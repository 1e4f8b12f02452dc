#include "pg/entry.hpp"

#include "runner/processes.hpp"

using namespace arbiter;

extern "C" {
PGDLLEXPORT void arbiter_runner_launch(Datum);
PGDLLEXPORT void arbiter_runner_scout(Datum place);
PGDLLEXPORT void arbiter_runner_work(Datum place);
}

void arbiter_runner_launch(Datum)
{
    pg::entry<runner::launch>();
}

void arbiter_runner_scout(Datum place)
{
    pg::entry<runner::scout>(DatumGetInt32(place));
}

void arbiter_runner_work(Datum place)
{
    pg::entry<runner::work>(DatumGetInt32(place));
}
