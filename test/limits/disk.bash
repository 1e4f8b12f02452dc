# A disk of 24 MB that fills up under appends, claims and a projection, and has room again.
if [ "$(id -u)" != 0 ]; then
    echo "ok $((++number)) - a full disk # SKIP only root can mount one"
    return
fi
disk=$(mktemp -d /tmp/arbiter-disk.XXXXXX)
mount -t tmpfs -o size=24m,mode=777 none "$disk"
trap 'umount -l "$disk"; rmdir "$disk"' EXIT
mkdir "$disk/space" && chown postgres "$disk/space" && chmod 700 "$disk/space"
sql 'DROP SCHEMA shop CASCADE' "CREATE TABLESPACE small LOCATION '$disk/space'" 'SET default_tablespace = small' "SELECT arbiter.create_store('shop')" \
    "SELECT arbiter.create_ledger('shop', 'l')" 'CREATE TABLE shop.seen (position bigint) ' \
    "CREATE FUNCTION shop.see(event jsonb) RETURNS void LANGUAGE sql AS 'INSERT INTO shop.seen SELECT (event ->> ''position'')::bigint FROM generate_series(1, 50)'" \
    "SELECT arbiter.create_projection('shop', 'p', 'transactional', 'shop.see')" >/dev/null
dd if=/dev/zero of="$disk/ballast" bs=1M count=4 2>/dev/null
is "$(state "SELECT arbiter.append('shop', 's-' || n % 100, -2, 'T', jsonb_build_object('x', gen_random_uuid())) FROM generate_series(1, 500) AS n")" 00000 'there is room'
fill() { psql -XAtq -c "DO \$\$ BEGIN LOOP $1; COMMIT; END LOOP; END \$\$" 2>&1 | grep -c 'No space left on device'; }
before=$(sql 'SELECT count(*) FROM shop.events')
is "$(fill "PERFORM arbiter.append_events('shop', 'f', -2, (SELECT jsonb_agg(jsonb_build_object('type', 'T', 'data', gen_random_uuid())) FROM generate_series(1, 100)))")" 1 'appends until the disk is full'
after=$(sql 'SELECT count(*) FROM shop.events')
is "$(sql "SELECT ($after - $before) % 100, arbiter.stream_revision('shop', 'f') + 1 - ($after - $before)")" '0|0' 'each batch is there as a whole, or not at all'
is "$(state "SELECT arbiter.append_events('shop', 'f', -2, (SELECT jsonb_agg(jsonb_build_object('type', 'T', 'data', gen_random_uuid())) FROM generate_series(1, 10000)))")" 53100 'a full disk is 53100'
is "$(fill "PERFORM arbiter.claim('shop', 'l', gen_random_uuid()::text)")" 1 'claims until the disk is full'
is "$(sql 'SELECT count(*) FROM shop.events')" "$after" 'the events are still there'
is "$(sql "SELECT count(*) FROM arbiter.read_feed('shop', 0, 1000000)")" "$after" 'and are read'
state "SELECT arbiter.run_projection('shop', 'p', 100000)" >/dev/null # fails, or applies a part
rm "$disk/ballast"
is "$(state "SELECT arbiter.append('shop', 'g', -2, 'T', '{}')")" 00000 'with room again, appends go on'
is "$(sql "SELECT count(*) = (SELECT count(*) FROM shop.events) FROM arbiter.read_feed('shop', 0, 1000000)")" t 'so does the feed'
is "$(sql "SELECT outcome FROM arbiter.claim('shop', 'l', 'k')")" won 'so do claims'
is "$(sql "SELECT count(*) FROM shop.seen AS s FULL JOIN (SELECT entity, revision FROM shop.offsets WHERE projection = 'p') AS o ON false
    WHERE s.position IS NOT NULL HAVING count(*) <> 50 * (SELECT coalesce(sum(revision + 1), 0) FROM shop.offsets WHERE projection = 'p')")" '' 'effect and offset agree'
sql 'DROP SCHEMA shop CASCADE' 'DROP TABLESPACE small' >/dev/null
umount "$disk" && rmdir "$disk"
trap - EXIT
