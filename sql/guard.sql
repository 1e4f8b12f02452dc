-- Guards: at most one open X per Y, and a message for whoever comes second.
\set SHOW_CONTEXT never
CREATE SCHEMA guard;
CREATE TABLE guard.batch (id pg_catalog.int8 PRIMARY KEY, host pg_catalog.text, status pg_catalog.varchar NOT NULL, closed_at pg_catalog.date,
                          "Odd ""name" pg_catalog.int4);
SELECT arbiter.create_guard('one_open_batch', 'guard.batch', ARRAY['host'], 'closed_at IS NULL',
                            'this host already has an open batch', 'Close it first.');
SELECT * FROM arbiter.guards;
SELECT pg_catalog.pg_get_indexdef('guard.one_open_batch'::pg_catalog.regclass);

-- The violation reads as the message; the rest of the error is the server's.
INSERT INTO guard.batch VALUES (1, 'h1', 'open');
INSERT INTO guard.batch VALUES (2, 'h1', 'open');
\echo :SQLSTATE
INSERT INTO guard.batch VALUES (2, 'h1', 'closed', '2026-01-01');
UPDATE guard.batch SET closed_at = NULL WHERE id OPERATOR(pg_catalog.=) 2;
\echo :SQLSTATE
-- other errors of the same statement
INSERT INTO guard.batch VALUES (1, 'h9', 'open');
\echo :SQLSTATE
INSERT INTO guard.batch VALUES (4, 'h9', NULL);
\echo :SQLSTATE
COPY guard.batch FROM STDIN;
4	h3	open	\N	\N
5	h3	open	\N	\N
\.
-- Once more for the SQLSTATE, which psql 15 keeps of no COPY.
\set VERBOSITY sqlstate
COPY guard.batch FROM STDIN;
4	h3	open	\N	\N
5	h3	open	\N	\N
\.
\set VERBOSITY default
WITH moved AS (INSERT INTO guard.batch VALUES (4, 'h1', 'open') RETURNING 1) SELECT 1;
\echo :SQLSTATE
MERGE INTO guard.batch AS b USING (SELECT 4 AS id) AS n ON b.id OPERATOR(pg_catalog.=) n.id
 WHEN NOT MATCHED THEN INSERT VALUES (n.id, 'h1', 'open');
\echo :SQLSTATE
INSERT INTO guard.batch VALUES (4, 'h1', 'open') ON CONFLICT (host) WHERE closed_at IS NULL DO NOTHING;
EXPLAIN (ANALYZE, COSTS off, TIMING off, SUMMARY off) INSERT INTO guard.batch VALUES (4, 'h1', 'open');
-- All the fields, as a program gets them; an EXCEPTION block sees the message too.
CREATE FUNCTION guard.caught(statement pg_catalog.text) RETURNS TABLE (field pg_catalog.text, value pg_catalog.text) LANGUAGE plpgsql AS $body$
DECLARE
    m pg_catalog.text; d pg_catalog.text; h pg_catalog.text; c pg_catalog.text; t pg_catalog.text; s pg_catalog.text;
BEGIN
    EXECUTE statement;
EXCEPTION WHEN unique_violation THEN
    GET STACKED DIAGNOSTICS m = MESSAGE_TEXT, d = PG_EXCEPTION_DETAIL, h = PG_EXCEPTION_HINT,
        c = CONSTRAINT_NAME, t = TABLE_NAME, s = SCHEMA_NAME;
    RETURN QUERY VALUES ('sqlstate', SQLSTATE), ('message', m), ('detail', d), ('hint', h), ('constraint', c), ('table', t), ('schema', s);
END
$body$;
SELECT * FROM guard.caught('INSERT INTO guard.batch VALUES (4, ''h1'', ''open'')');
-- What only looks like it is left alone: an error of a function's own, an index that is being built.
CREATE FUNCTION guard.complain() RETURNS pg_catalog.int4 LANGUAGE plpgsql AS $body$
BEGIN
    RAISE unique_violation USING MESSAGE = 'of my own', CONSTRAINT = 'one_open_batch', TABLE = 'batch', SCHEMA = 'guard';
END
$body$;
SELECT * FROM guard.caught($$
    WITH w AS (INSERT INTO guard.batch VALUES (40, 'h40', 'open')) SELECT guard.complain() $$) WHERE field OPERATOR(pg_catalog.=) 'message';

