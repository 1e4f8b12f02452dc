# Preloaded, the view of locks shows names; so does what a prepared transaction holds.
use strict;
use warnings FATAL => 'all';
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = PostgreSQL::Test::Cluster->new('preloaded');
$node->init;
$node->append_conf('postgresql.conf', "shared_preload_libraries = 'arbiter'\nmax_prepared_transactions = 5\n");
$node->start;
$node->safe_psql('postgres', 'CREATE EXTENSION arbiter');

is($node->safe_psql('postgres', "BEGIN; SELECT FROM arbiter.lock_entities(ARRAY['order-1', repeat('é', 100)]);
        SELECT entity FROM arbiter.entity_locks ORDER BY length(entity); COMMIT"),
    "order-1\n" . 'é' x 59, 'names, and the beginning of a long one in whole characters');
$node->safe_psql('postgres', "BEGIN; SELECT arbiter.lock_entity('kept'); PREPARE TRANSACTION 'p'");
is($node->safe_psql('postgres', 'SELECT entity, gid FROM arbiter.entity_locks'), 'kept|p', 'prepared');
$node->stop('immediate');
$node->start;
is($node->safe_psql('postgres', 'SELECT entity, gid FROM arbiter.entity_locks'), '|p', 'a name is forgotten, the lock is not');
$node->safe_psql('postgres', "SELECT FROM arbiter.entity_key('kept'); BEGIN; SELECT arbiter.try_lock_entity('kept'); COMMIT");
is($node->safe_psql('postgres', 'SELECT entity, gid FROM arbiter.entity_locks'), 'kept|p', 'whoever asks for it says it again');
$node->safe_psql('postgres', "ROLLBACK PREPARED 'p'");
$node->stop;
done_testing();
