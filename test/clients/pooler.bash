# PgBouncer in transaction mode in front of the server of PGHOST & Co., for the tests of clients; to be sourced.
# start_pooler SIZE leaves its folder, where its socket is too, in $pooler; it ends with the shell.
pooler=
cleanup() { [ -z "$pooler" ] || kill "$(cat "$pooler/pid")" 2>/dev/null; rm -rf -- "$pooler"; }
trap cleanup EXIT
as() { "$@"; }
[ "$(id -u)" != 0 ] || as() { runuser -u postgres -- "$@"; } # pgbouncer refuses to be root
start_pooler() { # SIZE: connections for everybody behind it
    pooler=$(cd / && as mktemp -d /tmp/arbiter-pooler.XXXXXX)
    chmod 755 "$pooler"
    cat <<INI | as tee "$pooler/ini" >/dev/null
[databases]
$PGDATABASE = host=$PGHOST port=$PGPORT user=${PGUSER:-$(id -un)}
[pgbouncer]
unix_socket_dir = $pooler
listen_addr =
listen_port = 6432
auth_type = any
logfile = $pooler/log
pidfile = $pooler/pid
pool_mode = transaction
default_pool_size = $1
ignore_startup_parameters = extra_float_digits
INI
    as /usr/sbin/pgbouncer -q -d "$pooler/ini"
}
behind_pooler() { # COMMAND...: there where one was started, else straight at the server
    if [ -n "$pooler" ]; then PGHOST=$pooler PGPORT=6432 "$@"; else "$@"; fi
}
