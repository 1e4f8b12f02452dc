CREATE FUNCTION arbiter.shard_of(stream text, shards bigint) RETURNS bigint
    LANGUAGE C IMMUTABLE PARALLEL SAFE AS 'MODULE_PATHNAME', 'arbiter_shard_of';
COMMENT ON FUNCTION arbiter.shard_of(text, bigint) IS
    'which of that many databases holds a stream, from 0; frozen, the same in every language, and it moves few streams when there is one more';
