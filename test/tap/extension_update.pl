# ALTER EXTENSION UPDATE, from every version that was tagged and from one that never was (test/upgrade/versions), while
# sessions append, claim, read and project: nobody is told of an error, and what comes of it is what a fresh
# installation is.
use strict;
use warnings FATAL => 'all';
use IPC::Run ();
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = PostgreSQL::Test::Cluster->new('main');
$node->init(extra => [ '--encoding=UTF8', '--locale=C' ]);
$node->append_conf('postgresql.conf', "fsync = off\nshared_preload_libraries = 'arbiter'\narbiter.runner_nap = '50ms'\nlog_statement = none\nlog_line_prefix = '%d %b '");
$node->start;

# Every object of the extension, and all that can be said of it.
my $members = <<'SQL';
WITH member AS (
    SELECT d.classid, d.objid, (pg_identify_object(d.classid, d.objid, 0)).identity AS name, obj_description(d.objid, d.classid::regclass::name) AS comment
      FROM pg_depend AS d
     WHERE d.refclassid = 'pg_extension'::regclass AND d.deptype = 'e'
       AND d.refobjid = (SELECT oid FROM pg_extension WHERE extname = 'arbiter')),
  acl AS (SELECT 'pg_proc'::regclass AS classid, oid AS objid, coalesce(proacl, acldefault('f', proowner)) AS acl FROM pg_proc
          UNION ALL SELECT 'pg_class'::regclass, oid, coalesce(relacl, acldefault('r', relowner)) FROM pg_class)
SELECT m.name, m.comment,
       (SELECT string_agg(x::text, ',' ORDER BY x::text COLLATE "C") FROM acl CROSS JOIN unnest(acl.acl) AS x WHERE acl.classid = m.classid AND acl.objid = m.objid),
       CASE WHEN m.classid = 'pg_proc'::regclass THEN pg_get_functiondef(m.objid) || (SELECT prorows || ' ' || procost FROM pg_proc WHERE oid = m.objid) END,
       CASE WHEN m.classid = 'pg_class'::regclass THEN pg_get_viewdef(m.objid) || (SELECT coalesce(reloptions::text, '') FROM pg_class WHERE oid = m.objid) END,
       (SELECT string_agg(a.attname || ' ' || format_type(a.atttypid, a.atttypmod) || coalesce(': ' || col_description(a.attrelid, a.attnum), ''), ', ' ORDER BY a.attnum)
          FROM pg_attribute AS a
         WHERE a.attrelid = CASE m.classid WHEN 'pg_class'::regclass THEN m.objid WHEN 'pg_type'::regclass THEN (SELECT typrelid FROM pg_type WHERE oid = m.objid) END)
  FROM member AS m ORDER BY m.name COLLATE "C"
SQL
sub lines_of { my ($database) = @_; return split /^(?=\S+\|)/m, $node->safe_psql($database, "SET search_path = ''; " . $members =~ s/(?<![.\w])(pg_|obj_|col_)/pg_catalog.$1/gr) }

$node->safe_psql('postgres', 'CREATE DATABASE fresh TEMPLATE template0');
$node->safe_psql('fresh', 'CREATE EXTENSION arbiter');
my @fresh = lines_of('fresh');
cmp_ok(scalar @fresh, '>', 100, 'a fresh installation has its members');
my $current = $node->safe_psql('fresh', q{SELECT extversion FROM pg_extension WHERE extname = 'arbiter'});
my @from = map { m{/arbiter--([^-]+)\.sql$} && $1 ne $current ? $1 : () } glob($node->config_data('--sharedir') . '/extension/arbiter--*.sql');
ok(@from > 0, 'there is a version to update');

