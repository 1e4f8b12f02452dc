# A hot standby reads; whatever would write says 25006, whether it would have written with these arguments or not. Which calls
# there are is asked of pg_proc, so that none is forgotten: a call is refused, or it is among those that read, with what it
# answers. After promotion it goes on.
use strict;
use warnings FATAL => 'all';
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $primary = PostgreSQL::Test::Cluster->new('primary');
$primary->init(allows_streaming => 1, extra => [ '--encoding=UTF8', '--locale=C' ]);
$primary->append_conf('postgresql.conf', "shared_preload_libraries = 'arbiter'"); # for the view of what is going on
$primary->start;
$primary->safe_psql('postgres', "CREATE EXTENSION arbiter; SELECT arbiter.create_store('shop')");
$primary->backup('b');
my $standby = PostgreSQL::Test::Cluster->new('standby');
$standby->init_from_backup($primary, 'b', has_streaming => 1);
$standby->start;
$primary->safe_psql('postgres', "SELECT arbiter.append('shop', 'a-1', -2, 'T-' || n, '{}') FROM generate_series(0, 4) AS n");
$primary->safe_psql('postgres', "BEGIN; SELECT arbiter.append('shop', 'a-1', -2, 'Gone', '{}'); ROLLBACK");
$primary->safe_psql('postgres', <<'SQL');
SELECT arbiter.create_machine('shop', 'lamp', 'lamp', 'Off', '[{"from": ["Off"], "command": "light", "to": "On", "event": "Lit"}]'),
       arbiter.transition('shop', 'lamp', '1', 'light');
CREATE FUNCTION count_up(state jsonb, event arbiter.recorded_event) RETURNS jsonb LANGUAGE sql AS 'SELECT to_jsonb(state::bigint + 1)';
SELECT arbiter.create_projection('shop', 'p', 'external'), arbiter.advance('shop', 'p', 'a-1', 0);
SELECT arbiter.create_projection('shop', 'w', 'transactional');
BEGIN; SELECT arbiter.advance('shop', 'w', stream, revision) FROM arbiter.next_events('shop', 'w'); COMMIT;
CALL arbiter.settle_feed('shop');
SELECT arbiter.save_cursor('shop', 'reader', 3);
SELECT arbiter.create_derivation('shop', 'order_id', '6ba7b810-9dad-11d1-80b4-00c04fd430c8', '[{"name": "number", "type": "text"}]',
    '[{"args": {"number": "a"}, "uuid": "ee9a20b9-7978-57b4-a6dc-943ede56bca3", "origin": "python 3, uuid.uuid5"}]');
SQL
$primary->wait_for_catchup($standby);
my $ask = sub { $standby->safe_psql('postgres', @_) };

