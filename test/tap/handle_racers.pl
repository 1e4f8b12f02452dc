# Eight sessions, each of which knows one attribute of the same group of devices, register it at the same
# moment. Whether they queue or race, there is one stream, nobody is refused, and the group has all eight.
use strict;
use warnings FATAL => 'all';
use IPC::Run ();
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $racers = 8;
my $rounds = 20;

my $node = PostgreSQL::Test::Cluster->new('main');
$node->init;
$node->start;
$node->safe_psql('postgres', <<'SQL');
CREATE EXTENSION arbiter;
SELECT arbiter.create_store('shop');
CREATE FUNCTION shop.evolve(state jsonb, event arbiter.recorded_event) RETURNS jsonb
LANGUAGE sql AS 'SELECT state || event.data';
CREATE FUNCTION shop.register(state jsonb, command jsonb) RETURNS jsonb LANGUAGE sql AS $$
    SELECT CASE WHEN state = '{}' THEN jsonb_build_array(jsonb_build_object('type', 'GroupRegistered', 'data', command))
                WHEN state @> command THEN '[]'
                ELSE jsonb_build_array(jsonb_build_object('type', 'GroupEnriched', 'data', command))
           END
$$;
SQL

# All of them wait behind one lock, before each round anew.
sub race {
    my ($lock) = @_;
    my @sessions;
    for my $racer (1 .. $racers) {
        my $script = "\\set VERBOSITY terse\n";
        for my $round (1 .. $rounds) {
            $script .= "SELECT pg_advisory_lock_shared($round) \\g /dev/null\n"
                . "SELECT 'told', outcome, attempts FROM arbiter.handle('shop', 'group-$lock-$round', '{\"a$racer\": $racer}',\n"
                . "    'shop.register', 'shop.evolve', key => '[\"org\", \"$round\"]', lock => $lock, max_attempts => $racers);\n";
        }
        my $file = $node->basedir . "/racer-$lock-$racer"; # not through a pipe, which would have to be pumped
        append_to_file($file, $script);
        my $session = { out => '', err => '' };
        $session->{run} = IPC::Run::start([ 'psql', '-XqAt', '-d', $node->connstr('postgres'), '-f', $file ],
            '<', \undef, '>', \$session->{out}, '2>', \$session->{err}, IPC::Run::timer(300));
        push @sessions, $session;
    }
    return @sessions;
}

for my $lock ('true', 'false') {
    my $gate = $node->background_psql('postgres');
    $gate->query_safe("SELECT pg_advisory_lock(n) FROM generate_series(1, $rounds) AS n");
    my @sessions = race($lock);
    for my $round (1 .. $rounds) {
        ok($node->poll_query_until('postgres', "SELECT count(*) = $racers FROM pg_locks WHERE locktype = 'advisory'
                AND objid = $round AND mode = 'ShareLock' AND NOT granted"), "lock => $lock, round $round: all are at the gate")
            or last;
        $gate->query_safe("SELECT pg_advisory_unlock($round)");
    }
    my (%outcomes, $attempts);
    for my $session (@sessions) {
        IPC::Run::finish($session->{run});
        is($session->{err}, '', "lock => $lock: nobody is refused");
        $outcomes{$1}++, $attempts += $2 while $session->{out} =~ /^told\|(\w+)\|(\d+)$/mg;
    }
    $gate->quit;
    is_deeply(\%outcomes, { applied => $racers * $rounds }, "lock => $lock: all of them are applied");
    is($node->safe_psql('postgres', <<"SQL"), $rounds, "lock => $lock: each group has all eight attributes");
SELECT count(*) FROM generate_series(1, $rounds) AS n
 WHERE arbiter.fold('shop', 'group-$lock-' || n, 'shop.evolve')
       = (SELECT jsonb_object_agg('a' || i, i) FROM generate_series(1, $racers) AS i)
SQL
    is($node->safe_psql('postgres', <<"SQL"), $rounds, "lock => $lock: and was registered once");
SELECT count(*) FROM shop.events WHERE stream LIKE 'group-$lock-%' AND type = 'GroupRegistered'
SQL
    cmp_ok($attempts, $lock eq 'true' ? '==' : '>', $racers * $rounds,
        "lock => $lock: " . ($lock eq 'true' ? 'each decided once' : 'some decided again'));
}
$node->stop;
done_testing();
