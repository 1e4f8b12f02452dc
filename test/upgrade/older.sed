# Of the parts of the install script, those of an earlier version that never was. It lacks a function and a column of a view,
# and in it a property, a right and two comments are others.
/^CREATE FUNCTION arbiter.stream_id(/,/^$/d
s/done, already, conflict, replayed, waits FROM arbiter.session_stats/done, already, conflict, replayed FROM arbiter.session_stats/
/^COMMENT ON COLUMN arbiter.stats.waits /d
/^CREATE FUNCTION arbiter.category(/,/^$/s/ PARALLEL SAFE//
s/'version of the loaded library'/'which library'/
/^REVOKE .* arbiter.require_undrifted(/,/;$/d
