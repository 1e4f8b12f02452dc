# At the ends of what there is: the last revision and position, locks, subtransactions, time. Each has its SQLSTATE,
# leaves nothing half done, and the session goes on. What takes long is in test/limits/run.
use strict;
use warnings FATAL => 'all';
use Calls qw(read_calls statement literal);
use IPC::Run ();
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = PostgreSQL::Test::Cluster->new('main');
$node->init(extra => [ '--encoding=UTF8', '--locale=C' ]);
$node->append_conf('postgresql.conf', <<'CONF');
fsync = off
log_statement = none
max_connections = 12
max_worker_processes = 1
autovacuum_max_workers = 1
max_locks_per_transaction = 40
max_prepared_transactions = 0
CONF
$node->start;
sub sql { return $node->safe_psql('postgres', @_) }
sub sqlstates { # of each statement of a session that goes on after an error; 00000 where there was none
    my ($script) = @_;
    my ($rc, $out, $err) = $node->psql('postgres', "SET client_min_messages = error;\n" . join('', map { "$_;\n\\echo :SQLSTATE\n" } @$script),
        on_error_stop => 0, extra_params => ['-q']);
    return join ' ', grep { /^\w{5}$/ } split /\n/, $out;
}
sql(q{CREATE EXTENSION arbiter; SELECT arbiter.create_store('shop'), arbiter.create_store('ends')});

# The last revision, and the last position. No writer gets there in a lifetime, so something is put there.
my $last = '9223372036854775807';
sql(<<"SQL");
    SET session_replication_role = replica;
    INSERT INTO ends.events (position, stream, revision, id, type, data, metadata, recorded_at)
        VALUES (nextval('ends.events_position'), 'a-1', $last - 1, gen_random_uuid(), 'T', '{}', '{}', now());
    RESET session_replication_role;
    INSERT INTO shop.events (stream, revision, type, data) SELECT 'a-1', n, 'T', '{}' FROM generate_series(0, 2) AS n;
SQL
is(sql(q{SELECT arbiter.append('ends', 'a-1', -2, 'T', '{}')}), $last, 'the last revision is given away');
is(sqlstates([ map { "SELECT arbiter.$_" } qq{append('ends', 'a-1', -2, 'T', '{}')}, qq{append('ends', 'a-1', $last, 'T', '{}')},
        q{append_events('ends', 'a-1', -2, '[{"type": "T", "data": 1}, {"type": "T", "data": 2}]')},
        q{append_if('ends', 'a-1', -4, '[{"type": "T", "data": 1}]')}, q{close_stream('ends', 'a-1', 'full')},
        qq{truncate_stream('ends', 'a-1', $last, 'full')} ]), join(' ', ('54000') x 6), 'and none after it');
is(sqlstates(["INSERT INTO ends.events (stream, revision, type, data) VALUES ('a-1', -$last - 1, 'T', '{}')"]), 'RB004', 'raw writers find none either');
is(sql("SELECT count(*), max(revision) FROM ends.events"), "2|$last", 'nothing else is there');
sql("SELECT setval('shop.events_position', $last - 2)");
is(sql(q{SELECT arbiter.append('shop', 'a-1', 2, 'T', '{}')}), '3', 'the last position is given away');
# The one that is never given away is ours to refuse; behind it the sequence itself has no more.
is(sqlstates([ q{SELECT arbiter.append('shop', 'a-1', 3, 'T', '{}')}, q{INSERT INTO shop.events (stream, revision, type, data) VALUES ('a-1', 4, 'T', '{}')} ]),
    '54000 2200H', 'and none after it');
is(sql(q{SELECT array_agg(revision) FROM arbiter.read_feed('shop')}), '{0,1,2,3}', 'the feed ends with it');
is(sql(q{SELECT count(*) FROM arbiter.doctor('shop')}), '0', 'which is no illness');