my %script = (
    append => q{SELECT arbiter.append('shop', 'a-' || (random() * 20)::int, -2, 'T', '{}');},
    expect => q{SELECT arbiter.append_if('shop', 'b-' || (random() * 5)::int, (random() * 5)::int, '[{"type": "T", "data": {}}]');},
    claim => q{SELECT arbiter.settle('shop', 'mails', key, token, 'done') FROM arbiter.claim_keys('shop', 'mails', ARRAY[(random() * 1e6)::text]) WHERE outcome = 'won';},
    read => "BEGIN;\nSELECT arbiter.save_cursor('shop', 'reader', max(position)) FROM arbiter.read_feed('shop', arbiter.cursor('shop', 'reader'), 100) HAVING count(*) > 0;\nCOMMIT;",
    look => 'SELECT count(done) FROM arbiter.stats;',
);
sub start_client {
    my ($database, $name) = @_;
    my $file = $node->basedir . "/$database-$name.sql";
    append_to_file($file, "$script{$name}\n");
    my ($out, $err) = ('', '');
    return { name => $name, err => \$err, process => IPC::Run::start(
        [ 'pgbench', '-n', '-T', '600', '-f', $file, $node->connstr($database) ], '<', \undef, '>', \$out, '2>', \$err) };
}

for my $version (@from) {
    my $database = 'from_' . $version =~ s/\W/_/gr;
    $node->safe_psql('postgres', "CREATE DATABASE $database TEMPLATE template0");
    my $ask = sub { $node->safe_psql($database, @_) };
    $ask->("CREATE EXTENSION arbiter VERSION '$version'");
    $ask->(<<'SQL');
        SELECT arbiter.create_store('shop');
        SELECT arbiter.create_ledger('shop', 'mails');
        CREATE TABLE seen (stream text, revision bigint, PRIMARY KEY (stream, revision));
        CREATE FUNCTION see(event jsonb) RETURNS void LANGUAGE sql
            AS $$ INSERT INTO public.seen VALUES (event ->> 'stream', (event ->> 'revision')::bigint) $$;
        SELECT arbiter.create_projection('shop', 'seen', 'transactional', 'see');
SQL
    is($ask->(q{SELECT problem, remedy FROM arbiter.doctor('shop')}), "its objects are of version $version, this session's library is of version $current|ALTER EXTENSION arbiter UPDATE",
        "$version: the doctor says what is missing");
    isnt(join('', lines_of($database)), join('', @fresh), "$version: differs from a fresh one");
    my $log = -s $node->logfile;
    my @clients = map { start_client($database, $_) } sort keys %script;
    my $progress = sub {
        my ($what) = @_;
        my $before = $ask->('SELECT max(position) FROM shop.events') || 0;
        ok($node->poll_query_until($database, "SELECT least((SELECT max(position) FROM shop.events), (SELECT position FROM shop.cursors),
            (SELECT position FROM shop.projection_cursors), (SELECT count(*) FROM shop.claims WHERE state = 'done')) > $before"), "$version: $what");
    };
    $progress->('all are at work');
    my $open = $node->background_psql($database);
    $open->query_safe(q{BEGIN; SELECT arbiter.append('shop', 'open', -1, 'T', '{}')});
    $ask->('ALTER EXTENSION arbiter UPDATE');
    $open->query_safe(q{SELECT arbiter.append('shop', 'open', 0, 'T', '{}'); COMMIT});
    $open->quit;
    $progress->('and go on');
    for my $client (@clients) {
        $client->{process}->signal('INT');
        $client->{process}->finish;
        unlike(${ $client->{err} }, qr/error/i, "$version: nobody who would $client->{name} was told of an error");
    }
    ok($node->poll_query_until($database, 'SELECT (SELECT count(*) FROM seen) = (SELECT count(*) FROM shop.events)'), "$version: the runner has done its work");
    is(join("\n", slurp_file($node->logfile, $log) =~ /^$database .*(?:ERROR|WARNING):.*/mg), '', "$version: nor does the server know of one");
    is($ask->(q{SELECT extversion FROM pg_extension WHERE extname = 'arbiter'}), $current, "$version: updated");
    my %there = map { $_ => 1 } lines_of($database);
    my %wanted = map { $_ => 1 } @fresh;
    is(join('', grep({ !$there{$_} } @fresh), map { "not: $_" } grep { !$wanted{$_} } sort keys %there), '', "$version: as a fresh installation is");
    is($ask->(q{SELECT count(*) FROM arbiter.doctor('shop')}), '0', "$version: the doctor has nothing to say");
}
$node->stop;
done_testing();
