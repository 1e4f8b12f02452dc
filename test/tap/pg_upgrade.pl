# pg_upgrade: ids, the columns and indexes made of them, and the store with all that it has arrive in the new cluster as
# they were, and go on there, the runner too. It takes a cluster of the same major version, and does there all that it does
# between two; with oldinstall=DIR the old one is of that installation, as tools/matrix has it.
use strict;
use warnings FATAL => 'all';
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Everything qw(goes_on);
use Test::More;

# With checksums: 18 has them by default, and pg_upgrade wants what the old cluster has.
my @options = (extra => [ '--encoding=UTF8', '--locale=C.UTF-8', '--data-checksums' ]);
my $conf = <<'CONF';
shared_preload_libraries = 'arbiter'
arbiter.runner_databases = 'postgres'
arbiter.runner_nap = '200ms'
CONF
my $old = PostgreSQL::Test::Cluster->new('old', install_path => $ENV{oldinstall});
$old->init(@options);
$old->append_conf('postgresql.conf', $conf);
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
CREATE TABLE aa.seen (revision bigint PRIMARY KEY);
CREATE FUNCTION aa.see(event jsonb) RETURNS void LANGUAGE sql AS $$ INSERT INTO aa.seen VALUES ((event ->> 'revision')::bigint) $$;
SELECT arbiter.create_projection('derive', 'seen', 'transactional', 'aa.see');
SELECT arbiter.append('derive', 'a-1', -2, 'T', '{}') FROM generate_series(1, 10);
SQL
my $see = 'SELECT count(*) FROM aa.seen';
ok($old->poll_query_until('postgres', $see, '10'), 'the runner works in the old cluster');
# One more is left for it. It shall not be at work while pg_upgrade has the clusters up: a transaction id that is drawn
# after pg_upgrade has looked at the old one is drawn again in the new one.
sub set_workers { $_[0]->append_conf('postgresql.conf', "arbiter.runner_workers = $_[1]"); return }
set_workers($old, 0);
$old->reload;
ok($old->poll_query_until('postgres', q{SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'arbiter runner'}, '0'), 'and leaves');
$old->safe_psql('postgres', q{SELECT arbiter.append('derive', 'a-1', 9, 'T', '{}')});
set_workers($old, 1);
$old->safe_psql('postgres', 'CREATE DATABASE everything');
$old->safe_psql('everything', 'CREATE EXTENSION arbiter; ' . slurp_file('test/tap/everything.sql'));
my %ask = (
    ids => q{SELECT md5(string_agg(id::text, ',' ORDER BY id)), count(*) FROM (SELECT id FROM aa.groups UNION ALL SELECT id FROM zz.by_expression) AS s},
    minted => q{SELECT derive.device_group_id('3f2c8a1e-0000-4000-8000-000000000001', '{b,SN-7,a}'), derive.text_id('é')},
    verdicts => q{SELECT string_agg(derivation || ' ' || verdict, ',' ORDER BY derivation) FROM arbiter.verify_derivations('derive')},
    doctor => q{SELECT count(*) FROM arbiter.doctor('derive')},
    store => q{SELECT name, format, armed FROM arbiter.stores},
    events => q{SELECT * FROM derive.events ORDER BY position},
    index => q{SET enable_seqscan = off; SELECT key FROM zz.by_expression WHERE derive.text_id(key) = derive.text_id('77')},
);

my $new = PostgreSQL::Test::Cluster->new('new');
$new->init(@options);
# What pg_dump says of the database with everything, the new one's of both. \restrict carries a random token.
sub text_of {
    my ($server) = @_;
    my ($text) = run_command([ $new->installed_command('pg_dump'), '-h', $server->host, '-p', $server->port, 'everything' ]);
    $text =~ s/^(?:\\(?:un)?restrict .*|-- Dumped from .*)$//mg;
    $text =~ s/\b[a-z]\.(?=\w)//g; # from 16 on, a view's columns are printed without the table where there is one
    return $text;
}
my %before = map { $_ => $old->safe_psql('postgres', $ask{$_}) } keys %ask;
like($before{ids}, qr/\|1200$/, 'ids were derived');
is($before{doctor}, '0', 'the store was well');
is($before{index}, '77', 'the index over the call is used');
my $dump = text_of($old);
$old->stop;
$new->append_conf('postgresql.conf', $conf);
chdir PostgreSQL::Test::Utils::tempdir() or die; # where pg_upgrade may leave its scripts
command_ok([ 'pg_upgrade', '--no-sync', '-d', $old->data_dir, '-D', $new->data_dir, '-b', $old->config_data('--bindir'), '-B', $new->config_data('--bindir'),
        '-s', $new->host, '-p', $old->port, '-P', $new->port ], 'pg_upgrade');
set_workers($new, 0);
$new->start;
is($new->safe_psql('postgres', $see), '10', 'the runner has kept still');
my $again = text_of($new);
my (%old_lines, %new_lines);
$old_lines{$_}++ for split /\n/, $dump;
$new_lines{$_}++ for split /\n/, $again;
ok($again eq $dump, 'dumped, all is as it was')
    or diag(join "\n", (map { "- $_" } grep { !$new_lines{$_} } sort keys %old_lines), map { "+ $_" } grep { !$old_lines{$_} } sort keys %new_lines);
is($new->safe_psql('postgres', $ask{$_}), $before{$_}, "as it was: $_") for sort keys %ask;
is($new->safe_psql('postgres', q{INSERT INTO aa.groups VALUES ('3f2c8a1e-0000-4000-8000-000000000001', '{b,SN-7,a}')
    ON CONFLICT DO NOTHING RETURNING id}), '', 'what had an id has it still');
is($new->safe_psql('postgres', q{SELECT arbiter.append('derive', 'a-1', 10, 'T', '{}')}), '11', 'and the log goes on');
set_workers($new, 1);
$new->reload;
ok($new->poll_query_until('postgres', $see, '12'), 'so does the runner');
goes_on($new, 'everything', 'upgraded');
$new->stop;
done_testing();
