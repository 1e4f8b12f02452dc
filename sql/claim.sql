-- Ledgers and claims: the truth table, tokens, settling, and the table that keeps the rules for everybody.
\set SHOW_CONTEXT never
SELECT arbiter.create_store('led');

-- create_ledger: identical again is a no-op, another definition is told apart
SELECT arbiter.create_ledger('led', 'mail');
SELECT arbiter.create_ledger('led', 'mail');
SELECT arbiter.create_ledger('led', 'mail', durable => false);
\echo :SQLSTATE
SELECT arbiter.create_ledger('led', 'mail', 'after_lease', '1 hour');
\echo :SQLSTATE
SELECT arbiter.create_ledger('led', 'pay', 'after_lease', '1 hour');
SELECT arbiter.create_ledger('led', 'pay', 'after_lease', '60 minutes');
SELECT arbiter.create_ledger('led', 'pay', 'after_lease', '2 hours');
\echo :SQLSTATE
SELECT arbiter.create_ledger('led', 'quick', 'after_lease', '1 microsecond', durable => false);
SELECT ledger, takeover, lease, durable FROM led.ledgers ORDER BY ledger;

-- bad definitions
SELECT arbiter.create_ledger(NULL, 'l');
\echo :SQLSTATE
SELECT arbiter.create_ledger('nowhere', 'l');
\echo :SQLSTATE
SELECT arbiter.create_ledger('led', NULL);
\echo :SQLSTATE
SELECT arbiter.create_ledger('led', '');
\echo :SQLSTATE
SELECT arbiter.create_ledger('led', pg_catalog.repeat('x', 257));
\echo :SQLSTATE
SELECT arbiter.create_ledger('led', 'l', NULL);
\echo :SQLSTATE
SELECT arbiter.create_ledger('led', 'l', 'always');
\echo :SQLSTATE
SELECT arbiter.create_ledger('led', 'l', 'never', '1 hour');
\echo :SQLSTATE
SELECT arbiter.create_ledger('led', 'l', 'after_lease');
\echo :SQLSTATE
SELECT arbiter.create_ledger('led', 'l', 'after_lease', '0');
\echo :SQLSTATE
SELECT arbiter.create_ledger('led', 'l', 'after_lease', '-1 hour');
\echo :SQLSTATE
SELECT arbiter.create_ledger('led', 'l', 'after_lease', '100000 years');
\echo :SQLSTATE
SELECT arbiter.create_ledger('led', 'l', durable => NULL);
\echo :SQLSTATE

-- nothing is found: won; then the holder's row for everybody, whoever asks
SELECT c.outcome, c.state, c.result, c.claimant,
       c.since OPERATOR(pg_catalog.>=) pg_catalog.now() AS by_the_clock
  FROM arbiter.claim('led', 'mail', 'welcome:1', claimant => 'worker 1') AS c;
SELECT c.outcome, c.state, c.claimant, c.token OPERATOR(pg_catalog.=) h.token AS holders_token
  FROM arbiter.claim('led', 'mail', 'welcome:1', claimant => 'worker 1') AS c, led.claims AS h;
SELECT ledger, key, state, claimant, lease_until, lapsed FROM led.unsettled_claims;
-- the same transaction is told that it has it, and keeps its token
BEGIN;
SELECT outcome, token AS first FROM arbiter.claim('led', 'mail', 'welcome:2') \gset
SELECT outcome, state, token OPERATOR(pg_catalog.=) :first AS same FROM arbiter.claim('led', 'mail', 'welcome:2');
SAVEPOINT s;
SELECT outcome FROM arbiter.claim('led', 'mail', 'welcome:3');
ROLLBACK TO s;
SELECT outcome FROM arbiter.claim('led', 'mail', 'welcome:3');
COMMIT;
-- two claims in one statement
SELECT a.outcome, b.outcome, a.token OPERATOR(pg_catalog.=) b.token AS same
  FROM arbiter.claim('led', 'mail', 'welcome:4') AS a, arbiter.claim('led', 'mail', 'welcome:4') AS b;

