# Long calls and long streams.
events() { echo "(SELECT jsonb_agg('{\"type\": \"T\", \"data\": {}}'::jsonb) FROM generate_series(1, $1))"; }
seconds took sql "SELECT arbiter.append_events('shop', 'b', -1, $(events 100000))"
is "$(sql "SELECT arbiter.stream_revision('shop', 'b')")" 99999 "100,000 events in one call ($took s)"
is "$(state "SELECT arbiter.append_events('shop', 'b', 5, $(events 100000))")" RB001 'and refused as one'
seconds took sql 'BEGIN' "SELECT arbiter.append('shop', 'one', -2, 'T', '{}') FROM generate_series(1, 100000)" 'COMMIT'
is "$(sql "SELECT arbiter.stream_revision('shop', 'one')")" 99999 "100,000 calls in one transaction ($took s)"
sql "CREATE OR REPLACE FUNCTION public.counted(state jsonb, event arbiter.recorded_event) RETURNS jsonb LANGUAGE sql AS 'SELECT to_jsonb(coalesce((state #>> ''{}'')::int, 0) + 1)'" >/dev/null
seconds took sql "SELECT arbiter.fold('shop', 'b', 'public.counted', 'null')"
is "$(sql "SELECT arbiter.fold('shop', 'b', 'public.counted', 'null')")" 100000 "100,000 events are folded ($took s)"
is "$(sql "SELECT count(*) FROM arbiter.read_feed('shop', 0, 1000000)")" 200000 'and read in one piece'
