# Values as large as jsonb takes them, and one byte more. Memory: about 3 GB.
append() { state "SELECT arbiter.append('shop', '$1', -2, 'T', to_jsonb(repeat('x', $2)), jsonb_build_object('m', repeat('y', $3)))"; }
seconds took append warm 268435447 1
is "$(append big 268435447 1)" 00000 "a string of 268,435,447 bytes is stored (the first took $took s)"
is "$(append big 268435448 1)" 54000 'one of a byte more is not made'
is "$(append big 268435447 268435000)" 00000 'with as much metadata'
pair="jsonb_build_array(jsonb_build_object('type', 'T', 'data', repeat('x', %d)), jsonb_build_object('type', 'T', 'data', repeat('x', %d)))"
# shellcheck disable=SC2059 # the format is ours
is "$(state "SELECT arbiter.append_events('shop', 'pair', -1, $(printf "$pair" 134000000 134000000))")" 00000 'two events of 134 MB in one call'
# shellcheck disable=SC2059
is "$(state "SELECT arbiter.append_events('shop', 'pair', -2, $(printf "$pair" 134300000 134300000))")" 54000 'two that are more than 256 MB together are not made'
is "$(sql "SELECT count(*), max(length(data #>> '{}')) FROM arbiter.read_feed('shop')")" '5|268435447' 'the feed brings them all'
is "$(sql "SELECT count(*) FROM arbiter.read_stream('shop', 'big')")" 2 'and so does the stream'
sql "CREATE OR REPLACE FUNCTION public.last(state jsonb, event arbiter.recorded_event) RETURNS jsonb LANGUAGE sql AS 'SELECT jsonb_build_object(''s'', event.data)'
    " >/dev/null
is "$(sql "SELECT length(arbiter.fold('shop', 'pair', 'public.last') ->> 's')")" 134000000 'a state of 134 MB'
sql "CREATE OR REPLACE FUNCTION public.both(state jsonb, event arbiter.recorded_event) RETURNS jsonb LANGUAGE sql AS 'SELECT state || jsonb_build_object(event.revision::text, event.data)'" >/dev/null
is "$(state "SELECT arbiter.fold('shop', 'big', 'public.both')")" 54000 'a state of more than 256 MB cannot be'
is "$(state "SELECT arbiter.redact('shop', 'big', 0, 'asked for')")" 00000 'a large event is redacted'
