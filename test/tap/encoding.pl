# Ids are hashed over UTF-8: a database in another encoding is refused, with or without preloading.
use strict;
use warnings FATAL => 'all';
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = PostgreSQL::Test::Cluster->new('main');
$node->init(extra => [ '--encoding=UTF8', '--locale=C' ]);
for my $preload ('', 'arbiter') {
    my $how = $preload ? 'preloaded' : 'loaded on demand';
    $node->append_conf('postgresql.conf', "shared_preload_libraries = '$preload'\n");
    $node->start;
    for my $encoding (qw(LATIN1 SQL_ASCII)) {
        $node->safe_psql('postgres', "CREATE DATABASE other ENCODING '$encoding' LOCALE 'C' TEMPLATE template0");
        my ($rc, $out, $err) = $node->psql('other', "\\set VERBOSITY verbose\nCREATE EXTENSION arbiter");
        like($err, qr/0A000: database encoding is $encoding, arbiter needs UTF8/, "$how: $encoding is refused");
        like($err, qr/HINT:.*ENCODING 'UTF8'/, "$how: with what to do about it");
        is($node->safe_psql('other', "SELECT count(*) FROM pg_proc AS p JOIN pg_namespace AS n ON n.oid = p.pronamespace WHERE n.nspname = 'arbiter'"),
            '0', "$how: nothing is left behind");
        is($node->safe_psql('other', 'SELECT 1'), '1', "$how: the database is usable");
        $node->safe_psql('postgres', 'DROP DATABASE other');
    }
    $node->safe_psql('postgres', 'CREATE EXTENSION arbiter; DROP EXTENSION arbiter');
    pass("$how: UTF8 is accepted");
    # A session in an encoding of its own: names and payloads arrive as what they mean.
    $node->safe_psql('postgres', "CREATE EXTENSION arbiter; SELECT arbiter.create_store('shop')");
    my $latin = "SET client_encoding = 'LATIN1'; SELECT arbiter.append('shop', 'caf\xe9', -1, 'T', '\"\xe9\"')";
    $node->safe_psql('postgres', $latin);
    is($node->safe_psql('postgres', q{SELECT octet_length(stream), stream = E'caf\u00e9' FROM shop.events}), '5|t',
        "$how: a client's encoding is the client's affair");
    $node->safe_psql('postgres', "DROP SCHEMA shop CASCADE; DROP EXTENSION arbiter");
    $node->stop;
}
done_testing();