-- From functions, triggers and procedures, at whatever depth.
CREATE TABLE guard.request (host pg_catalog.text);
CREATE FUNCTION guard.open_batch() RETURNS trigger LANGUAGE plpgsql AS $body$
BEGIN
    INSERT INTO guard.batch VALUES (100, NEW.host, 'open');
    RETURN NULL;
END
$body$;
CREATE TRIGGER open_batch AFTER INSERT ON guard.request FOR EACH ROW EXECUTE FUNCTION guard.open_batch();
INSERT INTO guard.request VALUES ('h1');
CREATE FUNCTION guard.add(host pg_catalog.text) RETURNS pg_catalog.void LANGUAGE sql AS $$INSERT INTO guard.batch VALUES (100, host, 'open')$$;
SELECT guard.add('h1');
DO $$BEGIN INSERT INTO guard.batch VALUES (100, 'h1', 'open'); END$$;
CREATE VIEW guard.open_batches AS SELECT * FROM guard.batch WHERE closed_at IS NULL;
INSERT INTO guard.open_batches VALUES (100, 'h1', 'open');

-- A prepared statement, from the first execution to the generic plan.
PREPARE add(pg_catalog.int8, pg_catalog.text) AS INSERT INTO guard.batch VALUES ($1, $2, 'open');
EXECUTE add(101, 'p1');
EXECUTE add(102, 'p2');
EXECUTE add(103, 'p3');
EXECUTE add(104, 'p4');
EXECUTE add(105, 'p5');
EXECUTE add(106, 'p5');
EXECUTE add(107, 'p5');
SELECT generic_plans OPERATOR(pg_catalog.>) 0 AS generic FROM pg_catalog.pg_prepared_statements;
EXECUTE add(108, 'p5');
\echo :SQLSTATE

-- Identical again is a no-op, however the predicate is spelled; anything else is refused by name.
SELECT arbiter.create_guard('one_open_batch', 'guard."batch"', ARRAY['host'], '(closed_at is null) -- still open',
                            'this host already has an open batch', 'Close it first.');
SELECT arbiter.create_guard('one_open_batch', 'guard.batch', ARRAY['host', 'status'], 'closed_at IS NULL', 'x');
\echo :SQLSTATE
SELECT arbiter.create_guard('one_open_batch', 'guard.batch', ARRAY['host'], NULL, 'x');
SELECT arbiter.create_guard('one_open_batch', 'guard.batch', ARRAY['host'], 'closed_at IS NULL', 'x');
SELECT arbiter.create_guard('one_open_batch', 'guard.batch', ARRAY['host'], 'closed_at IS NULL', 'this host already has an open batch');
SELECT arbiter.create_guard('one_open_batch', 'guard.request', ARRAY['host'], NULL, 'x');
SELECT arbiter.create_guard('batch_pkey', 'guard.batch', ARRAY['id'], NULL, 'x');
SELECT arbiter.create_guard('request', 'guard.batch', ARRAY['id'], NULL, 'x');
\echo :SQLSTATE
-- What the server reads back in another spelling is still the same.
SELECT arbiter.create_guard('spelled', 'guard.batch', ARRAY['host'], 'status IN (''a'', ''b'') AND NOT id BETWEEN 1 AND 200', 'm');
SELECT arbiter.create_guard('spelled', 'guard.batch', ARRAY['host'], 'status IN (''a'', ''b'') AND NOT id BETWEEN 1 AND 200', 'm');
-- (types without their schema, which the server names where search_path has others before it)
SELECT pg_catalog.replace(predicate, 'pg_catalog.', '') FROM arbiter.guards WHERE name OPERATOR(pg_catalog.=) 'spelled';
SELECT arbiter.create_guard('spelled', 'guard.batch', ARRAY['host'],
           (SELECT g.predicate FROM arbiter.guards AS g WHERE g.name OPERATOR(pg_catalog.=) 'spelled'), 'm');

