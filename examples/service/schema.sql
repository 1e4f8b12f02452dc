-- A theatre sells seats: the same small service in five languages, all at work on one store at the same time.
-- Every decision is taken here, at the write; the programs only ask, and take no for an answer.
\set ON_ERROR_STOP on
CREATE EXTENSION IF NOT EXISTS arbiter;
SELECT arbiter.create_store('theatre');

-- A show is known by its venue and its day, however they are typed.
SELECT arbiter.create_derivation('theatre', 'show_id', '1f3b7a52-9c1e-4f7d-8a54-2b9d6f1e0c42',
    '[{"name": "venue", "type": "text", "each": ["trim_js25", "lower_ascii"]}, {"name": "day", "type": "text"}]',
    '[{"args": {"venue": "Grand Hall", "day": "2027-01-31"}, "uuid": "7e564793-ed45-57a0-89a1-071255393f39", "origin": "Python 3.11, uuid.uuid5"}]');

-- Who sits where, built from the feed; offset, cursor and row commit together.
SELECT arbiter.create_projection('theatre', 'seats', 'external');
CREATE TABLE theatre.seats (stream text, seat integer, guest text NOT NULL, PRIMARY KEY (stream, seat));

-- One mail for each seat, at most: a claim is won before it is sent, and never taken over.
SELECT arbiter.create_ledger('theatre', 'mails');

-- The world outside, where nothing can be rolled back. No constraint: a second mail would be seen.
CREATE TABLE theatre.outside (mail text, sender text);

-- The decision, for those who leave it to arbiter.handle. The programs have it in their own language.
CREATE FUNCTION theatre.evolve(state jsonb, event arbiter.recorded_event) RETURNS jsonb LANGUAGE sql AS $$
    SELECT CASE event.type
               WHEN 'ShowAnnounced' THEN jsonb_build_object('seats', event.data -> 'seats', 'sold', 0)
               WHEN 'SeatSold' THEN jsonb_set(state, '{sold}', event.data -> 'seat')
               ELSE state
           END
$$;
CREATE FUNCTION theatre.sell(state jsonb, command jsonb) RETURNS jsonb LANGUAGE sql AS $$
    SELECT CASE
               WHEN state -> 'sold' = state -> 'seats' THEN '[]'
               ELSE jsonb_build_array(jsonb_build_object('type', 'SeatSold', 'data',
                        command || jsonb_build_object('seat', (state ->> 'sold')::integer + 1)))
           END
$$;
