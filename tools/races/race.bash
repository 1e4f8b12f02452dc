# What the races share; each race sources it. A race plays in the database "demo" with a store "shop" in
# it, through psql sessions that run at the same time, and hands one row to the table by `result`.

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM HUP

sql() { psql -X -q -A -t -v ON_ERROR_STOP=1 "$@"; }

say() { printf '   %s\n' "$*"; }

# One line that is written over on a terminal, and nothing but its last state elsewhere.
progress() {
    [ ! -t 1 ] || printf '\r   %-76s' "$*"
}
progress_done() {
    if [ -t 1 ]; then printf '\r   %-76s\n' "$*"; else say "$*"; fi
}

# Sessions wait behind a gate until all of them are there, so that they really run at the same time.
gate_key=20260
close_gate() {
    coproc gatekeeper { psql -X -q -A -t; }
    gatekeeper_pid_=$gatekeeper_PID
    echo "SELECT pg_catalog.pg_advisory_lock($gate_key), 'closed';" >&"${gatekeeper[1]}"
    read -r _ <&"${gatekeeper[0]}"
}
open_gate() { # open_gate N: once N sessions wait
    local pid
    until [ "$(sql -c "SELECT pg_catalog.count(*) FROM pg_catalog.pg_locks
                       WHERE locktype = 'advisory' AND objid = $gate_key AND NOT granted")" = "$1" ]; do
        for pid in "${sessions[@]}"; do # one that ended already will never come
            kill -0 "$pid" 2>/dev/null || broken_off
        done
        sleep 0.02
    done
    echo '\q' >&"${gatekeeper[1]}"
    wait "$gatekeeper_pid_"
}

# session NAME: runs the SQL of stdin in a psql of its own, behind the gate. Its notices, which the server
# sends at once, are its testimony: they stand in $work/NAME, outside the database.
sessions=()
session() {
    {
        printf '\\set VERBOSITY terse\n'
        echo "SELECT FROM pg_catalog.pg_advisory_lock_shared($gate_key);"
        echo "SELECT FROM pg_catalog.pg_advisory_unlock_shared($gate_key);"
        cat
    } >"$work/$1.sql"
    psql -X -q -A -t -v ON_ERROR_STOP=1 -f "$work/$1.sql" >"$work/$1" 2>&1 </dev/null &
    sessions+=($!)
}
broken_off() {
    echo "a session failed:"
    grep -h -A 3 ERROR "$work"/* | head -n 8
    exit 1
} >&2
join_sessions() {
    local pid
    for pid in "${sessions[@]}"; do wait "$pid" || broken_off; done
    sessions=()
}

# testimony WORD FILE...: what followed "NOTICE:  WORD" in the sessions' output
testimony() {
    local word=$1
    shift
    sed -n "s/^.*NOTICE:  $word //p" "$@"
}

# told WHO SQL: runs one statement and prints the whole answer, SQLSTATE first when it was refused
told() {
    local answer
    if answer=$(sql -v VERBOSITY=verbose -c "$2" 2>&1); then
        say "$1"
        say "    taken: $answer"
    else
        say "$1"
        sed -n 's/^.*ERROR:  /refused: /p; s/^\(DETAIL\|HINT\):  /    \1: /p' <<<"$answer" | sed 's/^/       /'
    fi
}

# result ATTEMPTED WON LOST TOLD DUPLICATED MISSING: the row of this race. TOLD is how many of the lost were
# told what they lost against.
result() {
    printf '%s' "$race" >>"$RACE_RESULTS"
    printf '\t%s' "$@" "$seconds" >>"$RACE_RESULTS"
    echo >>"$RACE_RESULTS"
}
since() { awk -v from="$1" -v to="$EPOCHREALTIME" 'BEGIN { printf "%.1f", to - from }'; }
