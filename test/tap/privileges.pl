# Every public function, as pg_proc lists them, called by every role: who may is who has the grants of doc/store.md, and
# nobody else. The calls are those of test/clients/calls, each in the state in which the owner makes it.
use strict;
use warnings FATAL => 'all';
use FindBin;
use lib $FindBin::Bin;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;
use Calls qw(read_calls statement public_functions);

# Each role may what the ones before it may.
my @roles = qw(stranger reader writer worker owner superuser);

# From which role on. An upgrade that finds nothing to do, and projections that all belong to others, are nobody's business.
my %least = map { my ($role, @names) = @$_; map { $_ => $role } @names } (
    [ stranger => qw(version help uuid_v5 canonical_strings no_stream any_revision stream_exists stream_name category stream_id shard_of
            lock_entity lock_entities try_lock_entity entity_key) ],
    [ reader => qw(doctor upgrade_store run_projections explain_derivation verify_derivations export_vectors read_stream load_stream last_event fold stream_revision
            machine_state last_revision wait_for_projection read_feed feed_horizon feed_blockers wait_for_events cursor) ],
    [ writer => qw(append append_events append_if append_streams close_stream handle transition) ],
    [ worker => qw(claim claim_keys renew settle settle_keys force_takeover due_rows run_sweep allocate hold_work release_work reassign
            return_stale advance start_at fail_event pass_event record_reconciliation next_events done_event settle_feed
            save_cursor resolve_failure) ],
    [ owner => qw(create_store drop_store import_events create_derivation drop_derivation redact truncate_stream
            create_ledger drop_ledger prune_claims create_guard drop_guard create_machine drop_machine create_sweep drop_sweep
            create_pool drop_pool create_projection drop_projection run_projection retry_failures rebuild_projection reconcile) ],
);
# Nobody calls them, or they tell nothing: they stay as few as they are.
my @internal = (
    'counted()', 'derived_id(text, text, text, "any")', 'entity_name(bigint)', 'going_on()', 'guard_wording(text)', 'help_pages()',
    'require_undrifted(text)', 'require_utf8()', 'store_state(bigint)',
);

my $node = PostgreSQL::Test::Cluster->new('main');
$node->init(extra => [ '--encoding=UTF8', '--locale=C' ]);
$node->append_conf('postgresql.conf', 'fsync = off');
$node->start;
$node->safe_psql('postgres', <<'SQL');
CREATE EXTENSION arbiter;
CREATE ROLE stranger;
CREATE ROLE reader;
CREATE ROLE writer;
CREATE ROLE worker;
CREATE ROLE owner;
CREATE ROLE superuser SUPERUSER;
GRANT USAGE ON SCHEMA arbiter TO PUBLIC;
GRANT CREATE ON DATABASE postgres TO owner;
GRANT CREATE ON SCHEMA public TO owner;
SQL

# What doc/store.md says a role needs.
my $grants = <<'SQL';
GRANT USAGE ON SCHEMA shop TO reader, writer, worker;
GRANT SELECT ON ALL TABLES IN SCHEMA shop TO reader, writer, worker;
GRANT SELECT ON shop.events_position TO reader, writer, worker;
GRANT INSERT ON shop.events TO writer, worker;
GRANT INSERT, UPDATE ON shop.claims, shop.offsets, shop.cursors, shop.feed, shop.taken_streams, shop.sweep_rests TO worker;
GRANT INSERT, UPDATE, DELETE ON shop.failed_events TO worker;
GRANT INSERT, UPDATE ON shop.reconciliations TO worker;
GRANT INSERT ON shop.resolutions TO worker;
GRANT UPDATE ON shop.projection_cursors TO worker;
GRANT INSERT, DELETE ON shop.streams_set_aside TO worker;
GRANT DELETE ON shop.sweep_rests TO worker;
GRANT INSERT ON shop.takeovers, shop.reassignments TO worker;
SQL
# And on the tables that the calls make on the way.
my %granted = (
    client_batch => 'GRANT SELECT, UPDATE ON client_batch TO worker;',
    client_work  => 'GRANT SELECT, UPDATE ON client_work TO worker;',
);

