-- refuses to measure when raw.events is no longer the twin of the store's table
CREATE FUNCTION raw.shape(events regclass) RETURNS SETOF text LANGUAGE sql AS $$
    SELECT concat_ws(' ', attnum, attname, atttypid::regtype, attcollation::regcollation, attnotnull)
    FROM pg_attribute WHERE attrelid = events AND attnum > 0
    UNION ALL
    SELECT concat_ws(' ', 'index', indkey, indisunique, indisprimary, indcollation, indclass, indpred)
    FROM pg_index WHERE indrelid = events
    UNION ALL
    SELECT concat_ws(' ', 'constraint', pg_get_constraintdef(oid))
    FROM pg_constraint WHERE conrelid = events
$$;

DO $$
DECLARE
    difference text;
BEGIN
    SELECT string_agg(line, '; ') INTO difference FROM (
        (SELECT raw.shape('raw.events') EXCEPT SELECT raw.shape('shop.events'))
        UNION ALL
        (SELECT raw.shape('shop.events') EXCEPT SELECT raw.shape('raw.events'))) AS d (line);
    IF difference IS NOT NULL THEN
        RAISE EXCEPTION 'setup/raw.sql is not the twin of the store''s events: %', difference;
    END IF;
END
$$;
