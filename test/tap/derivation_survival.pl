# Derived ids outlive what production does to a database: dump and restore in every order, DROP EXTENSION,
# a superuser's hands.
use strict;
use warnings FATAL => 'all';
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = PostgreSQL::Test::Cluster->new('primary');
$node->init(extra => [ '--encoding=UTF8', '--locale=C.UTF-8' ]);
$node->start;
$node->safe_psql('postgres', 'CREATE EXTENSION arbiter; ' . slurp_file('test/tap/derivations.sql') . <<'SQL');
-- A schema that sorts before the store's, so that a restore meets the table first.
CREATE SCHEMA aa;
CREATE TABLE aa.groups (
    organization_id uuid,
    serial_numbers text[],
    id uuid GENERATED ALWAYS AS (derive.device_group_id(organization_id, serial_numbers)) STORED,
    CHECK (id <> derive.text_id('x')));
CREATE INDEX groups_by_id ON aa.groups (id);
CREATE TABLE aa.by_expression (key text);
CREATE UNIQUE INDEX by_expression_id ON aa.by_expression (derive.text_id(key));
CREATE TABLE aa.defaults (n integer, id uuid DEFAULT derive.text_id('default'));
INSERT INTO aa.groups SELECT '3f2c8a1e-0000-4000-8000-000000000001', ARRAY['SN-' || n, 'b', 'A'] FROM generate_series(1, 200) AS n;
INSERT INTO aa.defaults VALUES (1);
INSERT INTO aa.by_expression SELECT n::text FROM generate_series(1, 1000) AS n;
SQL
my $ids = q{SELECT md5(string_agg(id::text, ',' ORDER BY id)), count(*) FROM (SELECT id FROM aa.groups UNION ALL SELECT id FROM aa.defaults) AS s};
my $verdicts = q{SELECT string_agg(derivation || ' ' || verdict, ',' ORDER BY derivation) FROM arbiter.verify_derivations('derive')};
my $before = $node->safe_psql('postgres', $ids);
like($before, qr/\|201$/, 'ids were derived');

my $dir = PostgreSQL::Test::Utils::tempdir();
$node->command_ok([ 'pg_dump', '-f', "$dir/plain", 'postgres' ], 'dumped as text');
$node->command_ok([ 'pg_dump', '-Fc', '-f', "$dir/custom", 'postgres' ], 'dumped as archive');
my %restore = (
    plain => [ [ 'psql', '-Xq', '-v', 'ON_ERROR_STOP=1', '-f', "$dir/plain", '-d', 'plain' ] ],
    custom => [ [ 'pg_restore', '--exit-on-error', '-d', 'custom', "$dir/custom" ] ],
    parallel => [ [ 'pg_restore', '--exit-on-error', '-j', '2', '-d', 'parallel', "$dir/custom" ] ],
    # The user's tables and their data come before the registry has a row.
    sections => [
        [ 'pg_restore', '--exit-on-error', '--section=pre-data', '-d', 'sections', "$dir/custom" ],
        [ 'pg_restore', '--exit-on-error', '--data-only', '-n', 'aa', '-d', 'sections', "$dir/custom" ],
        [ 'pg_restore', '--exit-on-error', '--section=post-data', '-n', 'aa', '-d', 'sections', "$dir/custom" ],
        [ 'pg_restore', '--exit-on-error', '--data-only', '-n', 'derive', '-d', 'sections', "$dir/custom" ],
        [ 'pg_restore', '--exit-on-error', '--section=post-data', '-n', 'derive', '-d', 'sections', "$dir/custom" ],
    ],
);
for my $how (sort keys %restore) {
    $node->safe_psql('postgres', "CREATE DATABASE $how TEMPLATE template0");
    $node->command_ok($_, "$how: restored") for @{ $restore{$how} };
    is($node->safe_psql($how, $ids), $before, "$how: the same ids");
    is($node->safe_psql($how, $verdicts), 'device_group_id ok,text_id ok', "$how: nothing drifted");
}

# DROP EXTENSION takes no id, no column, no function; without it nothing new is derived.
$node->safe_psql('plain', 'DROP EXTENSION arbiter CASCADE');
is($node->safe_psql('plain', $ids), $before, 'DROP EXTENSION CASCADE: every id is there');
my ($rc, $out, $err) = $node->psql('plain', q{INSERT INTO aa.groups VALUES ('3f2c8a1e-0000-4000-8000-000000000001', '{x}')});
like($err, qr/arbiter/, 'without the extension nothing new is derived');
($rc, $out, $err) = $node->psql('plain', 'SELECT count(*) FROM aa.by_expression');
like($err, qr/arbiter/, 'an index over the call itself keeps the planner from its table meanwhile, as the page says');
$node->safe_psql('plain', 'CREATE EXTENSION arbiter');
is($node->safe_psql('plain', q{INSERT INTO aa.groups VALUES ('3f2c8a1e-0000-4000-8000-000000000001', '{b,SN-1,a}') RETURNING id}),
    $node->safe_psql('plain', q{SELECT id FROM aa.groups WHERE serial_numbers[1] = 'SN-1'}),
    'created again, it derives the same');
is($node->safe_psql('plain', q{SET enable_seqscan = off; SELECT count(*) FROM aa.by_expression WHERE derive.text_id(key) = derive.text_id('77')}),
    '1', 'and the index over the call is as it was');
($rc, $out, $err) = $node->psql('plain', 'SELECT arbiter.drop_derivation(\'derive\', \'text_id\')', on_error_stop => 0);
like($err, qr/upgrade_store/, 'the store is unarmed until it is upgraded');
$node->safe_psql('plain', q{SELECT arbiter.upgrade_store('derive')});
is($node->safe_psql('plain', $verdicts), 'device_group_id ok,text_id ok', 'armed again, nothing drifted');

# One byte of the body changed in the catalog, in the middle of a session that has derived already.
my $flip = <<'SQL';
SELECT derive.text_id('warm') IS NOT NULL;
UPDATE pg_catalog.pg_proc SET prosrc = overlay(prosrc placing CASE substr(prosrc, %d, 1) WHEN 'x' THEN 'y' ELSE 'x' END FROM %d FOR 1)
 WHERE oid = 'derive.text_id'::regproc;
\set VERBOSITY sqlstate
SELECT derive.text_id('warm');
SQL
my $body = $node->safe_psql('custom', q{SELECT prosrc FROM pg_proc WHERE oid = 'derive.text_id'::regproc});
for my $literal ($body =~ /\$arbiter\$(.*?)\$arbiter\$/g) {
    my $start = index($body, $literal) + 1;
    for my $at ($start + 2, $start + int(length($literal) / 2), $start + length($literal) - 2) {
        $node->safe_psql('postgres', 'DROP DATABASE IF EXISTS flipped');
        $node->safe_psql('postgres', 'CREATE DATABASE flipped TEMPLATE custom');
        ($rc, $out, $err) = $node->psql('flipped', sprintf($flip, $at, $at));
        like($err, qr/RB040/, "byte $at of the body flipped: refused");
        unlike($node->safe_psql('flipped', $verdicts), qr/text_id ok/, "byte $at of the body flipped: found");
    }
}
$node->stop;
done_testing();
