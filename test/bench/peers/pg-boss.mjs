// Prints the schema that pg-boss creates, one queue, and a function around each statement that its send(), fetch()
// and complete() run. The statements are its own; the functions keep their plans, which pg-boss does not.
import { getConstructionPlans } from 'pg-boss';
import * as plans from 'pg-boss/dist/plans.js';

const schema = 'pgboss', table = 'job_common', name = 'mail';
const define = (signature, sql) =>
    `CREATE FUNCTION ${schema}.bench_${signature} LANGUAGE plpgsql AS $bench$ BEGIN RETURN QUERY ${sql}; END $bench$;`;
const fetch = plans.fetchNextJob({ schema, table, name, policy: 'standard', limit: '$1' });

process.stdout.write([
    getConstructionPlans(schema),
    plans.createQueue(schema, name, { policy: 'standard' }),
    define('send(text) RETURNS SETOF uuid', plans.insertJobs(schema, { table, name })),
    define('fetch(bigint) RETURNS SETOF uuid', `WITH fetched AS (${fetch.text}) SELECT fetched.id FROM fetched`),
    define('complete(text, uuid[], jsonb) RETURNS TABLE (count bigint, ids uuid[])', plans.completeJobs(schema, table)),
].join('\n'));
