-- Names that two machines compute alike: version 5 ids and canonical JSON.
\set SHOW_CONTEXT never

-- RFC 9562, appendix A.4, and one name in every way it can be passed.
SELECT arbiter.uuid_v5('6ba7b810-9dad-11d1-80b4-00c04fd430c8', 'www.example.com');
SELECT arbiter.uuid_v5(namespace => '6ba7b810-9dad-11d1-80b4-00c04fd430c8', name => '\x7777772e6578616d706c652e636f6d'::pg_catalog.bytea);
SELECT arbiter.uuid_v5('6ba7b810-9dad-11d1-80b4-00c04fd430c8', 'é');
SELECT arbiter.uuid_v5('6ba7b810-9dad-11d1-80b4-00c04fd430c8', '');
-- NUL and octets that are no UTF-8 come as bytea.
SELECT arbiter.uuid_v5('6ba7b810-9dad-11d1-80b4-00c04fd430c8', '\x00'::pg_catalog.bytea),
       arbiter.uuid_v5('6ba7b810-9dad-11d1-80b4-00c04fd430c8', '\xfffe'::pg_catalog.bytea);
-- Composed and decomposed are two names.
SELECT arbiter.uuid_v5('6ba7b810-9dad-11d1-80b4-00c04fd430c8', U&'\00e9')
       OPERATOR(pg_catalog.=) arbiter.uuid_v5('6ba7b810-9dad-11d1-80b4-00c04fd430c8', U&'e\0301') AS same;
-- char(n) loses its padding on the way to text, varchar and domains lose nothing.
CREATE DOMAIN public.serial AS pg_catalog.text;
SELECT arbiter.uuid_v5('6ba7b810-9dad-11d1-80b4-00c04fd430c8', v.name) FROM (VALUES ('a'::pg_catalog.bpchar(5)::pg_catalog.text),
    ('a'::pg_catalog.varchar(5)), ('a'::public.serial), ('a')) AS v (name);
DROP DOMAIN public.serial;
-- Lengths around the block of SHA-1, and a megabyte.
SELECT n, arbiter.uuid_v5('6ba7b810-9dad-11d1-80b4-00c04fd430c8', pg_catalog.repeat('a', n))
  FROM pg_catalog.unnest('{0,39,40,47,48,55,56,104,1048576}'::integer[]) AS n;
SELECT arbiter.uuid_v5('6ba7b810-9dad-11d1-80b4-00c04fd430c8', pg_catalog.repeat('a', 1048577));
\echo :SQLSTATE
SELECT arbiter.uuid_v5(NULL, 'a');
\echo :SQLSTATE
SELECT arbiter.uuid_v5('6ba7b810-9dad-11d1-80b4-00c04fd430c8', NULL::pg_catalog.text);
\echo :SQLSTATE

-- Settings that change how PostgreSQL prints things change nothing.
SET bytea_output = 'escape';
SET client_encoding = 'LATIN1';
SELECT arbiter.uuid_v5('6ba7b810-9dad-11d1-80b4-00c04fd430c8', U&'\00e9');
RESET client_encoding;
RESET bytea_output;

-- The planner may fold it and parallel workers may run it.
SELECT provolatile, proparallel, proisstrict FROM pg_catalog.pg_proc
 WHERE pronamespace OPERATOR(pg_catalog.=) 'arbiter'::pg_catalog.regnamespace
   AND proname IN ('uuid_v5', 'canonical_strings', 'derived_id') ORDER BY oid;

SELECT arbiter.canonical_strings('{}'), arbiter.canonical_strings('{""}');
SELECT arbiter.canonical_strings(texts => ARRAY['A,B']), arbiter.canonical_strings(ARRAY['A', 'B']);
-- The 34 escapes, and what is not escaped.
SELECT arbiter.canonical_strings(ARRAY(SELECT pg_catalog.chr(n) FROM pg_catalog.generate_series(1, 31) AS n));
SELECT arbiter.canonical_strings(ARRAY['"', '\', '/', U&'\007f', U&'\2028', U&'\00e9', U&'\+01F600', U&'\FFFE']);
-- PostgreSQL's own array_to_json writes the same, code point by code point.
SELECT pg_catalog.count(*) AS differ FROM (
    SELECT ARRAY[pg_catalog.chr(n), 'x' OPERATOR(pg_catalog.||) pg_catalog.chr(n) OPERATOR(pg_catalog.||) 'y'] AS texts
      FROM pg_catalog.generate_series(1, 1114111) AS n WHERE n < 55296 OR n > 57343) AS s
 WHERE arbiter.canonical_strings(texts) OPERATOR(pg_catalog.<>) pg_catalog.array_to_json(texts)::pg_catalog.text;
-- Bounds are no part of a list, dimensions and nulls have no place in one.
SELECT arbiter.canonical_strings('[5:6]={a,b}');
SELECT arbiter.canonical_strings('{{a,b},{c,d}}');
\echo :SQLSTATE
SELECT arbiter.canonical_strings('{a,NULL}');
\echo :SQLSTATE
SELECT arbiter.canonical_strings(NULL);
\echo :SQLSTATE
-- Elements as they come from a table: short, compressed, out of line.
CREATE TABLE public.lists (texts pg_catalog.text[]);
INSERT INTO public.lists VALUES ('{a,bc,def}'),
    (ARRAY[pg_catalog.repeat('x', 100000), 'y']),
    (ARRAY(SELECT pg_catalog.md5(n::pg_catalog.text) FROM pg_catalog.generate_series(1, 1000) AS n));
SELECT pg_catalog.length(arbiter.canonical_strings(texts)),
       arbiter.canonical_strings(texts) OPERATOR(pg_catalog.=) pg_catalog.array_to_json(texts)::pg_catalog.text AS same
  FROM public.lists;
DROP TABLE public.lists;

-- A name as a table keeps a long one: compressed, or elsewhere.
CREATE TABLE public.names (name pg_catalog.text);
INSERT INTO public.names VALUES (pg_catalog.repeat('ab', 100000));
ALTER TABLE public.names ALTER name SET STORAGE EXTERNAL;
INSERT INTO public.names VALUES (pg_catalog.repeat('ab', 100000));
SELECT pg_catalog.pg_column_size(name) OPERATOR(pg_catalog.<) 200000 AS compressed,
       arbiter.uuid_v5('6ba7b810-9dad-11d1-80b4-00c04fd430c8', name) OPERATOR(pg_catalog.=)
       arbiter.uuid_v5('6ba7b810-9dad-11d1-80b4-00c04fd430c8', pg_catalog.repeat('ab', 100000)) AS same
  FROM public.names;
DROP TABLE public.names;
-- What derived functions call is of no use by itself.
SELECT arbiter.derived_id('{}', '{}', 'x', 1);
\echo :SQLSTATE
SELECT arbiter.derived_id(NULL, '{}', 'x', 1);
\echo :SQLSTATE
