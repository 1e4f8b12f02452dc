-- The public calls and views of schema arbiter: kind, name, arguments, result.
SELECT p.prokind::text, p.proname, pg_get_function_arguments(p.oid), pg_get_function_result(p.oid)
  FROM pg_proc AS p
 WHERE p.pronamespace = 'arbiter'::regnamespace
   AND obj_description(p.oid, 'pg_proc') NOT LIKE 'internal%'
UNION ALL
SELECT 'view', c.relname, string_agg(a.attname, ', ' ORDER BY a.attnum), NULL
  FROM pg_class AS c
  JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attnum > 0
 WHERE c.relnamespace = 'arbiter'::regnamespace AND c.relkind = 'v'
 GROUP BY c.oid, c.relname
 ORDER BY 1, 2, 3;
