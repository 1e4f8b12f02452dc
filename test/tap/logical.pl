# A logical subscriber is passive: it has the rows as they are decided elsewhere, judges nothing, and hands nothing out
# until doctor's setval has made it a store of its own, which then goes on.
use strict;
use warnings FATAL => 'all';
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my ($from, $to) = map { PostgreSQL::Test::Cluster->new($_) } qw(from to);
for my $node ($from, $to) {
    $node->init(allows_streaming => 'logical', extra => [ '--encoding=UTF8', '--locale=C' ]);
    $node->append_conf('postgresql.conf', 'fsync = off');
    $node->start;
}
$from->safe_psql('postgres', 'CREATE EXTENSION arbiter; ' . slurp_file('test/tap/everything.sql'));
my $schema = $from->basedir . '/schema.sql';
# As doc/operations.md says it: what identifies a row, and can be sent.
$from->safe_psql('postgres', <<'SQL');
CREATE UNIQUE INDEX claims_replica ON shop.claims (ledger, key);
ALTER TABLE shop.claims REPLICA IDENTITY USING INDEX claims_replica;
SELECT format('ALTER TABLE %s REPLICA IDENTITY FULL', c.oid::regclass) FROM pg_class AS c
 WHERE c.relnamespace = 'shop'::regnamespace AND c.relkind = 'r'
   AND NOT EXISTS (SELECT FROM pg_index AS i WHERE i.indrelid = c.oid AND i.indisprimary) \gexec
SQL
$from->command_ok([ 'pg_dump', '-s', '-f', $schema, 'postgres' ], 'the schema alone');
$to->command_ok([ 'psql', '-Xq', '-v', 'ON_ERROR_STOP=1', '-f', $schema, 'postgres' ], 'is made on the subscriber');

$from->safe_psql('postgres', 'CREATE PUBLICATION shop FOR TABLES IN SCHEMA shop, app');
my $connection = $from->connstr('postgres');
$to->safe_psql('postgres', "CREATE SUBSCRIPTION shop CONNECTION \$\$$connection\$\$ PUBLICATION shop");
$to->wait_for_subscription_sync($from, 'shop');
# Every kind of change: rows come, change and go.
$from->safe_psql('postgres', <<'SQL');
SELECT arbiter.append('shop', 'a-1', -2, 'T', '{}'), arbiter.append('shop', 'b-1', -1, 'T', '{}');
BEGIN; SELECT arbiter.append('shop', 'gone', -1, 'T', '{}'); ROLLBACK;
SELECT arbiter.truncate_stream('shop', 'a-4', 5, 'old'), arbiter.redact('shop', 'a-5', 6, 'asked for');
SELECT outcome FROM arbiter.claim('shop', 'once', 'k2');
SELECT arbiter.settle('shop', 'mails', key, token, 'failed') FROM shop.claims WHERE key = 'k4';
SELECT arbiter.drop_ledger('shop', 'mails', force => true);
SELECT count(*) FROM arbiter.allocate('shop', 'work', 'dan', 2);
SELECT applied FROM arbiter.run_projection('shop', 'seen', 100);
SELECT arbiter.append('shop', 'b-2', -1, 'T', '{}');
SQL
$from->wait_for_catchup('shop');

my $tables = q{SELECT c.oid::regclass FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
    WHERE n.nspname IN ('shop', 'app') AND c.relkind = 'r' ORDER BY 1};
for my $table (split /\n/, $from->safe_psql('postgres', $tables)) {
    my $digest = qq{SELECT count(*), md5(string_agg(t::text, E'\\n' ORDER BY t::text COLLATE "C")) FROM $table AS t};
    is($to->safe_psql('postgres', $digest), $from->safe_psql('postgres', $digest), "$table is the same");
}

sub refused_with {
    my ($what, $statement) = @_;
    my ($rc, $out, $err) = $to->psql('postgres', "\\set VERBOSITY verbose\n$statement");
    like($err, qr/$what/, "passive: $statement");
    return;
}
refused_with('ERROR:  55000: position \d+ has not been handed out', $_) for q{SELECT * FROM arbiter.read_feed('shop')},
    q{SELECT arbiter.feed_horizon('shop')}, q{CALL arbiter.settle_feed('shop')};
refused_with('set back', q{SELECT arbiter.append('shop', 'a-1', -2, 'T', '{}')});
my $remedy = $to->safe_psql('postgres', q{SELECT remedy FROM arbiter.doctor('shop')});
like($remedy, qr/^SELECT pg_catalog\.setval\(\S+, \d+\)$/, 'the doctor knows what it takes');

# Promotion.
$from->stop;
$to->safe_psql('postgres', "ALTER SUBSCRIPTION shop DISABLE; ALTER SUBSCRIPTION shop SET (slot_name = NONE); DROP SUBSCRIPTION shop; $remedy");
is($to->safe_psql('postgres', q{SELECT count(*) FROM arbiter.doctor('shop')}), '0', 'promoted: well');
my ($last, $head) = split /\|/, $to->safe_psql('postgres', q{SELECT max(position), arbiter.stream_revision('shop', 'a-1') FROM shop.events});
is($to->safe_psql('postgres', "SELECT arbiter.append('shop', 'a-1', $head, 'T', '{}')"), $head + 1, 'promoted: appends go on');
is($to->safe_psql('postgres', q{SELECT position FROM arbiter.last_event('shop', 'a-1')}), $last + 1, 'promoted: so do positions');
is($to->safe_psql('postgres', q{SELECT array_agg(position) = (SELECT array_agg(position ORDER BY position) FROM shop.events) FROM arbiter.read_feed('shop', 0, 1000)}),
    't', 'promoted: the feed has everything');
is($to->safe_psql('postgres', q{SELECT applied FROM arbiter.run_projection('shop', 'seen', 100)}), 2, 'promoted: what was not applied is');
is($to->safe_psql('postgres', q{SELECT outcome FROM arbiter.claim('shop', 'once', 'k2')}), 'taken', 'promoted: what was claimed is');
$to->stop;
done_testing();
