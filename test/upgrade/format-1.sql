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
-- Data for Name: arbiter_store; Type: TABLE DATA; Schema: shop; Owner: -
--

COPY shop.arbiter_store (singleton, format, unique_event_ids, owns_schema, created_at) FROM stdin;
t	1	t	t	2026-11-30 15:42:13.283001+00
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
15	café \n %	0	8f217d9f-44d9-4767-8b76-f7624ede5489	été	"é"	{}	2026-11-30 13:00:00+00
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
-- Name: events zz_arbiter_append; Type: TRIGGER; Schema: shop; Owner: -
--

CREATE TRIGGER zz_arbiter_append BEFORE INSERT ON shop.events FOR EACH ROW EXECUTE FUNCTION arbiter.guard_append();

--
-- Name: events zz_arbiter_append_only; Type: TRIGGER; Schema: shop; Owner: -
--

CREATE TRIGGER zz_arbiter_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON shop.events FOR EACH STATEMENT EXECUTE FUNCTION arbiter.refuse_rewrite();

--
-- PostgreSQL database dump complete
--

