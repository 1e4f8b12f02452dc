-- streams of ten events for 8 clients, and what handle does, by hand
INSERT INTO raw.events (stream, revision, type, data)
SELECT 'ten-' || c || '-' || s, r, 'Deposited', jsonb_build_object('amount', r, 'text', repeat('x', 150))
  FROM generate_series(0, 8) AS c, generate_series(0, 20000 / (CASE c WHEN 0 THEN 1 ELSE 4 END)) AS s, generate_series(0, 9) AS r
 ORDER BY c, s, r;
INSERT INTO shop.events (stream, revision, id, type, data)
SELECT stream, revision, id, type, data FROM raw.events ORDER BY position;

CREATE FUNCTION raw.evolve(state jsonb, event arbiter.recorded_event) RETURNS jsonb LANGUAGE sql STABLE AS $$
    SELECT CASE event.type
               WHEN 'Deposited' THEN jsonb_build_object('balance', (state ->> 'balance')::bigint + (event.data ->> 'amount')::bigint)
               ELSE state
           END
$$;
CREATE FUNCTION raw.evolve_row(state jsonb, event raw.events) RETURNS jsonb LANGUAGE sql STABLE AS $$
    SELECT CASE event.type
               WHEN 'Deposited' THEN jsonb_build_object('balance', (state ->> 'balance')::bigint + (event.data ->> 'amount')::bigint)
               ELSE state
           END
$$;
CREATE FUNCTION raw.decide(state jsonb, command jsonb) RETURNS jsonb LANGUAGE sql STABLE AS $$
    SELECT CASE
               WHEN (command ->> 'amount')::bigint = 0 THEN '[]'
               ELSE jsonb_build_array(jsonb_build_object('type', 'Deposited', 'data', command || state))
           END
$$;
CREATE FUNCTION raw.handle(of_stream text, command jsonb, attempts integer DEFAULT 3) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
    event raw.events;
    state jsonb;
    head bigint;
    decided jsonb;
BEGIN
    PERFORM pg_advisory_xact_lock(hashtextextended(of_stream, 0));
    FOR attempt IN 1 .. attempts LOOP
        state := '{"balance": 0}';
        head := -1;
        FOR event IN SELECT * FROM raw.events AS e WHERE e.stream = of_stream ORDER BY e.revision LOOP
            state := raw.evolve_row(state, event);
            head := event.revision;
        END LOOP;
        decided := raw.decide(state, command);
        IF decided = '[]' THEN
            RETURN head;
        END IF;
        BEGIN
            INSERT INTO raw.events (stream, revision, type, data)
            SELECT of_stream, head + n, d.value ->> 'type', d.value -> 'data'
              FROM jsonb_array_elements(decided) WITH ORDINALITY AS d (value, n);
            RETURN head + jsonb_array_length(decided);
        EXCEPTION WHEN unique_violation THEN
            IF attempt = attempts THEN
                RAISE;
            END IF;
        END;
    END LOOP;
END
$$;
