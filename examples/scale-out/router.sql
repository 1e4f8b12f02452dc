-- The router: functions that run where the stream lies. It holds no events, so there may be many of it. It has the
-- extension for arbiter.shard_of and for the types of the results.
--   psql -v shard0='host=… dbname=…' -v shard1='…' -v shard2='…' -f router.sql
\set ON_ERROR_STOP on
CREATE EXTENSION IF NOT EXISTS arbiter;
CREATE EXTENSION IF NOT EXISTS plproxy;

-- modular_mapping: the number of shards need not be a power of two.
CREATE SERVER shop_shards FOREIGN DATA WRAPPER plproxy
    OPTIONS (modular_mapping '1', p0 :'shard0', p1 :'shard1', p2 :'shard2');
CREATE USER MAPPING FOR CURRENT_USER SERVER shop_shards;

CREATE SCHEMA shop;

-- The two maps stand here and nowhere else on this side. The ledger has one of its own, because it stays as it is when
-- there are more shards: a key that moved would be claimed a second time where nobody knows it.
CREATE FUNCTION shop.shard(stream text) RETURNS bigint LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN arbiter.shard_of(stream, 3);
CREATE FUNCTION shop.ledger_shard(key text) RETURNS bigint LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN arbiter.shard_of(key, 3);

-- Each call is a transaction of its own on its shard, whatever the router's transaction does afterwards. So give an
-- id: repeated after a lost answer, the append is recognised there.
CREATE FUNCTION shop.append(stream text, expected bigint, type text, data jsonb, id uuid, metadata jsonb DEFAULT '{}')
    RETURNS bigint LANGUAGE plproxy AS $$
    CLUSTER 'shop_shards';
    RUN ON shop.shard(stream);
    SELECT arbiter.append('shop', stream, expected, type, data, metadata, id);
$$;

CREATE FUNCTION shop.read_stream(stream text) RETURNS SETOF arbiter.recorded_event LANGUAGE plproxy AS $$
    CLUSTER 'shop_shards';
    RUN ON shop.shard(stream);
    SELECT * FROM arbiter.read_stream('shop', stream);
$$;

-- PL/Proxy replaces the arguments' names wherever they stand, so what is called is called by position.
-- A claim lies on the shard of its key. It is committed there when the call returns, as a claim has to be before
-- anybody acts on it.
CREATE FUNCTION shop.claim(key text, claimant text) RETURNS arbiter.claim_answer LANGUAGE plproxy AS $$
    CLUSTER 'shop_shards';
    RUN ON shop.ledger_shard(key);
    SELECT * FROM arbiter.claim('shop', 'mails', key, NULL, claimant);
$$;

CREATE FUNCTION shop.settle(key text, token bigint, state text) RETURNS text LANGUAGE plproxy AS $$
    CLUSTER 'shop_shards';
    RUN ON shop.ledger_shard(key);
    SELECT state FROM arbiter.settle('shop', 'mails', key, token, state);
$$;

-- The feed of one shard. There is no feed of all: their positions are not comparable.
CREATE FUNCTION shop.read_feed(shard integer, after bigint, max_count bigint DEFAULT 100)
    RETURNS SETOF arbiter.recorded_event LANGUAGE plproxy AS $$
    CLUSTER 'shop_shards';
    RUN ON shard;
    SELECT * FROM arbiter.read_feed('shop', after, max_count);
$$;
