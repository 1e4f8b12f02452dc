-- Derivations: how a natural key becomes an id, frozen.
\set SHOW_CONTEXT never
SELECT arbiter.create_store('derive');

-- The device group. The ids of its vectors came out of JavaScript, Python, Go, Java and plain SQL.
\set parts '[{"name":"organization_id","type":"uuid"},{"name":"serial_numbers","type":"text[]","each":["trim_js25","lower_ascii","drop_empty"],"set":["dedup","sort_utf16"]}]'
\set vectors '[{"args":{"organization_id":"3f2c8a1e-0000-4000-8000-000000000001","serial_numbers":["B","A","a ","\\tb"]},"uuid":"b3308c75-9039-59a8-90c9-09cbb8be69df","origin":"node 20, npm uuid 9"}]'
SELECT arbiter.create_derivation('derive', 'device_group_id', '6f6b1a52-5f0e-5d8e-9d54-3a9d6f1e0c11', :'parts'::pg_catalog.jsonb, :'vectors'::pg_catalog.jsonb, 'prefix');
SELECT derive.device_group_id('3f2c8a1e-0000-4000-8000-000000000001', '{A,B}');
SELECT derive.device_group_id(serial_numbers => ARRAY[' b', 'a', 'A'], organization_id => '3F2C8A1E-0000-4000-8000-000000000001');
SELECT derive.device_group_id('3f2c8a1e-0000-4000-8000-000000000001', '{}'),
       derive.device_group_id('3f2c8a1e-0000-4000-8000-000000000001', ARRAY['', '  ']);
SELECT derive.device_group_id('3f2c8a1e-0000-4000-8000-000000000001', ARRAY[U&'\+01F600', U&'\FF5E', U&'\E000', 'z']);

-- Identical again is a no-op, whatever the spelling of the JSON.
SELECT arbiter.create_derivation('derive', 'device_group_id', '6F6B1A52-5f0e-5d8e-9d54-3a9d6f1e0c11', :'parts'::pg_catalog.jsonb, :'vectors'::pg_catalog.jsonb, layout => 'prefix');
-- Another definition is refused, naming the difference.
SELECT arbiter.create_derivation('derive', 'device_group_id', '6f6b1a52-5f0e-5d8e-9d54-3a9d6f1e0c11',
    '[{"name":"organization_id","type":"uuid"}]', '[{"args":{"organization_id":"3f2c8a1e-0000-4000-8000-000000000001"},"uuid":"75fc9668-8740-5e7a-a2a8-940009bdf71a","origin":"x"}]', 'json');
\echo :SQLSTATE
\set other '[{"args":{"organization_id":"3f2c8a1e-0000-4000-8000-000000000001","serial_numbers":[]},"uuid":"4e8c7054-c915-5131-aefe-102b5793f950","origin":"node 20, npm uuid 9"}]'
SELECT arbiter.create_derivation('derive', 'device_group_id', '6f6b1a52-5f0e-5d8e-9d54-3a9d6f1e0c11', :'parts'::pg_catalog.jsonb, :'other'::pg_catalog.jsonb, 'prefix');
\echo :SQLSTATE

-- A vector that disagrees: both sides are shown, and the mistake where it is known.
\set VERBOSITY default
\set bad '[{"args":{"organization_id":"3f2c8a1e-0000-4000-8000-000000000001","serial_numbers":["b","a"]},"uuid":"11111111-1111-5111-8111-111111111111","origin":"x"}]'
SELECT arbiter.create_derivation('derive', 'g2', '6f6b1a52-5f0e-5d8e-9d54-3a9d6f1e0c12', :'parts'::pg_catalog.jsonb, :'bad'::pg_catalog.jsonb, 'prefix');
\echo :SQLSTATE
SELECT arbiter.uuid_v5('6f6b1a52-5f0e-5d8e-9d54-3a9d6f1e0c12', '3f2c8a1e-0000-4000-8000-000000000001:a,b') AS id \gset
SELECT pg_catalog.replace(:'bad', '11111111-1111-5111-8111-111111111111', :'id') AS joined \gset
SELECT arbiter.create_derivation('derive', 'g2', '6f6b1a52-5f0e-5d8e-9d54-3a9d6f1e0c12', :'parts'::pg_catalog.jsonb, :'joined'::pg_catalog.jsonb, 'prefix');
\echo :SQLSTATE

