CREATE FUNCTION arbiter.create_guard(
    name text, relation text, columns text[], predicate text, message text, hint text DEFAULT NULL) RETURNS void
    LANGUAGE C VOLATILE AS 'MODULE_PATHNAME', 'arbiter_create_guard';
COMMENT ON FUNCTION arbiter.create_guard(text, text, text[], text, text, text) IS
    'arbiter: at most one row per columns among those of the predicate; a second is refused with your message, 23505';

CREATE FUNCTION arbiter.drop_guard(name text, relation text) RETURNS void
    LANGUAGE C VOLATILE AS 'MODULE_PATHNAME', 'arbiter_drop_guard';
COMMENT ON FUNCTION arbiter.drop_guard(text, text) IS
    'drops a guard with its index: from then on nothing keeps a second row out';

CREATE FUNCTION arbiter.guard_wording(comment text, OUT message text, OUT hint text)
    LANGUAGE C IMMUTABLE PARALLEL SAFE AS 'MODULE_PATHNAME', 'arbiter_guard_wording';
COMMENT ON FUNCTION arbiter.guard_wording(text) IS
    'internal: what a guard says, from the comment of its index; nulls if that is no guard''s';

CREATE VIEW arbiter.guards AS
    SELECT c.relname::text AS name,
           n.nspname::text AS schema,
           t.relname::text AS relation,
           ARRAY(SELECT a.attname::text
                   FROM pg_catalog.unnest(i.indkey::smallint[]) WITH ORDINALITY AS k (attnum, place)
                   JOIN pg_catalog.pg_attribute AS a ON a.attrelid = i.indrelid AND a.attnum = k.attnum
                  WHERE k.place <= i.indnkeyatts
                  ORDER BY k.place) AS columns,
           pg_catalog.pg_get_expr(i.indpred, i.indrelid) AS predicate,
           w.message,
           w.hint,
           i.indisvalid AND i.indimmediate AS valid
      FROM pg_catalog.pg_description AS d
      JOIN pg_catalog.pg_class AS c ON c.oid = d.objoid AND d.objsubid = 0
      JOIN pg_catalog.pg_index AS i ON i.indexrelid = c.oid AND i.indisunique
      JOIN pg_catalog.pg_class AS t ON t.oid = i.indrelid
      JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
     CROSS JOIN LATERAL arbiter.guard_wording(d.description) AS w
     WHERE d.classoid = 'pg_catalog.pg_class'::pg_catalog.regclass AND w.message IS NOT NULL;
COMMENT ON VIEW arbiter.guards IS
    'the guards of this database: what each keeps apart, and what it says';
COMMENT ON COLUMN arbiter.guards.name IS 'its name, and that of its index';
COMMENT ON COLUMN arbiter.guards.schema IS 'schema of the table';
COMMENT ON COLUMN arbiter.guards.relation IS 'the table';
COMMENT ON COLUMN arbiter.guards.columns IS 'of which at most one open row may have the same values';
COMMENT ON COLUMN arbiter.guards.predicate IS 'which rows are open; null for all';
COMMENT ON COLUMN arbiter.guards.message IS 'what the violation says';
COMMENT ON COLUMN arbiter.guards.hint IS 'what it advises';
COMMENT ON COLUMN arbiter.guards.valid IS 'its index is complete and decides at once';
GRANT SELECT ON arbiter.guards TO PUBLIC;