# Values that are too long, or last too long.
is(sqlstates([ q{SELECT length(arbiter.canonical_strings(array_fill(repeat(chr(1), 40000000), '{5}')))} ]), '54000', 'a value of more than a gigabyte');
is(sql(q{DO $$ BEGIN PERFORM arbiter.doctor(repeat('x', 3000000)); EXCEPTION WHEN undefined_object THEN
    CREATE TEMP TABLE told AS SELECT 1; PERFORM set_config('test.told', length(SQLERRM)::text, false); END $$; SELECT current_setting('test.told')}),
    2**20 + 3, 'a message is cut where a name is endless');

# Locks.
sql(q{SELECT arbiter.create_store('many'), arbiter.create_ledger('many', 'mails'); SELECT arbiter.create_projection('many', 'p', 'transactional', strict => false)});
my $names = 'ARRAY(SELECT n::text FROM generate_series(1, %d) AS n)';
my $streams = q{(SELECT jsonb_agg(jsonb_build_object('stream', 's-' || n, 'expected', -2, 'events', '[{"type": "T", "data": {}}]'::jsonb)) FROM generate_series(1, %d) AS n)};
my ($rc, $out, $err) = $node->psql('postgres', sprintf("BEGIN; SELECT arbiter.lock_entities($names)", 20000));
like($err, qr/ERROR:  out of shared memory\nHINT:.*max_locks_per_transaction/s, 'too many locks: the server says which setting it takes');
is(sqlstates([ 'BEGIN', sprintf("SELECT arbiter.lock_entities($names)", 20000), 'ROLLBACK', 'BEGIN', sprintf("SELECT arbiter.lock_entities($names)", 20), 'COMMIT',
        sprintf("SELECT FROM arbiter.append_streams('many', $streams)", 20000), sprintf("SELECT FROM arbiter.append_streams('many', $streams)", 20) ]),
    '00000 53200 00000 00000 00000 00000 53200 00000', 'and the session goes on with fewer');
is(sql('SELECT count(*) FROM many.events'), '20', 'what could not be locked is not stored');
is(sql(q{SELECT count(*) FROM pg_locks WHERE locktype IN ('advisory', 'userlock')}), '0', 'no lock is left');
is(sql(q{SELECT count(*), max(position) = (SELECT max(position) FROM many.events) FROM arbiter.read_feed('many')}), '20|t', 'the feed goes on behind what was rolled back');
# What needs no lock a key.
is(sql(sprintf q{SELECT outcome, count(*) FROM arbiter.claim_keys('many', 'mails', %s) GROUP BY 1}, sprintf $names, 10000), 'won|10000', '10,000 keys are claimed at once');
sql(q{INSERT INTO many.events (stream, revision, type, data) SELECT 't-' || n, 0, 'T', '{}' FROM generate_series(1, 10000) AS n});
is(sql(q{SELECT count(*) FROM arbiter.next_events('many', 'p', 20000)}), '10020', '10,020 streams are handed out at once');
is(sql(q{SELECT arbiter.append_events('many', 'batch', -1, (SELECT jsonb_agg('{"type": "T", "data": {}}'::jsonb) FROM generate_series(1, 10000)))}), '9999', '10,000 events are appended at once');

is(sql(q{SELECT 'none' FROM (SELECT max(arbiter.append('many', 'loop', -2, 'T', '{}')) = 19999 AS all FROM generate_series(1, 20000)) AS s WHERE s.all}), 'none',
    'nor does any of 20,000 appends in one transaction keep a lock');

# Subtransactions, many more than a snapshot has room for.
is(sql(<<'SQL'), "1000|500", 'half of 1,000 subtransactions are rolled back');
    DO $$ BEGIN FOR n IN 1 .. 1000 LOOP
        BEGIN
            PERFORM arbiter.append('many', 'sub', -2, 'T', '{}'), arbiter.claim('many', 'mails', 'sub-' || n);
            IF n % 2 = 0 THEN RAISE division_by_zero; END IF;
        EXCEPTION WHEN division_by_zero THEN PERFORM arbiter.stream_revision('many', 'sub');
        END;
    END LOOP; END $$;
    SELECT 2 * (arbiter.stream_revision('many', 'sub') + 1), (SELECT count(*) FROM many.claims WHERE key LIKE 'sub-%')
SQL

