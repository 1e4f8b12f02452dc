--
-- PostgreSQL database dump
--

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
-- Data for Name: arbiter_store; Type: TABLE DATA; Schema: shop; Owner: -
--

COPY shop.arbiter_store (singleton, format, unique_event_ids, owns_schema, created_at) FROM stdin;
t	2	t	t	2026-11-30 15:42:21.104781+00
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
15	café \n %	0	e03064d6-8381-439b-ae9e-6a8b113a7532	été	"é"	{}	2026-11-30 13:00:00+00
\.

--
-- Data for Name: failed_events; Type: TABLE DATA; Schema: shop; Owner: -
--

COPY shop.failed_events (projection, entity, revision, attempts, error, event, first_failed_at, last_failed_at, next_attempt_at, passed_at) FROM stdin;
\.

--
-- Data for Name: offsets; Type: TABLE DATA; Schema: shop; Owner: -
--

COPY shop.offsets (projection, entity, revision) FROM stdin;
\.

--
-- Data for Name: projections; Type: TABLE DATA; Schema: shop; Owner: -
--

COPY shop.projections (projection, kind, strict, max_attempts, handler, reconciler, reconcile_every, types, category, owner, created_at) FROM stdin;
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
-- Name: offsets offsets_pkey; Type: CONSTRAINT; Schema: shop; Owner: -
--

ALTER TABLE ONLY shop.offsets
    ADD CONSTRAINT offsets_pkey PRIMARY KEY (projection, entity);

--
-- Name: projections projections_pkey; Type: CONSTRAINT; Schema: shop; Owner: -
--

ALTER TABLE ONLY shop.projections
    ADD CONSTRAINT projections_pkey PRIMARY KEY (projection);

--
-- Name: events zz_arbiter_append; Type: TRIGGER; Schema: shop; Owner: -
--

CREATE TRIGGER zz_arbiter_append BEFORE INSERT ON shop.events FOR EACH ROW EXECUTE FUNCTION arbiter.guard_append();

--
-- Name: events zz_arbiter_append_only; Type: TRIGGER; Schema: shop; Owner: -
--

CREATE TRIGGER zz_arbiter_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON shop.events FOR EACH STATEMENT EXECUTE FUNCTION arbiter.refuse_rewrite();

--
-- Name: offsets zz_arbiter_offsets; Type: TRIGGER; Schema: shop; Owner: -
--

CREATE TRIGGER zz_arbiter_offsets BEFORE DELETE OR UPDATE OR TRUNCATE ON shop.offsets FOR EACH STATEMENT EXECUTE FUNCTION arbiter.guard_offsets();

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
-- PostgreSQL database dump complete
--