-- settle: the token decides, and only once; who holds it instead is told (tokens are times, so most are not shown here)
INSERT INTO led.claims (ledger, key, token, claimant) VALUES ('mail', 'fixed', 7, 'worker 2');
SELECT arbiter.settle('led', 'mail', 'fixed', 6, 'done');
\echo :SQLSTATE
SELECT arbiter.settle('led', 'mail', 'fixed', 7, 'done');
SELECT arbiter.settle('led', 'mail', 'fixed', 7, 'done');
\echo :SQLSTATE
SELECT arbiter.settle('led', 'mail', 'nobody', 42, 'done');
\echo :SQLSTATE
\set VERBOSITY sqlstate
SELECT token AS t FROM led.claims WHERE key OPERATOR(pg_catalog.=) 'welcome:1' \gset
SELECT arbiter.settle('led', 'mail', 'welcome:1', 42, 'done');
\echo :SQLSTATE
SELECT arbiter.settle('led', 'mail', 'welcome:1', :t, 'done', '{"message": 7}');
SELECT outcome, state, result, claimant, token OPERATOR(pg_catalog.=) :t AS same
  FROM arbiter.claim('led', 'mail', 'welcome:1');
SELECT arbiter.settle('led', 'mail', 'welcome:1', :t, 'failed');
-- failed: known not to have happened, so it may be claimed again, with a larger token and nothing left of the first try
SELECT token AS t FROM led.claims WHERE key OPERATOR(pg_catalog.=) 'welcome:2' \gset
SELECT arbiter.settle('led', 'mail', 'welcome:2', :t, 'failed', '"bounced"');
SELECT state, result, settled_at IS NOT NULL AS settled FROM led.claims WHERE key OPERATOR(pg_catalog.=) 'welcome:2';
SELECT outcome, state, result, token OPERATOR(pg_catalog.>) :t AS larger FROM arbiter.claim('led', 'mail', 'welcome:2');
SELECT arbiter.settle('led', 'mail', 'welcome:2', :t, 'done') IS NULL AS stale;
\echo :SQLSTATE
\set VERBOSITY default
-- unknown: closed until a person decides
SELECT token AS t FROM led.claims WHERE key OPERATOR(pg_catalog.=) 'welcome:3' \gset
SELECT arbiter.settle('led', 'mail', 'welcome:3', :t, 'unknown');
SELECT outcome, state FROM arbiter.claim('led', 'mail', 'welcome:3');
SELECT key, state FROM led.unsettled_claims ORDER BY key;
SELECT arbiter.force_takeover('led', 'mail', 'welcome:3', 'the provider says it was never sent') OPERATOR(pg_catalog.>) :t AS larger;
SELECT ledger, key, former_token OPERATOR(pg_catalog.=) :t AS from_t, former_state, former_claimant, reason,
       taken_by OPERATOR(pg_catalog.=) SESSION_USER::pg_catalog.text AS by_me FROM led.takeovers;
SELECT arbiter.settle('led', 'mail', 'welcome:3', token, 'failed') FROM led.takeovers;
-- claim and settle in one transaction
BEGIN;
SELECT token AS t FROM arbiter.claim('led', 'mail', 'here') \gset
SELECT arbiter.settle('led', 'mail', 'here', :t, 'done');
SELECT outcome, state FROM arbiter.claim('led', 'mail', 'here');
COMMIT;

-- a lease: taken while it lives
SELECT token AS t FROM arbiter.claim('led', 'pay', 'invoice-1', claimant => 'a') \gset
SELECT outcome, claimant FROM arbiter.claim('led', 'pay', 'invoice-1', claimant => 'b');
SELECT lease_until OPERATOR(pg_catalog.-) claimed_at AS lease, token OPERATOR(pg_catalog.=) :t AS by_a FROM led.claims
 WHERE key OPERATOR(pg_catalog.=) 'invoice-1';
SELECT arbiter.renew('led', 'pay', 'invoice-1', :t) OPERATOR(pg_catalog.=) c.lease_until AS before_is_after FROM led.claims AS c
 WHERE ledger OPERATOR(pg_catalog.=) 'pay';
\set VERBOSITY terse
SELECT arbiter.renew('led', 'pay', 'invoice-1', 42);
\echo :SQLSTATE
\set VERBOSITY default
SELECT arbiter.renew('led', 'mail', 'welcome:4', 42);
\echo :SQLSTATE
INSERT INTO led.claims (ledger, key, token, lease_until) VALUES ('pay', 'lapsed', 7, '2001-01-01');
SELECT arbiter.renew('led', 'pay', 'lapsed', 7);
\echo :SQLSTATE
SELECT arbiter.settle('led', 'pay', 'lapsed', 7, 'done');
-- lapsed: whoever comes takes it, and the token fences the one before; nobody used it: may be settled, not renewed
SELECT token AS t FROM arbiter.claim('led', 'quick', 'k', claimant => 'a') \gset
SELECT lapsed FROM led.unsettled_claims WHERE ledger OPERATOR(pg_catalog.=) 'quick';
SELECT outcome, claimant, token OPERATOR(pg_catalog.>) :t AS larger, token AS t2
  FROM arbiter.claim('led', 'quick', 'k', claimant => 'a') \gset
