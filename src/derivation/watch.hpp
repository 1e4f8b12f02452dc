// Refuses, as it happens, what verify would find later: a derivation's function made or altered to
// be something else.
#pragma once

namespace arbiter::derivation {

void watch_functions();

} // namespace arbiter::derivation
