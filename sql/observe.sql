-- What a person sees of the extension in psql, and what it says of itself.
SET client_min_messages = warning;

-- Everything explains itself: functions, types, views and their columns.
SELECT p.oid::pg_catalog.regprocedure FROM pg_catalog.pg_proc AS p
 WHERE p.pronamespace OPERATOR(pg_catalog.=) 'arbiter'::pg_catalog.regnamespace
   AND pg_catalog.obj_description(p.oid, 'pg_proc') IS NULL;
SELECT c.relname, a.attname
  FROM pg_catalog.pg_class AS c
  LEFT JOIN pg_catalog.pg_attribute AS a
    ON a.attrelid OPERATOR(pg_catalog.=) c.oid AND a.attnum OPERATOR(pg_catalog.>) 0 AND c.relkind OPERATOR(pg_catalog.=) 'v'
 WHERE c.relnamespace OPERATOR(pg_catalog.=) 'arbiter'::pg_catalog.regnamespace
   AND (pg_catalog.col_description(c.oid, a.attnum) IS NULL AND c.relkind OPERATOR(pg_catalog.=) 'v'
        OR pg_catalog.obj_description(c.oid, 'pg_class') IS NULL AND c.relkind OPERATOR(pg_catalog.<>) 'c');
SELECT t.typname FROM pg_catalog.pg_type AS t
  JOIN pg_catalog.pg_class AS c ON c.oid OPERATOR(pg_catalog.=) t.typrelid
 WHERE t.typnamespace OPERATOR(pg_catalog.=) 'arbiter'::pg_catalog.regnamespace
   AND c.relkind OPERATOR(pg_catalog.=) 'c' AND pg_catalog.obj_description(t.oid, 'pg_type') IS NULL;

-- The help knows every call and view, in the list and by its name.
CREATE TEMPORARY TABLE calls AS
    SELECT p.proname::pg_catalog.text AS call FROM pg_catalog.pg_proc AS p
     WHERE p.pronamespace OPERATOR(pg_catalog.=) 'arbiter'::pg_catalog.regnamespace
       AND NOT pg_catalog.starts_with(pg_catalog.obj_description(p.oid, 'pg_proc'), 'internal')
     UNION
    SELECT c.relname FROM pg_catalog.pg_class AS c
     WHERE c.relnamespace OPERATOR(pg_catalog.=) 'arbiter'::pg_catalog.regnamespace AND c.relkind OPERATOR(pg_catalog.=) 'v';
SELECT c.call FROM pg_temp.calls AS c
 WHERE NOT EXISTS (SELECT FROM arbiter.help() AS h (line)
                    WHERE c.call OPERATOR(pg_catalog.=) ANY (pg_catalog.regexp_split_to_array(h.line, '[ ,:]+')));
SELECT c.call FROM pg_temp.calls AS c
 WHERE NOT EXISTS (SELECT FROM arbiter.help(c.call) AS h (line)
                    WHERE h.line OPERATOR(pg_catalog.~) pg_catalog.concat('(^|view |CALL )arbiter[.]', c.call, '[( ]'));
-- Each signature with what the server says of it, and each topic with its page.
SELECT p.call FROM arbiter.help_pages() AS p
 WHERE NOT EXISTS (SELECT FROM arbiter.help(p.call) AS h (line)
                    WHERE h.line OPERATOR(pg_catalog.~) '^    [a-z]');
SELECT DISTINCT p.topic FROM arbiter.help_pages() AS p
 WHERE NOT EXISTS (SELECT FROM arbiter.help(p.topic) AS h (line)
                    WHERE pg_catalog.starts_with(h.line, pg_catalog.concat('More: doc/', p.topic, '.md')));
-- A topic that is named like one of its calls is the whole topic.
SELECT pg_catalog.count(*) OPERATOR(pg_catalog.>) 5 AS whole
  FROM arbiter.help('claim') AS h (line) WHERE h.line OPERATOR(pg_catalog.~) '^(CALL )?arbiter';
SELECT arbiter.help('clam');
SELECT arbiter.help(NULL);

-- What came of the calls, store by store; a lost race is no failure, and a rollback takes nothing back.
SELECT arbiter.create_store('busy');
SELECT arbiter.create_store('idle');
SELECT arbiter.append('busy', 'a-1', -1, 'Made', '{}', id => '00000000-0000-4000-8000-000000000001');
SELECT arbiter.append('busy', 'a-1', -1, 'Made', '{}', id => '00000000-0000-4000-8000-000000000001');
SELECT arbiter.append('busy', 'a-1', 7, 'Made', '{}');
BEGIN;
SELECT arbiter.lock_entity('a-1');
SELECT arbiter.append('busy', 'a-1', 0, 'Made', '{}');
ROLLBACK;
SELECT arbiter.create_ledger('busy', 'mails');
SELECT outcome FROM arbiter.claim('busy', 'mails', 'm');
SELECT outcome FROM arbiter.claim('busy', 'mails', 'm');
SELECT arbiter.create_projection('busy', 'seen', 'external');
SELECT arbiter.advance('busy', 'seen', 'a-1', 0);
SELECT arbiter.advance('busy', 'seen', 'a-1', 0);
SELECT * FROM arbiter.stats AS s ORDER BY s.store COLLATE "C", s.noun COLLATE "C";
-- With the store go its numbers.
SELECT arbiter.drop_store('busy', force => true);
SELECT arbiter.drop_store('idle');
SELECT * FROM arbiter.stats AS s;

-- Without memory to share nobody tells of his progress.
SELECT * FROM arbiter.progress;