\echo :outcome :claimant :larger
\set VERBOSITY sqlstate
SELECT arbiter.renew('led', 'quick', 'k', :t2) IS NULL;
\echo :SQLSTATE
SELECT arbiter.settle('led', 'quick', 'k', :t, 'done') IS NULL;
\echo :SQLSTATE
\set VERBOSITY default
SELECT state, token OPERATOR(pg_catalog.=) :t2 AS untouched FROM led.claims WHERE ledger OPERATOR(pg_catalog.=) 'quick';
SELECT arbiter.settle('led', 'quick', 'k', :t2, 'done');
SELECT outcome FROM arbiter.claim('led', 'quick', 'k');
-- a claim counts from the clock, not from the beginning of its transaction
BEGIN;
SELECT pg_catalog.pg_sleep(0.02);
SELECT since OPERATOR(pg_catalog.>) (pg_catalog.now() OPERATOR(pg_catalog.+) '20 ms'::pg_catalog.interval) AS by_the_clock FROM arbiter.claim('led', 'pay', 'late');
COMMIT;

-- fingerprints, in every state
SELECT outcome FROM arbiter.claim('led', 'mail', 'fp', fingerprint => 'x');
SELECT outcome FROM arbiter.claim('led', 'mail', 'fp', fingerprint => 'x');
SELECT outcome FROM arbiter.claim('led', 'mail', 'fp');
SELECT arbiter.claim('led', 'mail', 'fp', fingerprint => 'y');
\echo :SQLSTATE
SELECT arbiter.settle('led', 'mail', 'fp', token, 'failed') FROM led.claims WHERE key OPERATOR(pg_catalog.=) 'fp';
SELECT arbiter.claim('led', 'mail', 'fp', fingerprint => 'y');
\echo :SQLSTATE
SELECT outcome FROM arbiter.claim('led', 'mail', 'fp');
SELECT fingerprint FROM led.claims WHERE key OPERATOR(pg_catalog.=) 'fp';
SELECT arbiter.settle('led', 'mail', 'fp', token, 'done') FROM led.claims WHERE key OPERATOR(pg_catalog.=) 'fp';
SELECT arbiter.claim('led', 'mail', 'fp', fingerprint => 'y');
\echo :SQLSTATE
SELECT outcome FROM arbiter.claim('led', 'mail', 'fp', fingerprint => 'x');

-- many at once: in the order asked, the same key twice is one claim
SELECT key, outcome, state FROM arbiter.claim_keys('led', 'mail', ARRAY['b', 'a', 'welcome:1', 'b'], claimant => 'batch');
SELECT pg_catalog.count(*) FROM arbiter.claim_keys('led', 'mail', '{}');
SELECT outcome, pg_catalog.count(*) FROM arbiter.claim_keys('led', 'mail',
    (SELECT pg_catalog.array_agg('many-' OPERATOR(pg_catalog.||) i::pg_catalog.text) FROM pg_catalog.generate_series(1, 3000) AS i)) GROUP BY outcome;

-- many are settled at once: what one has lost, or settled a moment ago, keeps no other from it
SELECT (arbiter.claim_keys('led', 'mail', ARRAY['s1', 's2', 's3', 's4'], claimant => 'batch')).outcome;
UPDATE led.claims SET token = 9000000000000000 WHERE key OPERATOR(pg_catalog.~~) 's_';
SELECT * FROM arbiter.settle_keys('led', 'mail', ARRAY['s2', 'nobody', 's1', 's3', 's2'],
    ARRAY[9000000000000000, 1, 9000000000000000, 1, 9000000000000000], 'done', '[{"id": 2}, null, null, {"id": 3}, {"id": 4}]');
SELECT key, state, result, settled_at IS NOT NULL AS settled FROM led.claims WHERE key OPERATOR(pg_catalog.~~) 's_' ORDER BY key;
SELECT * FROM arbiter.settle_keys('led', 'mail', ARRAY['s4'], ARRAY[9000000000000000], 'failed');
SELECT outcome, state FROM arbiter.claim('led', 'mail', 's4');
SELECT pg_catalog.count(*) FROM arbiter.settle_keys('led', 'mail', '{}', '{}', 'done');