-- Not injective: refused with a counterexample.
SELECT arbiter.create_derivation('derive', 'g3', '6f6b1a52-5f0e-5d8e-9d54-3a9d6f1e0c13',
    '[{"name":"a","type":"text"},{"name":"b","type":"text"},{"name":"c","type":"text[]","set":["keep_order"]}]', '[]', 'prefix');
\echo :SQLSTATE
-- In the layout json the same parts are fine. Every part type at once:
SELECT arbiter.create_derivation('derive', 'everything', '6f6b1a52-5f0e-5d8e-9d54-3a9d6f1e0c13',
    '[{"name":"t","type":"text","each":["trim_js25","refuse_empty"]},{"name":"u","type":"uuid"},{"name":"n","type":"bigint"},{"name":"b","type":"boolean"},{"name":"l","type":"text[]","set":["keep_order"]}]',
    '[{"args":{"t":" é","u":"3F2C8A1E-0000-4000-8000-000000000001","n":-42,"b":true,"l":["b","a","b"]},"uuid":"d9c5bbc0-18a8-5e87-b6d2-d457f3c99eac","origin":"python 3.11 uuid"}]');
SELECT derive.everything('é', '3f2c8a1e-0000-4000-8000-000000000001', -42, true, '{b,a,b}');
SELECT * FROM arbiter.explain_derivation('derive', 'everything',
    '{"t":"é ","u":"3F2C8A1E-0000-4000-8000-000000000001","n":-42,"b":true,"l":["b","a","b"]}');
-- In the layout prefix a part other than a list is hashed bare, and so it is shown.
SELECT kind, part, value, pg_catalog.convert_from(octets, 'UTF8') OPERATOR(pg_catalog.=) value AS same
  FROM arbiter.explain_derivation('derive', 'device_group_id',
           '{"organization_id":"3F2C8A1E-0000-4000-8000-000000000001","serial_numbers":["B ","a"]}')
 WHERE kind IN ('part', 'name');

-- What has no stable name is refused by part, element and code point.
SELECT derive.everything(' ', '3f2c8a1e-0000-4000-8000-000000000001', 1, true, '{}');
\echo :SQLSTATE
SELECT derive.everything('a', NULL, 1, true, '{}');
\echo :SQLSTATE
SELECT derive.everything('a', '3f2c8a1e-0000-4000-8000-000000000001', 9007199254740992, true, '{}');
\echo :SQLSTATE
SELECT derive.everything('a', '3f2c8a1e-0000-4000-8000-000000000001', 1, true, '{a,NULL}');
\echo :SQLSTATE
SELECT derive.everything('a', '3f2c8a1e-0000-4000-8000-000000000001', 1, true, '{{a},{b}}');
\echo :SQLSTATE
SELECT derive.everything('a', '3f2c8a1e-0000-4000-8000-000000000001', 1, true, '[7:8]={b,a}')
       OPERATOR(pg_catalog.=) derive.everything('a', '3f2c8a1e-0000-4000-8000-000000000001', 1, true, '{b,a}') AS same;
SELECT arbiter.create_derivation('derive', 'strict_id', '6f6b1a52-5f0e-5d8e-9d54-3a9d6f1e0c14',
    '[{"name":"codes","type":"text[]","each":["refuse_invisible","upper_ascii","remove_chars(\"- \")"],"set":["dedup","sort_codepoint"]}]',
    '[{"args":{"codes":["b-1","A 2"]},"uuid":"6b15df4c-dedd-5855-bae3-57604fe575bd","origin":"python 3.11 uuid"}]', 'prefix');
SELECT derive.strict_id(ARRAY['a', U&'b\200Bc']);
\echo :SQLSTATE

