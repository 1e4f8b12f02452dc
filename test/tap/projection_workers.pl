# Twelve workers share two projections while events are written, one in twenty fails at first, backends are killed with
# -9 and the server is stopped at once. In the transactional one each event has its effect once, in the order of its
# stream. In the async one each is done once and in order, and a token leaves at most one effect behind of which nobody
# knows: that of the worker that was lost.
use strict;
use warnings FATAL => 'all';
use IPC::Run ();
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my ($workers, $streams, $revisions, $rounds) = (6, 30, 15, 4);
my $total = $streams * $revisions * ($rounds + 1);

my $node = PostgreSQL::Test::Cluster->new('main');
$node->init(extra => [ '--encoding=UTF8', '--locale=C' ]);
$node->append_conf('postgresql.conf', "autovacuum = off\nrestart_after_crash = on\nmax_connections = 60\n");
$node->start;
my $ask = sub { $node->safe_psql('postgres', @_) };
$ask->(<<'SQL');
    CREATE EXTENSION arbiter;
    SELECT arbiter.create_store('shop');
    SELECT arbiter.create_projection('shop', 'model', 'transactional');
    SELECT arbiter.create_projection('shop', 'mailer', 'async', reconciler => 'external', reconcile_every => '1 day');
    -- No keys: what happens twice is there twice. The sequence tells what happened first.
    CREATE TABLE journal (n bigserial, stream text, revision bigint);
    CREATE TABLE sent (stream text, revision bigint, token bigint);
    CREATE TABLE done (n bigserial, stream text, revision bigint, token bigint);
    CREATE TABLE failed_once (what text, stream text, revision bigint, PRIMARY KEY (what, stream, revision));

    -- One in twenty, until it is recorded that it did.
    CREATE FUNCTION fails(what text, event arbiter.taken_event) RETURNS boolean LANGUAGE sql AS $$
        SELECT (event).position % 20 = 7
           AND NOT EXISTS (SELECT FROM failed_once AS f
                            WHERE f.what = $1 AND f.stream = (event).stream AND f.revision = (event).revision) $$;
    CREATE PROCEDURE fail(what text, event arbiter.taken_event) LANGUAGE plpgsql AS $$
    BEGIN
        PERFORM arbiter.fail_event('shop', what, event.stream, event.revision, 'no luck', token => event.token);
        INSERT INTO failed_once VALUES (what, event.stream, event.revision) ON CONFLICT DO NOTHING;
        UPDATE shop.failed_events SET next_attempt_at = clock_timestamp() + '50 ms'
         WHERE projection = what AND entity = event.stream AND passed_at IS NULL;
    END $$;

    CREATE PROCEDURE work_on_model() LANGUAGE plpgsql AS $$
    DECLARE
        events arbiter.taken_event[];
        event arbiter.taken_event;
        gone text[];
    BEGIN
        LOOP
            gone := '{}';
            events := ARRAY(SELECT e FROM arbiter.next_events('shop', 'model', 1 + (random() * 8)::int) AS e);
            FOREACH event IN ARRAY events LOOP
                CONTINUE WHEN event.stream = ANY (gone);
                IF fails('model', event) THEN
                    gone := gone || event.stream;
                    CALL fail('model', event);
                ELSIF arbiter.advance('shop', 'model', event.stream, event.revision) THEN
                    INSERT INTO journal (stream, revision) VALUES (event.stream, event.revision);
                END IF;
            END LOOP;
            IF random() < 0.1 THEN ROLLBACK; ELSE COMMIT; END IF;
        END LOOP;
    END $$;

    CREATE PROCEDURE work_on_mailer() LANGUAGE plpgsql AS $$
    DECLARE
        events arbiter.taken_event[];
        event arbiter.taken_event;
        gone text[];
    BEGIN
        LOOP
            gone := '{}';
            -- a short lease is up before its worker is done, and he meets the one who takes over
            events := ARRAY(SELECT e FROM arbiter.next_events('shop', 'mailer', 1 + (random() * 8)::int,
                                                              CASE WHEN random() < 0.5 THEN '20 ms' ELSE '500 ms' END::interval) AS e);
            COMMIT;
            FOREACH event IN ARRAY events LOOP
                CONTINUE WHEN event.stream = ANY (gone);
                IF NOT fails('mailer', event) THEN
                    INSERT INTO sent VALUES (event.stream, event.revision, event.token);
                    COMMIT; -- the effect is somewhere else, and stays whatever happens here
                END IF;
                BEGIN
                    IF fails('mailer', event) THEN
                        gone := gone || event.stream;
                        CALL fail('mailer', event);
                    ELSIF arbiter.done_event('shop', 'mailer', event.stream, event.revision, event.token) THEN
                        INSERT INTO done (stream, revision, token) VALUES (event.stream, event.revision, event.token);
                    END IF;
                EXCEPTION WHEN SQLSTATE 'RB020' THEN
                    gone := gone || event.stream;
                END;
                COMMIT;
            END LOOP;
        END LOOP;
    END $$;
    CREATE PROCEDURE write_events(first int, streams int, revisions int) LANGUAGE plpgsql AS $$
    BEGIN
        FOR r IN 0 .. revisions - 1 LOOP
            FOR s IN first .. first + streams - 1 LOOP
                PERFORM arbiter.append_if('shop', 's-' || s, r - 1, '[{"type": "T", "data": {}}]');
                COMMIT;
            END LOOP;
        END LOOP;
    END $$;
