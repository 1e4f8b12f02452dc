-- what an application writes by hand: the store's table and indexes, a sequence, no rules
CREATE SCHEMA raw;

CREATE SEQUENCE raw.position CACHE 1;

CREATE TABLE raw.events (
    position bigint NOT NULL DEFAULT nextval('raw.position'),
    stream text COLLATE "C" NOT NULL,
    revision bigint NOT NULL,
    id uuid NOT NULL DEFAULT gen_random_uuid(),
    type text COLLATE "C" NOT NULL,
    data jsonb NOT NULL,
    metadata jsonb NOT NULL DEFAULT '{}',
    recorded_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (stream, revision),
    UNIQUE (position),
    UNIQUE (stream, id)
);
