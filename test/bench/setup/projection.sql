-- 300 000 events in 30 000 streams, ten of a stream in a row, and what a runner does, by hand and without offsets. Where
-- a variant has come to the end it begins anew, as part of the call.
INSERT INTO shop.events (stream, revision, id, type, data)
SELECT 'order-' || n / 10, n % 10, gen_random_uuid(), 'Counted', jsonb_build_object('n', n, 'text', repeat('x', 150))
  FROM generate_series(0, 299999) AS n;

-- a row an event
CREATE TABLE raw.by_hand (stream text COLLATE "C", revision bigint, n bigint, PRIMARY KEY (stream, revision));
CREATE TABLE raw.by_runner (LIKE raw.by_hand INCLUDING ALL);
-- a row a stream
CREATE TABLE raw.totals_by_hand (stream text COLLATE "C" PRIMARY KEY, n bigint NOT NULL) WITH (fillfactor = 70);
CREATE TABLE raw.totals_by_runner (LIKE raw.totals_by_hand INCLUDING ALL) WITH (fillfactor = 70);

CREATE FUNCTION raw.cursor() RETURNS bigint LANGUAGE sql AS $$
    SELECT coalesce(nullif(current_setting('raw.cursor', true), ''), '0')::bigint
$$;
CREATE FUNCTION raw.insert_by_hand(events bigint) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
    after bigint := raw.cursor();
BEGIN
    INSERT INTO raw.by_hand SELECT e.stream, e.revision, (e.data ->> 'n')::bigint FROM shop.events AS e
     WHERE e.position > after ORDER BY e.position LIMIT events;
    IF after + events >= 300000 THEN
        TRUNCATE raw.by_hand;
        after := -events;
    END IF;
    PERFORM set_config('raw.cursor', (after + events)::text, false);
    RETURN true;
END
$$;
CREATE FUNCTION raw.loop_by_hand(events bigint) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
    after bigint := raw.cursor();
    event shop.events;
BEGIN
    FOR event IN SELECT * FROM shop.events AS e WHERE e.position > after ORDER BY e.position LIMIT events LOOP
        INSERT INTO raw.totals_by_hand AS t VALUES (event.stream, (event.data ->> 'n')::bigint)
            ON CONFLICT (stream) DO UPDATE SET n = t.n + excluded.n;
    END LOOP;
    IF after + events >= 300000 THEN
        TRUNCATE raw.totals_by_hand;
        after := -events;
    END IF;
    PERFORM set_config('raw.cursor', (after + events)::text, false);
    RETURN true;
END
$$;

CREATE FUNCTION raw.insert_batch(events arbiter.recorded_event[]) RETURNS void LANGUAGE sql AS $$
    INSERT INTO raw.by_runner SELECT e.stream, e.revision, (e.data ->> 'n')::bigint FROM unnest(events) AS e
$$;
CREATE FUNCTION raw.add_one(event arbiter.recorded_event) RETURNS void LANGUAGE sql AS $$
    INSERT INTO raw.totals_by_runner AS t VALUES (event.stream, (event.data ->> 'n')::bigint)
        ON CONFLICT (stream) DO UPDATE SET n = t.n + excluded.n
$$;
SELECT arbiter.create_projection('shop', 'batch', 'transactional', 'raw.insert_batch');
SELECT arbiter.create_projection('shop', 'single', 'transactional', 'raw.add_one');
CREATE FUNCTION raw.run(projection text, events bigint) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
    ran record;
BEGIN
    SELECT * INTO ran FROM arbiter.run_projection('shop', projection, events);
    IF ran.reached >= 300000 THEN
        PERFORM arbiter.rebuild_projection('shop', projection);
        IF projection = 'batch' THEN
            TRUNCATE raw.by_runner;
        ELSE
            TRUNCATE raw.totals_by_runner;
        END IF;
    END IF;
    RETURN ran.applied = events OR NULL;
END
$$;
