# Claims are ordinary rows: they outlive the extension, a dump and a restore, and mean the same afterwards.
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
SELECT arbiter.create_store('shop');
SELECT arbiter.create_ledger('shop', 'mail');
SELECT arbiter.create_ledger('shop', 'pay', 'after_lease', '1 hour', durable => false);
SELECT arbiter.settle('shop', 'mail', 'done', token, 'done', '{"id": 1}') FROM arbiter.claim('shop', 'mail', 'done');
SELECT arbiter.claim('shop', 'mail', 'open', fingerprint => 'f', claimant => E'a \\ b');
SELECT arbiter.claim('shop', 'pay', repeat('x', 9000));
SELECT arbiter.force_takeover('shop', 'pay', repeat('x', 9000), 'a test');
SQL
my $all = "SELECT * FROM shop.claims ORDER BY ledger, key; SELECT * FROM shop.ledgers ORDER BY 1; SELECT * FROM shop.takeovers";
my $before = $node->safe_psql('postgres', $all);

# The code goes, the rows stay; without the code nothing is claimed.
$node->safe_psql('postgres', 'DROP EXTENSION arbiter CASCADE');
is($node->safe_psql('postgres', $all), $before, 'every row is there without the extension');
is($node->safe_psql('postgres', "SELECT key FROM shop.unsettled_claims WHERE ledger = 'mail'"), 'open', 'and what is unsettled is listed');
$node->safe_psql('postgres', 'CREATE EXTENSION arbiter');
my ($rc, $out, $err) = $node->psql('postgres', "\\set VERBOSITY sqlstate\nSELECT arbiter.claim('shop', 'mail', 'open')");
like($err, qr/RB050/, 'an unarmed store is not claimed from');
$node->safe_psql('postgres', "SELECT arbiter.upgrade_store('shop')");
is($node->safe_psql('postgres', "SELECT outcome FROM arbiter.claim('shop', 'mail', 'open')"), 'taken', 'armed again, it is');

# Into another cluster.
my $other = PostgreSQL::Test::Cluster->new('other');
$other->init;
$other->start;
my $dump = $node->basedir . '/dump.sql';
$node->run_log([ 'pg_dump', '-f', $dump, $node->connstr('postgres') ]);
$other->safe_psql('postgres', 'CREATE EXTENSION IF NOT EXISTS arbiter');
$other->run_log([ 'psql', '-X', '-q', '-d', $other->connstr('postgres'), '-f', $dump ]);
is($other->safe_psql('postgres', $all), $before, 'every row is restored, digests too');
is($other->safe_psql('postgres', "SELECT outcome, result FROM arbiter.claim('shop', 'mail', 'done')"), 'settled|{"id": 1}', 'what was done stays done');
is($other->safe_psql('postgres', "SELECT outcome FROM arbiter.claim('shop', 'pay', repeat('x', 9000))"), 'taken', 'a long key is found again');
($rc, $out, $err) = $other->psql('postgres', "\\set VERBOSITY sqlstate\nDELETE FROM shop.claims");
like($err, qr/RB003/, 'the table is guarded again');
is($other->safe_psql('postgres', "SELECT arbiter.settle('shop', 'mail', 'open', token, 'failed') FROM shop.claims WHERE key = 'open';
    SELECT c.token > t.token FROM (SELECT token FROM shop.claims WHERE key = 'open') AS t, arbiter.claim('shop', 'mail', 'open') AS c"), "\nt",
    'tokens go on growing');
$node->stop;
$other->stop;
done_testing();
