# A store of every earlier format (test/upgrade/format-N.sql, as pg_dump wrote it then) is refused by writers,
# read by readers, and upgrade_store makes of it what create_store makes today.
use strict;
use warnings FATAL => 'all';
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = PostgreSQL::Test::Cluster->new('main');
$node->init(extra => [ '--encoding=UTF8', '--locale=C' ]);
$node->start;

sub schema_of { # \restrict carries a random token
    my ($database) = @_;
    my $file = $node->basedir . "/$database.sql";
    $node->command_ok([ 'pg_dump', '--schema-only', '-n', 'shop', '-f', $file, $database ], "schema of $database");
    my $text = slurp_file($file);
    $text =~ s/^\\(?:un)?restrict .*$//mg;
    return $text;
}

# As a store of today looks, with and without unique ids.
my %fresh;
for my $unique ('true', 'false') {
    $node->safe_psql('postgres', "CREATE DATABASE fresh_$unique TEMPLATE template0");
    $node->safe_psql("fresh_$unique", "CREATE EXTENSION arbiter; SELECT arbiter.create_store('shop', $unique)");
    $fresh{$unique} = schema_of("fresh_$unique");
}
my $current = $node->safe_psql('fresh_true', 'SELECT format FROM arbiter.stores');

my @dumps = sort glob('test/upgrade/format-*.sql');
# Who adds a step adds the dump of a store that was made without it.
ok(-f "test/upgrade/format-$_.sql", "there is a store of format $_ to upgrade") for 1 .. $current - 1;
for my $dump (@dumps) {
    my ($format, $unique) = $dump =~ /format-(\d+)(-loose)?\.sql$/ ? ($1, $2 ? 'false' : 'true') : die $dump;
    my $database = "from_$format" . ($unique eq 'true' ? '' : '_loose');
    $node->safe_psql('postgres', "CREATE DATABASE $database TEMPLATE template0");
    my $ask = sub { $node->safe_psql($database, @_) };
    $ask->('CREATE EXTENSION arbiter');
    $node->command_ok([ 'psql', '-Xq', '-v', 'ON_ERROR_STOP=1', '-d', $database, '-f', $dump ], "$dump: restored");
    is($ask->('SELECT format FROM arbiter.stores'), $format, "$dump: its format");
    my $before = $ask->('SELECT * FROM shop.events ORDER BY position');
    my $head = $ask->("SELECT arbiter.stream_revision('shop', 'a-1')");
    cmp_ok($head, '>', 0, "$dump: it is read");
    if ($format < $current) {
        my ($rc, $out, $err) = $node->psql($database, "\\set VERBOSITY sqlstate\nSELECT arbiter.append('shop', 'a-1', -2, 'T', '{}')");
        like($err, qr/RB050/, "$dump: and not written");
        ($rc, $out, $err) = $node->psql($database, "\\set VERBOSITY sqlstate\nCALL arbiter.wait_for_projection('shop', 'p', 'a-1', 0)");
        like($err, qr/RB050/, "$dump: nor asked for what it does not have yet");
    }
    $ask->("SELECT arbiter.upgrade_store('shop')");
    is($ask->('SELECT format, armed FROM arbiter.stores'), "$current|t", "$dump: upgraded");
    is(schema_of($database), $fresh{$unique}, "$dump: no different from a fresh one");
    is($ask->('SELECT * FROM shop.events ORDER BY position'), $before, "$dump: with every event as it was");
    is($ask->("SELECT arbiter.append('shop', 'a-1', $head, 'T', '{}')"), $head + 1, "$dump: and it goes on");
}
$node->stop;
done_testing();
