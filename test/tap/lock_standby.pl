# A standby reads without locks, lists claims, and knows all of them when it is promoted. What it refuses: standby.pl.
use strict;
use warnings FATAL => 'all';
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $primary = PostgreSQL::Test::Cluster->new('primary');
$primary->init(allows_streaming => 1);
$primary->start;
$primary->safe_psql('postgres', "CREATE EXTENSION arbiter; SELECT arbiter.create_store('shop'); SELECT arbiter.create_ledger('shop', 'mail')");
$primary->backup('base');
my $standby = PostgreSQL::Test::Cluster->new('standby');
$standby->init_from_backup($primary, 'base', has_streaming => 1);
$standby->start;
$primary->safe_psql('postgres', "SELECT arbiter.append('shop', 's', -1, 'T', '{}');
    SELECT arbiter.settle('shop', 'mail', 'done', token, 'done') FROM arbiter.claim('shop', 'mail', 'done');
    SELECT arbiter.claim('shop', 'mail', 'open')");
$primary->wait_for_catchup($standby);

is($standby->safe_psql('postgres', "SELECT revision, head FROM arbiter.load_stream('shop', 's', lock => false)"), '0|0', 'reading needs no lock');
is($standby->safe_psql('postgres', 'SELECT key FROM shop.unsettled_claims'), 'open', 'what is unsettled is listed there too');
is($standby->safe_psql('postgres', 'SELECT count(*) FROM arbiter.entity_locks'), '0', 'nobody holds anything there');

$primary->stop('immediate');
$standby->promote;
is($standby->safe_psql('postgres', "SELECT outcome FROM arbiter.claim_keys('shop', 'mail', '{done,open,new}')"), "settled\ntaken\nwon",
    'promoted, it knows every claim');
is($standby->safe_psql('postgres', "BEGIN; SELECT arbiter.try_lock_entity('a'); COMMIT"), 't', 'and locks');
$standby->stop;
done_testing();
