-- The family of appends: many events, many streams, answers instead of errors; retries by event id.
SET client_min_messages = warning;
SELECT arbiter.create_store('family');
RESET client_min_messages;
\set SHOW_CONTEXT never

-- append_events: all or nothing, an empty array only checks
SELECT arbiter.append_events('family', 'a', -1, '[{"type":"A","data":1},{"type":"B","data":{"x":[1,2]},"metadata":{"m":true}}]');
SELECT arbiter.append_events('family', 'a', 1, '[]');
SELECT arbiter.append_events('family', 'a', 0, '[]');
SELECT arbiter.append_events('family', 'none', -1, '[]');
SELECT arbiter.append_events('family', 'none', -4, '[]');
SELECT arbiter.append_events('family', 'a', -4, '[{"type":"C","data":null}]');
SELECT revision, type, data, metadata FROM arbiter.read_stream('family', 'a');

-- what an element may look like
SELECT arbiter.append_events('family', 'a', 2, '{"type":"A","data":1}');
SELECT arbiter.append_events('family', 'a', 2, '"A"');
SELECT arbiter.append_events('family', 'a', 2, '[1]');
SELECT arbiter.append_events('family', 'a', 2, '[{"type":"A","data":1},{"data":1}]');
SELECT arbiter.append_events('family', 'a', 2, '[{"type":"A"}]');
SELECT arbiter.append_events('family', 'a', 2, '[{"type":7,"data":1}]');
SELECT arbiter.append_events('family', 'a', 2, '[{"type":"A","data":1,"meta":{}}]');
SELECT arbiter.append_events('family', 'a', 2, '[{"type":"A","data":1,"metadata":[]}]');
SELECT arbiter.append_events('family', 'a', 2, '[{"type":"A","data":1,"metadata":null}]');
SELECT arbiter.append_events('family', 'a', 2, '[{"type":"A","data":1,"id":"{00000000-0000-0000-0000-000000000001}"}]');
SELECT arbiter.append_events('family', 'a', 2, '[{"type":"A","data":1,"id":1}]');
SELECT arbiter.append_events('family', 'a', 2, '[{"type":"A","data":1},{"type":"","data":1}]');
SELECT arbiter.append_events('family', 'a', 2, '[{"type":"A","data":1},{"type":"$closed","data":1}]');
SELECT arbiter.append_events('family', 'a', 2, NULL);
SELECT arbiter.stream_revision('family', 'a') AS untouched;

-- a batch larger than one chunk, every index agrees
SELECT arbiter.append_events('family', 'big', -1, (SELECT pg_catalog.jsonb_agg(pg_catalog.jsonb_build_object('type', 'T', 'data', g) ORDER BY g) FROM pg_catalog.generate_series(0, 699) AS g));
SELECT pg_catalog.count(*), pg_catalog.min(revision), pg_catalog.max(revision), pg_catalog.bool_and(data = pg_catalog.to_jsonb(revision)) AS in_order FROM arbiter.read_stream('family', 'big');
SELECT pg_catalog.count(*) AS out_of_order FROM (SELECT position < pg_catalog.lag(position) OVER (ORDER BY revision) AS wrong FROM family.events WHERE stream = 'big') AS p WHERE wrong;
SET enable_seqscan = off;
SET enable_bitmapscan = off;
SELECT pg_catalog.count(*) AS by_position FROM family.events WHERE position > 0;
SELECT pg_catalog.count(*) AS by_stream FROM family.events WHERE stream > '';
SELECT pg_catalog.count(*) AS by_id FROM (SELECT id FROM family.events ORDER BY stream, id) AS e;
RESET enable_seqscan;
RESET enable_bitmapscan;

-- append_if: the same judgement as an answer
SELECT * FROM arbiter.append_if('family', 'b', -1, '[{"type":"A","data":1,"id":"00000000-0000-0000-0000-0000000000b0"}]');
SELECT * FROM arbiter.append_if('family', 'b', -1, '[{"type":"A","data":1,"id":"00000000-0000-0000-0000-0000000000b0"}]');
SELECT * FROM arbiter.append_if('family', 'b', -1, '[{"type":"A","data":1}]');
SELECT * FROM arbiter.append_if('family', 'b', 0, '[]');
SELECT * FROM arbiter.append_if('family', 'b', 4, '[]');
SELECT * FROM arbiter.append_if('family', 'b', -2, '[{"type":"B","data":1}]');
SELECT * FROM arbiter.append_if('family', 'b', -3, '[]');

