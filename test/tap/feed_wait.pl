# Waiting for events: woken or looking again, without a snapshot, and ended by whoever may end a statement.
use strict;
use warnings FATAL => 'all';
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = PostgreSQL::Test::Cluster->new('main');
$node->init;
$node->start;
my $ask = sub { $node->safe_psql('postgres', @_) };
$ask->("CREATE EXTENSION arbiter; SELECT arbiter.create_store('shop')");
my $event = $node->pg_version >= 17 ? 'ArbiterEvents' : 'Extension';
my $waiting = "FROM pg_stat_activity WHERE wait_event = '$event' AND query LIKE 'CALL arbiter.wait_for_events%'";
my $sleeps = sub { $node->poll_query_until('postgres', "SELECT count(*) = 1 $waiting") or die 'nobody waits' };
my $last = 0;

for my $how ('looks again', 'is woken') {
    my $reader = $node->background_psql('postgres', on_error_stop => 0);
    my $wait = sub { $reader->query_until(qr/sent/, "\\echo sent\nCALL arbiter.wait_for_events('shop', $last, '1 hour');\n"); $sleeps->() };

    $wait->();
    is($ask->("SELECT backend_xmin IS NULL AND backend_xid IS NULL $waiting"), 't', "who $how holds no snapshot");
    $ask->("SELECT arbiter.append('shop', 's', -2, 'T', '{}')");
    like($reader->query('\echo'), qr/^t$/m, "and $how when something is appended");
    $last = $ask->("SELECT arbiter.feed_horizon('shop')");

    $wait->();
    is($ask->("SELECT pg_cancel_backend(pid) $waiting"), 't', 'somebody cancels it');
    $reader->query('\echo');
    like($reader->{stderr}, qr/canceling statement due to user request/, 'which ends the wait');
    $reader->{stderr} = '';
    is($reader->query("CALL arbiter.wait_for_events('shop', 0)"), 't', 'and the session can wait again');
    $reader->query("SET statement_timeout = '10ms'; CALL arbiter.wait_for_events('shop', $last, '1 hour')");
    like($reader->{stderr}, qr/canceling statement due to statement timeout/, 'statement_timeout ends it too');
    $reader->quit;

    # in a block it keeps the statement's snapshot, and sees what others commit nevertheless
    $reader = $node->background_psql('postgres');
    $reader->query_safe('BEGIN');
    $wait->();
    $ask->("SELECT arbiter.append('shop', 's', -2, 'T', '{}')");
    like($reader->query('\echo'), qr/^t$/m, "in a transaction block it $how as well");
    $reader->quit;
    $last = $ask->("SELECT arbiter.feed_horizon('shop')");

    $node->append_conf('postgresql.conf', "shared_preload_libraries = 'arbiter'\n");
    $node->restart;
}
$node->stop;
done_testing();
