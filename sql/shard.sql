-- Which of n databases holds a stream.
\set SHOW_CONTEXT never

SELECT stream, arbiter.shard_of(stream, 3), arbiter.shard_of(stream => stream, shards => 4) AS of_four
  FROM (VALUES ('order-1'), ('order-2'), ('order-3'), (U&'caf\00e9-1'), (U&'cafe\0301-1'), ('')) AS v (stream);
SELECT arbiter.shard_of('order-1', 1), arbiter.shard_of('order-1', 2147483647);
-- The same under any client encoding.
SET client_encoding = 'LATIN1';
SELECT arbiter.shard_of(U&'caf\00e9-1', 1000);
RESET client_encoding;
SELECT arbiter.shard_of(U&'caf\00e9-1', 1000);
-- It may be a generated column or an index, and parallel workers may run it.
SELECT provolatile, proparallel, proisstrict FROM pg_catalog.pg_proc
 WHERE oid OPERATOR(pg_catalog.=) 'arbiter.shard_of(pg_catalog.text, pg_catalog.int8)'::pg_catalog.regprocedure;

SELECT arbiter.shard_of('order-1', 0);
\echo :SQLSTATE
SELECT arbiter.shard_of('order-1', 2147483648);
\echo :SQLSTATE
SELECT arbiter.shard_of(NULL, 1);
\echo :SQLSTATE
SELECT arbiter.shard_of('order-1', NULL);
\echo :SQLSTATE
