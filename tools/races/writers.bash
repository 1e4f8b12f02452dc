# Eight writers on one stream, for races that differ in how a writer learns the revision it builds on.
# The race sets `stream` and `look`, PL/pgSQL that sets the variable `seen`.
each=${EACH:-25}

writer() {
    cat <<SQL
DO \$writer\$
DECLARE
    item integer := 1;
    seen bigint;
    mine bigint;
    answer text;
    detail text;
BEGIN
    WHILE item <= $each LOOP
        $look
        PERFORM pg_catalog.pg_sleep(0.002); -- to decide takes time
        BEGIN
            mine := arbiter.append('shop', '$stream', seen, 'ItemAdded',
                                   pg_catalog.jsonb_build_object('writer', $1, 'item', item));
        EXCEPTION WHEN SQLSTATE 'RB001' THEN
            mine := NULL;
            GET STACKED DIAGNOSTICS answer = MESSAGE_TEXT, detail = PG_EXCEPTION_DETAIL;
        END;
        COMMIT;
        IF mine IS NULL THEN
            RAISE NOTICE 'lost % had % was told % (%)', $1, seen, answer, detail;
        ELSE
            RAISE NOTICE 'won % % %', $1, item, mine;
            item := item + 1;
        END IF;
    END LOOP;
END
\$writer\$;
SQL
}

start_writers() {
    local n
    close_gate
    for n in 1 2 3 4 5 6 7 8; do session "$n" < <(writer "$n"); done
    open_gate 8
    began=$EPOCHREALTIME
}

count() { testimony "$1" "$work"/[1-9] | wc -l; }

await_writers() { # await_writers TOTAL
    while [ -n "$(jobs -r -p)" ]; do
        progress "$(count won) of $1 appended, $(count lost) rejected and driven again"
        sleep 0.2
    done
    join_sessions
    seconds=$(since "$began")
    progress_done "$(count won) of $1 appended, $(count lost) rejected and driven again, $seconds s"
}

# The audit asks the table, not our functions, and compares it with what the sessions testified.
audit_stream() {
    local answer facts inverted won lost explained duplicated missing why
    testimony won "$work"/[1-9] | tr ' ' '\t' >"$work/acknowledged"
    answer=$(sql <<SQL
CREATE TEMP TABLE acknowledged (writer integer, item integer, revision bigint);
\copy acknowledged FROM '$work/acknowledged'
CREATE TEMP VIEW stored AS
    SELECT revision, position, (data ->> 'writer')::integer AS writer, (data ->> 'item')::integer AS item
      FROM shop.events WHERE stream = '$stream';
SELECT (SELECT count(*) FROM stored) - (SELECT count(*) FROM stored JOIN acknowledged USING (writer, item, revision)),
       (SELECT count(*) FROM acknowledged) - (SELECT count(*) FROM stored JOIN acknowledged USING (writer, item, revision))
           + (SELECT max(revision) + 1 - count(DISTINCT revision) FROM stored),
       (SELECT format('%s events, revisions %s to %s, %s', count(*), min(revision), max(revision),
               CASE WHEN max(revision) + 1 = count(*) THEN 'dense' ELSE 'NOT DENSE' END) FROM stored),
       (SELECT count(*) FROM (SELECT position < lag(position) OVER (ORDER BY revision) AS back FROM stored) AS s WHERE back);
SQL
    )
    IFS='|' read -r duplicated missing facts inverted <<<"$answer"
    say "the table says: $facts; $inverted positions against the order of revisions"

    won=$(count won) lost=$(count lost)
    # Why: what the writer expected and what it met, or the key that was taken.
    why="Expected revision [0-9-]+, actual revision [0-9]+, stream \"$stream\"|Key \(stream, revision\)=\($stream, [0-9]+\)"
    explained=$(testimony lost "$work"/[1-9] | grep -Ec "$why") || true
    result "$((won + lost))" "$won" "$lost" "$explained" "$duplicated" "$((missing + inverted))"
}
