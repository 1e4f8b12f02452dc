-- Two schemas of traps. With `hostile` before pg_catalog in search_path, whatever our SQL names without
-- its schema meets a function, relation or type that raises, and says which. `hostile_operators` does
-- the same to operators; it is apart because few test files get by without one (sql/search_path.sql does).
\set ON_ERROR_STOP on
CREATE SCHEMA hostile;
CREATE SCHEMA hostile_operators;
GRANT USAGE ON SCHEMA hostile, hostile_operators TO PUBLIC;

-- STABLE, so that a trap in WHERE springs even where no row would be looked at.
CREATE FUNCTION hostile.sprung(what text) RETURNS boolean STABLE LANGUAGE plpgsql AS $body$
BEGIN
    RAISE EXCEPTION 'trap: % was named without its schema', what;
END
$body$;

-- Functions and aggregates of pg_catalog with the same arguments. plpgsql cannot take "any" and cstring;
-- there an internal function that always raises ("cannot accept a value of type trigger") stands in.
DO $do$
DECLARE
    f record;
BEGIN
    FOR f IN
        SELECT p.proname,
               pg_catalog.format('CREATE FUNCTION hostile.%I(%s) RETURNS %s%s', p.proname,
                   (SELECT pg_catalog.string_agg(
                               CASE WHEN a.n = p.pronargs AND p.provariadic <> 0 THEN 'VARIADIC ' ELSE '' END
                               || pg_catalog.format_type(a.t, NULL), ', ' ORDER BY a.n)
                    FROM pg_catalog.unnest(p.proargtypes::oid[]) WITH ORDINALITY a(t, n)),
                   CASE WHEN p.proretset THEN 'SETOF ' ELSE '' END,
                   CASE WHEN p.prorettype = 'cstring'::regtype THEN 'text'
                        ELSE pg_catalog.format_type(p.prorettype, NULL) END) AS head,
               p.proargtypes::oid[] && ARRAY['cstring', '"any"']::regtype[]::oid[] AS exotic
        FROM pg_catalog.pg_proc p
        WHERE p.pronamespace = 'pg_catalog'::regnamespace
          AND p.prokind <> 'p'
          AND NOT p.proargtypes::oid[] @> ARRAY['internal']::regtype[]::oid[]
          AND p.prorettype NOT IN ('internal'::regtype, 'trigger'::regtype, 'event_trigger'::regtype)
    LOOP
        BEGIN
            EXECUTE f.head || CASE WHEN f.exotic THEN ' LANGUAGE internal AS $$trigger_in$$'
                ELSE pg_catalog.format(' LANGUAGE plpgsql AS $$BEGIN PERFORM hostile.sprung(%L); END$$',
                                       f.proname || '()') END;
        EXCEPTION WHEN invalid_function_definition OR feature_not_supported THEN
            NULL; -- handlers and polymorphic results, which no query calls by mistake
        END;
    END LOOP;
END
$do$;

-- Catalogs and views, and the names of a store's own tables.
DO $do$
DECLARE
    relation text;
    columns text;
BEGIN
    FOR relation, columns IN
        SELECT c.relname, pg_catalog.string_agg(pg_catalog.quote_ident(a.attname), ', ' ORDER BY a.attnum)
        FROM pg_catalog.pg_class c JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0
        WHERE c.relnamespace = 'pg_catalog'::regnamespace AND c.relkind IN ('r', 'v')
          AND a.atttypid NOT IN ('anyarray'::regtype, 'pg_catalog.pg_statistic[]'::regtype) -- a view cannot have them
        GROUP BY c.relname
    LOOP
        EXECUTE pg_catalog.format('CREATE VIEW hostile.%1$I AS SELECT %2$s FROM pg_catalog.%1$I
                                   WHERE hostile.sprung(%1$L)', relation, columns);
        EXECUTE pg_catalog.format('GRANT SELECT ON hostile.%I TO PUBLIC', relation);
    END LOOP;
    FOREACH relation IN ARRAY ARRAY['arbiter_store', 'events', 'events_position', 'derivations', 'projections', 'offsets',
        'failed_events', 'failures', 'debts', 'ledgers', 'claims', 'takeovers', 'unsettled_claims', 'feed', 'cursors',
        'projection_cursors', 'reconciliations', 'projection_status', 'machines', 'pools', 'reassignments', 'sweeps',
        'sweep_rests', 'resolutions', 'taken_streams', 'streams_set_aside', 'stores', 'stats', 'progress']
    LOOP
        EXECUTE pg_catalog.format(
            'CREATE VIEW hostile.%1$I AS SELECT WHERE hostile.sprung(%1$L)', relation);
        EXECUTE pg_catalog.format('GRANT SELECT ON hostile.%I TO PUBLIC', relation);
    END LOOP;
END
$do$;

-- Types: a row type reads no plain literal ("malformed record literal") and casts from nothing.
DO $do$
DECLARE
    type text;
BEGIN
    FOREACH type IN ARRAY ARRAY['text', 'name', 'uuid', 'json', 'jsonb', 'bytea', 'bool', 'int2', 'int4', 'int8',
        'float4', 'float8', 'oid', 'xid', 'xid8', 'tid', 'date', 'timestamptz', 'regclass', 'regproc',
        'regprocedure', 'regnamespace', 'regrole', 'regtype', 'record', 'void']
    LOOP
        EXECUTE pg_catalog.format('CREATE TYPE hostile.%I AS (trap pg_catalog.bool)', type);
    END LOOP;
END
$do$;

DO $do$
DECLARE
    o record;
BEGIN
    FOR o IN
        SELECT n.oid, n.oprname, pg_catalog.format_type(n.oprresult, NULL) AS result,
               NULLIF(n.oprleft, 0)::regtype AS l, n.oprright::regtype AS r
        FROM pg_catalog.pg_operator n
        WHERE n.oprnamespace = 'pg_catalog'::regnamespace
    LOOP
        EXECUTE pg_catalog.format(
            'CREATE FUNCTION hostile_operators.sprung_%s(%s) RETURNS %s LANGUAGE plpgsql
             AS $$BEGIN PERFORM hostile.sprung(%L); END$$',
            o.oid, pg_catalog.concat_ws(', ', o.l, o.r), o.result, 'operator ' || o.oprname);
        EXECUTE pg_catalog.format('CREATE OPERATOR hostile_operators.%s (FUNCTION = %s%s, RIGHTARG = %s)',
            o.oprname, 'hostile_operators.sprung_' || o.oid, ', LEFTARG = ' || o.l, o.r);
    END LOOP;
END
$do$;