-- Bad definitions.
SELECT arbiter.create_derivation('derive', 'order', '6f6b1a52-5f0e-5d8e-9d54-3a9d6f1e0c15', '[{"name":"a","type":"text"}]', '[{"args":{"a":""},"uuid":"b298f580-1bb2-5b74-81e1-0599e1396c0a","origin":"x"}]');
\echo :SQLSTATE
SELECT arbiter.create_derivation('derive', 'Id', '6f6b1a52-5f0e-5d8e-9d54-3a9d6f1e0c15', '[{"name":"a","type":"text"}]', '[{"args":{"a":""},"uuid":"b298f580-1bb2-5b74-81e1-0599e1396c0a","origin":"x"}]');
SELECT arbiter.create_derivation('derive', 'x', '6f6b1a52-5f0e-5d8e-9d54-3a9d6f1e0c15', '[{"name":"user","type":"text"}]', '[{"args":{"user":""},"uuid":"b298f580-1bb2-5b74-81e1-0599e1396c0a","origin":"x"}]');
SELECT arbiter.create_derivation('derive', 'x', '6f6b1a52-5f0e-5d8e-9d54-3a9d6f1e0c15', '[{"name":"a","type":"timestamptz"}]', '[]');
SELECT arbiter.create_derivation('derive', 'x', '6f6b1a52-5f0e-5d8e-9d54-3a9d6f1e0c15', '[{"name":"a","type":"text","each":["drop_empty"]}]', '[]');
SELECT arbiter.create_derivation('derive', 'x', '6f6b1a52-5f0e-5d8e-9d54-3a9d6f1e0c15', '[{"name":"a","type":"text[]","each":["trim_js25","remove_chars(\"-\")"],"set":["keep_order"]}]', '[]');
SELECT arbiter.create_derivation('derive', 'x', '6f6b1a52-5f0e-5d8e-9d54-3a9d6f1e0c15', '[{"name":"a","type":"text"}]', '[]', 'join');
SELECT arbiter.create_derivation('derive', 'x', '6f6b1a52-5f0e-5d8e-9d54-3a9d6f1e0c15', '{}', '[]');
SELECT arbiter.create_derivation('derive', 'x', '6f6b1a52-5f0e-5d8e-9d54-3a9d6f1e0c15', '[{"name":"a","type":"text"}]', '[]');
SELECT arbiter.create_derivation('derive', 'x', '6f6b1a52-5f0e-5d8e-9d54-3a9d6f1e0c15', '[{"name":"a","type":"text"}]', '[{"args":{"a":""},"uuid":"00000000-0000-0000-0000-000000000000","origin":"arbiter"}]');
\echo :SQLSTATE
SELECT arbiter.create_derivation('derive', 'x', NULL, '[]', '[]');
SELECT arbiter.create_derivation('derive', NULL, '6f6b1a52-5f0e-5d8e-9d54-3a9d6f1e0c15', '[{"name":"a","type":"text"}]', '[]');
SELECT arbiter.create_derivation('derive', 'x', '6f6b1a52-5f0e-5d8e-9d54-3a9d6f1e0c15', NULL, '[]');
\echo :SQLSTATE
SELECT arbiter.create_derivation('nowhere', 'x', '6f6b1a52-5f0e-5d8e-9d54-3a9d6f1e0c15', '[{"name":"a","type":"text"}]', '[{"args":{"a":"x"},"uuid":"8a9bddb8-f6f8-5219-ab90-12fae45cfa0e","origin":"x"}]');
SELECT * FROM arbiter.explain_derivation('derive', 'nothing', '{}');
\echo :SQLSTATE
SELECT * FROM arbiter.explain_derivation('derive', 'strict_id', '{"code":["a"]}');
\echo :SQLSTATE

-- A change is a new name with a new namespace.
SELECT arbiter.create_derivation('derive', 'strict_id2', '6f6b1a52-5f0e-5d8e-9d54-3a9d6f1e0c14',
    '[{"name":"codes","type":"text[]","set":["keep_order"]}]', '[{"args":{"codes":["b"]},"uuid":"1b219c82-558e-51f9-ba3b-10b27a613b9e","origin":"python 3.11 uuid"}]', 'prefix', supersedes => 'strict_id');
