CREATE FUNCTION arbiter.handle(
    store text, stream text, command jsonb, decide text, evolve text, initial jsonb DEFAULT '{}',
    command_id uuid DEFAULT NULL, key jsonb DEFAULT NULL, metadata jsonb DEFAULT '{}',
    lock boolean DEFAULT true, max_attempts bigint DEFAULT 3,
    OUT outcome text, OUT revision bigint, OUT attempts bigint)
    LANGUAGE C VOLATILE AS 'MODULE_PATHNAME', 'arbiter_handle';
COMMENT ON FUNCTION arbiter.handle(text, text, jsonb, text, text, jsonb, uuid, jsonb, jsonb, boolean, bigint) IS
    'arbiter: loads a stream, lets decide(state jsonb, command jsonb) choose events, appends them; again from a fresh read if another writer was faster';
