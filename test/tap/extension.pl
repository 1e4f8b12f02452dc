# DROP EXTENSION … CASCADE takes code and triggers, never an event; until upgrade_store has put the triggers
# back, nobody writes. Sessions live through it, and writers under load.
use strict;
use warnings FATAL => 'all';
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;
use Writers;

my $node = PostgreSQL::Test::Cluster->new('main');
$node->init;
$node->start;
my $ask = sub { $node->safe_psql('postgres', @_) };
sub state_of {
    my ($sql) = @_;
    my ($rc, $out, $err) = $node->psql('postgres', "\\set VERBOSITY sqlstate\n$sql");
    return $err =~ /(?:ERROR|FATAL):\s+(\w{5})/ ? $1 : $out;
}
$ask->("CREATE EXTENSION arbiter; SELECT arbiter.create_store('shop')");
$ask->("SELECT arbiter.append('shop', 'a-1', -2, 'T', '{}') FROM generate_series(1, 10)");

# One session that stays, with everything it has cached.
my $session = $node->background_psql('postgres', on_error_stop => 0);
$session->query("\\set VERBOSITY sqlstate");
my $tell = sub {
    my ($sql) = @_;
    my $out = $session->query($sql);
    my $err = $session->{stderr};
    $session->{stderr} = '';
    return $err =~ /ERROR:\s+(\w{5})/ ? $1 : $out;
};
is($tell->("SELECT arbiter.append('shop', 'a-1', 9, 'T', '{}')"), '10', 'a session appends');

is(state_of('DROP EXTENSION arbiter'), '2BP01', 'the triggers hold the extension');
$ask->('DROP EXTENSION arbiter CASCADE');
is($ask->('SELECT count(*) FROM shop.events'), '11', 'every event is still there');
is($tell->("SELECT arbiter.append('shop', 'a-1', 10, 'T', '{}')"), '3F000', 'the session finds no schema');
is(state_of("INSERT INTO shop.events (stream, revision, type, data) VALUES ('a-1', 11, 'T', '{}')"), '23502',
    'a raw writer gets no position');
is(state_of("DELETE FROM shop.events WHERE false"), '', 'nothing guards the table now');

$ask->('CREATE EXTENSION arbiter');
is($ask->('SELECT armed FROM arbiter.stores'), 'f', 'a store is unarmed until it is told');
is(state_of("SELECT arbiter.append('shop', 'a-1', 10, 'T', '{}')"), 'RB050', 'and refuses to write');
is($tell->("SELECT arbiter.append('shop', 'a-1', 10, 'T', '{}')"), 'RB050', 'to the session that stayed as well');
is($ask->("SELECT arbiter.stream_revision('shop', 'a-1')"), '10', 'reads go on');
$ask->("SELECT arbiter.upgrade_store('shop')");
is($tell->("SELECT arbiter.append('shop', 'a-1', 10, 'T', '{}')"), '11', 'after upgrade_store the session goes on');
is(state_of("INSERT INTO shop.events (stream, revision, type, data) VALUES ('a-1', 77, 'T', '{}')"), 'RB004',
    'and the rules hold again');
$session->quit;

# The same under load: nothing is stored unjudged, nothing acknowledged is lost.
$ask->("SELECT arbiter.create_store('busy')");
my $writers = Writers->new(node => $node, store => 'busy');
for my $round (1 .. 4) {
    $writers->keep_running(4, 250);
    $writers->wait_for_events(20);
    $ask->('DROP EXTENSION arbiter CASCADE');
    $ask->('CREATE EXTENSION arbiter');
    $ask->("SELECT arbiter.upgrade_store('busy')");
}
$writers->finish;
$writers->check('extension dropped and created under load');
cmp_ok($writers->count_told('stored'), '>', 100, 'the writers got on');
my %codes;
$codes{$_}++ for map { $_->[0] eq 'refused' && $_->[1] =~ /^\w{5}$/ ? $_->[1] : () } values %{ $writers->{told} };
# What may be seen: the call is gone, the store unarmed, another was faster; of raw writers also what the table says.
my @strange = grep { !/^(?:42883|3F000|RB050|RB001|RB004|23505|23502|42P01)$/ } sort keys %codes;
is("@strange", '', 'the errors say what is the matter') or diag(explain(\%codes));
# And it leaves nothing of its own: every catalog has as many rows as before, but for what the planner learnt.
$node->safe_psql('postgres', 'CREATE DATABASE visited TEMPLATE template0');
my $rows = q{SELECT string_agg(c.relname || '=' || (xpath('/row/n/text()', query_to_xml('SELECT count(*) AS n FROM pg_catalog.' || quote_ident(c.relname), false, true, '')))[1]::text, ' '
                         ORDER BY c.relname)
               FROM pg_catalog.pg_class AS c WHERE c.relnamespace = 'pg_catalog'::regnamespace AND c.relkind = 'r' AND c.relname !~ '^pg_statistic'};
my $before = $node->safe_psql('visited', $rows);
$node->safe_psql('visited', 'CREATE EXTENSION arbiter');
isnt($node->safe_psql('visited', $rows), $before, 'the catalogs know the extension');
$node->safe_psql('visited', "SELECT arbiter.create_store('shop'), arbiter.append('shop', 'a-1', -1, 'T', '{}')");
$node->safe_psql('visited', "SELECT arbiter.drop_store('shop', force => true)");
$node->safe_psql('visited', 'DROP EXTENSION arbiter');
is($node->safe_psql('visited', $rows), $before, 'and nothing of it afterwards');

$node->stop;
done_testing();
