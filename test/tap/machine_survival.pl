# Machines are rows and their states are in the streams: both outlive the extension, a dump and a restore, and rule again.
use strict;
use warnings FATAL => 'all';
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = PostgreSQL::Test::Cluster->new('main');
$node->init;
$node->append_conf('postgresql.conf', 'max_prepared_transactions = 2');
$node->start;
$node->safe_psql('postgres', <<'SQL');
CREATE EXTENSION arbiter;
SELECT arbiter.create_store('shop');
SELECT arbiter.create_machine('shop', 'batch', 'batch', 'Pending', '[
    {"from": ["Pending"], "command": "start", "to": "Running", "event": "BatchStarted"},
    {"from": ["Running"], "command": "finalize", "to": "Finalized", "event": "BatchFinalized"}]');
SELECT arbiter.transition('shop', 'batch', '1', 'start');
SELECT arbiter.append('shop', 'batch-1', -2, 'Noted', '{}');
SQL

sub refused_with {
    my ($server, $sqlstate, $statement, $what) = @_;
    my ($rc, $out, $err) = $server->psql('postgres', "\\set VERBOSITY sqlstate\n$statement");
    like($err, qr/$sqlstate/, $what);
}
my $raw = "INSERT INTO shop.events (stream, revision, type, data) VALUES ('batch-1', 2, 'BatchStarted', '{}')";
my $state = "SELECT arbiter.machine_state('shop', 'batch', '1')";

# A prepared transaction is a writer in flight: its event counts once it has ended.
$node->safe_psql('postgres', "BEGIN; SELECT arbiter.transition('shop', 'batch', '2', 'start'); PREPARE TRANSACTION 'p'");
refused_with($node, '55P03', "SET lock_timeout = '10ms'; SELECT arbiter.append('shop', 'batch-2', -2, 'BatchStarted', '{}')",
    'an event of a prepared transaction is waited for');
$node->stop('immediate');
$node->start;
$node->safe_psql('postgres', "COMMIT PREPARED 'p'");
refused_with($node, 'RB030', "SELECT arbiter.append('shop', 'batch-2', -2, 'BatchStarted', '{}')", 'and rules after a crash');

# The code goes, the rules stay; without the code nobody is judged, and so nobody may write.
$node->safe_psql('postgres', 'DROP EXTENSION arbiter CASCADE; CREATE EXTENSION arbiter');
refused_with($node, 'RB050', "SELECT arbiter.transition('shop', 'batch', '1', 'start')", 'an unarmed store takes no command');
$node->safe_psql('postgres', "SELECT arbiter.upgrade_store('shop')");
is($node->safe_psql('postgres', $state), 'Running', 'armed again, it knows the state');
refused_with($node, 'RB030', $raw, 'and a raw writer is refused');

# Into another cluster.
my $other = PostgreSQL::Test::Cluster->new('other');
$other->init;
$other->start;
my $dump = $node->basedir . '/dump.sql';
$node->run_log([ 'pg_dump', '-f', $dump, $node->connstr('postgres') ]);
$other->safe_psql('postgres', 'CREATE EXTENSION arbiter');
$other->run_log([ 'psql', '-X', '-q', '-d', $other->connstr('postgres'), '-f', $dump ]);
is($other->safe_psql('postgres', $state), 'Running', 'restored, it knows the state');
refused_with($other, 'RB030', $raw, 'and refuses what may not follow');
refused_with($other, 'RB003', 'DELETE FROM shop.machines', 'the table is guarded again');
is($other->safe_psql('postgres', "SELECT outcome FROM arbiter.transition('shop', 'batch', '1', 'finalize')"), 'applied', 'it goes on');
$node->stop;
$other->stop;
done_testing();
