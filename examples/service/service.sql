-- psql -qX -f service.sql. The decision is theatre.sell, and arbiter.handle is the loop around it.
\set ON_ERROR_STOP on
\pset format unaligned
\pset tuples_only on

-- Announced by whoever is first; the others are told, and it is the same to them.
CREATE TEMPORARY TABLE shows AS
    SELECT arbiter.stream_name('show', theatre.show_id(venue, day)) AS stream
      FROM (VALUES ('grand hall', '2027-01-31'), ('Grand Hall', '2027-02-01'), ('OLD MILL', '2027-01-31')) AS s (venue, day);
DO $$
DECLARE
    show text;
BEGIN
    FOR show IN SELECT stream FROM shows LOOP
        BEGIN
            PERFORM arbiter.append('theatre', show, arbiter.no_stream(), 'ShowAnnounced', '{"seats": 20}');
        EXCEPTION WHEN SQLSTATE 'RB001' THEN
            NULL;
        END;
    END LOOP;
END $$;

-- Ten for each show, each in a transaction of its own. With an id for the command, it may be said twice.
CREATE TEMPORARY TABLE told (outcome text, attempts bigint);
SELECT format($$INSERT INTO told SELECT outcome, attempts FROM arbiter.handle('theatre', %L, %L, 'theatre.sell', 'theatre.evolve',
                    command_id => %L, lock => false, max_attempts => 100)$$,
              stream, jsonb_build_object('guest', 'psql ' || n), gen_random_uuid())
  FROM shows, generate_series(1, 10) AS n
\gexec

-- The projection, until there is nothing left of the feed. The lock is for one at a time; advance would tell anyway.
CREATE PROCEDURE pg_temp.project() LANGUAGE plpgsql AS $$
DECLARE
    event arbiter.recorded_event;
    applied bigint;
BEGIN
    LOOP
        applied := 0;
        PERFORM arbiter.lock_entity('consumer-seats');
        FOR event IN SELECT * FROM arbiter.read_feed('theatre', arbiter.cursor('theatre', 'seats')) LOOP
            IF arbiter.advance('theatre', 'seats', event.stream, event.revision) AND event.type = 'SeatSold' THEN
                INSERT INTO theatre.seats VALUES (event.stream, (event.data ->> 'seat')::integer, event.data ->> 'guest');
            END IF;
            applied := applied + 1;
        END LOOP;
        EXIT WHEN applied = 0;
        PERFORM arbiter.save_cursor('theatre', 'seats', event.position);
        COMMIT;
    END LOOP;
END $$;
CALL pg_temp.project();

-- Claim and commit, then send, then settle: three statements, three transactions.
CREATE TEMPORARY TABLE mine AS
    SELECT c.key, c.token FROM arbiter.claim_keys('theatre', 'mails', ARRAY(SELECT stream || '/' || seat FROM theatre.seats)) AS c
     WHERE c.outcome = 'won';
INSERT INTO theatre.outside SELECT key, 'psql' FROM mine;
SELECT count(*) AS settled FROM arbiter.settle_keys('theatre', 'mails', ARRAY(SELECT key FROM mine ORDER BY key),
                                                    ARRAY(SELECT token FROM mine ORDER BY key), 'done') \gset

SELECT format('psql: sold %s, full %s, mailed %s, decided again %s', count(*) FILTER (WHERE outcome = 'applied'),
              count(*) FILTER (WHERE outcome = 'already'), :settled, coalesce(sum(attempts) - count(*), 0))
  FROM told;