\echo :SQLSTATE
\set next '[{"args":{"codes":["b"]},"uuid":"800feada-b956-558a-92f9-6561e9d8ab19","origin":"python 3.11 uuid"}]'
\set plain '[{"name":"codes","type":"text[]","set":["keep_order"]}]'
SELECT arbiter.create_derivation('derive', 'strict_id2', '6f6b1a52-5f0e-5d8e-9d54-3a9d6f1e0c16', :'plain'::pg_catalog.jsonb, :'next'::pg_catalog.jsonb, 'prefix', supersedes => 'nothing');
\echo :SQLSTATE
SELECT arbiter.create_derivation('derive', 'strict_id2', '6f6b1a52-5f0e-5d8e-9d54-3a9d6f1e0c16', :'plain'::pg_catalog.jsonb, :'next'::pg_catalog.jsonb, 'prefix', supersedes => 'strict_id');
SELECT name, supersedes FROM derive.derivations ORDER BY name;
SELECT (arbiter.export_vectors('derive', 'strict_id2') OPERATOR(pg_catalog.->>) 'supersedes') AS supersedes;
-- Only one succeeds another, and no function of yours goes by its name.
\set third '[{"args":{"codes":["b"]},"uuid":"a7a6cd06-1116-5328-8910-8ba5fa332dfe","origin":"python 3.11 uuid"}]'
SELECT arbiter.create_derivation('derive', 'strict_id3', '6f6b1a52-5f0e-5d8e-9d54-3a9d6f1e0c99', :'plain'::pg_catalog.jsonb, :'third'::pg_catalog.jsonb, 'prefix', supersedes => 'strict_id');
\echo :SQLSTATE
CREATE FUNCTION derive.strict_id3(pg_catalog.int4) RETURNS pg_catalog.int4 LANGUAGE sql AS 'SELECT $1';
SELECT arbiter.create_derivation('derive', 'strict_id3', '6f6b1a52-5f0e-5d8e-9d54-3a9d6f1e0c99', :'plain'::pg_catalog.jsonb, :'third'::pg_catalog.jsonb, 'prefix');
\echo :SQLSTATE
DROP FUNCTION derive.strict_id3(pg_catalog.int4);

-- Usable wherever an immutable function is: generated column, DEFAULT, expression index, parallel query.
CREATE TABLE public.groups (
    organization_id pg_catalog.uuid,
    serial_numbers pg_catalog.text[],
    id pg_catalog.uuid GENERATED ALWAYS AS (derive.device_group_id(organization_id, serial_numbers)) STORED,
    empty_id pg_catalog.uuid DEFAULT derive.device_group_id('3f2c8a1e-0000-4000-8000-000000000001', '{}'));
CREATE UNIQUE INDEX groups_id ON public.groups (derive.device_group_id(organization_id, serial_numbers));
INSERT INTO public.groups VALUES ('3f2c8a1e-0000-4000-8000-000000000001', '{A,B}');
INSERT INTO public.groups VALUES ('3f2c8a1e-0000-4000-8000-000000000001', '{b,a}');
\echo :SQLSTATE
SELECT id, empty_id FROM public.groups;
INSERT INTO public.groups SELECT '3f2c8a1e-0000-4000-8000-000000000001', ARRAY[n::pg_catalog.text] FROM pg_catalog.generate_series(1, 5000) AS n;
SET parallel_setup_cost = 0;
SET parallel_tuple_cost = 0;
SET min_parallel_table_scan_size = 0;
SET max_parallel_workers_per_gather = 2;
CREATE FUNCTION public.is_parallel(query pg_catalog.text) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE plan pg_catalog.json;
BEGIN
    EXECUTE pg_catalog.concat('EXPLAIN (ANALYZE, TIMING off, FORMAT json) ', query) INTO plan;
    RETURN plan::pg_catalog.text OPERATOR(pg_catalog.~) '"Workers Launched": [1-9]';
END $$;
\set recompute 'SELECT pg_catalog.count(*) FROM public.groups WHERE id OPERATOR(pg_catalog.<>) derive.device_group_id(organization_id, serial_numbers)'
SELECT public.is_parallel(:'recompute');
:recompute;
DROP FUNCTION public.is_parallel(pg_catalog.text);
RESET parallel_setup_cost;
RESET parallel_tuple_cost;
RESET min_parallel_table_scan_size;
RESET max_parallel_workers_per_gather;

-- Types are cast as for any function; what is no such type is refused.
SELECT derive.everything('é'::pg_catalog.varchar(9), '3f2c8a1e-0000-4000-8000-000000000001', (-42)::pg_catalog.int4, true, '{b,a,b}'::pg_catalog.varchar[]);
SELECT derive.everything('é', '3f2c8a1e-0000-4000-8000-000000000001', 1.5, true, '{}');
\echo :SQLSTATE

