# Consumers of one projection that are fed the same events again and again, roll back at random, and die with
# their backends and their server: each event has its effect once, and the offsets say no more than that.
use strict;
use warnings FATAL => 'all';
use IPC::Run ();
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my ($rounds, $entities, $revisions, $consumers) = (4, 5, 150, 4);

my $node = PostgreSQL::Test::Cluster->new('main');
$node->init;
$node->append_conf('postgresql.conf', "autovacuum = off\nrestart_after_crash = on\nmax_prepared_transactions = 10\n");
$node->start;
my $ask = sub { $node->safe_psql('postgres', @_) };
# The effect has no key of its own: what is applied twice is there twice.
$ask->(<<'SQL');
    CREATE EXTENSION arbiter;
    SELECT arbiter.create_store('shop');
    SELECT arbiter.create_projection('shop', 'journal', 'external');
    CREATE TABLE journal (entity text, revision bigint);
SQL

# Every event of a round's entities, revisions in order, entities mixed; some twice, some old ones in between.
sub deliveries {
    my ($round) = @_;
    my @next = (0) x $entities;
    my $script = "\\set ON_ERROR_STOP off\n";
    while (my @open = grep { $next[$_] < $revisions } 0 .. $#next) {
        my $n = $open[ rand @open ];
        my $revision = rand() < 0.2 ? int rand $next[$n] + 1 : $next[$n]++;
        $script .= attempt("$round-$n", $revision, 'ROLLBACK') if rand() < 0.15;
        $script .= attempt("$round-$n", $revision, 'COMMIT') for 0 .. rand() < 0.2;
    }
    return $script;
}

sub attempt {
    my ($entity, $revision, $end) = @_;
    my $level = ('READ COMMITTED') x (rand() < 0.7) || ('REPEATABLE READ', 'SERIALIZABLE')[ rand 2 ];
    my $savepoint = rand() < 0.2 ? 'SAVEPOINT s;' : '';
    return <<"SCRIPT";
\\set new f
BEGIN ISOLATION LEVEL $level; $savepoint
SELECT arbiter.advance('shop', 'journal', '$entity', $revision) AS new \\gset
\\if :new
INSERT INTO journal VALUES ('$entity', $revision);
\\endif
$end;
SCRIPT
}

my @running;
sub start_consumers {
    my ($round, $passes) = @_;
    for (1 .. $consumers) {
        my $script = $node->basedir . "/consumer-$_.sql";
        append_to_file($script, deliveries($round)) for 1 .. $passes;
        my $consumer = { out => '', err => '', script => $script };
        $consumer->{process} = IPC::Run::start(
            [ 'psql', '-XAtq', '-v', 'VERBOSITY=sqlstate', '-d', $node->connstr('postgres'), '-f', $script ],
            '<', \'', '>', \$consumer->{out}, '2>', \$consumer->{err});
        push @running, $consumer;
    }
    return;
}

my %told;
sub finish_consumers {
    for my $consumer (splice @running) {
        $consumer->{process}->finish;
        unlink $consumer->{script};
        $told{$1}++ while $consumer->{err} =~ /ERROR:\s+(\w{5})/g;
    }
    return;
}

sub check {
    my ($when) = @_;
    is($ask->(<<'SQL'), '0', "$when: nothing was applied twice");
        SELECT count(*) - count(DISTINCT (entity, revision)) FROM journal
SQL
    is($ask->(<<'SQL'), '0', "$when: the offsets are the last effects, and there is none missing before them");
        SELECT count(*) FROM shop.offsets AS o
          FULL JOIN (SELECT entity, max(revision) AS last, count(*) AS applied FROM journal GROUP BY entity) AS j USING (entity)
         WHERE o.revision IS DISTINCT FROM j.last OR j.applied <> j.last + 1
SQL
    return;
}

for my $round (1 .. $rounds) {
    start_consumers($round, 10); # more than they will live to see
    $node->poll_query_until('postgres', "SELECT count(*) >= 25 FROM journal WHERE entity LIKE '$round-%'") or die 'no effects';
    if ($round % 2) {
        my $victim = $ask->("SELECT pid FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid() LIMIT 1");
        ok(kill('KILL', $victim), "round $round: a backend is killed");
        finish_consumers();
        $node->poll_query_until('postgres', 'SELECT 1', '1') or die 'the server does not come back';
    } else {
        $node->stop('immediate');
        pass("round $round: the server is stopped at once");
        finish_consumers();
        $node->start;
    }
    check("round $round");
}
# What is left is delivered again until nothing is: some transactions lose to one another in the higher levels.
for my $round (1 .. $rounds) {
    for (1 .. 10) {
        last if $ask->("SELECT count(*) FROM journal WHERE entity LIKE '$round-%'") == $entities * $revisions;
        start_consumers($round, 1);
        finish_consumers();
    }
}
is($ask->('SELECT count(*) FROM journal'), $rounds * $entities * $revisions, 'in the end every event had its effect');
check('in the end');
is_deeply([ grep { !/^(?:RB010|40001|25P02|57P0\d)$/ } keys %told ], [], 'nobody was told anything unexpected')
    or diag explain \%told;

# A backend that is terminated between effect and commit makes room for who waits behind it.
my $first = $node->background_psql('postgres', on_error_stop => 0);
my $pid = $first->query('SELECT pg_backend_pid()');
$first->query("BEGIN; SELECT arbiter.advance('shop', 'journal', 'killed', 0); INSERT INTO journal VALUES ('killed', 0)");
my $second = $node->background_psql('postgres');
$second->query_until(qr/asked/, "\\echo asked\nSELECT arbiter.advance('shop', 'journal', 'killed', 0);\n");
$node->poll_query_until('postgres', "SELECT count(*) = 1 FROM pg_locks WHERE locktype = 'transactionid' AND NOT granted")
    or die 'the second session does not wait';
$ask->("SELECT pg_terminate_backend($pid)");
like($second->query('SELECT 1'), qr/^t\n/, 'the second session is to apply what the killed one could not');
$second->quit;
$first->quit;

# An offset that is prepared outlives the crash undecided.
$ask->("BEGIN; SELECT arbiter.advance('shop', 'journal', 'kept', 0); PREPARE TRANSACTION 'kept'");
$node->stop('immediate');
$node->start;
my ($rc, $out, $err) = $node->psql('postgres', "SET lock_timeout = '50ms'; SELECT arbiter.advance('shop', 'journal', 'kept', 0)");
like($err, qr/lock timeout/, 'a prepared transaction is waited for after the crash');
$ask->("COMMIT PREPARED 'kept'");
is($ask->("SELECT arbiter.advance('shop', 'journal', 'kept', 0)"), 'f', 'and has applied it once it is committed');

# Who is told "applied" acknowledges, so a crash must not take that back: with the log writer asleep, what commits
# asynchronously is lost, and what somebody was told of is not.
$node->append_conf('postgresql.conf', "wal_writer_delay = 10s\n");
$node->restart;
my $careless = $node->background_psql('postgres');
$careless->query("SET synchronous_commit = off; SELECT arbiter.advance('shop', 'journal', 'told', 0)");
is($ask->("SELECT arbiter.advance('shop', 'journal', 'told', 0)"), 'f', 'told of an asynchronous commit');
$careless->query("SELECT arbiter.advance('shop', 'journal', 'untold', 0)");
$node->stop('immediate');
$node->start;
is($ask->("SELECT entity FROM shop.offsets WHERE entity LIKE '%told'"), 'told', 'which no crash takes back');
$node->stop;
done_testing();