-- An index that exists, built CONCURRENTLY perhaps, becomes the guard without being built again.
CREATE UNIQUE INDEX CONCURRENTLY one_status ON guard.batch (host DESC, status) WITH (fillfactor = 70) WHERE closed_at IS NOT NULL;
SELECT pg_catalog.pg_relation_filenode('guard.one_status'::pg_catalog.regclass) AS node \gset
INSERT INTO guard.batch VALUES (109, 'h1', 'closed', '2026-01-02');
SELECT arbiter.create_guard('one_status', 'guard.batch', ARRAY['host', 'status'], 'closed_at IS NOT NULL', 'closed already');
SELECT pg_catalog.pg_relation_filenode('guard.one_status'::pg_catalog.regclass) OPERATOR(pg_catalog.=) :node AS same_index;
INSERT INTO guard.batch VALUES (111, 'h1', 'closed', '2026-01-02');
-- Another message, without another index.
COMMENT ON INDEX guard.one_status IS NULL;
SELECT arbiter.create_guard('one_status', 'guard.batch', ARRAY['host', 'status'], 'closed_at IS NOT NULL', 'that is closed', 'Look it up.');
INSERT INTO guard.batch VALUES (111, 'h1', 'closed', '2026-01-02');
COMMENT ON INDEX guard.one_status IS 'mine';
SELECT arbiter.create_guard('one_status', 'guard.batch', ARRAY['host', 'status'], 'closed_at IS NOT NULL', 'that is closed', 'Look it up.');
\echo :SQLSTATE
SELECT pg_catalog.count(*) FROM arbiter.guards WHERE name OPERATOR(pg_catalog.=) 'one_status';
DROP INDEX guard.one_status;
-- An index that CONCURRENTLY left behind.
INSERT INTO guard.batch VALUES (110, 'h1', 'closed', '2026-01-02');
CREATE UNIQUE INDEX CONCURRENTLY one_status ON guard.batch (host, status) WHERE closed_at IS NOT NULL;
SELECT arbiter.create_guard('one_status', 'guard.batch', ARRAY['host', 'status'], 'closed_at IS NOT NULL', 'x');
\echo :SQLSTATE
DROP INDEX guard.one_status;
-- Rows that break it already.
SELECT arbiter.create_guard('one_status', 'guard.batch', ARRAY['host', 'status'], 'closed_at IS NOT NULL', 'x');
\echo :SQLSTATE

-- Indexes that are another promise.
CREATE TABLE guard.other (a pg_catalog.text, b pg_catalog.int4, CONSTRAINT later UNIQUE (b) DEFERRABLE, CONSTRAINT now UNIQUE (b));
CREATE INDEX plain ON guard.other (a);
CREATE UNIQUE INDEX expression ON guard.other (pg_catalog.lower(a));
CREATE UNIQUE INDEX including ON guard.other (a) INCLUDE (b);
CREATE UNIQUE INDEX alike ON guard.other (a) NULLS NOT DISTINCT;
CREATE UNIQUE INDEX pattern ON guard.other (a text_pattern_ops);
CREATE UNIQUE INDEX collated ON guard.other (a COLLATE "C");
SELECT arbiter.create_guard('later', 'guard.other', ARRAY['b'], NULL, 'x');
SELECT arbiter.create_guard('now', 'guard.other', ARRAY['b'], NULL, 'x');
SELECT arbiter.create_guard('plain', 'guard.other', ARRAY['a'], NULL, 'x');
SELECT arbiter.create_guard('expression', 'guard.other', ARRAY['a'], NULL, 'x');
SELECT arbiter.create_guard('including', 'guard.other', ARRAY['a'], NULL, 'x');
SELECT arbiter.create_guard('alike', 'guard.other', ARRAY['a'], NULL, 'x');
SELECT arbiter.create_guard('pattern', 'guard.other', ARRAY['a'], NULL, 'x');
SELECT arbiter.create_guard('collated', 'guard.other', ARRAY['a'], NULL, 'x');
\echo :SQLSTATE
DROP INDEX guard.plain, guard.expression, guard.including, guard.alike, guard.pattern, guard.collated;

