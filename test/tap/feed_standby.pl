# A reader on a standby is handed what has been replayed, and passes a gap only when the primary has recorded that
# nothing can come there any more. After promotion it goes on from the same cursor.
use strict;
use warnings FATAL => 'all';
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $primary = PostgreSQL::Test::Cluster->new('primary');
$primary->init(allows_streaming => 1);
$primary->append_conf('postgresql.conf', "max_prepared_transactions = 10\nautovacuum = off\n");
$primary->start;
my $write = sub { $primary->safe_psql('postgres', @_) };
$write->("CREATE EXTENSION arbiter; SELECT arbiter.create_store('shop')");
$primary->backup('b');
my $standby = PostgreSQL::Test::Cluster->new('standby');
$standby->init_from_backup($primary, 'b', has_streaming => 1);
$standby->start;
my $read = sub { $standby->safe_psql('postgres', @_) };
my $append = sub { "SELECT arbiter.append('shop', '$_[0]', -2, 'T', '{}')" };
my $drop = "BEGIN; " . $append->('dropped') . "; ROLLBACK";

# What a reader there is handed after a position, once everything is replayed; as a list of positions.
my $handed_out = sub {
    my ($after) = @_;
    $primary->wait_for_catchup($standby);
    return join ' ', split /\n/, $read->("SELECT position FROM arbiter.read_feed('shop', $after)");
};
my $horizon = sub { $read->("SELECT arbiter.feed_horizon('shop')") };

$write->("SELECT arbiter.append('shop', 'a', -2, 'T', '{}') FROM generate_series(1, 3)");
is($handed_out->(0), '1 2 3', 'events without a gap are handed out at once');
is($horizon->(), '3', 'and the horizon is there');
is($read->("SELECT position FROM arbiter.read_feed('shop', 1, 1, '{T}')"), '2', 'filtered too');
$write->("$drop; " . $append->('a'));
is($handed_out->(3), '', 'a gap is not passed');
is($read->("SELECT arbiter.feed_horizon('shop'), max(position) FROM shop.events"), '3|5', 'though something is behind it');
is($handed_out->(4), '5', 'a reader that is past it does not wait');
$write->("CALL arbiter.settle_feed('shop')");
is($handed_out->(3), '5', 'it is passed when the primary has settled it');
$write->("$drop; $drop; CALL arbiter.settle_feed('shop')");
$primary->wait_for_catchup($standby);
is($horizon->(), '7', 'dead positions at the end are passed likewise');

# One that is only late, appended by whatever means, is not passed, settled or not.
my $late = $primary->background_psql('postgres');
for my $insert ($append->('late'), "INSERT INTO shop.events (stream, revision, type, data) VALUES ('raw', 0, 'T', '{}')") {
    my $cursor = $horizon->();
    $late->query_safe("BEGIN; $insert");
    $write->($append->('a'));
    my ($first, $second) = ($cursor + 1, $cursor + 2);
    is($handed_out->($cursor), '', 'what commits last is waited for');
    $write->("CALL arbiter.settle_feed('shop')");
    is($handed_out->($cursor), '', 'settling changes nothing about it');
    is($horizon->(), $cursor, 'nor about the horizon');
    $late->query_safe('COMMIT');
    is($handed_out->($cursor), "$first $second", 'then both are handed out');
}
$late->query_safe('BEGIN; ' . $append->('late') . "; PREPARE TRANSACTION 'late'");
$write->($append->('a') . "; CALL arbiter.settle_feed('shop')");
my $cursor = $horizon->();
is($handed_out->($cursor), '', 'so it is with a prepared transaction');
$late->query_safe("COMMIT PREPARED 'late'");
is($handed_out->($cursor), join(' ', $cursor + 1, $cursor + 2), 'until it is committed');
$late->quit;

