// Settings of our own, in postgresql.conf and read again when the server reloads it.
#pragma once

namespace arbiter::pg {

// Called from _PG_init while the server preloads. The variables are static and hold the default.
void define_count(const char *name, const char *what, int *value, int least, int most);
void define_time(const char *name, const char *what, int *milliseconds, int least, int most);
void define_names(const char *name, const char *what, char **value, const char *by_default);

} // namespace arbiter::pg
