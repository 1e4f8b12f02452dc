# A backend that may not take more address space than it has, and 200 MB.
limited() { # STATEMENTS…: in one session, whose limit is set when it has loaded everything
    {
        echo "SELECT arbiter.append('shop', 'm', -2, 'T', '{}') AS revision, pg_backend_pid() AS pid \\gset"
        echo '\setenv BACKEND :pid'
        echo "\\! ${as_postgres}prlimit --pid \$BACKEND --as=\$((\$(cut -d' ' -f1 /proc/\$BACKEND/statm) * 4096 + 200000000))"
        echo '\set VERBOSITY sqlstate'
        printf '%s;\n' "$@"
    } | psql -XAtq 2>&1 | tr '\n' ' '
}
as_postgres=
[ "$(id -u)" != 0 ] || as_postgres='runuser -u postgres -- '
is "$(limited "SELECT arbiter.append('shop', 'm', -2, 'T', to_jsonb(repeat('x', 200000000)))" "SELECT arbiter.append('shop', 'm', -2, 'T', '{}')" \
    'SELECT count(*) FROM shop.events')" 'ERROR:  53200 1 2 ' 'out of memory while a value is made: the session goes on'
sql "SELECT arbiter.append('shop', 'large', -1, 'T', to_jsonb(repeat('x', 150000000)))" >/dev/null
is "$(limited "SELECT count(*) FROM arbiter.read_stream('shop', 'large') AS e WHERE length(e.data #>> '{}') > 0" "SELECT arbiter.append('shop', 'm', -2, 'T', '{}')" \
    )" 'ERROR:  53200 3 ' 'out of memory while one is read'
is "$(limited "SELECT arbiter.append_events('shop', 'many', -1, (SELECT jsonb_agg(jsonb_build_object('type', 'T', 'data', repeat('x', 1000000))) FROM generate_series(1, 100)))" \
    "SELECT arbiter.stream_revision('shop', 'many')" "SELECT arbiter.append('shop', 'm', -2, 'T', '{}')")" 'ERROR:  53200 -1 5 ' 'out of memory in a batch: nothing of it is stored'
