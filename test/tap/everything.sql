-- A store in which every noun has something: what a dump, an upgrade or a replica must bring along. The work of
-- the store's pool is in a schema of its own, which sorts before the store's.
SELECT arbiter.create_store('shop');
SELECT arbiter.create_derivation('shop', 'order_id', '6ba7b810-9dad-11d1-80b4-00c04fd430c8', '[{"name": "number", "type": "text"}]',
    '[{"args": {"number": "a"}, "uuid": "ee9a20b9-7978-57b4-a6dc-943ede56bca3", "origin": "python 3, uuid.uuid5"}]', 'json');
SELECT arbiter.create_machine('shop', 'parcel', 'parcel', 'Packed',
    '[{"from": ["Packed"], "command": "send", "to": "Sent", "event": "ParcelSent"},
      {"from": ["Sent"], "command": "receive", "to": "Received", "event": "ParcelReceived"}]');
CREATE SCHEMA app;
CREATE TABLE app.work (id bigint PRIMARY KEY, parcel text NOT NULL, order_id uuid DEFAULT shop.order_id('none'),
    owner text, since timestamptz, token bigint NOT NULL DEFAULT 0);
CREATE INDEX work_free ON app.work (id) WHERE owner IS NULL AND id > 0;
INSERT INTO app.work (id, parcel) SELECT n, n::text FROM generate_series(1, 50) AS n;
SELECT arbiter.create_guard('one_row_a_parcel', 'app.work', '{parcel}', 'id > 0', 'this parcel has its row already', 'Take the other.');
SELECT arbiter.create_pool('shop', 'work', 'app.work', 'id', 'owner', 'since', 'token', 'id > 0', 'id');
SELECT arbiter.create_sweep('shop', 'send', 'app.work', 'parcel', 'id > 40', 'id', 'parcel', 'send');
CREATE TABLE app.seen (projection text, stream text, revision bigint, PRIMARY KEY (projection, stream, revision));
-- The form of a handler that depends on no type of the extension, and a body that finds its table in any search_path.
CREATE FUNCTION app.see(event jsonb) RETURNS void LANGUAGE sql
    AS $$ INSERT INTO app.seen VALUES ('seen', event ->> 'stream', (event ->> 'revision')::bigint) $$;
CREATE FUNCTION app.see_inline(event jsonb) RETURNS void LANGUAGE sql
    AS $$ INSERT INTO app.seen VALUES ('inline', event ->> 'stream', (event ->> 'revision')::bigint) $$;
CREATE FUNCTION app.missing(projection text) RETURNS TABLE (entity text, revision bigint, detail jsonb) LANGUAGE sql
    AS $$ SELECT 'a-1', 0::bigint, NULL::jsonb WHERE false $$;
SELECT arbiter.create_projection('shop', 'inline', 'inline', 'app.see_inline');
SELECT arbiter.create_projection('shop', 'seen', 'transactional', 'app.see', types => '{T,U}', strict => false);
SELECT arbiter.create_projection('shop', 'debts', 'async', 'app.see_inline', 'app.missing', '1 day', types => '{none}', strict => false);
SELECT arbiter.create_projection('shop', 'mailer', 'external', reconciler => 'external', reconcile_every => '1 day');
SELECT arbiter.create_projection('shop', 'worked', 'async', reconciler => 'external', reconcile_every => '1 day');
SELECT arbiter.create_ledger('shop', 'mails', 'after_lease', '1 hour', true);
SELECT arbiter.create_ledger('shop', 'once');

SELECT arbiter.append('shop', 'a-' || n % 7, -2, CASE n % 3 WHEN 0 THEN 'T' ELSE 'U' END, jsonb_build_object('n', n), '{"by": "x"}',
                      ('00000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid) FROM generate_series(1, 200) AS n;
SELECT arbiter.append('shop', E'caf\u00e9 \n %_''"\\', -1, E'\u00e9t\u00e9', '"\u00e9"');
SELECT arbiter.append('shop', 'large', -1, 'Large', to_jsonb(repeat('x', 3000000)));
BEGIN; SELECT arbiter.append('shop', 'gone', -1, 'Gone', '{}'); ROLLBACK;
SELECT arbiter.append('shop', 'closed', -1, 'T', '{}'), arbiter.close_stream('shop', 'closed', 'over');
SELECT arbiter.truncate_stream('shop', 'a-2', 3, 'old'), arbiter.redact('shop', 'a-3', 4, 'asked for');
SELECT arbiter.transition('shop', 'parcel', '1', 'send'), arbiter.transition('shop', 'parcel', '2', 'send');
SELECT arbiter.advance('shop', 'mailer', 'a-1', 0), arbiter.advance('shop', 'mailer', 'a-1', 1);
SELECT arbiter.fail_event('shop', 'mailer', 'a-2', 0, 'smtp: 421');
SELECT arbiter.resolve_failure('shop', 'mailer', 'a-2', 0, 'done by hand');
SELECT run_projection FROM arbiter.run_projection('shop', 'seen', 1000);
SELECT count(*) FROM arbiter.next_events('shop', 'worked', 3, '1 hour');
SELECT arbiter.record_reconciliation('shop', 'mailer', 10, 1, 0), arbiter.record_reconciliation('shop', 'worked', 10, 1, 0);
SELECT outcome FROM arbiter.claim('shop', 'mails', E'k\\1');
SELECT outcome FROM arbiter.claim_keys('shop', 'mails', '{k2,k3,k4}', claimant => 'somebody');
SELECT outcome FROM arbiter.claim('shop', 'once', 'k1', 'fingerprint');
SELECT arbiter.settle('shop', 'once', 'k1', (SELECT token FROM shop.claims WHERE ledger = 'once'), 'done', '{"id": 7}');
SELECT arbiter.force_takeover('shop', 'mails', 'k2', 'its worker is gone');
SELECT count(*) FROM arbiter.allocate('shop', 'work', 'ann', 3);
SELECT arbiter.reassign('shop', 'work', '2', 'bob', 'ann is ill');
CALL arbiter.run_sweep('shop', 'send', 4);
CALL arbiter.settle_feed('shop');
SELECT arbiter.save_cursor('shop', 'mailer', 40), arbiter.save_cursor('shop', 'exporter', arbiter.feed_horizon('shop'));
