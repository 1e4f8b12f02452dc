# A hot standby reads; whatever would write says 25006, whatever its arguments. After promotion it goes on.
use strict;
use warnings FATAL => 'all';
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $primary = PostgreSQL::Test::Cluster->new('primary');
$primary->init(allows_streaming => 1);
$primary->start;
$primary->safe_psql('postgres', "CREATE EXTENSION arbiter; SELECT arbiter.create_store('shop')");
$primary->backup('b');
my $standby = PostgreSQL::Test::Cluster->new('standby');
$standby->init_from_backup($primary, 'b', has_streaming => 1);
$standby->start;
$primary->safe_psql('postgres', "SELECT arbiter.append('shop', 'a-1', -2, 'T-' || n, '{}') FROM generate_series(0, 4) AS n");
$primary->safe_psql('postgres', "BEGIN; SELECT arbiter.append('shop', 'a-1', -2, 'Gone', '{}'); ROLLBACK");
$primary->safe_psql('postgres', <<'SQL');
SELECT arbiter.create_machine('shop', 'lamp', 'lamp', 'Off', '[{"from": ["Off"], "command": "light", "to": "On", "event": "Lit"}]'),
       arbiter.transition('shop', 'lamp', '1', 'light');
SQL
$primary->wait_for_catchup($standby);

my $ask = sub { $standby->safe_psql('postgres', @_) };
is($ask->("SELECT arbiter.stream_revision('shop', 'a-1'), arbiter.stream_revision('shop', 'b-1')"), '4|-1', 'stream_revision');
is($ask->("SELECT count(*), max(revision) FROM arbiter.read_stream('shop', 'a-1')"), '5|4', 'read_stream');
is($ask->("SELECT type FROM arbiter.last_event('shop', 'a-1')"), 'T-4', 'last_event');
is($ask->("SELECT type FROM arbiter.last_event('shop', 'a-1', 'T-2')"), 'T-2', 'last_event of a type');
is($ask->("SELECT arbiter.machine_state('shop', 'lamp', '1'), arbiter.machine_state('shop', 'lamp', '2')"), 'On|Off', 'machine_state');
is($ask->('SELECT name, armed FROM arbiter.stores'), 'shop|t', 'stores');
is($ask->("SELECT arbiter.stream_name('a', '1'), arbiter.category('a-1'), arbiter.version() IS NOT NULL"), 'a-1|a|t', 'pure functions');
for my $level ('READ COMMITTED', 'REPEATABLE READ') {
    is($ask->("BEGIN ISOLATION LEVEL $level; SELECT arbiter.stream_revision('shop', 'a-1'); COMMIT"), '4', "reads in $level");
}
for my $sql (
    "SELECT arbiter.append('shop', 'a-1', 4, 'T', '{}')",
    "SELECT arbiter.append('shop', 'a-1', -2, 'T', '{}')",
    "SELECT arbiter.append('shop', 'a-1', 99, 'T', '{}')",
    "SELECT arbiter.append('nowhere', 'a-1', -2, 'T', '{}')",
    "SELECT arbiter.create_store('late')",
    "SELECT arbiter.create_store('shop')",
    "SELECT arbiter.upgrade_store('shop')",
    "SELECT arbiter.drop_store('shop', force => true)",
    "SELECT arbiter.transition('shop', 'lamp', '2', 'light')",
    "SELECT arbiter.create_machine('shop', 'm', 'c', 'A', '[{\"from\": [\"A\"], \"command\": \"c\", \"to\": \"B\", \"event\": \"E\"}]')",
    "INSERT INTO shop.events (stream, revision, type, data) VALUES ('a-1', 5, 'T', '{}')",
) {
    my ($rc, $out, $err) = $standby->psql('postgres', "\\set VERBOSITY sqlstate\n$sql");
    like($err, qr/ERROR:\s+25006/, $sql);
}
$primary->stop('immediate');
$standby->promote;
is($ask->("SELECT arbiter.append('shop', 'a-1', 4, 'T', '{}')"), '5', 'promoted, it writes');
is($ask->("SELECT count(DISTINCT position), bool_and(position > 0) FROM shop.events"), '7|t', 'positions go on');
$standby->stop;
done_testing();
