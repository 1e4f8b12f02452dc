# Replicas that run one sweep at once: one transition for each row, and only the winner counts it. One that is killed
# half-way holds nobody up.
use strict;
use warnings FATAL => 'all';
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = PostgreSQL::Test::Cluster->new('main');
$node->init;
$node->start;
$node->safe_psql('postgres', <<'SQL');
CREATE EXTENSION arbiter;
SELECT arbiter.create_store('mill');
SELECT arbiter.create_machine('mill', 'batch', 'batch', 'Pending',
    '[{"from": ["Pending"], "command": "finalize", "to": "Finalized", "event": "BatchFinalized"}]');
CREATE TABLE batch (id integer PRIMARY KEY, closed boolean NOT NULL DEFAULT false);
SELECT arbiter.create_sweep('mill', 'finalize', 'batch', 'id', 'NOT closed', 'id', 'batch', 'finalize');
INSERT INTO batch SELECT generate_series(1, 200);
SQL

my $run = "CALL arbiter.run_sweep('mill', 'finalize', 10000)";
sub replicas {
    my ($count, @calls) = @_;
    my @commands = map { ('-c', $_) } @calls ? @calls : $run;
    return map { my %r = (out => '', err => ''); $r{handle} = IPC::Run::start([ 'psql', '-XAtq', '-d', $node->connstr('postgres'), @commands ],
        '>', \$r{out}, '2>', \$r{err}); \%r } 1 .. $count;
}

# Four of them over 200 rows. The table does not notice what is done, so that some may come too late and are told so.
my @replicas = replicas(4);
$_->{handle}->finish for @replicas;
is(join('', map { $_->{err} } @replicas), '', 'no replica fails');
my ($done, $failed) = (0, 0);
for (@replicas) {
    my ($ok, $already, $bad) = split /\|/, $_->{out};
    $done += $ok;
    $failed += $bad;
}
is($done, 200, 'done sums to 200');
is($failed, 0, 'already is no failure');
is($node->safe_psql('postgres', 'SELECT count(*), count(DISTINCT stream) FROM mill.events'), '200|200', '200 transitions, one each');

# Killed half-way: what it has done is done, row by row, and the next goes on at once.
$node->safe_psql('postgres', 'INSERT INTO batch SELECT generate_series(1001, 6000)');
my ($victim) = replicas(1);
$node->poll_query_until('postgres', "SELECT count(*) > 250 FROM mill.events") or die 'the victim does nothing';
$node->safe_psql('postgres', "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'CALL arbiter.run_sweep%'");
$victim->{handle}->finish;
like($victim->{err}, qr/terminat/, 'a run is killed');
my $half = $node->safe_psql('postgres', "SELECT count(*) FROM mill.events WHERE stream >= 'batch-1001'");
cmp_ok($half, '<', 5000, 'half-way');
my $killed = $node->safe_psql('postgres', "SELECT count(*) FROM mill.events");
my ($rest) = split /\|/, $node->safe_psql('postgres', $run);
is($rest, 5200 - $killed, 'the next goes on at once, with the rest');
is($node->safe_psql('postgres', 'SELECT count(*), count(DISTINCT stream) FROM mill.events'), '5200|5200', 'each once');

# Who asks for one row gets one while there is one, though all of them look at the same row first.
$node->safe_psql('postgres', 'UPDATE batch SET closed = true; INSERT INTO batch SELECT generate_series(7001, 8000)');
@replicas = replicas(4, ("CALL arbiter.run_sweep('mill', 'finalize', 1)") x 25);
$_->{handle}->finish for @replicas;
is(join('', map { $_->{err} } @replicas), '', 'no replica fails');
is(scalar(grep { /^0/ } map { split /\n/, $_->{out} } @replicas), 0, 'no run ends empty-handed');
$node->stop;
done_testing();
