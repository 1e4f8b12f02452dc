# The counters of all sessions together, where the library is preloaded: exact, whoever counts at the same time, and gone
# with the server's memory, which harms nobody.
use strict;
use warnings FATAL => 'all';
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = PostgreSQL::Test::Cluster->new('main');
$node->init;
$node->append_conf('postgresql.conf', "shared_preload_libraries = 'arbiter'\narbiter.runner_workers = 0\nrestart_after_crash = on\n");
$node->start;
my $ask = sub { $node->safe_psql('postgres', @_) };
$ask->("CREATE EXTENSION arbiter; SELECT arbiter.create_store('shop'), arbiter.create_store('other')");

my ($writers, $appends) = (4, 500);
my @writers = map { $node->background_psql('postgres') } 1 .. $writers;
for my $n (1 .. $writers) {
    my $one = "SELECT count(*) FROM (SELECT arbiter.append('shop', 'w-$n', -2, 'T', '{}') FROM generate_series(1, $appends)) AS a;";
    $writers[ $n - 1 ]->query_until(qr/sent/, "\\echo sent\n$one\n");
}
$_->quit for @writers;
my $of = sub { $ask->("SELECT done, already, conflict, replayed, waits, scope FROM arbiter.stats WHERE store = '$_[0]' AND noun = 'append'") };
is($of->('shop'), $writers * $appends . '|0|0|0|0|server', 'no count of any session is lost');
is($of->('other'), '', 'a store that nobody calls has none');

$node->psql('postgres', "SELECT arbiter.append('shop', 'w-1', 3, 'T', '{}')");
$ask->("SELECT arbiter.append('other', 'w-1', -1, 'T', '{}')");
is($of->('shop'), $writers * $appends . '|0|1|0|0|server', 'a lost race is a conflict, in whichever session');
is($of->('other'), '1|0|0|0|0|server', 'stores are counted apart');
$ask->('CREATE DATABASE second');
is($node->safe_psql('second', 'CREATE EXTENSION arbiter; SELECT count(*) FROM arbiter.stats'), '0', 'and databases');

$ask->("SELECT arbiter.drop_store('other', force => true)");
$ask->("SELECT arbiter.create_store('other')");
is($of->('other'), '', 'a store of the same name begins anew');

my $victim = $node->background_psql('postgres', on_error_stop => 0);
my $pid = $victim->query("SELECT pg_backend_pid()");
kill 'KILL', $pid or die "kill: $!";
$victim->{run}->finish;
$node->poll_query_until('postgres', 'SELECT NOT pg_is_in_recovery()') or die 'it does not come back';
is($ask->('SELECT count(*) FROM arbiter.stats'), '0', 'after a crash of the server they begin anew');
$ask->("SELECT arbiter.append('shop', 'w-1', -2, 'T', '{}')");
is($of->('shop'), '1|0|0|0|0|server', 'and count');
$node->stop;
done_testing();
