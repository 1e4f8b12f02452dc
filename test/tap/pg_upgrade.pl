# pg_upgrade: ids, the columns and indexes made of them, and the store arrive in the new cluster as they were. It takes
# a cluster of the same major version too, and does there all that it does between two.
use strict;
use warnings FATAL => 'all';
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my @locale = (extra => [ '--encoding=UTF8', '--locale=C.UTF-8' ]);
my $old = PostgreSQL::Test::Cluster->new('old');
$old->init(@locale);
$old->start;
$old->safe_psql('postgres', 'CREATE EXTENSION arbiter; ' . slurp_file('test/tap/derivations.sql') . <<'SQL');
-- One schema that sorts before the store's, one behind.
CREATE SCHEMA aa;
CREATE SCHEMA zz;
CREATE TABLE aa.groups (
    organization_id uuid,
    serial_numbers text[],
    id uuid GENERATED ALWAYS AS (derive.device_group_id(organization_id, serial_numbers)) STORED PRIMARY KEY,
    CHECK (id <> derive.text_id('x')));
CREATE TABLE zz.by_expression (key text, id uuid DEFAULT derive.text_id('default'));
CREATE UNIQUE INDEX by_expression_id ON zz.by_expression (derive.text_id(key));
INSERT INTO aa.groups SELECT '3f2c8a1e-0000-4000-8000-000000000001', ARRAY['SN-' || n, 'b', 'A'] FROM generate_series(1, 200) AS n;
INSERT INTO zz.by_expression SELECT n::text FROM generate_series(1, 1000) AS n;
SELECT arbiter.append('derive', 'a-1', -2, 'T', '{}') FROM generate_series(1, 10);
SQL
my %ask = (
    ids => q{SELECT md5(string_agg(id::text, ',' ORDER BY id)), count(*) FROM (SELECT id FROM aa.groups UNION ALL SELECT id FROM zz.by_expression) AS s},
    minted => q{SELECT derive.device_group_id('3f2c8a1e-0000-4000-8000-000000000001', '{b,SN-7,a}'), derive.text_id('é')},
    verdicts => q{SELECT string_agg(derivation || ' ' || verdict, ',' ORDER BY derivation) FROM arbiter.verify_derivations('derive')},
    doctor => q{SELECT count(*) FROM arbiter.doctor('derive')},
    store => q{SELECT name, format, armed FROM arbiter.stores},
    events => q{SELECT * FROM derive.events ORDER BY position},
    index => q{SET enable_seqscan = off; SELECT key FROM zz.by_expression WHERE derive.text_id(key) = derive.text_id('77')},
);
my %before = map { $_ => $old->safe_psql('postgres', $ask{$_}) } keys %ask;
like($before{ids}, qr/\|1200$/, 'ids were derived');
is($before{doctor}, '0', 'the store was well');
is($before{index}, '77', 'the index over the call is used');
$old->stop;

my $new = PostgreSQL::Test::Cluster->new('new');
$new->init(@locale);
my $bin = $old->config_data('--bindir');
chdir PostgreSQL::Test::Utils::tempdir() or die; # where pg_upgrade may leave its scripts
command_ok([ 'pg_upgrade', '--no-sync', '-d', $old->data_dir, '-D', $new->data_dir, '-b', $bin, '-B', $bin,
        '-s', $new->host, '-p', $old->port, '-P', $new->port ], 'pg_upgrade');
$new->start;
is($new->safe_psql('postgres', $ask{$_}), $before{$_}, "as it was: $_") for sort keys %ask;
is($new->safe_psql('postgres', q{INSERT INTO aa.groups VALUES ('3f2c8a1e-0000-4000-8000-000000000001', '{b,SN-7,a}')
    ON CONFLICT DO NOTHING RETURNING id}), '', 'what had an id has it still');
is($new->safe_psql('postgres', q{SELECT arbiter.append('derive', 'a-1', 9, 'T', '{}')}), '10', 'and the log goes on');
$new->stop;
done_testing();
