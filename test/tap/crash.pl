# The server dies under its writers, in both ways: every acknowledged append is there at its revision, every
# refused one is not, and a repeated call with the same id finds out about the rest.
use strict;
use warnings FATAL => 'all';
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;
use Writers;

my $node = PostgreSQL::Test::Cluster->new('main');
$node->init;
$node->append_conf('postgresql.conf', "fsync = on\nrestart_after_crash = on\nmax_prepared_transactions = 10\n");
$node->start;
$node->safe_psql('postgres', "CREATE EXTENSION arbiter; SELECT arbiter.create_store('shop')");
my $writers = Writers->new(node => $node, store => 'shop');

sub wait_until_ready { # not by psql: it may be gone before it has read its query
    for (1 .. 600) {
        return if run_log([ 'pg_isready', '-q', '-d', $node->connstr('postgres') ]);
        select undef, undef, undef, 0.1;
    }
    die 'the server does not come back';
}

for my $round (1 .. 6) {
    $writers->start(5, 1500);
    $writers->wait_for_events(60);
    if ($round % 2) {
        my $victim = $node->safe_psql('postgres',
            "SELECT pid FROM pg_stat_activity WHERE application_name = 'writer' LIMIT 1");
        ok(kill('KILL', $victim), "round $round: a backend is killed");
        $writers->finish;
        wait_until_ready();
    } else {
        $node->stop('immediate');
        pass("round $round: the server is stopped at once");
        $writers->finish;
        $node->start;
    }
    $writers->check("round $round");
    cmp_ok(scalar $writers->retry_unanswered, '>', 0, "round $round: some were left without an answer");
    $writers->check("round $round, after their calls were repeated");
}
cmp_ok($writers->count_told('stored'), '>', 300, 'hundreds were acknowledged');
cmp_ok($writers->count_told('refused'), '>', 20, 'some were refused');

# A prepared transaction outlives the crash with its appends, and with what waits for them.
$node->safe_psql('postgres', "BEGIN; SELECT arbiter.append('shop', 'p-1', -1, 'T', '{}'); PREPARE TRANSACTION 'kept'");
$node->stop('immediate');
$node->start;
my ($rc, $out, $err) = $node->psql('postgres', "SET lock_timeout = '50ms'; SELECT arbiter.append('shop', 'p-1', -1, 'T', '{}')");
like($err, qr/A prepared transaction has written to the stream/, 'an append waits for a prepared one after the crash');
$node->safe_psql('postgres', "COMMIT PREPARED 'kept'");
is($node->safe_psql('postgres', "SELECT arbiter.append('shop', 'p-1', 0, 'T', '{}')"), '1', 'and goes on after it');
$node->stop;
done_testing();
