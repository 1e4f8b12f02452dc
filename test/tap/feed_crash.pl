# What the feed has handed out stays, though the server stops at once under synchronous_commit = off: no event
# vanishes, none appears at or below a horizon that was told, and no cursor is ahead of the store afterwards.
use strict;
use warnings FATAL => 'all';
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;
use Readers;
use Writers;

my $rounds = $ENV{FEED_CRASH_ROUNDS} // 8;

my $node = PostgreSQL::Test::Cluster->new('main');
$node->init;
# The WAL writer sleeps: what nobody flushed on purpose is lost when the server stops at once. (Whether flushing
# reaches the disk is not the question here, so fsync may be off.)
$node->append_conf('postgresql.conf', <<'CONF');
synchronous_commit = off
wal_writer_delay = 10s
autovacuum = off
log_statement = none
CONF
$node->start;
my $ask = sub { $node->safe_psql('postgres', @_) };
my $crash = sub { $node->stop('immediate'); $node->start };
$ask->("CREATE EXTENSION arbiter; SELECT arbiter.create_store('shop'); SELECT arbiter.create_store('quiet');
    CREATE TABLE effects (position bigint); CHECKPOINT");

my $append = "SELECT arbiter.append('quiet', 's', -2, 'T', '{}')";
my $drop = "BEGIN; $append; ROLLBACK";
my $count = 'SELECT count(*) FROM quiet.events';

# A commit that nobody was handed is lost, which shows that the rest can fail.
$ask->($append);
$crash->();
is($ask->($count), '0', 'an event that nobody has read is gone');

# One at a time, each way of handing out: an event; an event and dead positions behind it; dead positions alone,
# whose only trace in the log is the sequence's, which after a checkpoint writes one again.
my %ways = (
    read => "SELECT coalesce(max(position), 0) FROM arbiter.read_feed('quiet', AFTER)",
    filtered => "SELECT coalesce(max(position), 0) FROM arbiter.read_feed('quiet', AFTER, types => '{T}')",
    horizon => "SELECT arbiter.feed_horizon('quiet', AFTER)",
    sql => "SELECT max(arbiter.feed_horizon('quiet')) FROM quiet.events WHERE position <= arbiter.feed_horizon('quiet')",
    settled => "CALL arbiter.settle_feed('quiet'); SELECT arbiter.feed_horizon('quiet', AFTER)",
);
for my $way (sort keys %ways) {
    for my $before ($append, "CHECKPOINT; $append; $drop", $way =~ /^(?:read|filtered)$/ ? () : "CHECKPOINT; $drop") {
        my $after = $ask->("SELECT arbiter.feed_horizon('quiet')");
        $ask->($before);
        (my $call = $ways{$way}) =~ s/AFTER/$after/;
        my ($told, $stored) = split /\n/, $ask->("$call; $count");
        $crash->();
        is($ask->($count), $stored, "$way: what was there up to $told is still there");
        my $next = $ask->("$append; SELECT max(position) FROM quiet.events");
        $next =~ s/.*\n//;
        cmp_ok($next, '>', $told, "$way: the next position is above");
        is($ask->("SELECT position FROM arbiter.read_feed('quiet', $told)"), $next, "$way: and the reader goes on to it");
    }
}

# All at once, at random.
my $seed = srand($ENV{FEED_CRASH_SEED} // time ^ $$);
note "FEED_CRASH_SEED=$seed";
my $writers = Writers->new(node => $node, store => 'shop');
my $readers = Readers->new(store => 'shop');
$readers->add(node => $node, name => 'one', kind => 'read', batch => 1);
$readers->add(node => $node, name => 'many', kind => 'read', batch => 1000);
$readers->add(node => $node, name => $_, kind => $_) for qw(repeatable horizon filtered sql);
for my $round (1 .. $rounds) {
    $readers->start;
    $writers->start(3, 800);
    $writers->wait_for_events(20 + int rand 100);
    $ask->('CHECKPOINT') if $round % 2;
    $node->stop('immediate');
    $writers->finish;
    my @complaints = grep { !/server closed|no connection|terminat|connection to server|crash of another|^\S+: \s|fatal|WARNING|FATAL|DETAIL|HINT/ } $readers->finish;
    $node->start;
    is("@complaints", '', "round $round: nobody complained of anything but the crash");
    $readers->check_kept("round $round");
}
$ask->("SELECT arbiter.append('shop', 'end', -1, 'End', '{}')");
$readers->start;
is(join("\n", $readers->finish), '', 'all of them reach the end');
$readers->check('in the end');
$node->stop;
done_testing();
