# Four runners at the same projections: two workers and two sessions that call run_projections. Handlers fail at random,
# streams are truncated and appended to meanwhile, and sessions, workers and the server are killed with -9. In the end the
# read models are what the log says, offsets are what was applied, and what was passed is owed, or was paid.
use strict;
use warnings FATAL => 'all';
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Sessions qw(psql_loop wait_until_gone);
use Test::More;
use Time::HiRes qw(usleep);

my $rounds = $ENV{RUNNER_ROUNDS} // 6;
my $node = PostgreSQL::Test::Cluster->new('main');
$node->init;
$node->append_conf('postgresql.conf', <<'CONF');
shared_preload_libraries = 'arbiter'
arbiter.runner_workers = 2
arbiter.runner_nap = '50ms'
fsync = on
autovacuum = off
restart_after_crash = on
CONF
$node->start;
$node->safe_psql('postgres', <<'SQL');
    CREATE EXTENSION arbiter;
    SELECT arbiter.create_store('shop');
    CREATE TABLE luck (bad double precision NOT NULL);
    INSERT INTO luck VALUES (0.02);
    -- what was applied, in the order in which it was
    CREATE TABLE seen (projection text, stream text, revision bigint, n bigint GENERATED ALWAYS AS IDENTITY);
    CREATE FUNCTION note(projection text, event jsonb) RETURNS void LANGUAGE plpgsql AS $$
    BEGIN
        INSERT INTO public.seen VALUES (projection, event ->> 'stream', (event ->> 'revision')::bigint);
        IF random() < (SELECT bad FROM public.luck) THEN
            RAISE EXCEPTION 'bad luck';
        END IF;
    END $$;
    CREATE FUNCTION note_all(event jsonb) RETURNS void LANGUAGE sql AS $$ SELECT public.note('all', event) $$;
    CREATE FUNCTION note_some(event jsonb) RETURNS void LANGUAGE sql AS $$ SELECT public.note('some', event) $$;
    CREATE FUNCTION note_sooner_or_later(event jsonb) RETURNS void LANGUAGE sql AS $$ SELECT public.note('later', event) $$;
    CREATE FUNCTION nothing_more(projection text) RETURNS TABLE (entity text, revision bigint, detail jsonb) LANGUAGE sql
        AS $$ SELECT d.entity, d.revision, NULL::jsonb FROM shop.debts AS d WHERE d.projection = nothing_more.projection $$;
    SELECT arbiter.create_projection('shop', 'all', 'transactional', 'note_all');
    SELECT arbiter.create_projection('shop', 'some', 'transactional', 'note_some', types => '{Even}', strict => false);
    SELECT arbiter.create_projection('shop', 'later', 'async', 'note_sooner_or_later', 'nothing_more', '500ms', max_attempts => 1);
SQL

my $append = "SELECT arbiter.append('shop', 'a-' || floor(random() * 20), -2, CASE WHEN random() < 0.5 THEN 'Even' ELSE 'Odd' END, '{}')"
    . " FROM generate_series(1, 3);\nSELECT pg_sleep(0.002);\n";
my $truncate = "SELECT arbiter.truncate_stream('shop', s, greatest(arbiter.stream_revision('shop', s) - 5, 0), 'old')"
    . " FROM (SELECT 'a-' || floor(random() * 20) AS s) AS x WHERE arbiter.stream_revision('shop', s) > 5;\nSELECT pg_sleep(0.2);\n";