# What each call that reads says there, by its name and arguments.
my @reads = (
    [ 'require_utf8()',                    'SELECT arbiter.require_utf8() IS NOT NULL',                  't' ],
    [ 'version()',                         'SELECT arbiter.version() IS NOT NULL',                       't' ],
    [ 'store_state(bigint)',               "SELECT format IS NOT NULL, armed FROM arbiter.store_state('shop'::regnamespace::oid::bigint)", 't|t' ],
    [ 'uuid_v5(uuid,text)',                "SELECT arbiter.uuid_v5('6ba7b810-9dad-11d1-80b4-00c04fd430c8', 'a'::text) IS NOT NULL",  't' ],
    [ 'uuid_v5(uuid,bytea)',               "SELECT arbiter.uuid_v5('6ba7b810-9dad-11d1-80b4-00c04fd430c8', 'a'::bytea) IS NOT NULL", 't' ],
    [ 'canonical_strings(text[])',         "SELECT arbiter.canonical_strings('{a}')",                    '["a"]' ],
    [ 'derived_id(text,text,text,"any")',  "SELECT shop.order_id('a')",                                  'ee9a20b9-7978-57b4-a6dc-943ede56bca3' ],
    [ 'explain_derivation(text,text,jsonb)', "SELECT count(*) > 0 FROM arbiter.explain_derivation('shop', 'order_id', '{\"number\": \"a\"}')", 't' ],
    [ 'verify_derivations(text)',          "SELECT count(*) FROM arbiter.verify_derivations('shop')",    '1' ],
    [ 'export_vectors(text,text)',         "SELECT arbiter.export_vectors('shop', 'order_id') IS NOT NULL", 't' ],
    [ 'require_undrifted(text)',           "SELECT arbiter.require_undrifted('none') IS NOT NULL",       't' ],
    [ 'shard_of(text,bigint)',             "SELECT arbiter.shard_of('a-1', 1)",                          '0' ],
    [ 'entity_key(text)',                  "SELECT arbiter.entity_key('a') IS NOT NULL",                 't' ],
    [ 'entity_name(bigint)',               'SELECT arbiter.entity_name(1) IS NULL',                      't' ],
    [ 'no_stream()',                       'SELECT arbiter.no_stream()',                                 '-1' ],
    [ 'any_revision()',                    'SELECT arbiter.any_revision()',                              '-2' ],
    [ 'stream_exists()',                   'SELECT arbiter.stream_exists()',                             '-4' ],
    [ 'stream_name(text,uuid)',            "SELECT arbiter.stream_name('a', '6ba7b810-9dad-11d1-80b4-00c04fd430c8'::uuid)", 'a-6ba7b810-9dad-11d1-80b4-00c04fd430c8' ],
    [ 'stream_name(text,text)',            "SELECT arbiter.stream_name('a', '1'::text)",                 'a-1' ],
    [ 'category(text)',                    "SELECT arbiter.category('a-1')",                             'a' ],
    [ 'stream_id(text)',                   "SELECT arbiter.stream_id('a-1')",                            '1' ],
    [ 'read_stream(text,text,bigint,bigint,boolean)', "SELECT count(*), max(revision) FROM arbiter.read_stream('shop', 'a-1')", '5|4' ],
    [ 'last_event(text,text,text)',        "SELECT (arbiter.last_event('shop', 'a-1')).type, (arbiter.last_event('shop', 'a-1', 'T-2')).type", 'T-4|T-2' ],
    [ 'fold(text,text,text,jsonb)',        "SELECT arbiter.fold('shop', 'a-1', 'count_up', '0')",        '5' ],
    [ 'stream_revision(text,text)',        "SELECT arbiter.stream_revision('shop', 'a-1'), arbiter.stream_revision('shop', 'b-1')", '4|-1' ],
    [ 'load_stream(text,text,boolean,interval,bigint)', "SELECT count(*) FROM arbiter.load_stream('shop', 'a-1', lock => false)", '5' ],
    [ 'read_feed(text,bigint,bigint,text[],text)', "SELECT count(*), count(DISTINCT position) FROM arbiter.read_feed('shop')", '6|6' ],
    [ 'feed_horizon(text,bigint)',         "SELECT arbiter.feed_horizon('shop') = max(position) FROM shop.events", 't' ],
    [ 'feed_blockers(text)',               "SELECT count(*) FROM arbiter.feed_blockers('shop')",         '0' ],
    [ 'wait_for_events(text,bigint,interval,boolean)', "CALL arbiter.wait_for_events('shop', 0, '1s')",  't' ],
    [ 'cursor(text,text)',                 "SELECT arbiter.cursor('shop', 'reader')",                    '3' ],
    [ 'guard_wording(text)',               "SELECT count(*) FROM arbiter.guard_wording('none')",         '1' ],
    [ 'machine_state(text,text,text)',     "SELECT arbiter.machine_state('shop', 'lamp', '1'), arbiter.machine_state('shop', 'lamp', '2')", 'On|Off' ],
    [ 'last_revision(text,text,text)',     "SELECT arbiter.last_revision('shop', 'p', 'a-1')",           '0' ],
    [ 'last_revision(text,text,uuid)',     "SELECT arbiter.last_revision('shop', 'p', '6ba7b810-9dad-11d1-80b4-00c04fd430c8'::uuid)", '-1' ],
    [ 'wait_for_projection(text,text,text,bigint,interval,boolean)', "CALL arbiter.wait_for_projection('shop', 'w', 'a-1', 0, '1s')", 't' ],
    [ 'doctor(text)',                      "SELECT count(*) FROM arbiter.doctor('shop')",                '0' ],
    [ 'counted()',                         'SELECT count(*) FROM arbiter.counted()',                     '0' ],
    [ 'going_on()',                        'SELECT count(*) FROM arbiter.going_on()',                    '0' ],
    [ 'help(text)',                        'SELECT count(*) > 0 FROM arbiter.help()',                    't' ],
    [ 'help_pages()',                      'SELECT count(*) > 0 FROM arbiter.help_pages()',              't' ],
);
my %reads = map { $_->[0] => $_ } @reads;
my %any = (
    text => "'shop'", bigint => '1', boolean => 'true', jsonb => "'{}'", interval => "'1s'", 'text[]' => "'{a}'",
    'bigint[]' => "'{1}'", uuid => "'6ba7b810-9dad-11d1-80b4-00c04fd430c8'");
