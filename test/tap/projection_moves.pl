# Offsets on the move: a standby reads them and refuses to write; dumped and restored elsewhere, and after the
# extension was dropped and made again, a projection goes on where it was.
use strict;
use warnings FATAL => 'all';
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $primary = PostgreSQL::Test::Cluster->new('primary');
$primary->init(allows_streaming => 1);
$primary->start;
$primary->safe_psql('postgres', <<'SQL');
    CREATE EXTENSION arbiter;
    SELECT arbiter.create_store('shop');
    SELECT arbiter.create_projection('shop', 'mailer', 'external');
    SELECT arbiter.create_projection('shop', 'pusher', 'external', strict => false, types => ARRAY['Placed'],
                                     reconciler => 'external', reconcile_every => '1 day');
    SELECT arbiter.advance('shop', 'mailer', 'order-' || n % 3, n / 3) FROM generate_series(0, 14) AS n;
    SELECT arbiter.fail_event('shop', 'mailer', 'order-0', 5, 'smtp: 421', '{"to": "a@b"}');
    SELECT arbiter.pass_event('shop', 'pusher', 'order-0', 5, 'gone', '{"to": "a@b"}');
SQL
my $state = <<'SQL';
    SELECT * FROM shop.projections ORDER BY projection;
    SELECT * FROM shop.offsets ORDER BY projection, entity;
    SELECT * FROM shop.failures;
    SELECT * FROM shop.debts;
SQL
my $original = $primary->safe_psql('postgres', $state);

$primary->backup('b');
my $standby = PostgreSQL::Test::Cluster->new('standby');
$standby->init_from_backup($primary, 'b', has_streaming => 1);
$standby->start;
$primary->wait_for_catchup($standby);
is($standby->safe_psql('postgres', "SELECT arbiter.last_revision('shop', 'mailer', 'order-1')"), '4', 'a standby reads offsets');
for my $sql (
    "SELECT arbiter.advance('shop', 'mailer', 'order-1', 0)",
    "SELECT arbiter.advance('shop', 'mailer', 'order-1', 5)",
    "SELECT arbiter.start_at('shop', 'mailer', 'order-1', 9)",
    "SELECT arbiter.fail_event('shop', 'mailer', 'order-1', 5, 'error')",
    "SELECT arbiter.pass_event('shop', 'pusher', 'order-1', 5, 'error')",
    "SELECT arbiter.create_projection('shop', 'other', 'external')",
    "SELECT arbiter.drop_projection('shop', 'mailer')",
) {
    my ($rc, $out, $err) = $standby->psql('postgres', "\\set VERBOSITY sqlstate\n$sql");
    like($err, qr/ERROR:\s+25006/, "refused on a standby: $sql");
}
$standby->stop;

my $dump = $primary->basedir . '/dump';
$primary->command_ok([ 'pg_dump', '-Fc', '-f', $dump, 'postgres' ], 'dumped');
$primary->safe_psql('postgres', 'CREATE DATABASE restored TEMPLATE template0');
$primary->command_ok([ 'pg_restore', '--exit-on-error', '-d', $primary->connstr('restored'), $dump ], 'restored');
is($primary->safe_psql('restored', $state), $original, 'restored, it is the same');
$primary->safe_psql('postgres', 'CREATE DATABASE data_only TEMPLATE template0');
$primary->safe_psql('data_only', "CREATE EXTENSION arbiter; SELECT arbiter.create_store('shop')");
$primary->command_ok([ 'pg_dump', '--data-only', ( map { ('-t', "shop.$_") } qw(projections offsets failed_events) ),
        '-Fc', '-f', "$dump.data", 'postgres' ], 'the data alone, dumped');
$primary->command_ok([ 'pg_restore', '--exit-on-error', '-d', $primary->connstr('data_only'), "$dump.data" ],
    'the data alone, restored');
is($primary->safe_psql('data_only', $state), $original, 'the data alone is the same');
$primary->safe_psql('postgres', 'DROP EXTENSION arbiter CASCADE');
is($primary->safe_psql('postgres', $state), $original, 'without the extension it is the same');
$primary->safe_psql('postgres', "CREATE EXTENSION arbiter; SELECT arbiter.upgrade_store('shop')");
for my $database (qw(postgres restored data_only)) {
    is($primary->safe_psql($database, <<'SQL'), "f\nt\nt", "$database: old revisions are known, the next is new");
        SELECT arbiter.advance('shop', 'mailer', 'order-1', 4);
        SELECT arbiter.advance('shop', 'mailer', 'order-1', 5);
        SELECT arbiter.advance('shop', 'mailer', 'order-0', 5);
SQL
    is($primary->safe_psql($database, 'SELECT count(*) FROM shop.failures'), '0', "$database: the failure is over");
}
$primary->stop;
done_testing();
