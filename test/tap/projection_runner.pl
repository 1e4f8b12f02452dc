# A handler that ends its session is seen, recorded and put off, and blocks nothing else; a runner that is lost is
# noticed by the next one. The read model stays what the log says.
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
    CREATE TABLE seen (stream text, revision bigint, PRIMARY KEY (stream, revision));
    -- ends its session at the event of that name
    CREATE FUNCTION see(event arbiter.recorded_event) RETURNS void LANGUAGE plpgsql AS $$
    BEGIN
        INSERT INTO seen VALUES (event.stream, event.revision);
        IF event.type = 'Killer' THEN
            PERFORM pg_terminate_backend(pg_backend_pid());
        END IF;
    END $$;
    CREATE FUNCTION see_too(event arbiter.recorded_event) RETURNS void LANGUAGE sql AS 'SELECT';
    SELECT arbiter.create_projection('shop', 'p', 'transactional', 'see');
    SELECT arbiter.create_projection('shop', 'q', 'transactional', 'see_too');
    SELECT arbiter.append('shop', 'a-' || s, -2, CASE WHEN s = 3 AND r = 2 THEN 'Killer' ELSE 'T' END, '{}')
      FROM generate_series(0, 4) AS r, generate_series(1, 5) AS s;
SQL

sub run_all {
    my ($rc) = $node->psql('postgres', "CALL arbiter.run_projections('shop')");
    return $rc;
}
my $failure = "SELECT entity, revision, attempts, error FROM shop.failures WHERE attempts > 0";
my $model = 'SELECT stream, count(*), max(revision) FROM seen GROUP BY 1 ORDER BY 1';

isnt(run_all(), 0, 'the session of the first runner is lost');
is($node->safe_psql('postgres', $model), '', 'with all that it did in that batch');
isnt(run_all(), 0, 'the next runner is lost too, at the event itself');
is($node->safe_psql('postgres', $failure),
    'a-3|2|1|the attempt did not end: its session is still at it, or was lost', 'whose attempt was counted before');
is(run_all(), 0, 'the one after that goes on without it');
is($node->safe_psql('postgres', $model), "a-1|5|4\na-2|5|4\na-3|2|1\na-4|5|4\na-5|5|4", 'the others have come to the end');
is($node->safe_psql('postgres', "SELECT lag_events FROM shop.projection_status ORDER BY projection"), "0\n0",
    'and so has the next projection');
for my $attempts (2 .. 3) {
    $node->safe_psql('postgres', 'UPDATE shop.failed_events SET next_attempt_at = now()');
    isnt(run_all(), 0, 'when it is due, it ends the runner again');
    is($node->safe_psql('postgres', "SELECT attempts FROM shop.failures"), $attempts, "and is counted: $attempts");
}
$node->safe_psql('postgres', "SELECT arbiter.append('shop', 'a-6', -2, 'T', '{}')");
is(run_all(), 0, 'between its attempts it disturbs nobody');
$node->safe_psql('postgres', <<'SQL');
    CREATE OR REPLACE FUNCTION see(event arbiter.recorded_event) RETURNS void LANGUAGE sql
        AS 'INSERT INTO seen VALUES (event.stream, event.revision)';
    UPDATE shop.failed_events SET next_attempt_at = now();
SQL
is(run_all(), 0, 'mended');
is($node->safe_psql('postgres', $model), "a-1|5|4\na-2|5|4\na-3|5|4\na-4|5|4\na-5|5|4\na-6|1|0", 'its stream has caught up');
is($node->safe_psql('postgres', 'SELECT count(*) FROM shop.failed_events'), '0', 'nothing is held back');
is($node->safe_psql('postgres', 'SELECT count(runner) FROM shop.projection_cursors'), '0', 'no mark is left');

$node->stop;
done_testing();