# A snapshot that is kept does not see what is settled later.
my $keeper = $standby->background_psql('postgres');
$cursor = $horizon->();
$keeper->query_safe("BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT arbiter.feed_horizon('shop')");
$write->("$drop; " . $append->('a') . "; CALL arbiter.settle_feed('shop')");
is($handed_out->($cursor), $cursor + 2, 'a new snapshot sees it');
is($keeper->query_safe("SELECT arbiter.feed_horizon('shop'), (SELECT count(*) FROM arbiter.read_feed('shop', $cursor))"), "$cursor|0",
    'one that is kept does not');
$keeper->query_safe('COMMIT');
is($keeper->query_safe("SELECT arbiter.feed_horizon('shop')"), $cursor + 2, 'until it ends');

# Waiting
$cursor = $horizon->();
is($read->("CALL arbiter.wait_for_events('shop', $cursor, '10 ms')"), 'f', 'waiting in vain');
$keeper->query_until(qr/waiting/, "\\echo waiting\nCALL arbiter.wait_for_events('shop', $cursor, '100s');\n");
my $event = $standby->pg_version >= 17 ? 'ArbiterEvents' : 'Extension';
$standby->poll_query_until('postgres', "SELECT count(*) = 1 FROM pg_stat_activity WHERE wait_event = '$event'") or die 'nobody waits';
is($read->("SELECT backend_xmin IS NULL FROM pg_stat_activity WHERE wait_event = '$event'"), 't', 'who waits holds no snapshot');
$write->($append->('a'));
like($keeper->query('\echo'), qr/^t$/m, 'who waits there is told');
$keeper->quit;

for my $sql (
    "INSERT INTO shop.feed (settled) VALUES (1)", "INSERT INTO shop.cursors (consumer, position) VALUES ('mailer', 1)") {
    my ($rc, $out, $err) = $standby->psql('postgres', "\\set VERBOSITY sqlstate\n$sql");
    like($err, qr/ERROR:\s+25006/, "refused: $sql");
}
$write->("SELECT arbiter.save_cursor('shop', 'mailer', 5)");
$primary->wait_for_catchup($standby);
is($read->("SELECT arbiter.cursor('shop', 'mailer'), arbiter.cursor('shop', 'other')"), '5|0', 'cursors are read');
is($read->("SELECT count(*) FROM arbiter.feed_blockers('shop')"), '0', 'nobody is known to write');

# The primary is lost while a transaction is open and another is prepared: on the promoted one the first has never
# been, the second still is.
$cursor = $horizon->();
my $lost = $primary->background_psql('postgres', on_error_stop => 0);
$lost->query('BEGIN; ' . $append->('lost'));
$write->($append->('a') . '; BEGIN; ' . $append->('kept') . "; PREPARE TRANSACTION 'kept'; " . $append->('a'));
is($handed_out->($cursor), '', 'what is behind an open transaction on the primary');
$primary->stop('immediate');
eval { $lost->quit };
$standby->promote;
my $behind = $read->('SELECT max(position) FROM shop.events');
is($read->("SELECT position FROM arbiter.read_feed('shop', $cursor)"), $cursor + 2, 'is handed out after the promotion');
is($read->("SELECT gid, first_position FROM arbiter.feed_blockers('shop')"), 'kept|' . ($cursor + 3), 'up to the prepared one');
$read->("ROLLBACK PREPARED 'kept'");
is($read->("SELECT position FROM arbiter.read_feed('shop', $cursor + 2)"), $behind, 'and behind it when that is gone');
$read->($append->('a'));
cmp_ok($read->('SELECT max(position) FROM shop.events'), '>', $behind, 'positions go on above');
is($read->("SELECT array_agg(position) = (SELECT array_agg(position ORDER BY position) FROM shop.events) FROM arbiter.read_feed('shop')"),
    't', 'and everything is handed out');
$read->("CALL arbiter.settle_feed('shop')");
is($read->("SELECT arbiter.save_cursor('shop', 'mailer', $behind)"), $behind, 'cursors move on');
$standby->stop;
done_testing();