my $script = "SET client_min_messages = error;\n\\set VERBOSITY sqlstate\n";
my $number = 0;
my @calls = read_calls();
for my $call (@calls) {
    my $sql = statement($call);
    for my $role ($call->{signature} eq 'preparation' ? () : @roles) {
        $script .= "BEGIN;\nSET LOCAL ROLE $role;\n$sql;\n\\echo \@\@ $number $role :SQLSTATE\nROLLBACK;\n";
    }
    $number++;
    # A transaction each, except what commits on its way.
    my ($begin, $end) = $sql =~ /^CALL / ? ('', '') : ("BEGIN;\n", "COMMIT;\n");
    my $keep = $call->{remember} ? " \\gset got_\n\\set $call->{remember} :got_token\n" : ";\n";
    $script .= "SET ROLE owner;\n$begin$sql$keep\\echo \@\@ $number made :SQLSTATE\n$end";
    $script .= $grants if $call->{signature} =~ /^create_store/;
    $script .= $granted{$1} . "\n" if $sql =~ /^CREATE TABLE (\w+)/;
    $script .= "RESET ROLE;\n";
}
my (undef, $out) = $node->psql('postgres', $script, on_error_stop => 0);
my (%got, @broken);
while ($out =~ /^@@ (\d+) (\w+) (\w+)$/mg) {
    $got{$1}{$2} = $3;
    push @broken, $calls[ $1 - 1 ]{statement} . ": $3" if $2 eq 'made' && $3 ne '00000';
}
is_deeply(\@broken, [], 'the owner can make every call');

