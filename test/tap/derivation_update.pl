# An update of the extension ends with a look at every derivation of every store: what is not what it was keeps
# the extension where it is. The updates here change nothing; the build made them of the piece that ends every one.
use strict;
use warnings FATAL => 'all';
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = PostgreSQL::Test::Cluster->new('main');
$node->init(extra => [ '--encoding=UTF8', '--locale=C' ]);
$node->start;
$node->safe_psql('postgres', 'CREATE EXTENSION arbiter; ' . slurp_file('test/tap/derivations.sql'));
# Neither a store of a format before derivations nor what only looks like a store is in the way.
$node->command_ok([ 'psql', '-Xq', '-v', 'ON_ERROR_STOP=1', '-d', 'postgres', '-f', 'test/upgrade/format-2.sql' ],
    'a store of an older format beside it');
$node->safe_psql('postgres', <<'SQL');
CREATE ROLE mallory;
CREATE SCHEMA lookalike AUTHORIZATION mallory;
SET ROLE mallory;
CREATE FUNCTION lookalike.whoami() RETURNS text LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'run by %', current_user;
END $$;
SELECT;
SQL
$node->safe_psql('postgres', <<'SQL');
-- A store in everything but its registry.
CREATE TABLE lookalike.arbiter_store AS SELECT * FROM derive.arbiter_store;
CREATE TABLE lookalike.events (LIKE derive.events);
CREATE VIEW lookalike.derivations AS SELECT lookalike.whoami() AS name, spec, sealed_vector, sealed_digest, vectors,
    supersedes, digest, created_at, dropped_at FROM derive.derivations;
SQL
my $version = $node->safe_psql('postgres', q{SELECT extversion FROM pg_extension WHERE extname = 'arbiter'});

my $number = 0;
sub update { # WHAT => SQL that is run first, without the library
    my ($before, $to) = @_;
    my $database = 'updated_' . ++$number;
    $node->safe_psql('template1', "CREATE DATABASE $database TEMPLATE postgres");
    $node->safe_psql($database, $before) if $before;
    my ($rc, $out, $err) = $node->psql($database, "\\set VERBOSITY verbose\nALTER EXTENSION arbiter UPDATE TO '$to'");
    return ($err, $node->safe_psql($database, q{SELECT extversion FROM pg_extension WHERE extname = 'arbiter'}), $database);
}

my ($err, $now, $database) = update('', '0.0.1');
is("$err$now", '0.0.1', 'nothing drifted: updated');

my %drift = (
    'a body that was replaced' => q{CREATE OR REPLACE FUNCTION derive.text_id(key text) RETURNS uuid LANGUAGE sql
        IMMUTABLE PARALLEL SAFE AS 'SELECT md5($1)::uuid'},
    'a function that is missing' => q{DROP FUNCTION derive.text_id(text)},
    'a registry that was edited' => q{SET session_replication_role = replica;
        UPDATE derive.derivations SET vectors = replace(vectors, 'python', 'arbiter') WHERE name = 'text_id'},
    'a registry that lost a row' => q{SET session_replication_role = replica; DELETE FROM derive.derivations WHERE name = 'text_id'},
);
for my $what (sort keys %drift) {
    ($err, $now, $database) = update($drift{$what}, '0.0.1');
    like($err, qr/ERROR:  RB040: derivation "\S*text_id\S*" of store "derive" is not what it was/, "$what: refused");
    is($now, $version, "$what: the extension stays where it was");
}

# Another library under the same extension, one that lower-cases differently (Makefile). A derivation whose vector shows
# it is refused by the call; one that is not touched by it goes on.
my $replaced = <<'SQL';
SELECT arbiter.create_derivation('derive', 'word_id', '6f6b1a52-5f0e-5d8e-9d54-3a9d6f1e0c31',
    '[{"name":"word","type":"text","each":["lower_ascii"]}]',
    '[{"args":{"word":"ZOO"},"uuid":"9388e1fd-493c-56ec-9ae0-6c31c73b313c","origin":"python 3.11 uuid"}]', 'prefix');
UPDATE pg_catalog.pg_proc SET probin = '$libdir/arbiter_drifted' WHERE probin = '$libdir/arbiter';
SQL
($err, $now, $database) = update($replaced, '0.0.1');
like($err, qr/ERROR:  RB040: derivation "word_id" of store "derive" is not what it was/, 'another library: refused');
is($now, $version, 'another library: the extension stays where it was');
my ($rc, $out);
($rc, $out, $err) = $node->psql($database, "\\set VERBOSITY verbose\nSELECT derive.word_id('ZOO')");
like($err, qr/ERROR:  RB040: /, 'another library: it mints nothing');
is($node->safe_psql($database, q{SELECT string_agg(derivation || ' ' || verdict, ',' ORDER BY derivation) FROM arbiter.verify_derivations('derive')}),
    'device_group_id ok,text_id ok,word_id drift', 'another library: found');

# A library older than what the update is to could only say that it agrees with itself.
($err, $now) = update('', '999.0');
like($err, qr/ERROR:  55000: this session has the library of version/, 'an old library proves nothing');
is($now, $version, 'and nothing is updated');

# What the session with the library refuses at once, and a role's rights in it.
($rc, $out, $err) = $node->psql('postgres', "\\set VERBOSITY verbose\nLOAD 'arbiter'; " . $drift{'a body that was replaced'});
like($err, qr/ERROR:  RB040: derivation "text_id" of store "derive" is frozen/, 'a replaced body is refused where the library is loaded');
$node->safe_psql('postgres', <<'SQL');
CREATE ROLE maker;
GRANT CREATE, USAGE ON SCHEMA derive, lookalike TO maker;
LOAD 'arbiter';
CREATE FUNCTION lookalike.name() RETURNS text LANGUAGE sql AS 'SELECT NULL::text';
SET ROLE maker;
-- He may not read the registry, so nothing is said of it.
CREATE FUNCTION derive.text_id(uuid) RETURNS uuid LANGUAGE sql AS 'SELECT $1';
SQL
like($node->safe_psql('postgres', q{SELECT problem FROM arbiter.verify_derivations('derive')}), qr/another function of its name/,
    'but it is found');
$node->safe_psql('postgres', q{LOAD 'arbiter'; DROP FUNCTION derive.text_id(uuid); DROP EXTENSION arbiter CASCADE;
    CREATE OR REPLACE FUNCTION derive.any() RETURNS text LANGUAGE sql AS 'SELECT NULL::text'; DROP SCHEMA derive CASCADE});
pass('dropping goes through');
$node->stop;
done_testing();
