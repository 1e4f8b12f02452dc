-- A store with a dead position after every 99 events, and the same rows, positions included, in the plain table.
DO $$
BEGIN
    FOR i IN 1 .. 2000 LOOP
        PERFORM arbiter.append_events('shop', 'order-' || i % 100, -2,
            (SELECT jsonb_agg(jsonb_build_object('type', 'Counted', 'data', jsonb_build_object('n', n, 'note', repeat('x', 150))))
               FROM generate_series(1, 99) AS n));
        PERFORM nextval('shop.events_position');
    END LOOP;
END
$$;
INSERT INTO raw.events OVERRIDING SYSTEM VALUE SELECT * FROM shop.events ORDER BY position;

SELECT arbiter.create_store('polled');
-- The second client sleeps, or sleeps and reads what is new; the first one appends beside it.
CREATE FUNCTION raw.rest() RETURNS bigint LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_sleep(0.005);
    RETURN NULL;
END
$$;
CREATE FUNCTION raw.poll() RETURNS bigint LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_sleep(0.005);
    PERFORM set_config('raw.cursor', position::text, false)
       FROM arbiter.read_feed('polled', coalesce(nullif(current_setting('raw.cursor', true), ''), '0')::bigint, 1000);
    RETURN NULL;
END
$$;