sub rank { my ($role) = @_; return (grep { $roles[$_] eq $role } 0 .. $#roles)[0] // -1 }

my %called;
for my $i (0 .. $#calls) {
    my $signature = $calls[$i]{signature};
    next if $signature eq 'preparation';
    $called{$signature} = 1;
    my ($name) = $signature =~ /^(\w+)/;
    my $least = $least{$name};
    ok($least, "$signature: known who may") or next;
    delete $got{$i}{made};
    my %want = map { $_ => rank($_) >= rank($least) ? '00000' : '42501' } @roles;
    is_deeply($got{$i}, \%want, "$signature: $least") or diag(explain($got{$i}));
}
is_deeply([ sort keys %called ], [ sort(public_functions($node)) ], 'every public function is called');

my @cannot_be_called = split /\n/, $node->safe_psql('postgres', <<'SQL');
SELECT p.proname || '()' FROM pg_proc AS p WHERE p.pronamespace = 'arbiter'::regnamespace
   AND p.prorettype IN ('trigger'::regtype, 'event_trigger'::regtype)
SQL
my %trigger = map { $_ => 1 } @cannot_be_called;
is_deeply([ grep { !$trigger{$_} } public_functions($node, 1) ], \@internal, 'no other internal function can be called');
is($node->safe_psql('postgres', q{SELECT string_agg(oid::regprocedure::text, ', ') FROM pg_proc WHERE prosecdef}),
    '', 'no function runs with the rights of its owner');

# Row security: whoever is shown the rows of one tenant learns nothing of another's, and writes nothing there.
my $shop = 'tenants';
$node->safe_psql('postgres', <<"SQL");
CREATE ROLE ann;
CREATE ROLE bob;
SET ROLE owner;
SELECT arbiter.create_store('$shop');
GRANT USAGE ON SCHEMA $shop TO ann, bob;
GRANT SELECT ON ALL TABLES IN SCHEMA $shop TO ann, bob;
GRANT INSERT ON $shop.events TO ann, bob;
GRANT INSERT, UPDATE ON $shop.cursors, $shop.feed TO ann, bob;
ALTER TABLE $shop.events ENABLE ROW LEVEL SECURITY;
CREATE POLICY tenant ON $shop.events TO ann, bob
    USING (split_part(stream, '-', 1) = CURRENT_USER) WITH CHECK (split_part(stream, '-', 1) = CURRENT_USER);
SELECT arbiter.append('$shop', 'ann-1', -1, 'Made', '{"by": "ann"}', id => '00000000-0000-4000-8000-000000000001');
SELECT arbiter.append('$shop', 'bob-1', -1, 'Made', '{"by": "secret"}', id => '00000000-0000-4000-8000-000000000002');
SELECT arbiter.append('$shop', 'ann-1', 0, 'Changed', '{"by": "ann"}');
SELECT arbiter.append('$shop', 'bob-1', 0, 'Changed', '{"by": "secret"}');
RESET ROLE;
CREATE FUNCTION public.evolve_tenant(state jsonb, event arbiter.recorded_event) RETURNS jsonb LANGUAGE sql AS 'SELECT event.data';
CREATE FUNCTION public.decide(state jsonb, command jsonb) RETURNS jsonb LANGUAGE sql
    AS \$\$SELECT '[{"type": "Decided", "data": {}}]'::jsonb || jsonb_build_object('type', 'Seen', 'data', state)\$\$;
SQL

sub as_ann {
    my ($sql) = @_;
    my ($rc, $stdout, $stderr) = $node->psql('postgres', "\\set VERBOSITY sqlstate\nSET ROLE ann;\n$sql");
    return $stdout . ($stderr =~ /ERROR:\s+(\S+)/ ? $1 : '');
}
is(as_ann("SELECT count(*) FROM arbiter.$_ AS t"), 0, "row security: $_") for (
    "read_stream('$shop', 'bob-1')", "read_stream('$shop', 'bob-1', backwards => true)",
    "last_event('$shop', 'bob-1')", "last_event('$shop', 'bob-1', 'Made')");
is(as_ann("SELECT arbiter.stream_revision('$shop', 'bob-1')"), -1, 'row security: stream_revision');
is(as_ann("SELECT arbiter.fold('$shop', 'bob-1', 'public.evolve_tenant')"), '{}', 'row security: fold');
is(as_ann("SELECT head, data FROM arbiter.load_stream('$shop', 'bob-1', false)"), '-1|', 'row security: load_stream');
is(as_ann("SELECT string_agg(DISTINCT stream, ' ') FROM arbiter.read_feed('$shop', 0, 100)"), 'ann-1', 'row security: read_feed');
is(as_ann("SELECT count(*) FROM arbiter.read_stream('$shop', 'ann-1')"), 2, 'row security: and shows what it lets through');
for my $write (
    "append('$shop', 'bob-1', EXPECTED, 'Forged', '{}')",
    "append('$shop', 'bob-2', EXPECTED, 'Forged', '{}')",
    "append_events('$shop', 'bob-1', EXPECTED, '[{\"type\": \"Forged\", \"data\": {}}]')",
    "append_if('$shop', 'bob-1', EXPECTED, '[{\"type\": \"Forged\", \"data\": {}}]')",
    "append_streams('$shop', '[{\"stream\": \"bob-1\", \"expected\": EXPECTED, \"events\": [{\"type\": \"Forged\", \"data\": {}}]}]')",
    "handle('$shop', 'bob-1', '{}', 'public.decide', 'public.evolve_tenant')",
    "close_stream('$shop', 'bob-1', 'forged')",
) {
    for my $expected ($write =~ /EXPECTED/ ? (-2, -1, 1) : ('')) {
        my $call = $write =~ s/EXPECTED/$expected/r;
        my $answer = as_ann("SELECT t FROM arbiter.$call AS t");
        # The look at the last event does not ask row security, as a unique index does not; doc/log.md says so.
        my $loses = $expected eq -1 && $write =~ /bob-1/ || $expected eq 1 && $write =~ /bob-2/ || $write =~ /^handle/;
        my $want = !$loses ? '42501' : $write =~ /^append_if/ ? '(conflict,,1)' : 'RB001';
        is($answer, $want, "row security: $call");
    }
}
is(as_ann("SELECT arbiter.append('$shop', 'ann-1', 1, 'Mine', '{}')"), 2, 'row security: a writer appends to his own');
is($node->safe_psql('postgres', "SELECT count(*) FROM $shop.events WHERE stream LIKE 'bob%'"), 2, 'nothing was written elsewhere');

done_testing();
