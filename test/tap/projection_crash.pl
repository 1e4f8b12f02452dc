# Runners are killed with -9 at random while others run the same projections, handlers fail at random and writers
# append. In the end each event has been applied exactly once, in the order of its stream.
use strict;
use warnings FATAL => 'all';
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Sessions qw(psql_loop);
use Test::More;
use Time::HiRes qw(usleep);

my $rounds = $ENV{PROJECTION_ROUNDS} // 8;
my $node = PostgreSQL::Test::Cluster->new('main');
$node->init;
$node->append_conf('postgresql.conf', "fsync = on\nautovacuum = off\nrestart_after_crash = on\n");
$node->start;
$node->safe_psql('postgres', <<'SQL');
    CREATE EXTENSION arbiter;
    SELECT arbiter.create_store('shop');
    CREATE TABLE seen (projection text, stream text, revision bigint);
    CREATE TABLE heads (projection text, stream text, revision bigint, PRIMARY KEY (projection, stream));
    -- fails at random, and where an event is not the next one of its stream
    CREATE FUNCTION see(projection text, event arbiter.recorded_event) RETURNS void LANGUAGE plpgsql AS $$
    BEGIN
        INSERT INTO seen VALUES (projection, event.stream, event.revision);
        INSERT INTO heads AS h VALUES (projection, event.stream, event.revision)
            ON CONFLICT ON CONSTRAINT heads_pkey DO UPDATE SET revision = excluded.revision
         WHERE h.revision = excluded.revision - 1;
        IF NOT FOUND OR NOT EXISTS (SELECT FROM seen AS s WHERE s.projection = see.projection AND s.stream = event.stream
                                    HAVING count(*) = event.revision + 1) THEN
            RAISE EXCEPTION 'out of order: % %', event.stream, event.revision;
        ELSIF random() < 0.01 THEN
            RAISE EXCEPTION 'bad luck';
        END IF;
    END $$;
    CREATE FUNCTION see_one(event arbiter.recorded_event) RETURNS void LANGUAGE sql AS $$ SELECT see('one', event) $$;
    CREATE FUNCTION see_many(events arbiter.recorded_event[]) RETURNS void LANGUAGE plpgsql AS $$
    BEGIN
        PERFORM see('many', e) FROM unnest(events) AS e;
    END $$;
    SELECT arbiter.create_projection('shop', 'one', 'transactional', 'see_one');
    SELECT arbiter.create_projection('shop', 'many', 'transactional', 'see_many');
SQL

sub wait_for_server { # it restarts when one of its processes is killed
    for (1 .. 1800) {
        my ($out) = run_command([ 'psql', '-XAtc', 'SELECT 1', '-d', $node->connstr('postgres') ]);
        return if $out eq '1';
        usleep(100_000);
    }
    die 'the server is gone';
}

my $killed = 0;
for my $round (1 .. $rounds) {
    my @sessions = (
        (map { psql_loop($node, "writer", "SELECT arbiter.append('shop', 'a-' || floor(random() * 20), -2, 'T', '{}') FROM generate_series(1, 3);\n") } 1 .. 2),
        (map { psql_loop($node, "runner", "CALL arbiter.run_projections('shop', 20);\n") } 1 .. 2),
        psql_loop($node, 'hand', "SELECT arbiter.run_projection('shop', 'one', 7), arbiter.retry_failures('shop', 'many', 5);\n"));
    # Until it has been at it for a while: not the same moment each time.
    my $so_far = $node->safe_psql('postgres', 'SELECT count(*) FROM seen');
    my $more = 50 + int rand 400;
    $node->poll_query_until('postgres', "SELECT count(*) >= $so_far + $more FROM seen") or die 'the runners stand still';
    my $pid = $node->safe_psql('postgres',
        "SELECT pid FROM pg_stat_activity WHERE application_name IN ('runner', 'hand') AND state = 'active' ORDER BY random() LIMIT 1");
    $killed += kill 'KILL', $pid if $pid;
    $_->kill_kill for @sessions;
    wait_for_server();
}
cmp_ok($killed, '>', $rounds / 2, 'runners were killed at their work');

# Nobody fails any more; what is held back catches up.
$node->safe_psql('postgres', <<'SQL');
    CREATE OR REPLACE FUNCTION random() RETURNS double precision LANGUAGE sql AS 'SELECT 1.0::double precision';
    ALTER FUNCTION see SET search_path = public, pg_catalog;
    UPDATE shop.failed_events SET next_attempt_at = now();
    CALL arbiter.run_projections('shop');
    UPDATE shop.failed_events SET next_attempt_at = now();
    CALL arbiter.run_projections('shop');
SQL
is($node->safe_psql('postgres', 'SELECT projection, entity, revision, error FROM shop.failed_events'), '', 'nothing is held back');
is($node->safe_psql('postgres', 'SELECT sum(lag_events) FROM shop.projection_status'), '0', 'there is no lag');
for my $projection ('one', 'many') {
    is($node->safe_psql('postgres', <<SQL), '', "$projection: each event once, in order");
        SELECT stream, revision, count(s) FROM shop.events LEFT JOIN seen AS s USING (stream, revision)
         WHERE s.projection IS NULL OR s.projection = '$projection' GROUP BY 1, 2 HAVING count(s) <> 1
SQL
    is($node->safe_psql('postgres', "SELECT count(*) FROM seen WHERE projection = '$projection'"),
        $node->safe_psql('postgres', 'SELECT count(*) FROM shop.events'), "$projection: as many as there are");
}
$node->stop;
done_testing();
