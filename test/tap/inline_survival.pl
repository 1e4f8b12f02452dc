# Inline projections through DROP EXTENSION and a dump: nothing passes unseen, and nothing is applied twice.
use strict;
use warnings;
use PostgreSQL::Test::Cluster;
use Test::More;

my $node = PostgreSQL::Test::Cluster->new('main');
$node->init;
$node->start;
# The form of a handler that depends on no type of the extension.
$node->safe_psql('postgres', <<'SQL');
CREATE EXTENSION arbiter;
SELECT arbiter.create_store('shop');
CREATE TABLE seen (stream text, revision bigint, PRIMARY KEY (stream, revision));
CREATE FUNCTION see(event jsonb) RETURNS void LANGUAGE sql
    AS $$ INSERT INTO public.seen VALUES (event ->> 'stream', (event ->> 'revision')::bigint) $$;
SELECT arbiter.append('shop', 'a-1', -1, 'T', '{}');
SELECT arbiter.create_projection('shop', 'seen', 'inline', 'see');
SELECT arbiter.append('shop', 'a-1', 0, 'T', '{}');
SQL
my $seen = 'SELECT stream, revision FROM seen ORDER BY 1, 2';
is($node->safe_psql('postgres', $seen), "a-1|0\na-1|1", 'what was there and what came are seen');

$node->safe_psql('postgres', 'SET client_min_messages = error; DROP EXTENSION arbiter CASCADE; CREATE EXTENSION arbiter');
my ($rc, $out, $err) = $node->psql('postgres', "\\set VERBOSITY sqlstate\nSELECT arbiter.append('shop', 'a-1', 1, 'T', '{}')");
like($err, qr/RB050/, 'without the triggers nothing is appended');
# Past everything, as the table is a plain one now.
$node->safe_psql('postgres', "INSERT INTO shop.events (position, stream, revision, type, data, recorded_at)
    SELECT nextval('shop.events_position'), 'a-1', 2, 'T', '{}', now()");
$node->safe_psql('postgres', "SELECT arbiter.upgrade_store('shop')");
$node->safe_psql('postgres', "SELECT arbiter.append('shop', 'a-1', 2, 'T', '{}')");
is($node->safe_psql('postgres', $seen), "a-1|0\na-1|1\na-1|2\na-1|3", 'armed again it goes on, first with what it has missed');

my $other = PostgreSQL::Test::Cluster->new('other');
$other->init;
$other->start;
my $dump = $node->basedir . '/dump.sql';
$node->run_log([ 'pg_dump', '-f', $dump, $node->connstr('postgres') ]);
$other->run_log([ 'psql', '-X', '-q', '-d', $other->connstr('postgres'), '-f', $dump ]);
is($other->safe_psql('postgres', $seen), $node->safe_psql('postgres', $seen), 'a restore applies nothing');
$other->safe_psql('postgres', "SELECT arbiter.append('shop', 'a-1', 3, 'T', '{}')");
is($other->safe_psql('postgres', "$seen OFFSET 4"), 'a-1|4', 'and the next event is seen there');
$node->stop;
$other->stop;
done_testing();