-- Frozen: the registry, whoever asks.
UPDATE derive.derivations SET spec = '';
\echo :SQLSTATE
DELETE FROM derive.derivations;
\echo :SQLSTATE
TRUNCATE derive.derivations;
\echo :SQLSTATE
SELECT * FROM arbiter.verify_derivations('derive');

-- The function: what would make it another one is refused where the library is loaded, as here. Whatever is no change passes.
CREATE OR REPLACE FUNCTION derive.strict_id(codes pg_catalog.text[]) RETURNS pg_catalog.uuid
    LANGUAGE sql IMMUTABLE PARALLEL SAFE AS 'SELECT pg_catalog.md5($1::pg_catalog.text)::pg_catalog.uuid';
\echo :SQLSTATE
ALTER FUNCTION derive.everything(pg_catalog.text, pg_catalog.uuid, bigint, boolean, pg_catalog.text[]) VOLATILE;
\echo :SQLSTATE
CREATE FUNCTION derive.everything(pg_catalog.text) RETURNS pg_catalog.uuid LANGUAGE sql AS 'SELECT NULL::pg_catalog.uuid';
\echo :SQLSTATE
CREATE FUNCTION derive.other(codes pg_catalog.text[]) RETURNS pg_catalog.uuid LANGUAGE sql AS 'SELECT NULL::pg_catalog.uuid';
ALTER FUNCTION derive.other(pg_catalog.text[]) VOLATILE;
DROP FUNCTION derive.strict_id(pg_catalog.text[]);
ALTER FUNCTION derive.other(pg_catalog.text[]) RENAME TO strict_id;
\echo :SQLSTATE
DROP FUNCTION derive.other(pg_catalog.text[]);
-- As pg_dump writes it.
SELECT pg_catalog.pg_get_functiondef('derive.everything'::pg_catalog.regproc) AS definition \gset
:definition;
ALTER FUNCTION derive.everything(pg_catalog.text, pg_catalog.uuid, bigint, boolean, pg_catalog.text[]) IMMUTABLE PARALLEL SAFE;
ALTER FUNCTION derive.everything(pg_catalog.text, pg_catalog.uuid, bigint, boolean, pg_catalog.text[]) OWNER TO CURRENT_USER;
DROP FUNCTION derive.everything(pg_catalog.text, pg_catalog.uuid, bigint, boolean, pg_catalog.text[]);
:definition;

-- What gets past that is found: a body replaced, properties changed, a second function of the name. By hand in the
-- catalog here; by an ordinary statement in a session that has not loaded the library.
SELECT arbiter.create_derivation('derive', 'strict_id', '6f6b1a52-5f0e-5d8e-9d54-3a9d6f1e0c14',
    '[{"name":"codes","type":"text[]","each":["refuse_invisible","upper_ascii","remove_chars(\"- \")"],"set":["dedup","sort_codepoint"]}]',
    '[{"args":{"codes":["b-1","A 2"]},"uuid":"6b15df4c-dedd-5855-bae3-57604fe575bd","origin":"python 3.11 uuid"}]', 'prefix');
UPDATE pg_catalog.pg_proc SET prosrc = 'SELECT pg_catalog.md5($1::pg_catalog.text)::pg_catalog.uuid'
 WHERE oid OPERATOR(pg_catalog.=) 'derive.strict_id'::pg_catalog.regproc;
UPDATE pg_catalog.pg_proc SET provolatile = 'v' WHERE oid OPERATOR(pg_catalog.=) 'derive.everything'::pg_catalog.regproc;
CREATE FUNCTION derive.aside(pg_catalog.text) RETURNS pg_catalog.uuid LANGUAGE sql AS 'SELECT NULL::pg_catalog.uuid';
UPDATE pg_catalog.pg_proc SET proname = 'everything' WHERE oid OPERATOR(pg_catalog.=) 'derive.aside'::pg_catalog.regproc;
SELECT derivation, verdict, problem FROM arbiter.verify_derivations('derive') ORDER BY derivation COLLATE "C", problem COLLATE "C";
SELECT severity, subject, problem FROM arbiter.doctor('derive') ORDER BY subject COLLATE "C", problem COLLATE "C";
DROP FUNCTION derive.everything(pg_catalog.text);
-- The same definition again puts the function back.
SELECT arbiter.create_derivation('derive', 'everything', '6f6b1a52-5f0e-5d8e-9d54-3a9d6f1e0c13',
    '[{"name":"t","type":"text","each":["trim_js25","refuse_empty"]},{"name":"u","type":"uuid"},{"name":"n","type":"bigint"},{"name":"b","type":"boolean"},{"name":"l","type":"text[]","set":["keep_order"]}]',
    '[{"args":{"t":" é","u":"3F2C8A1E-0000-4000-8000-000000000001","n":-42,"b":true,"l":["b","a","b"]},"uuid":"d9c5bbc0-18a8-5e87-b6d2-d457f3c99eac","origin":"python 3.11 uuid"}]');
