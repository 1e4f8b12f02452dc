// What this session knows about guards, for the moment in which nothing can be asked any more.
#pragma once

namespace arbiter::guard {

// From now on the violation of a guard reads as its message. Called once, from _PG_init.
void reword_violations();

} // namespace arbiter::guard