# An idle transaction that has the stream is ended by the setting that the page names.
is(sqlstates([ q{SET idle_in_transaction_session_timeout = '10ms'}, 'BEGIN', q{SELECT arbiter.append('many', 'idle', -1, 'T', '{}')}, '\! sleep 1', 'SELECT 1' ])
        =~ s/ .*//r, '00000', 'a session idles');
is(sql(q{SELECT arbiter.append('many', 'idle', -1, 'T', '{}')}), '0', 'and is ended, with what it had not committed');

# Time, for every call there is: while somebody has locked every table, and while somebody has done the same and is still open.
sql(q{DROP SCHEMA shop CASCADE; DROP SCHEMA many CASCADE});
my @calls = grep { $_->{signature} !~ /^(?:drop_|import_|canonical)/ && $_->{statement} !~ /^DROP/ } read_calls();
my $keep = sub { $_[0]{remember} ? " \\gset got_\n\\set $_[0]{remember} :got_token\n" : ";\n" };
my $set_up = join '', map { statement($_) . $keep->($_) } @calls;
$node->psql('postgres', $set_up, on_error_stop => 0);
my @tables = split /\n/, sql(q{SELECT c.oid::regclass FROM pg_class AS c WHERE c.relnamespace = 'shop'::regnamespace AND c.relkind = 'r' ORDER BY 1});
cmp_ok(scalar @tables, '>', 15, 'every noun has its tables');
my $digest = join ' UNION ALL ', map { qq{SELECT '$_', count(*), md5(string_agg(t::text, E'\\n' ORDER BY t::text COLLATE "C")) FROM $_ AS t} } @tables;
# Those that commit as they go, and so may leave what they have done.
my @functions = grep { $_->{statement} !~ /^CALL/ && $_->{signature} ne 'preparation' } @calls;
my %blocker = (
    'every table is locked' => 'LOCK TABLE ' . join(', ', @tables) . ' IN ACCESS EXCLUSIVE MODE',
    'somebody has done the same' => $set_up =~ s/^CALL.*\n//mgr =~ s/;\n(?!\\)/;\n/gr,
);
for my $why (sort keys %blocker) {
    my $before = sql($digest);
    my $blocker = $node->background_psql('postgres', on_error_stop => 0, extra_params => [ '-v', 'ON_ERROR_ROLLBACK=on' ]);
    $blocker->query('BEGIN');
    $blocker->query($blocker{$why});
    for my $setting ('lock_timeout', 'statement_timeout') {
        my @script = ("SET client_min_messages = error", "SET $setting = '20ms'");
        # Values that were remembered are of no use to who is too late.
        push @script, map { ('BEGIN', statement($_) =~ s/:'\w+'/1/gr, "\\echo = $_->{signature} :SQLSTATE", 'ROLLBACK', "SHOW $setting") } @functions;
        ($rc, $out, $err) = $node->psql('postgres', join('', map { /^\\/ ? "$_\n" : "$_;\n" } @script), on_error_stop => 0, extra_params => ['-q']);
        my %state = $out =~ /^= (.*) (\w{5})$/mg;
        is(scalar keys %state, scalar @functions, "$why, $setting: every call was made");
        my ($timeout, $other) = $setting eq 'lock_timeout' ? qw(55P03 57014) : qw(57014 55P03);
        is(join(', ', grep { $state{$_} =~ /^(?:XX|58|$other)/ } sort keys %state), '', "$why, $setting: none fails for another reason");
        my $waited = grep { $_ eq $timeout } values %state;
        cmp_ok($waited, '>', $why =~ /table/ ? 40 : 5, "$why, $setting: $waited calls ended their wait");
        is(scalar(() = $out =~ /^20ms$/mg), scalar @functions, "$why, $setting: the setting is what it was after each");
    }
    $blocker->query('ROLLBACK');
    $blocker->quit;
    is(sql($digest), $before, "$why: nothing has come of it");
    is(sql(q{SELECT count(*) FROM pg_locks WHERE locktype IN ('advisory', 'userlock')}), '0', "$why: no lock is left");
}
$node->stop;
done_testing();