SQL

my @sessions;
sub start_session {
    my ($call) = @_;
    my $session = { out => '', err => '' };
    $session->{process} = IPC::Run::start(
        [ 'psql', '-XAtq', '-v', 'VERBOSITY=sqlstate', '-d', $node->connstr('postgres'), '-c', "CALL $call" ],
        '<', \'', '>', \$session->{out}, '2>', \$session->{err});
    push @sessions, $session;
    return;
}

sub start_sessions {
    my ($round) = @_;
    start_session("work_on_$_") for map { ('model()', 'mailer()') } 1 .. $workers;
    start_session("write_events($_, $streams / 3, $revisions * $round)") for map { 1 + $_ * $streams / 3 } 0 .. 2;
    return;
}

my %told;
sub finish_sessions {
    for my $session (splice @sessions) {
        $session->{process}->finish;
        $told{$1}++ while $session->{err} =~ /ERROR:\s+(\w{5})/g;
    }
    return;
}

sub check {
    my ($when) = @_;
    for my $table ('journal', 'done') {
        is($ask->(<<"SQL"), '0', "$when: $table has each event once and in the order of its stream");
            SELECT count(*) FROM (SELECT revision, row_number() OVER (PARTITION BY stream ORDER BY n) - 1 AS due FROM $table) AS j
             WHERE revision <> due
SQL
    }
    is($ask->(<<'SQL'), '0', "$when: offsets say neither more nor less");
        SELECT count(*) FROM shop.offsets AS o
          FULL JOIN (SELECT 'model' AS projection, stream AS entity, max(revision) AS revision FROM journal GROUP BY stream
                      UNION ALL SELECT 'mailer', stream, max(revision) FROM done GROUP BY stream) AS j USING (projection, entity)
         WHERE o.revision IS DISTINCT FROM j.revision
SQL
    is($ask->(<<'SQL'), '0', "$when: what is done was sent under the token that says so, once");
        SELECT count(*) FROM done AS d
         WHERE (SELECT count(*) FROM sent AS s WHERE (s.stream, s.revision, s.token) = (d.stream, d.revision, d.token)) <> 1
SQL
    is($ask->(<<'SQL'), '0', "$when: a token leaves one effect behind at most");
        SELECT count(*) FROM (SELECT FROM sent AS s LEFT JOIN done AS d USING (stream, revision, token)
                               WHERE d.stream IS NULL GROUP BY s.stream, s.token HAVING count(*) > 1) AS t
SQL
    return;
}

for my $round (1 .. $rounds) {
    my $before = $ask->('SELECT count(*) FROM journal');
    start_sessions($round);
    $node->poll_query_until('postgres', "SELECT count(*) >= $before + 60 FROM journal") or die 'no effects';
    if ($round % 2) {
        my $victim = $ask->("SELECT pid FROM pg_stat_activity WHERE query ~ 'work_on' AND pid <> pg_backend_pid() ORDER BY random() LIMIT 1");
        ok(kill('KILL', $victim), "round $round: a worker is killed");
        finish_sessions();
        $node->poll_query_until('postgres', 'SELECT 1', '1') or die 'the server does not come back';
    } else {
        $node->stop('immediate');
        pass("round $round: the server is stopped at once");
        finish_sessions();
        $node->start;
    }
    check("round $round");
}

# And on to the end, workers being ended one by one meanwhile.
start_sessions($rounds + 1);
for (1 .. 2) {
    $ask->("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query ~ 'work_on_$_' AND pid <> pg_backend_pid() ORDER BY random() LIMIT 1")
        for 'model', 'mailer';
}
ok($node->poll_query_until('postgres', "SELECT (SELECT count(*) FROM journal) = $total AND (SELECT count(*) FROM done) = $total"),
    'every event has its effect');
$ask->("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query ~ 'work_on' AND pid <> pg_backend_pid()");
finish_sessions();
check('in the end');
cmp_ok($ask->('SELECT count(*) FROM failed_once'), '>', 50, 'some failed on the way');
note($ask->('SELECT count(*) FROM (SELECT FROM sent GROUP BY stream, revision HAVING count(*) > 1) AS t'), ' effects happened again under another token');
is($ask->('SELECT count(*) FROM shop.failures'), '0', 'and have been applied since');
is_deeply([ grep { !/^57P0\d$/ } keys %told ], [], 'nobody was told anything unexpected') or diag explain \%told;
$ask->("SELECT FROM arbiter.next_events('shop', '$_->[0]', 10, $_->[1])") for [ 'model', 'NULL' ], [ 'mailer', "'1 min'" ];
is($ask->('SELECT DISTINCT lag_events FROM shop.projection_status'), '0', 'and the cursors have come to the end');
is($ask->('SELECT count(*) FROM shop.streams_set_aside'), '0', 'with nothing left beside');
$node->stop;
done_testing();
