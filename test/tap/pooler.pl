# Behind PgBouncer in transaction mode, with fewer server connections than clients: every promise is one of a
# transaction, so no lock and no setting is left to whoever gets the connection next.
use strict;
use warnings FATAL => 'all';
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $program = '/usr/sbin/pgbouncer';
plan skip_all => 'pgbouncer is not installed' unless -x $program;

my $node = PostgreSQL::Test::Cluster->new('main');
$node->init;
$node->start;
$node->safe_psql('postgres', "CREATE EXTENSION arbiter; SELECT arbiter.create_store('shop'); SELECT arbiter.create_ledger('shop', 'mail');
    CREATE FUNCTION public.evolve(state jsonb, event arbiter.recorded_event) RETURNS jsonb LANGUAGE sql STABLE
        AS 'SELECT jsonb_build_object(''n'', coalesce((state ->> ''n'')::bigint, 0) + 1)';
    CREATE FUNCTION public.decide(state jsonb, command jsonb) RETURNS jsonb LANGUAGE sql STABLE
        AS 'SELECT jsonb_build_array(jsonb_build_object(''type'', ''Counted'', ''data'', command))'");

my $dir = PostgreSQL::Test::Utils::tempdir_short();
my $port = PostgreSQL::Test::Cluster::get_free_port();
append_to_file("$dir/ini", <<"INI");
[databases]
postgres = host=@{[$node->host]} port=@{[$node->port]} user=@{[scalar getpwuid $<]}
[pgbouncer]
unix_socket_dir = $dir
listen_addr =
listen_port = $port
auth_type = any
logfile = $dir/log
pidfile = $dir/pid
pool_mode = transaction
default_pool_size = 2
max_client_conn = 100
ignore_startup_parameters = extra_float_digits
INI
system_or_bail($program, '-q', '-d', "$dir/ini");
END { system('kill', slurp_file("$dir/pid") =~ /(\d+)/) if $dir && -f "$dir/pid" }

my $pooled = "host=$dir port=$port dbname=postgres user=@{[scalar getpwuid $<]}";

sub run_pooled { # what psql answers, and what it complains of
    my ($sql) = @_;
    my ($out, $err) = ('', '');
    IPC::Run::run([ 'psql', '-XAtq', '-v', 'VERBOSITY=sqlstate', '-d', $pooled ], '<', \$sql, '>', \$out, '2>', \$err);
    chomp $out;
    return ($out, $err);
}

# The pooler listens once its pid is written; the first connection may still be a moment early.
ok($node->poll_query_until('postgres', 'SELECT true') && (run_pooled('SELECT 1'))[0] eq '1', 'the pooler answers');

# Client A holds a lock in its transaction, B gets the other connection, C any: the lock is A's alone.
my $a = IPC::Run::start([ 'psql', '-XAtq', '-d', $pooled ], '<', \my $in, '>', \my $out, '2>', \my $err);
$in = "BEGIN; SET LOCAL lock_timeout = '7s'; SELECT 'held' FROM arbiter.lock_entity('order-1');\n";
$a->pump until $out =~ /held/;
is((run_pooled("BEGIN; SELECT arbiter.try_lock_entity('order-1'); COMMIT"))[0], 'f', 'a lock holds against another client');
like((run_pooled("BEGIN; SELECT arbiter.lock_entity('order-1', '10ms'); COMMIT"))[1], qr/55P03/, 'who waits in vain is told');
$in .= "COMMIT;\n\\echo done\n";
$a->pump until $out =~ /done/;
for my $n (1 .. 6) { # both connections, whoever had them
    is((run_pooled("BEGIN; SELECT arbiter.try_lock_entity('order-1'), current_setting('lock_timeout'); COMMIT"))[0], 't|0',
        "no lock and no setting is left behind ($n)");
}
$in .= "\\q\n";
$a->finish;
is($node->safe_psql('postgres', 'SELECT count(*) FROM arbiter.entity_locks'), '0', 'nobody holds anything');
like((run_pooled("SELECT arbiter.lock_entity('order-1')"))[1], qr/25P01/, 'alone, a lock would hold nothing');

# A claim is its transaction's while that is open, and its token's afterwards, whichever connection brings it. Waiting for
# one leaves no setting behind either.
$a = IPC::Run::start([ 'psql', '-XAtq', '-d', $pooled ], '<', \$in, '>', \$out, '2>', \$err);
($in, $out) = ("BEGIN; SELECT outcome, token FROM arbiter.claim('shop', 'mail', 'welcome', claimant => 'a');\n", '');
$a->pump until $out =~ /won\|(\d+)/;
my $token = $1;
is((run_pooled("SELECT outcome FROM arbiter.claim('shop', 'mail', 'welcome', wait => '20 ms')"))[0], 'busy', 'while its claimant is at it, a key is busy');
$in .= "COMMIT;\n\\echo done\n";
$a->pump until $out =~ /done/;
for my $n (1 .. 4) {
    is((run_pooled("SELECT outcome, claimant, current_setting('lock_timeout'), current_setting('synchronous_commit') FROM arbiter.claim('shop', 'mail', 'welcome')"))[0],
        'taken|a|0|on', "then it is taken, and no setting is left behind ($n)");
}
$in .= "\\q\n";
$a->finish;
is((run_pooled("SELECT arbiter.settle('shop', 'mail', 'welcome', $token, 'done')"))[1], '', 'another connection settles it with the token');
like((run_pooled("SELECT arbiter.settle('shop', 'mail', 'welcome', $token, 'done')"))[1], qr/RB020/, 'once');

# Twenty clients at once on two connections, each call of each kind in a transaction of its own.
my @clients;
for my $n (1 .. 20) {
    my $sql = '';
    for my $i (1 .. 5) {
        my $command = sprintf '00000000-0000-4000-8000-%06d%06d', $n, $i;
        $sql .= "SELECT 'append ' || arbiter.append('shop', 'own-$n', $i - 2, 'Counted', '{}');
            SELECT 'any ' || arbiter.append('shop', 'hot', -2, 'Counted', '{}');
            SELECT 'handle ' || revision FROM arbiter.handle('shop', 'counter', '{}', 'public.decide', 'public.evolve', command_id => '$command');
            SELECT 'again ' || outcome FROM arbiter.handle('shop', 'counter', '{}', 'public.decide', 'public.evolve', command_id => '$command');
            BEGIN; SELECT 'loaded' FROM arbiter.load_stream('shop', 'turn', timeout => '60s') LIMIT 1;
            SELECT 'turn ' || arbiter.append('shop', 'turn', arbiter.stream_revision('shop', 'turn'), 'Counted', '{}'); COMMIT;
            SELECT 'claim ' || outcome FROM arbiter.claim('shop', 'mail', 'slot-$i');
            SELECT 'fed ' || (count(*) > 0) FROM arbiter.read_feed('shop');
            CALL arbiter.wait_for_events('shop', 0, '1s');\n";
    }
    my %client = (in => $sql, out => '', err => '');
    $client{run} = IPC::Run::start([ 'psql', '-XAtq', '-v', 'ON_ERROR_STOP=1', '-d', $pooled ], '<', \$client{in}, '>', \$client{out}, '2>', \$client{err});
    push @clients, \%client;
}
$_->{run}->finish for @clients;
is(join('', map { $_->{err} } @clients), '', 'twenty clients on two connections: no error');
my @said = map { split /\n/, $_->{out} } @clients;
my $said = sub { my ($what) = @_; return scalar grep { /^$what/ } @said };
is($said->('claim won'), 5, 'each slot is won once');
is($said->('again replayed'), 100, 'each command is known when it comes again');
is( $node->safe_psql('postgres', "SELECT stream, count(*), max(revision) + 1 FROM shop.events WHERE stream NOT LIKE 'own-%' GROUP BY stream ORDER BY stream"),
    "counter|100|100\nhot|100|100\nturn|100|100", 'each stream has what was acknowledged, dense');
is($node->safe_psql('postgres', "SELECT count(*) FROM arbiter.read_feed('shop', max_count => 1000)"), '400', 'and the feed has all of it');
is($node->safe_psql('postgres', 'SELECT count(*) FROM arbiter.entity_locks'), '0', 'no lock survives');
$node->stop;
done_testing();
