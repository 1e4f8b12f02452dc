# How far long calls are, as another session sees it while they work; and that nothing is left of them, whatever ends them.
# Each is stopped half way by an advisory lock that the test holds.
use strict;
use warnings FATAL => 'all';
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = PostgreSQL::Test::Cluster->new('main');
$node->init;
$node->start;
$node->safe_psql('postgres', 'CREATE EXTENSION arbiter');
my ($code, undef, $error) = $node->psql('postgres', '\set VERBOSITY sqlstate' . "\nSELECT * FROM arbiter.progress");
like($error, qr/55000/, 'where the library is not preloaded nobody can tell, which is said');
$node->append_conf('postgresql.conf', "shared_preload_libraries = 'arbiter'\narbiter.runner_workers = 0\n");
$node->restart;
my $ask = sub { $node->safe_psql('postgres', @_) };
$ask->(<<'END');
CREATE FUNCTION stop() RETURNS void LANGUAGE sql AS 'SELECT pg_advisory_xact_lock_shared(1)';
CREATE FUNCTION stop_row() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM stop(); RETURN COALESCE(NEW, OLD); END $$;
SELECT arbiter.create_store('shop'), arbiter.create_store('copy');
SELECT arbiter.append_events('shop', 's-' || s, -1, (SELECT jsonb_agg(jsonb_build_object('type', 'T', 'data', jsonb_build_object('n', (s - 1) * 10 + n)))
    FROM generate_series(1, 10) AS n)) FROM generate_series(1, 120) AS s;
END

my $gate = $node->background_psql('postgres');
my $seen = sub { $ask->("SELECT store, call, object, done, total, unit, since <= clock_timestamp() FROM arbiter.progress") };
my $blocked = "SELECT count(*) = 1 FROM pg_locks WHERE locktype = 'advisory' AND objid = 1 AND NOT granted";
# The call, stopped at the gate; what another session sees; then it goes on to its end.
sub half_way {
    my ($call, $expected) = @_;
    $gate->query_safe('SELECT pg_advisory_lock(1)');
    my $session = $node->background_psql('postgres');
    $session->query_until(qr/sent/, "\\echo sent\n$call;\n");
    $node->poll_query_until('postgres', $blocked) or die "$call does not come to the gate";
    is($seen->(), $expected, $call);
    $gate->query_safe('SELECT pg_advisory_unlock(1)');
    $session->query('\echo');
    is($seen->(), '', '… and nothing at its end');
    $session->quit;
}

$ask->(<<'END');
CREATE FUNCTION apply(event jsonb) RETURNS void LANGUAGE plpgsql AS $$ BEGIN IF event @> '{"data": {"n": 250}}' THEN PERFORM stop(); END IF; END $$;
SELECT arbiter.create_projection('shop', 'sums', 'transactional', 'apply');
END
half_way("CALL arbiter.run_projections('shop', 100)", 'shop|run_projections|sums|200|1200|positions|t');

$ask->(q{CREATE TRIGGER stop BEFORE INSERT ON copy.events FOR EACH ROW WHEN (NEW.position = 550) EXECUTE FUNCTION stop_row()});
half_way("SELECT arbiter.import_events('copy', 'shop.events')", 'copy|import_events|shop.events|512||events|t');

$ask->(<<'END');
CREATE FUNCTION apply_inline(event jsonb) RETURNS void LANGUAGE plpgsql AS
    $$ BEGIN IF event @> '{"data": {"n": 1200}}' AND current_setting('test.stops', true) = 'on' THEN PERFORM stop(); END IF; END $$;
SELECT arbiter.create_projection('copy', 'now', 'inline', 'apply_inline');
END
half_way("SET test.stops = on; SELECT arbiter.rebuild_projection('copy', 'now')", 'copy|rebuild_projection|now|1000|1200|positions|t');

$ask->(<<'END');
CREATE TABLE work (id bigint PRIMARY KEY, owner text, since timestamptz, token bigint);
INSERT INTO work SELECT n FROM generate_series(1, 9) AS n;
CREATE INDEX ON work (id) WHERE owner IS NULL;
SELECT arbiter.create_pool('shop', 'work', 'work', 'id', 'owner', 'since', 'token', NULL, NULL);
SELECT count(*) FROM arbiter.allocate('shop', 'work', 'gone', 9);
CREATE TRIGGER stop BEFORE UPDATE ON work FOR EACH ROW WHEN (NEW.id = 5 AND NEW.owner IS NULL) EXECUTE FUNCTION stop_row();
END
half_way("SELECT arbiter.return_stale('shop', 'work', '0', 9)", 'shop|return_stale|work|4||rows|t');

$ask->(<<'END');
SELECT arbiter.create_machine('shop', 'm', 'm', 'Due', '[{"from": ["Due"], "command": "do", "to": "Done", "event": "Done"}]');
CREATE TABLE due (id text PRIMARY KEY, due boolean NOT NULL DEFAULT true);
INSERT INTO due SELECT n FROM generate_series(1, 9) AS n;
SELECT arbiter.create_sweep('shop', 'do', 'due', 'id', 'due', 'id', 'm', 'do');
CREATE TRIGGER stop BEFORE INSERT ON shop.events FOR EACH ROW WHEN (NEW.stream = 'm-4') EXECUTE FUNCTION stop_row();
END
half_way("CALL arbiter.run_sweep('shop', 'do', 9)", 'shop|run_sweep|do|3||rows|t');

# A ledger of more than one batch, stopped at the first claim of the second: digests are in order.
$ask->(<<'END');
SELECT arbiter.create_ledger('shop', 'mails', durable => false);
SELECT count(*) FROM (SELECT arbiter.settle('shop', 'mails', key, token, 'done')
    FROM arbiter.claim_keys('shop', 'mails', ARRAY(SELECT n::text FROM generate_series(1, 10100) AS n))) AS s;
END
my $last = $ask->('SELECT digest FROM shop.claims ORDER BY digest OFFSET 9999 LIMIT 1');
my $share = hex substr $last, 0, 4;
$ask->("CREATE TRIGGER stop BEFORE DELETE ON shop.claims FOR EACH ROW WHEN (OLD.digest > '$last') EXECUTE FUNCTION stop_row()");
half_way("CALL arbiter.prune_claims('shop', 'mails', '0')", "shop|prune_claims|mails|$share|65536|65536ths of the ledger|t");

# An error, and a session that is ended, leave nothing behind either, and the places are free again.
$ask->("UPDATE work SET owner = 'gone', since = now(), token = token + 1");
for my $end ('pg_cancel_backend', 'pg_terminate_backend') {
    $gate->query_safe('SELECT pg_advisory_lock(1)');
    my $session = $node->background_psql('postgres', on_error_stop => 0);
    $session->query_until(qr/sent/, "\\echo sent\nSELECT arbiter.return_stale('shop', 'work', '0', 9);\n");
    $node->poll_query_until('postgres', $blocked) or die 'it does not come to the gate';
    $ask->("SELECT $end(pid) FROM arbiter.progress");
    $node->poll_query_until('postgres', 'SELECT count(*) = 0 FROM arbiter.progress') or die 'it is not ended';
    pass("$end leaves nothing");
    $gate->query_safe('SELECT pg_advisory_unlock(1)');
    $session->{run}->finish if $end eq 'pg_terminate_backend';
    $session->quit if $end ne 'pg_terminate_backend';
}
$gate->quit;
$node->stop;
done_testing();
