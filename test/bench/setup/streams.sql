-- the same streams on both sides, and the same functions of a domain
INSERT INTO raw.events (stream, revision, type, data)
SELECT 'long-' || s, r, CASE r % 4 WHEN 0 THEN 'Deposited' WHEN 1 THEN 'Withdrawn' ELSE 'Noted' END,
       jsonb_build_object('amount', r, 'text', repeat('x', 150))
  FROM generate_series(1, 20) AS s, generate_series(0, 999) AS r
 ORDER BY s, r;
INSERT INTO shop.events (stream, revision, id, type, data)
SELECT stream, revision, id, type, data FROM raw.events ORDER BY position;

CREATE FUNCTION raw.evolve(state jsonb, event arbiter.recorded_event) RETURNS jsonb LANGUAGE sql STABLE AS $$
    SELECT CASE event.type
               WHEN 'Deposited' THEN jsonb_build_object('balance', (state ->> 'balance')::bigint + (event.data ->> 'amount')::bigint)
               WHEN 'Withdrawn' THEN jsonb_build_object('balance', (state ->> 'balance')::bigint - (event.data ->> 'amount')::bigint)
               ELSE state
           END
$$;
CREATE FUNCTION raw.evolve_row(state jsonb, event raw.events) RETURNS jsonb LANGUAGE sql STABLE AS $$
    SELECT CASE event.type
               WHEN 'Deposited' THEN jsonb_build_object('balance', (state ->> 'balance')::bigint + (event.data ->> 'amount')::bigint)
               WHEN 'Withdrawn' THEN jsonb_build_object('balance', (state ->> 'balance')::bigint - (event.data ->> 'amount')::bigint)
               ELSE state
           END
$$;
CREATE FUNCTION raw.evolve_columns(state jsonb, type text, data jsonb) RETURNS jsonb LANGUAGE sql STABLE AS $$
    SELECT CASE type
               WHEN 'Deposited' THEN jsonb_build_object('balance', (state ->> 'balance')::bigint + (data ->> 'amount')::bigint)
               WHEN 'Withdrawn' THEN jsonb_build_object('balance', (state ->> 'balance')::bigint - (data ->> 'amount')::bigint)
               ELSE state
           END
$$;
CREATE AGGREGATE raw.fold_rows(raw.events) (SFUNC = raw.evolve_row, STYPE = jsonb, INITCOND = '{"balance": 0}');
CREATE AGGREGATE raw.fold_columns(text, jsonb) (SFUNC = raw.evolve_columns, STYPE = jsonb, INITCOND = '{"balance": 0}');