DROP FUNCTION derive.strict_id(pg_catalog.text[]);
SELECT derivation, verdict, problem FROM arbiter.verify_derivations('derive') ORDER BY derivation COLLATE "C", problem COLLATE "C";

-- One flipped byte of the body: the call itself refuses.
UPDATE pg_catalog.pg_proc SET prosrc = pg_catalog.replace(prosrc, 'lower_ascii', 'upper_ascii')
 WHERE oid OPERATOR(pg_catalog.=) 'derive.device_group_id'::pg_catalog.regproc;
SELECT derive.device_group_id('3f2c8a1e-0000-4000-8000-000000000001', '{A,B}');
\echo :SQLSTATE
SELECT arbiter.create_derivation('derive', 'device_group_id', '6f6b1a52-5f0e-5d8e-9d54-3a9d6f1e0c11', :'parts'::pg_catalog.jsonb, :'vectors'::pg_catalog.jsonb, 'prefix');
SELECT derive.device_group_id('3f2c8a1e-0000-4000-8000-000000000001', '{A,B}');

-- A superuser with the triggers off changes the registry: one row edited, one deleted.
BEGIN;
ALTER TABLE derive.derivations DISABLE TRIGGER ALL;
UPDATE derive.derivations SET vectors = pg_catalog.replace(vectors, 'node 20', 'node 21') WHERE name OPERATOR(pg_catalog.=) 'device_group_id';
DELETE FROM derive.derivations WHERE name OPERATOR(pg_catalog.=) 'everything';
SELECT derivation, verdict, problem FROM arbiter.verify_derivations('derive') ORDER BY derivation COLLATE "C", problem COLLATE "C";
ROLLBACK;
BEGIN;
ALTER TABLE derive.derivations DISABLE TRIGGER ALL;
UPDATE derive.derivations SET spec = pg_catalog.replace(spec, 'sort_utf16', 'sort_codepoint') WHERE name OPERATOR(pg_catalog.=) 'device_group_id';
SELECT derivation, verdict, problem FROM arbiter.verify_derivations('derive') ORDER BY derivation COLLATE "C", problem COLLATE "C";
SELECT arbiter.export_vectors('derive', 'device_group_id');
\echo :SQLSTATE
ROLLBACK;

-- The file a client's tests run.
SELECT pg_catalog.jsonb_pretty(arbiter.export_vectors('derive', 'device_group_id'));

-- Dropping: refused while something depends on it; the name stays taken, the same definition comes back.
\set VERBOSITY sqlstate
SELECT arbiter.drop_derivation('derive', 'device_group_id');
\set VERBOSITY default
DROP TABLE public.groups;
SELECT arbiter.drop_derivation('derive', 'device_group_id');
SELECT derive.device_group_id('3f2c8a1e-0000-4000-8000-000000000001', '{A,B}');
\echo :SQLSTATE
SELECT derivation, verdict FROM arbiter.verify_derivations('derive') WHERE derivation OPERATOR(pg_catalog.=) 'device_group_id';
SELECT arbiter.drop_derivation('derive', 'device_group_id');
\echo :SQLSTATE
SELECT arbiter.create_derivation('derive', 'device_group_id', '6f6b1a52-5f0e-5d8e-9d54-3a9d6f1e0c11', :'parts'::pg_catalog.jsonb, :'vectors'::pg_catalog.jsonb, 'prefix');
SELECT derive.device_group_id('3f2c8a1e-0000-4000-8000-000000000001', '{A,B}');

SELECT arbiter.drop_store('derive');
SELECT pg_catalog.count(*) FROM pg_catalog.pg_namespace WHERE nspname OPERATOR(pg_catalog.=) 'derive';