-- Nothing is pasted into SQL.
SELECT arbiter.create_guard('x', 'guard.other', ARRAY['a'], 'true; DROP TABLE guard.other', 'x');
\echo :SQLSTATE
SELECT arbiter.create_guard('x', 'guard.other', ARRAY['a'], 'b > 0) INCLUDE (b', 'x');
SELECT arbiter.create_guard('x', 'guard.other', ARRAY['a'], 'true, false', 'x');
SELECT arbiter.create_guard('x', 'guard.other', ARRAY['a'], 'true AS x', 'x');
SELECT arbiter.create_guard('x', 'guard.other', ARRAY['a'], 'true FROM guard.batch', 'x');
SELECT arbiter.create_guard('x', 'guard.other', ARRAY['a'], 'true ORDER BY 1', 'x');
SELECT arbiter.create_guard('x', 'guard.other', ARRAY['a'], 'DISTINCT true', 'x');
SELECT arbiter.create_guard('x', 'guard.other', ARRAY['a'], '', 'x');
\echo :SQLSTATE
SELECT arbiter.create_guard('x', 'guard.other', ARRAY['a'], '*', 'x');
SELECT arbiter.create_guard('x', 'guard.other', ARRAY['a'], 'b', 'x');
SELECT arbiter.create_guard('x', 'guard.other', ARRAY['a'], 'nothing > 1', 'x');
\echo :SQLSTATE
SELECT arbiter.create_guard('x', 'guard.other', ARRAY['a'], 'b = $1', 'x');
\echo :SQLSTATE
SELECT arbiter.create_guard('x', 'guard.other', ARRAY['a'], 'EXISTS (SELECT FROM guard.batch)', 'x');
\echo :SQLSTATE
SELECT arbiter.create_guard('x', 'guard.other', ARRAY['a'], 'pg_catalog.max(b) OPERATOR(pg_catalog.>) 1', 'x');
SELECT arbiter.create_guard('x', 'guard.other', ARRAY['a'], 'pg_catalog.random() OPERATOR(pg_catalog.>) 0.5', 'x');
\echo :SQLSTATE
SELECT arbiter.create_guard('x', 'guard.other', ARRAY['a'], 'a OPERATOR(pg_catalog.=) pg_catalog.current_setting(''role'')', 'x');
SELECT arbiter.create_guard('x', 'guard.other; DROP TABLE guard.other', ARRAY['a'], NULL, 'x');
\echo :SQLSTATE
SELECT arbiter.create_guard('x', 'guard.other (a); --', ARRAY['a'], NULL, 'x');
SELECT arbiter.create_guard('x', 'guard.other', ARRAY['a); DROP TABLE guard.other; --'], NULL, 'x');
\echo :SQLSTATE
SELECT arbiter.create_guard('x', 'guard.other', ARRAY['pg_catalog.lower(a)'], NULL, 'x');
SELECT arbiter.create_guard('x', 'guard.other', ARRAY['ctid'], NULL, 'x');
SELECT arbiter.create_guard('x" ON guard.batch (id); --', 'guard.other', ARRAY['a'], 'a OPERATOR(pg_catalog.<>) ''it''''s \ ; --''',
                            'it''s "so" \ %s %m', E'two\nlines '' \\');
INSERT INTO guard.other VALUES ('q', 1);
SELECT * FROM guard.caught('INSERT INTO guard.other VALUES (''q'', 2)');
SELECT name, pg_catalog.replace(predicate, 'pg_catalog.', '') AS predicate, message, hint FROM arbiter.guards WHERE relation OPERATOR(pg_catalog.=) 'other';
SELECT arbiter.create_guard('odd', 'guard.batch', ARRAY['Odd "name'], NULL, 'odd');
SELECT columns FROM arbiter.guards WHERE name OPERATOR(pg_catalog.=) 'odd';

-- Bad input.
SELECT arbiter.create_guard(NULL, 'guard.other', ARRAY['a'], NULL, 'x');
\echo :SQLSTATE
SELECT arbiter.create_guard('', 'guard.other', ARRAY['a'], NULL, 'x');
\echo :SQLSTATE
SELECT arbiter.create_guard(pg_catalog.repeat('x', 64), 'guard.other', ARRAY['a'], NULL, 'x');
SELECT arbiter.create_guard('x', 'guard.other', '{}', NULL, 'x');
SELECT arbiter.create_guard('x', 'guard.other', '{NULL}', NULL, 'x');
SELECT arbiter.create_guard('x', 'guard.other', '{a,b,a}', NULL, 'x');
SELECT arbiter.create_guard('x', 'guard.other', '{a}', NULL, NULL);
SELECT arbiter.create_guard('x', 'guard.other', '{a}', NULL, '');
SELECT arbiter.create_guard('x', 'guard.other', '{a}', NULL, 'x', '');
SELECT arbiter.create_guard('x', 'guard.none', '{a}', NULL, 'x');
\echo :SQLSTATE
SELECT arbiter.create_guard('x', 'guard.open_batches', '{host}', NULL, 'x');
\echo :SQLSTATE
SELECT arbiter.create_guard('x', 'pg_catalog.pg_class', '{relname}', NULL, 'x');
\echo :SQLSTATE
BEGIN READ ONLY;
SELECT arbiter.create_guard('x', 'guard.other', '{a}', NULL, 'x');
\echo :SQLSTATE
ROLLBACK;