my %killed = (worker => 0, session => 0, server => 0);
for my $round (1 .. $rounds) {
    my @sessions = (
        (map { psql_loop($node, 'writer', $append) } 1 .. 2),
        psql_loop($node, 'truncater', $truncate),
        (map { psql_loop($node, 'caller', "CALL arbiter.run_projections('shop', 20);\nSELECT pg_sleep(0.001);\n") } 1 .. 2));
    my $so_far = $node->safe_psql('postgres', 'SELECT count(*) FROM seen');
    my $more = 100 + int rand 400;
    $node->poll_query_until('postgres', "SELECT count(*) >= $so_far + $more FROM seen") or die 'the runners stand still';
    my $whom = (qw(worker session server))[ $round % 3 ];
    if ($whom eq 'server') {
        $killed{server} += kill 'KILL', slurp_file($node->data_dir . '/postmaster.pid') =~ /^(\d+)/;
        $_->kill_kill for @sessions;
        $node->{_pid} = undef;
        # Its children notice that it is gone, and the memory they shared is to be free again.
        for (1 .. 600) {
            last if run_log([ 'pg_ctl', '-D', $node->data_dir, '-l', $node->logfile, '-w', 'start' ]);
            usleep(100_000);
        }
        $node->_update_pid(1);
    } else {
        my $pid = $node->safe_psql('postgres', "SELECT pid FROM pg_stat_activity WHERE "
                . ($whom eq 'worker' ? "backend_type = 'arbiter runner'" : "application_name = 'caller'")
                . " ORDER BY (state = 'active') DESC, random() LIMIT 1");
        $killed{$whom} += kill 'KILL', $pid if $pid;
        wait_until_gone($node, $pid) if $pid;
        $_->kill_kill for @sessions;
    }
    is($node->safe_psql('postgres', <<'SQL'), '', "round $round: no offset is ahead of what was applied, passed or not there to be shown");
        SELECT o.projection, o.entity, o.revision FROM shop.offsets AS o JOIN shop.events AS e ON e.stream = o.entity AND e.revision <= o.revision
         WHERE e.type !~ '^\$' AND (o.projection <> 'some' OR e.type = 'Even')
           AND NOT EXISTS (SELECT FROM seen AS s WHERE s.projection = o.projection AND s.stream = e.stream AND s.revision = e.revision)
           AND NOT EXISTS (SELECT FROM shop.debts AS d WHERE d.projection = o.projection AND d.entity = e.stream AND d.revision = e.revision)
SQL
}
ok($killed{worker} && $killed{session} && $killed{server}, "killed: @{[ map { \"$_ $killed{$_}\" } sort keys %killed ]}");

# Nobody fails any more. What is held back comes when it is due, and the reconciler pays.
$node->safe_psql('postgres', 'UPDATE luck SET bad = 0');
for my $turn (1 .. 2) {
    $node->safe_psql('postgres', 'UPDATE shop.failed_events SET next_attempt_at = now() WHERE passed_at IS NULL');
    $node->poll_query_until('postgres', 'SELECT NOT EXISTS (SELECT FROM shop.failures)') or diag 'held back';
}
ok($node->poll_query_until('postgres', "SELECT sum(lag_events) FROM shop.projection_status", '0'), 'by itself there is no lag in the end');
ok($node->poll_query_until('postgres', "SELECT count(*) FROM shop.debts AS d JOIN shop.events AS e ON e.stream = d.entity AND e.revision = d.revision", '0'),
    'and no debt of an event that is still there');
is($node->safe_psql('postgres', <<'SQL'), '', 'nothing was applied twice');
    SELECT projection, stream, revision FROM seen GROUP BY 1, 2, 3 HAVING count(*) > 1
SQL
is($node->safe_psql('postgres', <<'SQL'), '', 'nothing overtook what was held back of its stream');
    SELECT * FROM (SELECT projection, stream, revision, max(revision) OVER (PARTITION BY projection, stream ORDER BY n) AS latest FROM seen
                    WHERE projection <> 'later') AS s WHERE revision < latest
SQL
is($node->safe_psql('postgres', <<'SQL'), '', 'nothing is missing');
    SELECT p.projection, e.stream, e.revision FROM shop.events AS e CROSS JOIN shop.projections AS p
     WHERE e.type !~ '^\$' AND (p.projection <> 'some' OR e.type = 'Even')
       AND NOT EXISTS (SELECT FROM seen AS s WHERE s.projection = p.projection AND s.stream = e.stream AND s.revision = e.revision)
SQL
cmp_ok($node->safe_psql('postgres', 'SELECT count(*) FROM seen'), '>', 500, 'and that was something');
$node->stop;
done_testing();
