CREATE FUNCTION arbiter.create_sweep(
    store text, sweep text, relation text, key text, predicate text, order_by text,
    machine text DEFAULT NULL, command text DEFAULT NULL) RETURNS void
    LANGUAGE C VOLATILE AS 'MODULE_PATHNAME', 'arbiter_create_sweep';
COMMENT ON FUNCTION arbiter.create_sweep(text, text, text, text, text, text, text, text) IS
    'says which rows of a table are due, in which order, and for which command of a machine; identical again is a no-op';

CREATE FUNCTION arbiter.drop_sweep(store text, sweep text) RETURNS void
    LANGUAGE C VOLATILE AS 'MODULE_PATHNAME', 'arbiter_drop_sweep';
COMMENT ON FUNCTION arbiter.drop_sweep(text, text) IS
    'forgets a sweep and which rows it has just tried';

CREATE FUNCTION arbiter.due_rows(store text, sweep text, max_count bigint) RETURNS TABLE (key text)
    LANGUAGE C VOLATILE ROWS 100 AS 'MODULE_PATHNAME', 'arbiter_due_rows';
COMMENT ON FUNCTION arbiter.due_rows(text, text, bigint) IS
    'hint: keys of rows that are due and that nobody else is at, locked to the end of the transaction';

CREATE PROCEDURE arbiter.run_sweep(
    store text, sweep text, max_count bigint,
    INOUT done bigint DEFAULT NULL, INOUT already bigint DEFAULT NULL, INOUT failed bigint DEFAULT NULL)
    LANGUAGE C AS 'MODULE_PATHNAME', 'arbiter_run_sweep';
COMMENT ON PROCEDURE arbiter.run_sweep(text, text, bigint, bigint, bigint, bigint) IS
    'hint: gives the command for each row that is due, one commit a row; every replica may run it, the machine is the arbiter';
