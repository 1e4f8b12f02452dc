# A store is an ordinary schema to pg_dump: restored into another cluster, in every format and in every order that
# doc/operations.md names, it is the same store with all that it has, armed, and goes on where it was.
use strict;
use warnings FATAL => 'all';
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;
use Everything qw(goes_on);

my ($old, $new) = map { PostgreSQL::Test::Cluster->new($_) } qw(old new);
for my $node ($old, $new) {
    $node->init(extra => [ '--encoding=UTF8', '--locale=C' ]);
    $node->append_conf('postgresql.conf', 'fsync = off');
    $node->start;
}
# The two clusters do not agree on anything internal: oids and transaction ids are others, and the library comes later.
$new->safe_psql('postgres', "DO \$\$ BEGIN FOR i IN 1 .. 300 LOOP EXECUTE 'CREATE TABLE filler (i int); DROP TABLE filler'; COMMIT; END LOOP; END \$\$");
$old->safe_psql('postgres', 'CREATE EXTENSION arbiter; ' . slurp_file('test/tap/everything.sql') . <<'SQL');
    SELECT arbiter.create_store('Odd "name"', unique_event_ids => false);
    SELECT arbiter.append('Odd "name"', 'a-1', -1, 'Made', '{}');
SQL

sub text_of { # \restrict carries a random token
    my ($node, $database) = @_;
    my $file = $node->basedir . "/$database.sql";
    $node->command_ok([ 'pg_dump', '-f', $file, $database ], "pg_dump of $database");
    my $text = slurp_file($file);
    $text =~ s/^\\(?:un)?restrict .*$//mg;
    return $text;
}
my $original = text_of($old, 'postgres');
my $dir = PostgreSQL::Test::Utils::tempdir();
my %dump = (
    plain => [],
    custom => ['-Fc'],
    directory => [ '-Fd', '-j', '2' ],
    data => [ '-a', '--disable-triggers' ],
    plain_data => ['-a'],
    schemas => [ '-n', 'shop', '-n', 'app', '-n', '"Odd ""name"""' ],
    rows => [ '-a', '-n', 'shop', '--disable-triggers', '-T', 'shop.arbiter_store' ],
);
$old->command_ok([ 'pg_dump', @{ $dump{$_} }, '-f', "$dir/$_", 'postgres' ], "dumped: $_") for sort keys %dump;

sub psql_file { my ($file, $to) = @_; return [ 'psql', '-Xq', '-v', 'ON_ERROR_STOP=1', '-f', "$dir/$file", '-d', $to ] }
my %restore = (
    plain => [ psql_file('plain', 'plain') ],
    custom => [ [ 'pg_restore', '--exit-on-error', '-d', 'custom', "$dir/custom" ] ],
    parallel => [ [ 'pg_restore', '--exit-on-error', '-j', '3', '-d', 'parallel', "$dir/directory" ] ],
    sections => [ map { [ 'pg_restore', '--exit-on-error', "--section=$_", '-d', 'sections', "$dir/custom" ] } qw(pre-data data post-data) ],
    # Into triggers that are there already, in whatever order the tables come.
    two_steps => [ map { [ 'pg_restore', '--exit-on-error', @$_, '-d', 'two_steps', "$dir/custom" ] } ['-s'], [ '-a', '--disable-triggers' ] ],
    data_only => [ [ 'pg_restore', '--exit-on-error', '-s', '-d', 'data_only', "$dir/custom" ], psql_file('data', 'data_only') ],
    # Where the extension has been created before.
    schemas_only => [ [ 'psql', '-Xqc', 'CREATE EXTENSION arbiter', '-d', 'schemas_only' ], psql_file('schemas', 'schemas_only') ],
);

sub make_database { $new->safe_psql('postgres', "CREATE DATABASE $_[0] TEMPLATE template0"); return }
for my $how (sort keys %restore) {
    make_database($how);
    $new->command_ok($_, "$how: restored") for @{ $restore{$how} };
    ok(text_of($new, $how) eq $original, "$how: dumped again, it is the same");
    goes_on($new, $how, $how);
}

# Data alone meets the triggers, if nobody switches them off: refused as a whole.
make_database('judged');
$new->command_ok([ 'pg_restore', '--exit-on-error', '-s', '-d', 'judged', "$dir/custom" ], 'a schema alone');
my $load = psql_file('plain_data', 'judged');
$new->command_fails_like([ @$load, '-1' ], qr/column "position" of .*events is not for the writer to choose/, 'data alone is judged');
is($new->safe_psql('judged', 'SELECT count(*) FROM shop.events'), '0', 'and refused');

# The rows alone, into a store that create_store made where the pool's table is.
make_database('rows');
$new->safe_psql('rows', <<'SQL');
    CREATE EXTENSION arbiter;
    SELECT arbiter.create_store('shop');
    CREATE SCHEMA app;
    CREATE TABLE app.work (id bigint PRIMARY KEY, parcel text NOT NULL, owner text, since timestamptz, token bigint NOT NULL DEFAULT 0);
    CREATE INDEX work_free ON app.work (id) WHERE owner IS NULL AND id > 0;
    CREATE TABLE app.seen (projection text, stream text, revision bigint, PRIMARY KEY (projection, stream, revision));
    CREATE FUNCTION app.see_inline(event jsonb) RETURNS void LANGUAGE sql
        AS $$ INSERT INTO app.seen VALUES ('inline', event ->> 'stream', (event ->> 'revision')::bigint) $$;
    CREATE FUNCTION app.see(event jsonb) RETURNS void LANGUAGE sql
        AS $$ INSERT INTO app.seen VALUES ('seen', event ->> 'stream', (event ->> 'revision')::bigint) $$;
SQL
$new->command_ok(psql_file('rows', 'rows'), 'rows: restored');
my ($rc, $out, $err) = $new->psql('rows', "\\set VERBOSITY sqlstate\nSELECT arbiter.append('shop', 'a-1', -2, 'T', '{}')");
like($err, qr/RB050/, 'rows: nobody writes before it is armed again');
is($new->safe_psql('rows', <<'SQL'), '0', 'rows: upgrade_store arms it, and makes it whole');
    SELECT FROM arbiter.upgrade_store('shop');
    SELECT FROM arbiter.create_derivation('shop', 'order_id', '6ba7b810-9dad-11d1-80b4-00c04fd430c8', '[{"name": "number", "type": "text"}]',
        '[{"args": {"number": "a"}, "uuid": "ee9a20b9-7978-57b4-a6dc-943ede56bca3", "origin": "python 3, uuid.uuid5"}]', 'json');
    SELECT count(*) FROM arbiter.doctor('shop') WHERE problem !~ '^events wait for it';
SQL
my $rows = q{SELECT md5(string_agg(e::text, E'\n' ORDER BY position)) FROM shop.events AS e};
is($new->safe_psql('rows', $rows), $old->safe_psql('postgres', $rows), 'rows: every event is there');
is($new->safe_psql('rows', q{SELECT arbiter.append('shop', 'closed-2', -1, 'T', '{}'); SELECT count(*) FROM app.seen}), "0\n1", 'rows: and it goes on');
$_->stop for $old, $new;
done_testing();