-- retries of a batch: [e0, e1] were stored under expectation -1
SELECT arbiter.append_events('family', 'r', -1, '[{"type":"A","data":0,"id":"00000000-0000-0000-0000-0000000000e0"},{"type":"A","data":1,"id":"00000000-0000-0000-0000-0000000000e1"}]');
SELECT arbiter.append_events('family', 'r', -1, '[{"type":"A","data":0,"id":"00000000-0000-0000-0000-0000000000e0"},{"type":"A","data":1,"id":"00000000-0000-0000-0000-0000000000e1"}]') AS the_same;
SELECT arbiter.append('family', 'r', 1, 'A', '2');
SELECT arbiter.append_events('family', 'r', -1, '[{"type":"A","data":0,"id":"00000000-0000-0000-0000-0000000000e0"},{"type":"A","data":1,"id":"00000000-0000-0000-0000-0000000000e1"}]') AS after_more_events;
SELECT arbiter.append_events('family', 'r', -1, '[{"type":"A","data":0,"id":"00000000-0000-0000-0000-0000000000e0"}]') AS prefix;
SELECT arbiter.append_events('family', 'r', -2, '[{"type":"A","data":0,"id":"00000000-0000-0000-0000-0000000000e0"},{"type":"A","data":1,"id":"00000000-0000-0000-0000-0000000000e1"}]') AS under_any;
-- longer than what was stored
SELECT arbiter.append_events('family', 'r', -1, '[{"type":"A","data":0,"id":"00000000-0000-0000-0000-0000000000e0"},{"type":"A","data":1,"id":"00000000-0000-0000-0000-0000000000e1"},{"type":"A","data":2,"id":"00000000-0000-0000-0000-0000000000e2"}]');
-- old and new, new and old
SELECT arbiter.append_events('family', 'r', -2, '[{"type":"A","data":1,"id":"00000000-0000-0000-0000-0000000000e1"},{"type":"A","data":9,"id":"00000000-0000-0000-0000-0000000000e9"}]');
SELECT arbiter.append_events('family', 'r', -2, '[{"type":"A","data":9,"id":"00000000-0000-0000-0000-0000000000e9"},{"type":"A","data":1,"id":"00000000-0000-0000-0000-0000000000e1"}]');
-- a known id with the right expectation, with other data, in another order, twice in one batch
SELECT arbiter.append_events('family', 'r', 2, '[{"type":"A","data":0,"id":"00000000-0000-0000-0000-0000000000e0"}]');
SELECT arbiter.append_events('family', 'r', -1, '[{"type":"A","data":7,"id":"00000000-0000-0000-0000-0000000000e0"}]');
SELECT arbiter.append_events('family', 'r', -2, '[{"type":"A","data":1,"id":"00000000-0000-0000-0000-0000000000e1"},{"type":"A","data":0,"id":"00000000-0000-0000-0000-0000000000e0"}]');
SELECT arbiter.append_events('family', 'r', 2, '[{"type":"A","data":1,"id":"00000000-0000-0000-0000-0000000000e7"},{"type":"A","data":0,"id":"00000000-0000-0000-0000-0000000000e7"}]');
-- the same id in another stream is another event
SELECT arbiter.append_events('family', 'r2', -1, '[{"type":"A","data":0,"id":"00000000-0000-0000-0000-0000000000e0"}]');

-- append_streams: all streams or none, checks among writes, every refusal told at once
SELECT * FROM arbiter.append_streams('family', '[{"stream":"s1","expected":-1,"events":[{"type":"A","data":0}]},{"stream":"a","expected":2,"events":[]},{"stream":"s2","expected":-2,"events":[{"type":"A","data":0},{"type":"A","data":1}]}]');
SELECT * FROM arbiter.append_streams('family', '[{"stream":"s1","expected":-1,"events":[{"type":"A","data":0}]},{"stream":"a","expected":2,"events":[]},{"stream":"s2","expected":7,"events":[{"type":"A","data":0}]}]');
SELECT arbiter.stream_revision('family', 's1') AS s1, arbiter.stream_revision('family', 's2') AS s2;
SELECT * FROM arbiter.append_streams('family', '[]');
SELECT * FROM arbiter.append_streams('family', '[{"stream":"s1","expected":0,"events":[]},{"stream":"s1","expected":0,"events":[]}]');
SELECT * FROM arbiter.append_streams('family', '{"stream":"s1","expected":0,"events":[]}');
SELECT * FROM arbiter.append_streams('family', '[{"stream":"s1","events":[]}]');
SELECT * FROM arbiter.append_streams('family', '[{"stream":"s1","expected":"0","events":[]}]');
SELECT * FROM arbiter.append_streams('family', '[{"stream":"s1","expected":0.5,"events":[]}]');
SELECT * FROM arbiter.append_streams('family', '[{"stream":"s1","expected":-3,"events":[]}]');
SELECT * FROM arbiter.append_streams('family', '[{"stream":"s1","expected":0,"events":[{"type":"A"}]}]');
SELECT * FROM arbiter.append_streams('family', '[{"stream":"","expected":0,"events":[]}]');
-- a retry of all is the first answer; half a retry is a bug in the ids
SELECT * FROM arbiter.append_streams('family', '[{"stream":"t1","expected":-1,"events":[{"type":"A","data":0,"id":"00000000-0000-0000-0000-0000000000f1"}]},{"stream":"t2","expected":-1,"events":[{"type":"A","data":0,"id":"00000000-0000-0000-0000-0000000000f2"}]}]');
SELECT * FROM arbiter.append_streams('family', '[{"stream":"t2","expected":-1,"events":[{"type":"A","data":0,"id":"00000000-0000-0000-0000-0000000000f2"}]},{"stream":"t1","expected":-1,"events":[{"type":"A","data":0,"id":"00000000-0000-0000-0000-0000000000f1"}]}]') AS again;
SELECT * FROM arbiter.append_streams('family', '[{"stream":"t1","expected":-1,"events":[{"type":"A","data":0,"id":"00000000-0000-0000-0000-0000000000f1"}]},{"stream":"t3","expected":-1,"events":[{"type":"A","data":0,"id":"00000000-0000-0000-0000-0000000000f3"}]}]');

