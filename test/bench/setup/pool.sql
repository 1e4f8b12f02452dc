-- A million rows of work in tables of the same shape, with the one index that a pool wants.
CREATE FUNCTION make_work(name text, taken int DEFAULT 0) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE format('CREATE TABLE %I (id bigint NOT NULL, priority int NOT NULL, payload text, owner text, since timestamptz,
                                     token bigint NOT NULL DEFAULT 0) WITH (autovacuum_enabled = off)', name);
    EXECUTE format('INSERT INTO %I SELECT i, i / 1000, %L FROM generate_series(1, 1000000) AS i', name, repeat('x', 100));
    EXECUTE format('ALTER TABLE %I ADD PRIMARY KEY (id)', name);
    EXECUTE format('CREATE INDEX ON %I (priority, id) WHERE owner IS NULL', name);
    EXECUTE format('ANALYZE %I', name);
    EXECUTE format('UPDATE %I SET owner = ''before'', token = 1 WHERE id <= $1', name) USING taken;
END
$$;
