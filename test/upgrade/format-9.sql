--
-- PostgreSQL database dump
--


-- Dumped from database version 15.20 (Debian 15.20-0+deb12u1)
-- Dumped by pg_dump version 15.20 (Debian 15.20-0+deb12u1)

SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;

--
-- Name: shop; Type: SCHEMA; Schema: -; Owner: -
--

CREATE SCHEMA shop;


SET default_tablespace = '';

SET default_table_access_method = heap;

--
-- Name: arbiter_store; Type: TABLE; Schema: shop; Owner: -
--

CREATE TABLE shop.arbiter_store (
    singleton boolean DEFAULT true NOT NULL,
    format integer NOT NULL,
    unique_event_ids boolean NOT NULL,
    owns_schema boolean NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT arbiter_store_singleton CHECK (singleton)
);


--
-- Name: TABLE arbiter_store; Type: COMMENT; Schema: shop; Owner: -
--

COMMENT ON TABLE shop.arbiter_store IS 'this schema is an arbiter store: its format and settings';


--
-- Name: claims; Type: TABLE; Schema: shop; Owner: -
--

CREATE TABLE shop.claims (
    ledger text NOT NULL COLLATE pg_catalog."C",
    digest uuid GENERATED ALWAYS AS ((encode("substring"(sha256(decode(replace(key, '\'::text, '\\'::text), 'escape'::text)), 1, 16), 'hex'::text))::uuid) STORED NOT NULL,
    key text NOT NULL COLLATE pg_catalog."C",
    token bigint DEFAULT ((EXTRACT(epoch FROM clock_timestamp()) * (1000000)::numeric))::bigint NOT NULL,
    state text DEFAULT 'claimed'::text NOT NULL COLLATE pg_catalog."C",
    claimed_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    lease_until timestamp with time zone,
    settled_at timestamp with time zone,
    fingerprint text COLLATE pg_catalog."C",
    claimant text COLLATE pg_catalog."C",
    result jsonb,
    CONSTRAINT claims_settled CHECK (((state = 'claimed'::text) = (settled_at IS NULL))),
    CONSTRAINT claims_state CHECK (((state = 'claimed'::text) OR (state = 'done'::text) OR (state = 'failed'::text) OR (state = 'unknown'::text))),
    CONSTRAINT claims_token CHECK ((token > 0))
)
WITH (fillfactor='80');


--
-- Name: TABLE claims; Type: COMMENT; Schema: shop; Owner: -
--

COMMENT ON TABLE shop.claims IS 'who has claimed what, and how it ended: the primary key is the arbiter';


--
-- Name: cursors; Type: TABLE; Schema: shop; Owner: -
--

CREATE TABLE shop.cursors (
    consumer text NOT NULL COLLATE pg_catalog."C",
    "position" bigint NOT NULL,
    saved_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    CONSTRAINT cursors_position CHECK (("position" >= 0))
)
WITH (fillfactor='50');


--
-- Name: TABLE cursors; Type: COMMENT; Schema: shop; Owner: -
--

COMMENT ON TABLE shop.cursors IS 'how far each consumer of the feed has read';


--
-- Name: failed_events; Type: TABLE; Schema: shop; Owner: -
--

CREATE TABLE shop.failed_events (
    projection text NOT NULL COLLATE pg_catalog."C",
    entity text NOT NULL COLLATE pg_catalog."C",
    revision bigint NOT NULL,
    attempts bigint NOT NULL,
    error text NOT NULL,
    event jsonb,
    first_failed_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    last_failed_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    next_attempt_at timestamp with time zone,
    passed_at timestamp with time zone
);


--
-- Name: TABLE failed_events; Type: COMMENT; Schema: shop; Owner: -
--

COMMENT ON TABLE shop.failed_events IS 'events whose effect failed: behind the views failures and debts';


--
-- Name: debts; Type: VIEW; Schema: shop; Owner: -
--

CREATE VIEW shop.debts WITH (security_invoker='true') AS
 SELECT f.projection,
    f.entity,
    f.revision,
    f.attempts,
    f.passed_at,
    f.error,
    f.event,
    f.first_failed_at,
    f.last_failed_at
   FROM shop.failed_events f
  WHERE (f.passed_at IS NOT NULL);


--
-- Name: VIEW debts; Type: COMMENT; Schema: shop; Owner: -
--

COMMENT ON VIEW shop.debts IS 'events that failed and were passed: their effects are owed by the reconciler';


--
-- Name: derivations; Type: TABLE; Schema: shop; Owner: -
--

CREATE TABLE shop.derivations (
    name text NOT NULL COLLATE pg_catalog."C",
    spec text NOT NULL COLLATE pg_catalog."C",
    sealed_vector text NOT NULL COLLATE pg_catalog."C",
    sealed_digest text NOT NULL COLLATE pg_catalog."C",
    vectors text NOT NULL COLLATE pg_catalog."C",
    supersedes text COLLATE pg_catalog."C",
    digest text NOT NULL COLLATE pg_catalog."C",
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    dropped_at timestamp with time zone
);


--
-- Name: TABLE derivations; Type: COMMENT; Schema: shop; Owner: -
--

COMMENT ON TABLE shop.derivations IS 'how ids are derived from natural keys: frozen, one function of the same name for each';


--
-- Name: events; Type: TABLE; Schema: shop; Owner: -
--

CREATE TABLE shop.events (
    "position" bigint NOT NULL,
    stream text NOT NULL COLLATE pg_catalog."C",
    revision bigint NOT NULL,
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    type text NOT NULL COLLATE pg_catalog."C",
    data jsonb NOT NULL,
    metadata jsonb DEFAULT '{}'::jsonb NOT NULL,
    recorded_at timestamp with time zone NOT NULL
);


--
-- Name: TABLE events; Type: COMMENT; Schema: shop; Owner: -
--

COMMENT ON TABLE shop.events IS 'the log: append-only, the primary key is the arbiter of revisions';


--
-- Name: events_position; Type: SEQUENCE; Schema: shop; Owner: -
--

CREATE SEQUENCE shop.events_position
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


--
-- Name: events_position; Type: SEQUENCE OWNED BY; Schema: shop; Owner: -
--

ALTER SEQUENCE shop.events_position OWNED BY shop.events."position";


--
-- Name: offsets; Type: TABLE; Schema: shop; Owner: -
--

CREATE TABLE shop.offsets (
    projection text NOT NULL COLLATE pg_catalog."C",
    entity text NOT NULL COLLATE pg_catalog."C",
    revision bigint NOT NULL,
    CONSTRAINT offsets_revision CHECK ((revision >= 0))
)
WITH (fillfactor='70');


--
-- Name: TABLE offsets; Type: COMMENT; Schema: shop; Owner: -
--

COMMENT ON TABLE shop.offsets IS 'the last revision of an entity that a projection has applied: the arbiter of "already applied"';


--
-- Name: failures; Type: VIEW; Schema: shop; Owner: -
--

CREATE VIEW shop.failures WITH (security_invoker='true') AS
 SELECT f.projection,
    f.entity,
    f.revision,
    f.attempts,
    f.next_attempt_at,
    f.error,
    f.event,
    f.first_failed_at,
    f.last_failed_at
   FROM shop.failed_events f
  WHERE ((f.passed_at IS NULL) AND (NOT (EXISTS ( SELECT
           FROM shop.offsets o
          WHERE ((o.projection = f.projection) AND (o.entity = f.entity) AND (o.revision >= f.revision))))));


--
-- Name: VIEW failures; Type: COMMENT; Schema: shop; Owner: -
--

COMMENT ON VIEW shop.failures IS 'events that failed and have not been applied since: each holds its entity back';


--
-- Name: feed; Type: TABLE; Schema: shop; Owner: -
--

CREATE TABLE shop.feed (
    singleton boolean DEFAULT true NOT NULL,
    settled bigint DEFAULT 0 NOT NULL,
    settled_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    CONSTRAINT feed_settled CHECK ((settled >= 0)),
    CONSTRAINT feed_singleton CHECK (singleton)
)
WITH (fillfactor='10');


--
-- Name: TABLE feed; Type: COMMENT; Schema: shop; Owner: -
--

COMMENT ON TABLE shop.feed IS 'the settled horizon: no event will appear at or below it, on the primary and on every standby';


--
-- Name: ledgers; Type: TABLE; Schema: shop; Owner: -
--

CREATE TABLE shop.ledgers (
    ledger text NOT NULL COLLATE pg_catalog."C",
    takeover text NOT NULL COLLATE pg_catalog."C",
    lease interval,
    durable boolean NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT ledgers_lease CHECK (((takeover = 'after_lease'::text) = (lease IS NOT NULL))),
    CONSTRAINT ledgers_takeover CHECK (((takeover = 'never'::text) OR (takeover = 'after_lease'::text)))
);


--
-- Name: TABLE ledgers; Type: COMMENT; Schema: shop; Owner: -
--

COMMENT ON TABLE shop.ledgers IS 'what is claimed before it is done, and under which policy';


--
-- Name: machines; Type: TABLE; Schema: shop; Owner: -
--

CREATE TABLE shop.machines (
    machine text NOT NULL COLLATE pg_catalog."C",
    category text NOT NULL COLLATE pg_catalog."C",
    initial text NOT NULL COLLATE pg_catalog."C",
    transitions jsonb NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL
);


--
-- Name: TABLE machines; Type: COMMENT; Schema: shop; Owner: -
--

COMMENT ON TABLE shop.machines IS 'which event types belong to a state machine, and what may follow what: asked at every write';


--
-- Name: pools; Type: TABLE; Schema: shop; Owner: -
--

CREATE TABLE shop.pools (
    pool text NOT NULL COLLATE pg_catalog."C",
    relation regclass NOT NULL,
    key_column text NOT NULL COLLATE pg_catalog."C",
    owner_column text NOT NULL COLLATE pg_catalog."C",
    since_column text NOT NULL COLLATE pg_catalog."C",
    token_column text NOT NULL COLLATE pg_catalog."C",
    predicate text COLLATE pg_catalog."C",
    order_by text NOT NULL COLLATE pg_catalog."C",
    created_at timestamp with time zone DEFAULT now() NOT NULL
);


--
-- Name: TABLE pools; Type: COMMENT; Schema: shop; Owner: -
--

COMMENT ON TABLE shop.pools IS 'tables whose rows are work for many, and how it is handed out';


--
-- Name: projection_cursors; Type: TABLE; Schema: shop; Owner: -
--

CREATE TABLE shop.projection_cursors (
    projection text NOT NULL COLLATE pg_catalog."C",
    "position" bigint DEFAULT 0 NOT NULL,
    moved_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    runner bigint,
    CONSTRAINT projection_cursors_position CHECK (("position" >= 0))
)
WITH (fillfactor='10');


--
-- Name: TABLE projection_cursors; Type: COMMENT; Schema: shop; Owner: -
--

COMMENT ON TABLE shop.projection_cursors IS 'up to which position a projection has looked at every event: a hint, offsets decide';


--
-- Name: projections; Type: TABLE; Schema: shop; Owner: -
--

CREATE TABLE shop.projections (
    projection text NOT NULL COLLATE pg_catalog."C",
    kind text NOT NULL COLLATE pg_catalog."C",
    strict boolean NOT NULL,
    max_attempts bigint NOT NULL,
    handler text,
    reconciler text,
    reconcile_every interval,
    types text[],
    category text COLLATE pg_catalog."C",
    owner text DEFAULT CURRENT_USER NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT projections_debts_are_owed CHECK (((kind <> 'async'::text) OR (reconciler IS NOT NULL))),
    CONSTRAINT projections_kind CHECK (((kind = 'inline'::text) OR (kind = 'transactional'::text) OR (kind = 'async'::text) OR (kind = 'external'::text))),
    CONSTRAINT projections_reconciler CHECK (((reconciler IS NULL) = (reconcile_every IS NULL)))
);


--
-- Name: TABLE projections; Type: COMMENT; Schema: shop; Owner: -
--

COMMENT ON TABLE shop.projections IS 'who derives something from events, and how';


--
-- Name: reconciliations; Type: TABLE; Schema: shop; Owner: -
--

CREATE TABLE shop.reconciliations (
    projection text NOT NULL COLLATE pg_catalog."C",
    checked bigint NOT NULL,
    repaired bigint NOT NULL,
    failed bigint NOT NULL,
    detail jsonb,
    reconciled_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    CONSTRAINT reconciliations_counts CHECK (((checked >= 0) AND (repaired >= 0) AND (failed >= 0)))
);


--
-- Name: TABLE reconciliations; Type: COMMENT; Schema: shop; Owner: -
--

COMMENT ON TABLE shop.reconciliations IS 'when what a projection should have done was last compared with what it did, and what came of it';


--
-- Name: projection_status; Type: VIEW; Schema: shop; Owner: -
--

CREATE VIEW shop.projection_status WITH (security_invoker='true') AS
 SELECT p.projection,
    p.kind,
    p.owner,
    c."position",
        CASE
            WHEN (c."position" IS NOT NULL) THEN ( SELECT count(*) AS count
               FROM shop.events e
              WHERE (e."position" > c."position"))
            ELSE NULL::bigint
        END AS lag_events,
        CASE
            WHEN (c."position" IS NOT NULL) THEN COALESCE(( SELECT EXTRACT(epoch FROM (clock_timestamp() - e.recorded_at)) AS "extract"
               FROM shop.events e
              WHERE (e."position" > c."position")
              ORDER BY e."position"
             LIMIT 1), (0)::numeric)
            ELSE NULL::numeric
        END AS lag_seconds,
    c.moved_at,
    f.held_back,
    f.next_attempt_at,
    ( SELECT count(*) AS count
           FROM shop.debts d
          WHERE (d.projection = p.projection)) AS debts,
    r.reconciled_at,
    (COALESCE(r.reconciled_at, p.created_at) + p.reconcile_every) AS reconcile_due_at,
    COALESCE(((COALESCE(r.reconciled_at, p.created_at) + p.reconcile_every) < clock_timestamp()), false) AS reconcile_overdue
   FROM (((shop.projections p
     LEFT JOIN shop.projection_cursors c ON ((c.projection = p.projection)))
     LEFT JOIN shop.reconciliations r ON ((r.projection = p.projection)))
     CROSS JOIN LATERAL ( SELECT count(*) AS held_back,
            min(b.next_attempt_at) AS next_attempt_at
           FROM shop.failures b
          WHERE (b.projection = p.projection)) f);


--
-- Name: VIEW projection_status; Type: COMMENT; Schema: shop; Owner: -
--

COMMENT ON VIEW shop.projection_status IS 'of each projection: how far it lags behind, what it holds back, what it owes';


--
-- Name: reassignments; Type: TABLE; Schema: shop; Owner: -
--

CREATE TABLE shop.reassignments (
    pool text NOT NULL COLLATE pg_catalog."C",
    key text NOT NULL COLLATE pg_catalog."C",
    token bigint NOT NULL,
    owner text NOT NULL,
    former_token bigint,
    former_owner text,
    reason text,
    reassigned_by text DEFAULT SESSION_USER NOT NULL,
    reassigned_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL
);


--
-- Name: TABLE reassignments; Type: COMMENT; Schema: shop; Owner: -
--

COMMENT ON TABLE shop.reassignments IS 'work that was taken from one and given to another, and why';


--
-- Name: resolutions; Type: TABLE; Schema: shop; Owner: -
--

CREATE TABLE shop.resolutions (
    projection text NOT NULL COLLATE pg_catalog."C",
    entity text NOT NULL COLLATE pg_catalog."C",
    revision bigint NOT NULL,
    attempts bigint NOT NULL,
    error text NOT NULL,
    reason text NOT NULL,
    resolved_by text DEFAULT SESSION_USER NOT NULL,
    resolved_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL
);


--
-- Name: TABLE resolutions; Type: COMMENT; Schema: shop; Owner: -
--

COMMENT ON TABLE shop.resolutions IS 'failures and debts that a person has declared settled, and why';


--
-- Name: sweep_rests; Type: TABLE; Schema: shop; Owner: -
--

CREATE TABLE shop.sweep_rests (
    sweep text NOT NULL COLLATE pg_catalog."C",
    key text NOT NULL COLLATE pg_catalog."C",
    attempts bigint NOT NULL,
    error text,
    next_attempt_at timestamp with time zone NOT NULL
)
WITH (fillfactor='80');


--
-- Name: TABLE sweep_rests; Type: COMMENT; Schema: shop; Owner: -
--

COMMENT ON TABLE shop.sweep_rests IS 'rows that a sweep has just tried: a hint, which may be deleted at any time';


--
-- Name: sweeps; Type: TABLE; Schema: shop; Owner: -
--

CREATE TABLE shop.sweeps (
    sweep text NOT NULL COLLATE pg_catalog."C",
    relation text NOT NULL COLLATE pg_catalog."C",
    key text NOT NULL COLLATE pg_catalog."C",
    predicate text NOT NULL COLLATE pg_catalog."C",
    order_by text NOT NULL COLLATE pg_catalog."C",
    machine text COLLATE pg_catalog."C",
    command text COLLATE pg_catalog."C",
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT sweeps_command CHECK (((machine IS NULL) = (command IS NULL)))
);


--
-- Name: TABLE sweeps; Type: COMMENT; Schema: shop; Owner: -
--

COMMENT ON TABLE shop.sweeps IS 'where rows are found that are due, and which command is due';


--
-- Name: takeovers; Type: TABLE; Schema: shop; Owner: -
--

CREATE TABLE shop.takeovers (
    ledger text NOT NULL COLLATE pg_catalog."C",
    key text NOT NULL COLLATE pg_catalog."C",
    token bigint NOT NULL,
    former_token bigint NOT NULL,
    former_state text NOT NULL COLLATE pg_catalog."C",
    former_claimant text COLLATE pg_catalog."C",
    reason text NOT NULL,
    taken_by text DEFAULT SESSION_USER NOT NULL,
    taken_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL
);


--
-- Name: TABLE takeovers; Type: COMMENT; Schema: shop; Owner: -
--

COMMENT ON TABLE shop.takeovers IS 'claims that a person took over by force, and why';


--
-- Name: unsettled_claims; Type: VIEW; Schema: shop; Owner: -
--

CREATE VIEW shop.unsettled_claims WITH (security_invoker='true') AS
 SELECT c.ledger,
    c.key,
    c.state,
    c.token,
    c.claimant,
    COALESCE(c.settled_at, c.claimed_at) AS since,
    c.lease_until,
    COALESCE(((c.state = 'claimed'::text) AND (c.lease_until <= clock_timestamp())), false) AS lapsed
   FROM shop.claims c
  WHERE ((c.state = 'claimed'::text) OR (c.state = 'unknown'::text));


--
-- Name: VIEW unsettled_claims; Type: COMMENT; Schema: shop; Owner: -
--

COMMENT ON VIEW shop.unsettled_claims IS 'claims of which nobody has said that they are done or failed';


--
-- Data for Name: arbiter_store; Type: TABLE DATA; Schema: shop; Owner: -
--

COPY shop.arbiter_store (singleton, format, unique_event_ids, owns_schema, created_at) FROM stdin;
t	9	t	t	2026-11-30 15:51:06.802884+00
\.


--
-- Data for Name: claims; Type: TABLE DATA; Schema: shop; Owner: -
--

COPY shop.claims (ledger, key, token, state, claimed_at, lease_until, settled_at, fingerprint, claimant, result) FROM stdin;
\.


--
-- Data for Name: cursors; Type: TABLE DATA; Schema: shop; Owner: -
--

COPY shop.cursors (consumer, "position", saved_at) FROM stdin;
mailer	5	2026-11-30 20:44:50.687712+00
\.


--
-- Data for Name: derivations; Type: TABLE DATA; Schema: shop; Owner: -
--

COPY shop.derivations (name, spec, sealed_vector, sealed_digest, vectors, supersedes, digest, created_at, dropped_at) FROM stdin;
\.


--
-- Data for Name: events; Type: TABLE DATA; Schema: shop; Owner: -
--

COPY shop.events ("position", stream, revision, id, type, data, metadata, recorded_at) FROM stdin;
1	a-0	0	00000000-0000-4000-8000-000000000000	Type-0	{"n": 0}	{"by": "x"}	2026-11-30 12:00:00+00
2	a-1	0	00000000-0000-4000-8000-000000000001	Type-1	{"n": 1}	{"by": "x"}	2026-11-30 12:00:01+00
3	a-2	0	00000000-0000-4000-8000-000000000002	Type-0	{"n": 2}	{"by": "x"}	2026-11-30 12:00:02+00
4	a-0	1	00000000-0000-4000-8000-000000000003	Type-1	{"n": 3}	{"by": "x"}	2026-11-30 12:00:03+00
5	a-1	1	00000000-0000-4000-8000-000000000004	Type-0	{"n": 4}	{"by": "x"}	2026-11-30 12:00:04+00
6	a-2	1	00000000-0000-4000-8000-000000000005	Type-1	{"n": 5}	{"by": "x"}	2026-11-30 12:00:05+00
7	a-0	2	00000000-0000-4000-8000-000000000006	Type-0	{"n": 6}	{"by": "x"}	2026-11-30 12:00:06+00
8	a-1	2	00000000-0000-4000-8000-000000000007	Type-1	{"n": 7}	{"by": "x"}	2026-11-30 12:00:07+00
9	a-2	2	00000000-0000-4000-8000-000000000008	Type-0	{"n": 8}	{"by": "x"}	2026-11-30 12:00:08+00
10	a-0	3	00000000-0000-4000-8000-000000000009	Type-1	{"n": 9}	{"by": "x"}	2026-11-30 12:00:09+00
11	a-1	3	00000000-0000-4000-8000-000000000010	Type-0	{"n": 10}	{"by": "x"}	2026-11-30 12:00:10+00
12	a-2	3	00000000-0000-4000-8000-000000000011	Type-1	{"n": 11}	{"by": "x"}	2026-11-30 12:00:11+00
15	café \n %	0	ef55ee5b-e2c1-4d81-bb01-534c2d7d2657	été	"é"	{}	2026-11-30 13:00:00+00
\.


--
-- Data for Name: failed_events; Type: TABLE DATA; Schema: shop; Owner: -
--

COPY shop.failed_events (projection, entity, revision, attempts, error, event, first_failed_at, last_failed_at, next_attempt_at, passed_at) FROM stdin;
pusher	a-1	0	1	gone	\N	2026-11-30 20:44:50.687384+00	2026-11-30 20:44:50.687384+00	\N	2026-11-30 20:44:50.687384+00
mailer	a-1	1	1	applied; the rest of its stream is due	\N	2026-11-30 20:44:50.686812+00	2026-11-30 20:44:50.686812+00	2026-11-30 21:58:21.148174+00	\N
\.


--
-- Data for Name: feed; Type: TABLE DATA; Schema: shop; Owner: -
--

COPY shop.feed (singleton, settled, settled_at) FROM stdin;
t	17	2026-11-30 20:44:50.688029+00
\.


--
-- Data for Name: ledgers; Type: TABLE DATA; Schema: shop; Owner: -
--

COPY shop.ledgers (ledger, takeover, lease, durable, created_at) FROM stdin;
\.


--
-- Data for Name: machines; Type: TABLE DATA; Schema: shop; Owner: -
--

COPY shop.machines (machine, category, initial, transitions, created_at) FROM stdin;
\.


--
-- Data for Name: offsets; Type: TABLE DATA; Schema: shop; Owner: -
--

COPY shop.offsets (projection, entity, revision) FROM stdin;
pusher	a-1	0
model	a-0	0
model	a-1	0
model	a-2	0
seen2	a-0	1
seen2	a-1	1
seen2	a-2	0
mailer	a-1	1
\.


--
-- Data for Name: pools; Type: TABLE DATA; Schema: shop; Owner: -
--

COPY shop.pools (pool, relation, key_column, owner_column, since_column, token_column, predicate, order_by, created_at) FROM stdin;
\.


--
-- Data for Name: projection_cursors; Type: TABLE DATA; Schema: shop; Owner: -
--

COPY shop.projection_cursors (projection, "position", moved_at, runner) FROM stdin;
model	3	2026-11-30 21:32:07.453687+00	\N
seen2	5	2026-11-30 21:43:41.119582+00	\N
\.


--
-- Data for Name: projections; Type: TABLE DATA; Schema: shop; Owner: -
--

COPY shop.projections (projection, kind, strict, max_attempts, handler, reconciler, reconcile_every, types, category, owner, created_at) FROM stdin;
mailer	external	t	10	\N	\N	\N	\N	\N	postgres	2026-11-30 20:44:50.684534+00
pusher	external	f	10	\N	external	1 day	{Type-1}	\N	postgres	2026-11-30 20:44:50.685322+00
model	transactional	t	10	app.nothing(pg_catalog.jsonb)	\N	\N	\N	\N	postgres	2026-11-30 21:32:07.450798+00
seen2	transactional	t	10	public.see(pg_catalog.jsonb)	\N	\N	\N	\N	postgres	2026-11-30 21:43:41.117801+00
\.


--
-- Data for Name: reassignments; Type: TABLE DATA; Schema: shop; Owner: -
--

COPY shop.reassignments (pool, key, token, owner, former_token, former_owner, reason, reassigned_by, reassigned_at) FROM stdin;
\.


--
-- Data for Name: reconciliations; Type: TABLE DATA; Schema: shop; Owner: -
--

COPY shop.reconciliations (projection, checked, repaired, failed, detail, reconciled_at) FROM stdin;
\.


--
-- Data for Name: resolutions; Type: TABLE DATA; Schema: shop; Owner: -
--

COPY shop.resolutions (projection, entity, revision, attempts, error, reason, resolved_by, resolved_at) FROM stdin;
mailer	a-1	1	1	smtp: 421	not needed	postgres	2026-11-30 21:58:21.147848+00
\.


--
-- Data for Name: sweep_rests; Type: TABLE DATA; Schema: shop; Owner: -
--

COPY shop.sweep_rests (sweep, key, attempts, error, next_attempt_at) FROM stdin;
\.


--
-- Data for Name: sweeps; Type: TABLE DATA; Schema: shop; Owner: -
--

COPY shop.sweeps (sweep, relation, key, predicate, order_by, machine, command, created_at) FROM stdin;
\.


--
-- Data for Name: takeovers; Type: TABLE DATA; Schema: shop; Owner: -
--

COPY shop.takeovers (ledger, key, token, former_token, former_state, former_claimant, reason, taken_by, taken_at) FROM stdin;
\.


--
-- Name: events_position; Type: SEQUENCE SET; Schema: shop; Owner: -
--

SELECT pg_catalog.setval('shop.events_position', 17, true);


--
-- Name: arbiter_store arbiter_store_pkey; Type: CONSTRAINT; Schema: shop; Owner: -
--

ALTER TABLE ONLY shop.arbiter_store
    ADD CONSTRAINT arbiter_store_pkey PRIMARY KEY (singleton);


--
-- Name: claims claims_pkey; Type: CONSTRAINT; Schema: shop; Owner: -
--

ALTER TABLE ONLY shop.claims
    ADD CONSTRAINT claims_pkey PRIMARY KEY (ledger, digest);


--
-- Name: cursors cursors_pkey; Type: CONSTRAINT; Schema: shop; Owner: -
--

ALTER TABLE ONLY shop.cursors
    ADD CONSTRAINT cursors_pkey PRIMARY KEY (consumer);


--
-- Name: derivations derivations_pkey; Type: CONSTRAINT; Schema: shop; Owner: -
--

ALTER TABLE ONLY shop.derivations
    ADD CONSTRAINT derivations_pkey PRIMARY KEY (name);


--
-- Name: derivations derivations_supersedes_key; Type: CONSTRAINT; Schema: shop; Owner: -
--

ALTER TABLE ONLY shop.derivations
    ADD CONSTRAINT derivations_supersedes_key UNIQUE (supersedes);


--
-- Name: events events_pkey; Type: CONSTRAINT; Schema: shop; Owner: -
--

ALTER TABLE ONLY shop.events
    ADD CONSTRAINT events_pkey PRIMARY KEY (stream, revision);


--
-- Name: events events_position_key; Type: CONSTRAINT; Schema: shop; Owner: -
--

ALTER TABLE ONLY shop.events
    ADD CONSTRAINT events_position_key UNIQUE ("position");


--
-- Name: events events_stream_id_key; Type: CONSTRAINT; Schema: shop; Owner: -
--

ALTER TABLE ONLY shop.events
    ADD CONSTRAINT events_stream_id_key UNIQUE (stream, id);


--
-- Name: failed_events failed_events_pkey; Type: CONSTRAINT; Schema: shop; Owner: -
--

ALTER TABLE ONLY shop.failed_events
    ADD CONSTRAINT failed_events_pkey PRIMARY KEY (projection, entity, revision);


--
-- Name: feed feed_pkey; Type: CONSTRAINT; Schema: shop; Owner: -
--

ALTER TABLE ONLY shop.feed
    ADD CONSTRAINT feed_pkey PRIMARY KEY (singleton);


--
-- Name: ledgers ledgers_pkey; Type: CONSTRAINT; Schema: shop; Owner: -
--

ALTER TABLE ONLY shop.ledgers
    ADD CONSTRAINT ledgers_pkey PRIMARY KEY (ledger);


--
-- Name: machines machines_pkey; Type: CONSTRAINT; Schema: shop; Owner: -
--

ALTER TABLE ONLY shop.machines
    ADD CONSTRAINT machines_pkey PRIMARY KEY (machine);


--
-- Name: offsets offsets_pkey; Type: CONSTRAINT; Schema: shop; Owner: -
--

ALTER TABLE ONLY shop.offsets
    ADD CONSTRAINT offsets_pkey PRIMARY KEY (projection, entity);


--
-- Name: pools pools_pkey; Type: CONSTRAINT; Schema: shop; Owner: -
--

ALTER TABLE ONLY shop.pools
    ADD CONSTRAINT pools_pkey PRIMARY KEY (pool);


--
-- Name: projection_cursors projection_cursors_pkey; Type: CONSTRAINT; Schema: shop; Owner: -
--

ALTER TABLE ONLY shop.projection_cursors
    ADD CONSTRAINT projection_cursors_pkey PRIMARY KEY (projection);


--
-- Name: projections projections_pkey; Type: CONSTRAINT; Schema: shop; Owner: -
--

ALTER TABLE ONLY shop.projections
    ADD CONSTRAINT projections_pkey PRIMARY KEY (projection);


--
-- Name: reconciliations reconciliations_pkey; Type: CONSTRAINT; Schema: shop; Owner: -
--

ALTER TABLE ONLY shop.reconciliations
    ADD CONSTRAINT reconciliations_pkey PRIMARY KEY (projection);


--
-- Name: sweep_rests sweep_rests_pkey; Type: CONSTRAINT; Schema: shop; Owner: -
--

ALTER TABLE ONLY shop.sweep_rests
    ADD CONSTRAINT sweep_rests_pkey PRIMARY KEY (sweep, key);


--
-- Name: sweeps sweeps_pkey; Type: CONSTRAINT; Schema: shop; Owner: -
--

ALTER TABLE ONLY shop.sweeps
    ADD CONSTRAINT sweeps_pkey PRIMARY KEY (sweep);


--
-- Name: failed_events_open; Type: INDEX; Schema: shop; Owner: -
--

CREATE INDEX failed_events_open ON shop.failed_events USING btree (projection, next_attempt_at) WHERE (passed_at IS NULL);


--
-- Name: events zz_arbiter_append; Type: TRIGGER; Schema: shop; Owner: -
--

CREATE TRIGGER zz_arbiter_append BEFORE INSERT ON shop.events FOR EACH ROW EXECUTE FUNCTION arbiter.guard_append();


--
-- Name: events zz_arbiter_append_only; Type: TRIGGER; Schema: shop; Owner: -
--

CREATE TRIGGER zz_arbiter_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON shop.events FOR EACH STATEMENT EXECUTE FUNCTION arbiter.refuse_rewrite();


--
-- Name: claims zz_arbiter_claims; Type: TRIGGER; Schema: shop; Owner: -
--

CREATE TRIGGER zz_arbiter_claims BEFORE DELETE OR UPDATE ON shop.claims FOR EACH ROW EXECUTE FUNCTION arbiter.guard_claims();


--
-- Name: claims zz_arbiter_claims_stay; Type: TRIGGER; Schema: shop; Owner: -
--

CREATE TRIGGER zz_arbiter_claims_stay BEFORE TRUNCATE ON shop.claims FOR EACH STATEMENT EXECUTE FUNCTION arbiter.guard_claims();


--
-- Name: cursors zz_arbiter_cursors; Type: TRIGGER; Schema: shop; Owner: -
--

CREATE TRIGGER zz_arbiter_cursors BEFORE UPDATE ON shop.cursors FOR EACH ROW EXECUTE FUNCTION arbiter.guard_cursors();


--
-- Name: derivations zz_arbiter_derivations; Type: TRIGGER; Schema: shop; Owner: -
--

CREATE TRIGGER zz_arbiter_derivations BEFORE DELETE OR UPDATE OR TRUNCATE ON shop.derivations FOR EACH STATEMENT EXECUTE FUNCTION arbiter.guard_derivations();


--
-- Name: feed zz_arbiter_feed; Type: TRIGGER; Schema: shop; Owner: -
--

CREATE TRIGGER zz_arbiter_feed BEFORE INSERT OR UPDATE ON shop.feed FOR EACH ROW EXECUTE FUNCTION arbiter.guard_feed();


--
-- Name: feed zz_arbiter_feed_stays; Type: TRIGGER; Schema: shop; Owner: -
--

CREATE TRIGGER zz_arbiter_feed_stays BEFORE DELETE OR TRUNCATE ON shop.feed FOR EACH STATEMENT EXECUTE FUNCTION arbiter.guard_feed();


--
-- Name: machines zz_arbiter_machines; Type: TRIGGER; Schema: shop; Owner: -
--

CREATE TRIGGER zz_arbiter_machines BEFORE INSERT OR DELETE OR UPDATE OR TRUNCATE ON shop.machines FOR EACH STATEMENT EXECUTE FUNCTION arbiter.guard_machines();


--
-- Name: offsets zz_arbiter_offsets; Type: TRIGGER; Schema: shop; Owner: -
--

CREATE TRIGGER zz_arbiter_offsets BEFORE DELETE OR UPDATE OR TRUNCATE ON shop.offsets FOR EACH STATEMENT EXECUTE FUNCTION arbiter.guard_offsets();


--
-- Name: projection_cursors zz_arbiter_projection_cursors; Type: TRIGGER; Schema: shop; Owner: -
--

CREATE TRIGGER zz_arbiter_projection_cursors BEFORE DELETE OR UPDATE OR TRUNCATE ON shop.projection_cursors FOR EACH STATEMENT EXECUTE FUNCTION arbiter.guard_offsets();


--
-- Name: projections zz_arbiter_projections; Type: TRIGGER; Schema: shop; Owner: -
--

CREATE TRIGGER zz_arbiter_projections BEFORE INSERT OR UPDATE ON shop.projections FOR EACH ROW EXECUTE FUNCTION arbiter.guard_projections();


--
-- Name: claims claims_ledger_fkey; Type: FK CONSTRAINT; Schema: shop; Owner: -
--

ALTER TABLE ONLY shop.claims
    ADD CONSTRAINT claims_ledger_fkey FOREIGN KEY (ledger) REFERENCES shop.ledgers(ledger);


--
-- Name: derivations derivations_supersedes_fkey; Type: FK CONSTRAINT; Schema: shop; Owner: -
--

ALTER TABLE ONLY shop.derivations
    ADD CONSTRAINT derivations_supersedes_fkey FOREIGN KEY (supersedes) REFERENCES shop.derivations(name);


--
-- Name: failed_events failed_events_projection_fkey; Type: FK CONSTRAINT; Schema: shop; Owner: -
--

ALTER TABLE ONLY shop.failed_events
    ADD CONSTRAINT failed_events_projection_fkey FOREIGN KEY (projection) REFERENCES shop.projections(projection);


--
-- Name: offsets offsets_projection_fkey; Type: FK CONSTRAINT; Schema: shop; Owner: -
--

ALTER TABLE ONLY shop.offsets
    ADD CONSTRAINT offsets_projection_fkey FOREIGN KEY (projection) REFERENCES shop.projections(projection);


--
-- Name: projection_cursors projection_cursors_projection_fkey; Type: FK CONSTRAINT; Schema: shop; Owner: -
--

ALTER TABLE ONLY shop.projection_cursors
    ADD CONSTRAINT projection_cursors_projection_fkey FOREIGN KEY (projection) REFERENCES shop.projections(projection);


--
-- Name: reassignments reassignments_pool_fkey; Type: FK CONSTRAINT; Schema: shop; Owner: -
--

ALTER TABLE ONLY shop.reassignments
    ADD CONSTRAINT reassignments_pool_fkey FOREIGN KEY (pool) REFERENCES shop.pools(pool);


--
-- Name: reconciliations reconciliations_projection_fkey; Type: FK CONSTRAINT; Schema: shop; Owner: -
--

ALTER TABLE ONLY shop.reconciliations
    ADD CONSTRAINT reconciliations_projection_fkey FOREIGN KEY (projection) REFERENCES shop.projections(projection);


--
-- Name: resolutions resolutions_projection_fkey; Type: FK CONSTRAINT; Schema: shop; Owner: -
--

ALTER TABLE ONLY shop.resolutions
    ADD CONSTRAINT resolutions_projection_fkey FOREIGN KEY (projection) REFERENCES shop.projections(projection);


--
-- Name: sweep_rests sweep_rests_sweep_fkey; Type: FK CONSTRAINT; Schema: shop; Owner: -
--

ALTER TABLE ONLY shop.sweep_rests
    ADD CONSTRAINT sweep_rests_sweep_fkey FOREIGN KEY (sweep) REFERENCES shop.sweeps(sweep);


--
-- Name: sweeps sweeps_machine_fkey; Type: FK CONSTRAINT; Schema: shop; Owner: -
--

ALTER TABLE ONLY shop.sweeps
    ADD CONSTRAINT sweeps_machine_fkey FOREIGN KEY (machine) REFERENCES shop.machines(machine);


--
-- Name: takeovers takeovers_ledger_fkey; Type: FK CONSTRAINT; Schema: shop; Owner: -
--

ALTER TABLE ONLY shop.takeovers
    ADD CONSTRAINT takeovers_ledger_fkey FOREIGN KEY (ledger) REFERENCES shop.ledgers(ledger);


--
-- PostgreSQL database dump complete
--


