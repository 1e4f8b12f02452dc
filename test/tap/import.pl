# A data-only dump of a log is loaded through import_events into another cluster's store and goes on there; many
# streams are imported with the memory for few.
use strict;
use warnings FATAL => 'all';
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my ($old, $new) = map { PostgreSQL::Test::Cluster->new($_) } qw(old new);
for my $node ($old, $new) {
    $node->init(extra => [ '--encoding=UTF8', '--locale=C' ]);
    $node->append_conf('postgresql.conf', 'fsync = off');
    $node->start;
    $node->safe_psql('postgres', 'CREATE EXTENSION arbiter');
}
my $events = q{SELECT md5(string_agg(e::text, E'\n' ORDER BY position)) FROM shop.events AS e};

$old->safe_psql('postgres', <<'SQL');
    SELECT arbiter.create_store('shop');
    SELECT arbiter.append('shop', 'a-' || n % 7, -2, 'Type-' || n % 3, jsonb_build_object('n', n), '{"by": "x"}')
      FROM generate_series(1, 500) AS n;
    SELECT arbiter.append('shop', E'caf\u00e9 \n %_''"', -1, E'\u00e9t\u00e9', '"\u00e9"');
    SELECT arbiter.append('shop', 'large', -1, 'Large', to_jsonb(repeat('x', 3000000)));
    BEGIN; SELECT arbiter.append('shop', 'gone', -1, 'Gone', '{}'); ROLLBACK;
    SELECT arbiter.append('shop', 'last', -1, 'Last', '{}');
SQL
my $dump = PostgreSQL::Test::Utils::tempdir() . '/events';
$old->command_ok([ 'pg_dump', '--data-only', '--table=shop.events', '-f', $dump, 'postgres' ], 'dumped');

# As doc/operations.md says it: the dump names shop.events, so that is what the staging table is called for a while.
$new->safe_psql('postgres', <<'SQL');
    CREATE SCHEMA shop;
    CREATE TABLE shop.events (position bigint, stream text, revision bigint, id uuid, type text, data jsonb,
                              metadata jsonb, recorded_at timestamptz);
    CREATE SEQUENCE shop.events_position;
SQL
$new->command_ok([ 'psql', '-Xq', '-v', 'ON_ERROR_STOP=1', '-f', $dump, 'postgres' ], 'loaded into a staging table');
is($new->safe_psql('postgres', <<'SQL'), '503', 'imported');
    ALTER SCHEMA shop RENAME TO shop_dump;
    SELECT FROM arbiter.create_store('shop');
    SELECT arbiter.import_events('shop', 'shop_dump.events');
    DROP SCHEMA shop_dump CASCADE;
SQL
is($new->safe_psql('postgres', $events), $old->safe_psql('postgres', $events), 'every event, position and time');
is($new->safe_psql('postgres', q{SELECT arbiter.append('shop', 'last', 0, 'Next', '{}')}), '1', 'appends go on');
is($new->safe_psql('postgres', q{SELECT count(*) FROM arbiter.doctor('shop')}), '0', 'and the doctor has nothing to say');

# More streams than are kept in mind: a stream that has been forgotten is looked up.
$new->safe_psql('postgres', <<'SQL');
    SELECT arbiter.create_store('many');
    CREATE TABLE staging AS
        SELECT n AS position, 's-' || n % 60000 AS stream, n / 60000 AS revision, gen_random_uuid() AS id,
               'T' AS type, '{}'::jsonb AS data, '{}'::jsonb AS metadata, now() AS recorded_at
          FROM generate_series(1, 150000) AS n;
    UPDATE staging SET revision = revision - 1 WHERE stream = 's-0';
SQL
my ($rc, $out, $err) = $new->psql('postgres', <<'SQL');
    BEGIN;
    UPDATE staging SET revision = 3 WHERE position = 149999;
    SELECT arbiter.import_events('many', 'staging');
SQL
like($err, qr/event at position 149999 does not continue stream "s-29999"/, 'a hole is found across what was forgotten');
is($new->safe_psql('postgres', <<'SQL'), "150000\n60000|0", 'and the rest is imported');
    SELECT arbiter.import_events('many', 'staging');
    SELECT count(DISTINCT stream), count(*) FILTER (WHERE revision <> place) FROM (
        SELECT stream, revision, row_number() OVER (PARTITION BY stream ORDER BY position) - 1 AS place
          FROM many.events) AS e;
SQL
$_->stop for $old, $new;
done_testing();
