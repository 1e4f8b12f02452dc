# Sixteen sessions claim one new key at the same moment: one wins, the others wait for it and are told who won,
# nobody gets an error. A lock on the table holds all of them back until the last one is there.
use strict;
use warnings FATAL => 'all';
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $racers = 16;
my $node = PostgreSQL::Test::Cluster->new('main');
$node->init;
$node->start;
$node->safe_psql('postgres', "CREATE EXTENSION arbiter; SELECT arbiter.create_store('shop'); SELECT arbiter.create_ledger('shop', 'mail')");

sub start {
    my ($sql) = @_;
    my %psql = (in => "$sql;\n", out => '', err => '');
    $psql{run} = IPC::Run::start([ 'psql', '-XAtq', '-d', $node->connstr('postgres') ], '<', \$psql{in}, '>', \$psql{out}, '2>', \$psql{err});
    return \%psql;
}

# What the racers are told, sorted, and what they complain of.
sub race {
    my ($sql) = @_;
    my $gate = start("BEGIN; LOCK TABLE shop.claims IN SHARE MODE; SELECT 'shut'");
    $gate->{run}->pump until $gate->{out} =~ /shut/;
    my @racers = map { start($sql =~ s/ME/$_/r) } 1 .. $racers;
    $_->{run}->pump_nb for @racers;
    $node->poll_query_until('postgres', "SELECT count(*) = $racers FROM pg_locks WHERE NOT granted AND relation = 'shop.claims'::regclass")
        or die 'the racers did not come';
    $gate->{in} .= "COMMIT;\n";
    $_->{run}->finish for $gate, @racers;
    return (join("\n", sort map { $_->{out} =~ s/\s+$//r } @racers), join('', map { $_->{err} } @racers));
}

for my $level ('READ COMMITTED', 'REPEATABLE READ', 'SERIALIZABLE') {
    my $key = lc $level;
    my ($said, $errors) = race("SET default_transaction_isolation = '$level'; SELECT outcome, claimant FROM arbiter.claim('shop', 'mail', '$key', claimant => 'ME', wait => '1 min')");
    my $winner = $node->safe_psql('postgres', "SELECT claimant FROM shop.claims WHERE key = '$key'");
    is($said, join("\n", ("taken|$winner") x ($racers - 1), "won|$winner"), "$level: one wins, all others are told who");
    is($errors, '', "$level: nobody gets an error");
}

# Without time to wait there are two answers to losing, and still one winner.
my ($said, $errors) = race("SELECT outcome FROM arbiter.claim('shop', 'mail', 'at once', claimant => 'ME')");
like($said, qr/^(busy\n)*(taken\n)*won$/, 'at once: one wins, the others are told busy or taken');
is($errors, '', 'at once: nobody gets an error');

# Batches of the same keys, each racer in an order of its own.
($said, $errors) = race("SELECT count(*) FILTER (WHERE outcome = 'won') FROM arbiter.claim_keys('shop', 'mail',
    ARRAY(SELECT 'batch ' || i FROM generate_series(1, 200) AS i ORDER BY md5(i::text || 'ME')), claimant => 'ME', wait => '1 min')");
is($errors, '', 'batches: no deadlock');
is($said, join("\n", ('0') x ($racers - 1), '200'), 'batches: one has them all');
$node->stop;
done_testing();
