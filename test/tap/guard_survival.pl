# A guard's message: with the library preloaded it comes without any call of ours, without the library the same
# statement fails alike but for the text; dump, restore and renames keep it.
use strict;
use warnings FATAL => 'all';
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = PostgreSQL::Test::Cluster->new('node');
$node->init(extra => [ '--encoding=UTF8', '--locale=C' ]);
$node->start;
my $predicate = q{status IN ('open', 'held') AND NOT gone};
my $create = sub {
    my ($schema, $table, $name) = @_;
    return "SELECT arbiter.create_guard('$name', '$schema.$table', '{host}', \$\$$predicate\$\$, 'it''s open: \\ %s \"é\"', E'two\\nlines')";
};
$node->safe_psql('postgres', <<"SQL");
    CREATE EXTENSION arbiter;
    CREATE SCHEMA shop;
    CREATE TABLE shop.batch (host varchar NOT NULL, status varchar NOT NULL, gone boolean NOT NULL DEFAULT false);
    @{[ $create->('shop', 'batch', 'one_open') ]};
    INSERT INTO shop.batch VALUES ('h1', 'open');
SQL

# All that a client is told, in a session that has called nothing before.
sub violation {
    my ($database, $insert, @options) = @_;
    local $ENV{PGOPTIONS} = "@options";
    my ($rc, $out, $err) = $node->psql($database, "\\set VERBOSITY verbose\n$insert");
    $err =~ s/^LOCATION:.*//m;
    $err =~ s/^psql:<stdin>:\d+: //mg;
    return $err =~ s/\s+$//r;
}
my $loaded = '-c session_preload_libraries=arbiter';
my $insert = "INSERT INTO shop.batch VALUES ('h1', 'held')";
my $names = sub { my ($schema, $table, $index) = @_; "DETAIL:  Key (host)=(h1) already exists.\n%sSCHEMA NAME:  $schema\nTABLE NAME:  $table\nCONSTRAINT NAME:  $index" };
my $friendly = sub { qq{ERROR:  23505: it's open: \\ %s "é"\n} . $names->(@_) =~ s/%s/HINT:  two\nlines\n/r };
my $plain = sub { qq{ERROR:  23505: duplicate key value violates unique constraint "$_[2]"\n} . $names->(@_) =~ s/%s//r };

is(violation('postgres', $insert), $plain->(qw(shop batch one_open)), 'without the library: the same error, the server\'s text');
is(violation('postgres', $insert, $loaded), $friendly->(qw(shop batch one_open)), 'preloaded: the message, the same names');
is(violation('postgres', "COPY shop.batch FROM STDIN;\nh1\topen\tf\n\\.\n", $loaded) =~ s/^CONTEXT:.*\n//mr,
    $friendly->(qw(shop batch one_open)), 'preloaded: COPY');

my $dir = PostgreSQL::Test::Utils::tempdir();
$node->command_ok([ 'pg_dump', '-Fc', '-f', "$dir/dump", 'postgres' ], 'dumped');
$node->safe_psql('postgres', 'CREATE DATABASE restored TEMPLATE template0');
$node->command_ok([ 'pg_restore', '--exit-on-error', '-d', 'restored', "$dir/dump" ], 'restored');
is(violation('restored', $insert, $loaded), $friendly->(qw(shop batch one_open)), 'restored: the message');
my ($rc, $out, $err) = $node->psql('restored', $create->('shop', 'batch', 'one_open'));
like("$rc $err", qr/^0 .*already exists, skipping/s, 'restored: the same definition is still the same');

$node->safe_psql('restored', 'ALTER SCHEMA shop RENAME TO store; ALTER TABLE store.batch RENAME TO lot; ALTER INDEX store.one_open RENAME TO single;
    ALTER TABLE store.lot RENAME COLUMN gone TO away');
is(violation('restored', $insert =~ s/shop.batch/store.lot/r, $loaded), $friendly->(qw(store lot single)), 'renamed: the message');
is($node->safe_psql('restored', 'SELECT schema, relation, name, columns, hint FROM arbiter.guards'),
    "store|lot|single|{host}|two\nlines", 'renamed: the view');

# Without the extension in the database the rule goes on.
$node->safe_psql('restored', 'DROP EXTENSION arbiter');
is(violation('restored', $insert =~ s/shop.batch/store.lot/r), $plain->(qw(store lot single)), 'DROP EXTENSION leaves the guard');
$node->stop;
done_testing();
