-- A read model of all shards, wherever it lives (here: in the router's database). Its cursor is a vector, a position
-- for each shard, and lies beside the effect: both commit together, so no crash on either side parts them.
\set ON_ERROR_STOP on
CREATE TABLE shop.cursors (shard integer PRIMARY KEY, reached bigint NOT NULL DEFAULT 0);
INSERT INTO shop.cursors (shard) SELECT generate_series(0, 2);
CREATE TABLE shop.revenue (stream text PRIMARY KEY, events bigint NOT NULL, total bigint NOT NULL);

-- One step along one shard, so that a shard that is away stops itself alone. The row's lock makes two consumers queue
-- up; the second one reads on from where the first one arrived.
CREATE FUNCTION shop.follow(shard integer, max_count bigint DEFAULT 100) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
    cursor_row shop.cursors;
    event arbiter.recorded_event;
    applied bigint := 0;
BEGIN
    SELECT * INTO STRICT cursor_row FROM shop.cursors AS c WHERE c.shard = follow.shard FOR UPDATE;
    FOR event IN SELECT * FROM shop.read_feed(follow.shard, cursor_row.reached, max_count) LOOP
        INSERT INTO shop.revenue AS r VALUES (event.stream, 1, coalesce((event.data ->> 'amount')::bigint, 0))
            ON CONFLICT (stream) DO UPDATE SET events = r.events + 1, total = r.total + excluded.total;
        applied := applied + 1;
    END LOOP;
    IF applied > 0 THEN
        UPDATE shop.cursors AS c SET reached = event.position WHERE c.shard = follow.shard;
    END IF;
    RETURN applied;
END $$;
