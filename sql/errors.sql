-- Bad input: an SQLSTATE on purpose, the value in the message, a hint where one helps, nothing written.
\set SHOW_CONTEXT never
SELECT arbiter.create_store('shop');

-- NULL where it makes no sense, argument by argument.
SELECT arbiter.append(NULL, 'a-1', -1, 'T', '{}');
\echo :SQLSTATE
SELECT arbiter.append('shop', NULL, -1, 'T', '{}');
\echo :SQLSTATE
SELECT arbiter.append('shop', 'a-1', NULL, 'T', '{}');
\echo :SQLSTATE
SELECT arbiter.append('shop', 'a-1', -1, NULL, '{}');
\echo :SQLSTATE
SELECT arbiter.append('shop', 'a-1', -1, 'T', NULL);
\echo :SQLSTATE
SELECT arbiter.append('shop', 'a-1', -1, 'T', '{}', metadata => NULL);
\echo :SQLSTATE
SELECT arbiter.read_stream(NULL, 'a-1');
\echo :SQLSTATE
SELECT arbiter.read_stream('shop', NULL);
\echo :SQLSTATE
SELECT arbiter.read_stream('shop', 'a-1', backwards => NULL);
\echo :SQLSTATE
SELECT arbiter.last_event(NULL, 'a-1');
\echo :SQLSTATE
SELECT arbiter.last_event('shop', NULL);
\echo :SQLSTATE
SELECT arbiter.stream_revision(NULL, 'a-1');
\echo :SQLSTATE
SELECT arbiter.stream_revision('shop', NULL);
\echo :SQLSTATE
SELECT arbiter.stream_name(NULL, '1');
\echo :SQLSTATE
SELECT arbiter.stream_name('a', NULL::pg_catalog.text);
\echo :SQLSTATE
SELECT arbiter.category(NULL);
\echo :SQLSTATE
SELECT arbiter.stream_id(NULL);
\echo :SQLSTATE

-- Empty.
SELECT arbiter.append('', 'a-1', -1, 'T', '{}');
\echo :SQLSTATE
SELECT arbiter.append('shop', '', -1, 'T', '{}');
\echo :SQLSTATE
SELECT arbiter.append('shop', 'a-1', -1, '', '{}');
\echo :SQLSTATE
SELECT arbiter.read_stream('', 'a-1');
\echo :SQLSTATE
SELECT arbiter.read_stream('shop', '');
\echo :SQLSTATE
SELECT arbiter.last_event('shop', '');
\echo :SQLSTATE
SELECT arbiter.stream_revision('shop', '');
\echo :SQLSTATE

-- No such store: unknown, a schema without one, another case, a name no schema can have.
SELECT arbiter.append('nowhere', 'a-1', -1, 'T', '{}');
\echo :SQLSTATE
SELECT arbiter.append('public', 'a-1', -1, 'T', '{}');
\echo :SQLSTATE
SELECT arbiter.append('Shop', 'a-1', -1, 'T', '{}');
\echo :SQLSTATE
SELECT arbiter.append('"shop"', 'a-1', -1, 'T', '{}');
\echo :SQLSTATE
SELECT arbiter.append('shop' || pg_catalog.repeat(' ', 60), 'a-1', -1, 'T', '{}');
\echo :SQLSTATE
SELECT arbiter.read_stream('nowhere', 'a-1');
\echo :SQLSTATE
SELECT arbiter.last_event('nowhere', 'a-1');
\echo :SQLSTATE
SELECT arbiter.stream_revision('nowhere', 'a-1');
\echo :SQLSTATE
SELECT arbiter.stream_revision('shop''; DROP SCHEMA shop CASCADE; --', 'a-1');
\echo :SQLSTATE

-- Numbers that are no expectation, no revision, no count.
SELECT arbiter.append('shop', 'a-1', -3, 'T', '{}');
\echo :SQLSTATE
SELECT arbiter.append('shop', 'a-1', -5, 'T', '{}');
\echo :SQLSTATE
SELECT arbiter.append('shop', 'a-1', -9223372036854775808, 'T', '{}');
\echo :SQLSTATE
SELECT arbiter.append('shop', 'a-1', 9223372036854775807, 'T', '{}');
\echo :SQLSTATE
SELECT arbiter.read_stream('shop', 'a-1', -1);
\echo :SQLSTATE
SELECT arbiter.read_stream('shop', 'a-1', -9223372036854775808);
\echo :SQLSTATE
SELECT arbiter.read_stream('shop', 'a-1', max_count => -1);
\echo :SQLSTATE

-- A bad argument is told before the stream is asked, and a mistake of the call before a missing store.
SELECT arbiter.append('nowhere', 'a-1', -3, 'T', '{}');
\echo :SQLSTATE
SELECT arbiter.append('shop', 'a-1', 7, '', '{}');
\echo :SQLSTATE

-- Nothing was written.
SELECT pg_catalog.count(*) FROM shop.events;
-- The session has kept its health through all of it.
SELECT arbiter.append('shop', 'a-1', -1, 'T', '{}');
SELECT arbiter.drop_store('shop', force => true);