-- what the user has added to the table has its say: the portable path
CREATE TABLE family.seen (stream pg_catalog.text, revision pg_catalog.int8, has_default pg_catalog.bool);
CREATE FUNCTION family.see() RETURNS pg_catalog.trigger LANGUAGE plpgsql AS
    $$ BEGIN INSERT INTO family.seen VALUES (new.stream, new.revision, new.tenant = 'none'); RETURN NULL; END $$;
ALTER TABLE family.events ADD COLUMN tenant pg_catalog.text DEFAULT 'none';
CREATE TRIGGER see AFTER INSERT ON family.events FOR EACH ROW EXECUTE FUNCTION family.see();
SELECT arbiter.append_events('family', 'p', -1, '[{"type":"A","data":0},{"type":"A","data":1}]');
SELECT arbiter.append('family', 'p', 0, 'A', '2');
SELECT * FROM family.seen ORDER BY revision;
ALTER TABLE family.events ADD CONSTRAINT small CHECK (data::pg_catalog.text <> '"refused"');
\set VERBOSITY terse
SELECT arbiter.append('family', 'p', 1, 'A', '"refused"');
DROP TRIGGER see ON family.events;
ALTER TABLE family.events DROP COLUMN tenant;
SELECT arbiter.append('family', 'p', 1, 'A', '"refused"');
\set VERBOSITY default
ALTER TABLE family.events DROP CONSTRAINT small;
CREATE UNIQUE INDEX once ON family.events ((data ->> 'order')) WHERE type = 'Ordered';
SELECT arbiter.append('family', 'p', 1, 'Ordered', '{"order": "1"}');
\set VERBOSITY terse
SELECT arbiter.append('family', 'q', -1, 'Ordered', '{"order": "1"}');
\set VERBOSITY default
SELECT arbiter.stream_revision('family', 'q') AS nothing_stored;
DROP INDEX family.once;

-- A session that fires no triggers cannot be judged by one: it says so, where the direct path is not open to it.
ALTER TABLE family.events ADD COLUMN tenant pg_catalog.text;
SET session_replication_role = replica;
SELECT arbiter.append('family', 'p', 2, 'A', '3');
\echo :SQLSTATE
RESET session_replication_role;
SELECT arbiter.append('family', 'p', 2, 'A', '3');
ALTER TABLE family.events DROP COLUMN tenant;

-- The log is the table, not what inherits from it.
CREATE TABLE family.beside () INHERITS (family.events);
INSERT INTO family.beside (position, stream, revision, type, data, recorded_at) VALUES (1, 'p', 4, 'Beside', '{}', pg_catalog.now()), (2, 'beside', 0, 'Beside', '{}', pg_catalog.now());
SELECT revision, type FROM arbiter.read_stream('family', 'p', 2);
SELECT revision, type FROM arbiter.last_event('family', 'p');
SELECT arbiter.stream_revision('family', 'p'), arbiter.stream_revision('family', 'beside');
SELECT revision, head FROM arbiter.load_stream('family', 'p', false, from_revision => 2);
SELECT arbiter.append('family', 'p', 3, 'A', '4');
DROP TABLE family.beside;
DROP TABLE family.seen;
DROP FUNCTION family.see();

SET client_min_messages = warning;
SELECT arbiter.drop_store('family', force => true);
