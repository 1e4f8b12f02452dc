-- fold: the state of an entity by a function of the caller's.
-- Every error is followed by its SQLSTATE.
\set SHOW_CONTEXT never
SELECT arbiter.create_store('shop');
CREATE SCHEMA bank;
CREATE FUNCTION bank.evolve(state pg_catalog.jsonb, event arbiter.recorded_event) RETURNS pg_catalog.jsonb
LANGUAGE sql AS $$
    SELECT CASE event.type
               WHEN 'Deposited' THEN pg_catalog.jsonb_set(state, '{balance}', pg_catalog.to_jsonb(
                   (state OPERATOR(pg_catalog.->>) 'balance')::pg_catalog.int8
                   OPERATOR(pg_catalog.+) (event.data OPERATOR(pg_catalog.->>) 'amount')::pg_catalog.int8))
               ELSE state
           END
$$;
SELECT arbiter.append_events('shop', 'account-1', -1,
    '[{"type": "Opened", "data": {}}, {"type": "Deposited", "data": {"amount": 5}}, {"type": "Deposited", "data": {"amount": 7}}]');
SELECT arbiter.fold('shop', 'account-1', 'bank.evolve', '{"balance": 0}');
SELECT arbiter.fold(store => 'shop', stream => 'account-1', evolve => 'bank.evolve', initial => '{"balance": 100}');
-- Without events the state is the initial one.
SELECT arbiter.fold('shop', 'account-2', 'bank.evolve', '{"balance": 3}');
SELECT arbiter.fold('shop', 'account-2', 'bank.evolve');

-- Every column of the event is there, in order, whatever language the function is in.
CREATE FUNCTION bank.columns(state pg_catalog.jsonb, event arbiter.recorded_event) RETURNS pg_catalog.jsonb
LANGUAGE plpgsql AS $$
BEGIN
    RETURN state OPERATOR(pg_catalog.||) pg_catalog.jsonb_build_array(pg_catalog.concat_ws(' ', event.stream, event.revision,
        event.type, event.data, event.metadata, event.position OPERATOR(pg_catalog.>) 0, event.id IS NOT NULL, event.recorded_at IS NOT NULL));
END
$$;
SELECT e.line FROM pg_catalog.jsonb_array_elements(arbiter.fold('shop', 'account-1', 'bank.columns', '[]')) AS e(line);
-- A payload that the table keeps elsewhere, a state that grows.
SELECT arbiter.append('shop', 'large', n, 'Said', pg_catalog.to_jsonb(pg_catalog.repeat('x', 100000) || n)) FROM pg_catalog.generate_series(-1, 3) AS n;
CREATE FUNCTION bank.collect(state pg_catalog.jsonb, event arbiter.recorded_event) RETURNS pg_catalog.jsonb
LANGUAGE sql AS 'SELECT state OPERATOR(pg_catalog.||) event.data';
SELECT pg_catalog.jsonb_array_length(s.state), pg_catalog.length(s.state::pg_catalog.text)
  FROM arbiter.fold('shop', 'large', 'bank.collect', '[]') AS s(state);
-- One fold inside another, and the function replaced between two.
CREATE FUNCTION bank.nested(state pg_catalog.jsonb, event arbiter.recorded_event) RETURNS pg_catalog.jsonb
LANGUAGE sql AS $$
    SELECT CASE WHEN event.stream OPERATOR(pg_catalog.=) 'account-1' AND event.revision OPERATOR(pg_catalog.>) 0
                THEN arbiter.fold('shop', 'account-3', 'bank.nested', state) ELSE state OPERATOR(pg_catalog.||) event.data END
$$;
SELECT arbiter.append('shop', 'account-3', n, 'Noted', pg_catalog.to_jsonb(n)) FROM pg_catalog.generate_series(-1, 0) AS n;
SELECT arbiter.fold('shop', 'account-1', 'bank.nested', '[]');
CREATE OR REPLACE FUNCTION bank.collect(state pg_catalog.jsonb, event arbiter.recorded_event) RETURNS pg_catalog.jsonb
LANGUAGE sql AS 'SELECT pg_catalog.to_jsonb(event.revision)';
SELECT arbiter.fold('shop', 'large', 'bank.collect', '[]');
-- It is gone while it folds, but the fold that began with it ends with it.
CREATE OR REPLACE FUNCTION bank.collect(state pg_catalog.jsonb, event arbiter.recorded_event) RETURNS pg_catalog.jsonb
LANGUAGE plpgsql AS $$
BEGIN
    IF event.revision OPERATOR(pg_catalog.=) 1 THEN
        EXECUTE 'CREATE OR REPLACE FUNCTION bank.nested(state pg_catalog.jsonb, event arbiter.recorded_event) RETURNS pg_catalog.jsonb
                 LANGUAGE sql AS ''SELECT ''''"new"''''::pg_catalog.jsonb''';
        RETURN arbiter.fold('shop', 'account-1', 'bank.nested', state);
    END IF;
    RETURN state OPERATOR(pg_catalog.||) pg_catalog.to_jsonb(event.revision);
END
$$;
SELECT arbiter.fold('shop', 'large', 'bank.collect', '[]');