-- who is refused writes nothing, and has no transaction id to commit
BEGIN;
SELECT outcome FROM arbiter.claim('led', 'mail', 'welcome:4');
SELECT outcome FROM arbiter.claim('led', 'mail', 'welcome:1');
SELECT outcome FROM arbiter.claim_keys('led', 'mail', ARRAY['a', 'welcome:1']);
SELECT pg_catalog.pg_current_xact_id_if_assigned() IS NULL AS wrote_nothing;
COMMIT;
-- one key of another request, and nothing is claimed
SELECT * FROM arbiter.claim_keys('led', 'mail', ARRAY['before', 'fp', 'after'], fingerprint => 'y');
\echo :SQLSTATE
SELECT pg_catalog.count(*) FROM led.claims WHERE key OPERATOR(pg_catalog.=) ANY (ARRAY['before', 'after']);

-- keys of any length are themselves, byte by byte
SELECT k.name, c.outcome
  FROM (VALUES ('empty', ''), ('compressible', pg_catalog.repeat('x', 9000)),
               ('random', (SELECT pg_catalog.string_agg(pg_catalog.md5(i::pg_catalog.text), '') FROM pg_catalog.generate_series(1, 282) AS i)),
               ('composed', U&'\00E9'), ('decomposed', U&'e\0301'), ('upper', 'A:1'), ('lower', 'a:1'), ('blank', ' a:1'),
               ('backslash', E'\\x41\\'), ('quote', '''"')) AS k (name, key),
       LATERAL arbiter.claim('led', 'mail', k.key) AS c ORDER BY k.name COLLATE pg_catalog."C";
SELECT arbiter.claim('led', 'mail', NULL);
\echo :SQLSTATE
-- a row written by hand meets the same key, in either order
INSERT INTO led.claims (ledger, key) VALUES ('mail', ''), ('mail', 'x');
\echo :SQLSTATE
INSERT INTO led.claims (ledger, key, claimant) VALUES ('mail', E'by \\ hand', 'me');
SELECT outcome, claimant FROM arbiter.claim('led', 'mail', E'by \\ hand');
INSERT INTO led.claims (ledger, key) VALUES ('nowhere', 'k');
\echo :SQLSTATE
INSERT INTO led.claims (ledger, key, digest) VALUES ('mail', 'k', pg_catalog.gen_random_uuid());
\echo :SQLSTATE

-- raw changes keep tokens and what is done
UPDATE led.claims SET token = 1 WHERE key OPERATOR(pg_catalog.=) 'a';
\echo :SQLSTATE
UPDATE led.claims SET state = 'claimed', settled_at = NULL WHERE key OPERATOR(pg_catalog.=) 'welcome:1';
\echo :SQLSTATE
UPDATE led.claims SET state = 'claimed', settled_at = NULL, token = token OPERATOR(pg_catalog.+) 1 WHERE key OPERATOR(pg_catalog.=) 'welcome:1';
\echo :SQLSTATE
UPDATE led.claims SET state = 'claimed', settled_at = NULL WHERE key OPERATOR(pg_catalog.=) 'welcome:3';
\echo :SQLSTATE
UPDATE led.claims SET key = 'other' WHERE key OPERATOR(pg_catalog.=) 'a';
\echo :SQLSTATE
UPDATE led.claims SET ledger = 'pay' WHERE key OPERATOR(pg_catalog.=) 'a';
\echo :SQLSTATE
\set VERBOSITY terse
UPDATE led.claims SET state = 'whatever' WHERE key OPERATOR(pg_catalog.=) 'a';
\echo :SQLSTATE
UPDATE led.claims SET state = 'done' WHERE key OPERATOR(pg_catalog.=) 'a';
\echo :SQLSTATE
UPDATE led.claims SET state = NULL WHERE key OPERATOR(pg_catalog.=) 'a';
\echo :SQLSTATE
\set VERBOSITY default
DELETE FROM led.claims WHERE key OPERATOR(pg_catalog.=) 'a';
\echo :SQLSTATE
TRUNCATE led.claims;
\echo :SQLSTATE
-- what the rules allow, a person may write
UPDATE led.claims SET claimant = 'renamed' WHERE key OPERATOR(pg_catalog.=) 'a';
UPDATE led.claims SET state = 'done', settled_at = pg_catalog.clock_timestamp() WHERE key OPERATOR(pg_catalog.=) 'a';
SELECT outcome, state, claimant FROM arbiter.claim('led', 'mail', 'a');
UPDATE led.claims SET result = '"redacted"' WHERE key OPERATOR(pg_catalog.=) 'welcome:1';

-- force_takeover
SELECT arbiter.force_takeover('led', 'mail', 'welcome:1', 'why not');
\echo :SQLSTATE
SELECT arbiter.force_takeover('led', 'mail', 'never claimed', 'why not');
\echo :SQLSTATE
SELECT arbiter.force_takeover('led', 'mail', 'b', '');
\echo :SQLSTATE
SELECT arbiter.force_takeover('led', 'mail', 'b', NULL);
\echo :SQLSTATE

-- bad input for everything else
SELECT arbiter.claim(NULL, 'mail', 'k');
\echo :SQLSTATE
SELECT arbiter.claim('led', NULL, 'k');
\echo :SQLSTATE
SELECT arbiter.claim('led', '', 'k');
\echo :SQLSTATE
SELECT arbiter.claim('led', 'no such ledger', 'k');
\echo :SQLSTATE
SELECT arbiter.claim('led', 'mail', 'k', wait => NULL);
\echo :SQLSTATE
SELECT arbiter.claim('led', 'mail', 'k', wait => '-1 s');
\echo :SQLSTATE
SELECT arbiter.claim_keys('led', 'mail', NULL);
\echo :SQLSTATE
SELECT arbiter.claim_keys('led', 'mail', ARRAY['k', NULL]);
\echo :SQLSTATE
SELECT arbiter.claim_keys('led', 'mail', ARRAY['k'], wait => '-1 s');
\echo :SQLSTATE
SELECT arbiter.settle('led', 'mail', NULL, 1, 'done');
\echo :SQLSTATE
SELECT arbiter.settle('led', 'mail', 'b', NULL, 'done');
\echo :SQLSTATE
SELECT arbiter.settle('led', 'mail', 'b', 1, NULL);
\echo :SQLSTATE
SELECT arbiter.settle('led', 'mail', 'b', 1, 'claimed');
\echo :SQLSTATE
SELECT arbiter.settle('led', 'mail', 'b', 1, 'finished');
\echo :SQLSTATE
SELECT arbiter.settle_keys('led', 'mail', ARRAY['b', NULL], ARRAY[1, 2], 'done');
\echo :SQLSTATE
SELECT arbiter.settle_keys('led', 'mail', ARRAY['b'], ARRAY[NULL::pg_catalog.int8], 'done');
\echo :SQLSTATE
SELECT arbiter.settle_keys('led', 'mail', ARRAY['b'], ARRAY[1, 2], 'done');
\echo :SQLSTATE
SELECT arbiter.settle_keys('led', 'mail', ARRAY['b'], ARRAY[1], 'done', '{"id": 1}');
\echo :SQLSTATE
SELECT arbiter.settle_keys('led', 'mail', ARRAY['b'], ARRAY[1], 'done', '[]');
\echo :SQLSTATE
SELECT arbiter.settle_keys('led', 'mail', ARRAY['b'], ARRAY[1], 'claimed');
\echo :SQLSTATE
SELECT arbiter.renew('led', 'pay', NULL, 1);
\echo :SQLSTATE
SELECT arbiter.renew('led', 'pay', 'invoice-1', NULL);
\echo :SQLSTATE
BEGIN READ ONLY;
SELECT arbiter.claim('led', 'mail', 'k');
\echo :SQLSTATE
ROLLBACK;

-- prune_claims: what is over and old; never what is open or waits for a person
SELECT arbiter.settle('led', 'mail', 'b', token, 'unknown') FROM led.claims WHERE key OPERATOR(pg_catalog.=) 'b';
SELECT state, pg_catalog.count(*) FROM led.claims WHERE ledger OPERATOR(pg_catalog.=) 'mail' GROUP BY state ORDER BY state;
CALL arbiter.prune_claims('led', 'mail', '1 hour');
CALL arbiter.prune_claims('led', 'mail', '1000000 years');
SELECT state, pg_catalog.count(*) FROM led.claims WHERE ledger OPERATOR(pg_catalog.=) 'mail' GROUP BY state ORDER BY state;
BEGIN;
CALL arbiter.prune_claims('led', 'mail', '0');
ROLLBACK;
CALL arbiter.prune_claims('led', 'mail', '0');
SELECT state, pg_catalog.count(*) FROM led.claims WHERE ledger OPERATOR(pg_catalog.=) 'mail' GROUP BY state ORDER BY state;
-- a token from before does not fit the claim that came after
SELECT outcome FROM arbiter.claim('led', 'mail', 'welcome:1');
SELECT pg_catalog.count(*) AS still_guarded FROM led.claims;
DELETE FROM led.claims;
\echo :SQLSTATE
CALL arbiter.prune_claims('led', 'mail', NULL);
\echo :SQLSTATE
CALL arbiter.prune_claims('led', 'mail', '-1 s');
\echo :SQLSTATE
CALL arbiter.prune_claims('led', 'no such ledger', '0');
\echo :SQLSTATE

-- drop_ledger
SELECT arbiter.drop_ledger('led', 'mail');
\echo :SQLSTATE
SELECT arbiter.drop_ledger('led', 'mail', true);
SELECT arbiter.drop_ledger('led', 'mail');
\echo :SQLSTATE
SELECT arbiter.drop_ledger('led', 'quick');
SELECT arbiter.drop_ledger('led', NULL);
\echo :SQLSTATE
SELECT arbiter.drop_ledger('led', 'pay', NULL);
\echo :SQLSTATE
SELECT pg_catalog.count(*) FROM led.claims WHERE ledger OPERATOR(pg_catalog.<>) 'pay';

-- a session that knows where it found a ledger looks again: it is dropped, its table is shorter, another one is there, it is another one
SELECT arbiter.create_store('led2');
SELECT arbiter.create_ledger('led2', 'l');
SELECT outcome FROM arbiter.claim('led2', 'l', 'k');
SELECT arbiter.drop_ledger('led2', 'l', true);
SELECT arbiter.claim('led2', 'l', 'k');
\echo :SQLSTATE
VACUUM led2.ledgers;
SELECT arbiter.claim('led2', 'l', 'k');
\echo :SQLSTATE
SELECT arbiter.create_ledger('led2', 'another');
SELECT arbiter.claim('led2', 'l', 'k');
\echo :SQLSTATE
SELECT arbiter.create_ledger('led2', 'l', 'after_lease', '1 hour');
SELECT outcome FROM arbiter.claim('led2', 'l', 'k');
SELECT lease_until IS NOT NULL AS leased FROM led2.claims;
SELECT arbiter.drop_store('led2', true);

-- whoever claims needs USAGE of the schema and SELECT, INSERT, UPDATE of the claims; row security is refused
CREATE ROLE regress_claimant;
GRANT USAGE ON SCHEMA led, arbiter TO regress_claimant;
SET ROLE regress_claimant;
SELECT arbiter.claim('led', 'pay', 'k');
\echo :SQLSTATE
RESET ROLE;
GRANT SELECT ON led.ledgers TO regress_claimant;
GRANT SELECT, INSERT ON led.claims TO regress_claimant;
SET ROLE regress_claimant;
SELECT arbiter.claim('led', 'pay', 'k');
\echo :SQLSTATE
RESET ROLE;
GRANT UPDATE ON led.claims TO regress_claimant;
SET ROLE regress_claimant;
SELECT outcome FROM arbiter.claim('led', 'pay', 'k');
SELECT arbiter.settle('led', 'pay', 'k', (SELECT token FROM led.claims WHERE key OPERATOR(pg_catalog.=) 'k'), 'done');
SELECT arbiter.force_takeover('led', 'pay', 'invoice-1', 'no right to record it');
\echo :SQLSTATE
SELECT arbiter.drop_ledger('led', 'pay', true);
\echo :SQLSTATE
CALL arbiter.prune_claims('led', 'pay', '0');
\echo :SQLSTATE
SELECT pg_catalog.count(*) FROM led.unsettled_claims;
\echo :SQLSTATE
RESET ROLE;
ALTER TABLE led.claims ENABLE ROW LEVEL SECURITY;
SET ROLE regress_claimant;
SELECT arbiter.claim('led', 'pay', 'k');
\echo :SQLSTATE
RESET ROLE;
REVOKE ALL ON SCHEMA led, arbiter FROM regress_claimant;
REVOKE ALL ON led.claims, led.ledgers FROM regress_claimant;
DROP ROLE regress_claimant;
SELECT arbiter.drop_store('led', true);