# An argument that makes no sense at all is 22023 there too.
my %sensible = (
    append_events => q{'shop', 'a-1', -2, '[{"type": "T", "data": {}}]'}, append_if => q{'shop', 'a-1', -2, '[{"type": "T", "data": {}}]'},
    append_streams => q{'shop', '[{"stream": "a-1", "expected": -2, "events": [{"type": "T", "data": {}}]}]'},
    create_derivation => q{'shop', 'd', '6ba7b810-9dad-11d1-80b4-00c04fd430c8', '[{"name": "number", "type": "text"}]',
        '[{"args": {"number": "a"}, "uuid": "ee9a20b9-7978-57b4-a6dc-943ede56bca3", "origin": "python 3, uuid.uuid5"}]'},
    create_ledger => q{'shop', 'mails'}, create_projection => q{'shop', 'q', 'external'},
    settle => q{'shop', 'mails', 'k', 1, 'done'}, settle_keys => q{'shop', 'mails', '{k}', '{1}', 'done'});
my $calls = $ask->(<<'SQL');
SET search_path = arbiter, pg_catalog;
SELECT replace(oid::regprocedure::text, 'arbiter.', ''), prokind, proname, array_to_string(ARRAY(SELECT t::regtype FROM unnest(proargtypes) AS t), ',')
  FROM pg_proc WHERE pronamespace = 'arbiter'::regnamespace AND prorettype NOT IN ('trigger'::regtype, 'event_trigger'::regtype) ORDER BY 1
SQL

my $sqlstate = sub {
    my ($rc, $out, $err) = $standby->psql('postgres', "\\set VERBOSITY sqlstate\n$_[0]");
    return $err =~ /ERROR:\s+(\w+)/ ? $1 : "none: $out$err";
};
my $refused = 0;
for (split /\n/, $calls) {
    my ($call, $kind, $name, $types) = split /\|/;
    if (my $read = delete $reads{$call}) {
        is($ask->($read->[1]), $read->[2], "$call reads");
        next;
    }
    my $arguments = $sensible{$name} // join ', ', map { ($any{$_} // 'NULL') . "::$_" } split /,/, $types // '';
    is($sqlstate->(($kind eq 'p' ? 'CALL' : 'SELECT') . " arbiter.$name($arguments)"), '25006', "$call is refused");
    $refused++;
}
is(join(' ', sort keys %reads), '', 'those that read are all there');
cmp_ok($refused, '>', 50, "$refused calls were refused");
for my $view (split /\n/, $ask->("SELECT format('%I.%I', schemaname, viewname) FROM pg_views WHERE schemaname IN ('arbiter', 'shop')")) {
    like($ask->("SELECT count(*) FROM $view"), qr/^\d+$/, "the view $view reads");
}
is($ask->('SELECT name, armed FROM arbiter.stores'), 'shop|t', 'stores');
for my $level ('READ COMMITTED', 'REPEATABLE READ') {
    is($ask->("BEGIN ISOLATION LEVEL $level; SELECT arbiter.stream_revision('shop', 'a-1'); COMMIT"), '4', "reads in $level");
}
# Arguments that make sense, those of an answer that would not write, and a store that is not there.
for my $sql (
    "SELECT arbiter.append('shop', 'a-1', 4, 'T', '{}')",
    "SELECT arbiter.append('shop', 'a-1', 99, 'T', '{}')",
    "SELECT arbiter.append('nowhere', 'a-1', -2, 'T', '{}')",
    "SELECT arbiter.create_store('late')",
    "SELECT arbiter.create_store('shop')",
    "SELECT arbiter.load_stream('shop', 'a-1')",
    "SELECT arbiter.transition('shop', 'lamp', '2', 'light')",
    "SELECT arbiter.advance('shop', 'p', 'a-1', 0)",
    "INSERT INTO shop.events (stream, revision, type, data) VALUES ('a-1', 5, 'T', '{}')",
) {
    is($sqlstate->($sql), '25006', $sql);
}
$primary->stop('immediate');
$standby->promote;
is($ask->("SELECT arbiter.append('shop', 'a-1', 4, 'T', '{}')"), '5', 'promoted, it writes');
is($ask->("SELECT count(DISTINCT position), bool_and(position > 0) FROM shop.events"), '7|t', 'positions go on');
$standby->stop;
done_testing();