-- Partitions: each has guards of its own; who writes through the parent reads their messages too.
CREATE TABLE guard.parts (p pg_catalog.int4, k pg_catalog.text) PARTITION BY LIST (p);
CREATE TABLE guard.part_1 PARTITION OF guard.parts FOR VALUES IN (1);
CREATE TABLE guard.part_2 PARTITION OF guard.parts FOR VALUES IN (2) PARTITION BY LIST (p);
CREATE TABLE guard.part_2_2 PARTITION OF guard.part_2 FOR VALUES IN (2);
SELECT arbiter.create_guard('x', 'guard.parts', ARRAY['p', 'k'], NULL, 'x');
\echo :SQLSTATE
INSERT INTO guard.parts VALUES (1, 'a'), (2, 'a');
SELECT arbiter.create_guard('one_k', 'guard.part_2_2', ARRAY['k'], NULL, 'k is taken');
INSERT INTO guard.parts VALUES (2, 'a');
UPDATE guard.parts SET p = 2 WHERE p OPERATOR(pg_catalog.=) 1;
COPY guard.parts FROM STDIN;
2	a
\.
-- renamed, moved and dropped, it is followed
ALTER INDEX guard.one_k RENAME TO one_key;
INSERT INTO guard.parts VALUES (2, 'a');
ALTER TABLE guard.part_2_2 RENAME TO part_of_2;
INSERT INTO guard.parts VALUES (2, 'a');
ALTER SCHEMA guard RENAME TO guarded;
INSERT INTO guarded.parts VALUES (2, 'a');
SELECT schema, relation, name FROM arbiter.guards WHERE message OPERATOR(pg_catalog.=) 'k is taken';
ALTER SCHEMA guarded RENAME TO guard;
SELECT arbiter.drop_guard('one_key', 'guard.part_of_2');
INSERT INTO guard.parts VALUES (2, 'a');

-- Rights: the owner's. Others may look.
CREATE ROLE regress_guard_owner;
CREATE ROLE regress_guard_writer;
GRANT USAGE ON SCHEMA guard, arbiter TO regress_guard_owner, regress_guard_writer;
GRANT INSERT ON guard.batch TO regress_guard_writer;
SET ROLE regress_guard_writer;
SELECT arbiter.create_guard('mine', 'guard.batch', ARRAY['host'], NULL, 'x');
\echo :SQLSTATE
SELECT arbiter.drop_guard('one_open_batch', 'guard.batch');
\echo :SQLSTATE
SELECT pg_catalog.count(*) OPERATOR(pg_catalog.>) 0 AS sees FROM arbiter.guards;
-- the key is not shown to who may not read it
INSERT INTO guard.batch VALUES (200, 'h1', 'open');
RESET ROLE;
ALTER TABLE guard.other OWNER TO regress_guard_owner;
SET ROLE regress_guard_owner;
SELECT arbiter.create_guard('mine', 'guard.other', ARRAY['b'], NULL, 'x');
\echo :SQLSTATE
RESET ROLE;
GRANT CREATE ON SCHEMA guard TO regress_guard_owner;
SET ROLE regress_guard_owner;
SELECT arbiter.create_guard('mine', 'guard.other', ARRAY['b'], NULL, 'x');
RESET ROLE;

-- drop_guard drops guards, and nothing else.
SELECT arbiter.drop_guard('one_open_batch', 'guard.other');
\echo :SQLSTATE
SELECT arbiter.drop_guard('batch_pkey', 'guard.batch');
SELECT arbiter.drop_guard('none', 'guard.batch');
SELECT arbiter.drop_guard('one_open_batch', 'guard.batch');
INSERT INTO guard.batch VALUES (201, 'h1', 'open');
SELECT pg_catalog.count(*) FROM arbiter.guards WHERE name OPERATOR(pg_catalog.=) 'one_open_batch';
SET client_min_messages = warning;
DROP SCHEMA guard CASCADE;
REVOKE USAGE ON SCHEMA arbiter FROM regress_guard_owner, regress_guard_writer;
DROP ROLE regress_guard_owner, regress_guard_writer;