-- The name is a name: qualified, quoted, or found through the search_path like any other; never pasted.
CREATE SCHEMA "b.ank";
CREATE FUNCTION "b.ank"."Evolve"(state pg_catalog.jsonb, event arbiter.recorded_event) RETURNS pg_catalog.jsonb
LANGUAGE sql AS 'SELECT pg_catalog.to_jsonb(event.revision)';
SELECT arbiter.fold('shop', 'account-1', '"b.ank"."Evolve"');
SELECT arbiter.fold('shop', 'account-1', 'BANK.Columns', '[]') IS NOT NULL;
BEGIN;
SET LOCAL search_path = bank, pg_catalog;
SELECT arbiter.fold('shop', 'account-1', 'evolve', '{"balance": 0}');
COMMIT;
SELECT arbiter.fold('shop', 'account-1', 'evolve');
\echo :SQLSTATE
SELECT arbiter.fold('shop', 'account-1', 'bank.missing');
\echo :SQLSTATE
SELECT arbiter.fold('shop', 'account-1', 'bank.evolve(jsonb, arbiter.recorded_event)');
\echo :SQLSTATE
SELECT arbiter.fold('shop', 'account-1', 'bank.evolve; DROP SCHEMA bank');
\echo :SQLSTATE
SELECT arbiter.fold('shop', 'account-1', '');
\echo :SQLSTATE
SELECT arbiter.fold('shop', 'account-1', 'nowhere.evolve');
\echo :SQLSTATE
-- Other arguments, another result, a set, a procedure, an aggregate.
CREATE FUNCTION bank.other(state pg_catalog.jsonb, event pg_catalog.jsonb) RETURNS pg_catalog.jsonb LANGUAGE sql AS 'SELECT state';
SELECT arbiter.fold('shop', 'account-1', 'bank.other');
\echo :SQLSTATE
CREATE FUNCTION bank.result(state pg_catalog.jsonb, event arbiter.recorded_event) RETURNS pg_catalog.text LANGUAGE sql AS 'SELECT ''x''';
SELECT arbiter.fold('shop', 'account-1', 'bank.result');
\echo :SQLSTATE
CREATE FUNCTION bank.set(state pg_catalog.jsonb, event arbiter.recorded_event) RETURNS SETOF pg_catalog.jsonb LANGUAGE sql AS 'SELECT state';
SELECT arbiter.fold('shop', 'account-1', 'bank.set');
\echo :SQLSTATE
CREATE PROCEDURE bank.procedure(state pg_catalog.jsonb, event arbiter.recorded_event) LANGUAGE sql AS '';
SELECT arbiter.fold('shop', 'account-1', 'bank.procedure');
\echo :SQLSTATE
-- Null is no state, and an error of the function is its own.
CREATE FUNCTION bank.forgets(state pg_catalog.jsonb, event arbiter.recorded_event) RETURNS pg_catalog.jsonb
LANGUAGE sql AS 'SELECT CASE event.type WHEN ''Opened'' THEN state END';
SELECT arbiter.fold('shop', 'account-1', 'bank.forgets');
\echo :SQLSTATE
CREATE FUNCTION bank.fails(state pg_catalog.jsonb, event arbiter.recorded_event) RETURNS pg_catalog.jsonb
LANGUAGE plpgsql AS 'BEGIN RAISE SQLSTATE ''BK001'' USING MESSAGE = ''no such account''; END';
SELECT arbiter.fold('shop', 'account-1', 'bank.fails');
\echo :SQLSTATE
SELECT arbiter.fold(NULL, 'account-1', 'bank.evolve');
\echo :SQLSTATE
SELECT arbiter.fold('shop', NULL, 'bank.evolve');
\echo :SQLSTATE
SELECT arbiter.fold('shop', 'account-1', NULL);
\echo :SQLSTATE
SELECT arbiter.fold('shop', 'account-1', 'bank.evolve', NULL);
\echo :SQLSTATE
SELECT arbiter.fold('shop', '', 'bank.evolve');
\echo :SQLSTATE

-- An error names the event at which it came up.
SELECT arbiter.append('shop', 'account-4', -1, 'Deposited', '{"amount": 1}');
SELECT arbiter.append('shop', 'account-4', 0, 'Deposited', '{"amount": "much"}');
\set SHOW_CONTEXT errors
SELECT arbiter.fold('shop', 'account-4', 'bank.evolve', '{"balance": 0}');
\set SHOW_CONTEXT never

-- Who may read the events and call the function, may fold.
CREATE ROLE regress_folder;
GRANT USAGE ON SCHEMA arbiter, shop, bank TO regress_folder;
GRANT SELECT ON shop.events TO regress_folder;
SET ROLE regress_folder;
SELECT arbiter.fold('shop', 'account-1', 'bank.evolve', '{"balance": 0}');
RESET ROLE;
REVOKE EXECUTE ON FUNCTION bank.evolve FROM PUBLIC;
SET ROLE regress_folder;
SELECT arbiter.fold('shop', 'account-1', 'bank.evolve', '{"balance": 0}');
\echo :SQLSTATE
RESET ROLE;
REVOKE SELECT ON shop.events FROM regress_folder;
GRANT EXECUTE ON FUNCTION bank.evolve TO regress_folder;
SET ROLE regress_folder;
SELECT arbiter.fold('shop', 'account-1', 'bank.evolve', '{"balance": 0}');
\echo :SQLSTATE
RESET ROLE;
-- It reads: in a read-only transaction too, with the transaction's snapshot.
BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY;
SELECT arbiter.fold('shop', 'account-1', 'bank.evolve', '{"balance": 0}');
COMMIT;

SET client_min_messages = warning;
DROP SCHEMA bank, "b.ank" CASCADE;
SELECT arbiter.drop_store('shop', force => true);
REVOKE USAGE ON SCHEMA arbiter FROM regress_folder;
DROP ROLE regress_folder;
