# Twenty workers, in READ COMMITTED and in REPEATABLE READ, empty a pool at the same time while some of them are killed: nobody
# is refused, every row goes to one owner at a time, what a killed one had taken and not finished is still its own until it is
# returned, and in the end each row is done once. And what a dump, a restore and a new extension keep.
use strict;
use warnings FATAL => 'all';
use IPC::Run ();
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $workers = 20;
my $rows = 2000;

my $node = PostgreSQL::Test::Cluster->new('main');
$node->init(extra => [ '--encoding=UTF8', '--locale=C' ]);
$node->append_conf('postgresql.conf', "max_connections = 60\nlog_min_messages = panic");
$node->start;
$node->safe_psql('postgres', <<"SQL");
CREATE EXTENSION arbiter;
SELECT arbiter.create_store('shop');
CREATE TABLE item (id bigint PRIMARY KEY, priority int NOT NULL, status text NOT NULL DEFAULT 'open', owner text, since timestamptz,
                   token bigint NOT NULL DEFAULT 0);
CREATE INDEX item_free ON item (priority DESC, id) WHERE owner IS NULL AND status = 'open';
CREATE TABLE handed (id bigint, owner text, token bigint, n bigint GENERATED ALWAYS AS IDENTITY);
CREATE TABLE done (id bigint, owner text, token bigint);
SELECT arbiter.create_pool('shop', 'items', 'item', 'id', 'owner', 'since', 'token', 'status = ''open''', 'priority DESC');
INSERT INTO item (id, priority) SELECT i, i % 10 FROM generate_series(1, $rows) AS i;
CREATE PROCEDURE work(me text) LANGUAGE plpgsql AS \$\$
DECLARE
    taken handed[];
    work handed;
BEGIN
    PERFORM pg_advisory_xact_lock_shared(1);
    COMMIT;
    LOOP
        WITH h AS (INSERT INTO handed (id, owner, token)
                   SELECT key::bigint, me, token FROM arbiter.allocate('shop', 'items', me, 1 + (random() * 4)::int) RETURNING handed)
        SELECT array_agg(h.handed) INTO taken FROM h;
        COMMIT;
        EXIT WHEN taken IS NULL;
        FOREACH work IN ARRAY taken LOOP
            IF me IN ('worker1', 'worker4', 'worker5') THEN
                PERFORM pg_advisory_xact_lock_shared(2);
            END IF;
            PERFORM arbiter.hold_work('shop', 'items', work.id::text, work.token);
            UPDATE item SET status = 'done' WHERE id = work.id;
            INSERT INTO done VALUES (work.id, me, work.token);
            IF me IN ('worker8', 'worker9', 'worker12') THEN
                PERFORM pg_advisory_xact_lock_shared(2);
            END IF;
            COMMIT;
        END LOOP;
    END LOOP;
END
\$\$;
SQL

sub start_worker {
    my ($name, $level) = @_;
    local $ENV{PGOPTIONS} = "-c default_transaction_isolation=$level";
    my $session = { name => $name, out => '', err => '' };
    $session->{run} = IPC::Run::start(
        [ 'psql', '-XqAt', '-d', $node->connstr('postgres') . " application_name=$name", '-c', "CALL work('$name')" ],
        '<', \undef, '>', \$session->{out}, '2>', \$session->{err}, IPC::Run::timer(300));
    return $session;
}
my @levels = ('read\\ committed', 'read\\ committed', 'repeatable\\ read', 'repeatable\\ read');
my %killed = map { ("worker$_" => 1) } 1, 4, 5, 8, 9, 12; # of READ COMMITTED
my $gate = $node->background_psql('postgres');
$gate->query_safe('SELECT pg_advisory_lock(1), pg_advisory_lock(2)');
my @sessions = map { start_worker("worker$_", $levels[ $_ % @levels ]) } 1 .. $workers;
# The victims stop at the gate with rows that they own, three of them in the middle of a transaction. There they are killed.
my $at_the_gate = sub { "SELECT count(*) = $_[0] FROM pg_locks WHERE locktype = 'advisory' AND objid = $_[1] AND NOT granted" };
ok($node->poll_query_until('postgres', $at_the_gate->($workers, 1)), 'all are ready');
$gate->query_safe('SELECT pg_advisory_unlock(1)');
ok($node->poll_query_until('postgres', $at_the_gate->(scalar(keys %killed), 2)), 'the victims are at the gate');
for my $victim (keys %killed) {
    $node->safe_psql('postgres', "SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity WHERE application_name = '$victim'");
}
$gate->quit;
for my $session (@sessions) {
    eval { IPC::Run::finish($session->{run}) };
    like($session->{err}, $killed{ $session->{name} } ? qr/terminating connection/ : qr/^$/, "$session->{name} ends as it should");
}

my $ask = sub { $node->safe_psql('postgres', @_) };
my $of_the_killed = join ', ', map { "'$_'" } keys %killed;
is($ask->("SELECT count(*) FROM item WHERE owner IS NULL"), 0, 'nothing is left');
is($ask->("SELECT count(*), count(DISTINCT id) FROM handed"), "$rows|$rows", 'every row was handed out once');
is($ask->("SELECT count(*) FROM item JOIN handed USING (id, owner, token)"), $rows, 'and is owned by whom it was handed to');
is($ask->("SELECT count(*) FROM item WHERE (status = 'done') <> EXISTS (SELECT FROM done WHERE done.id = item.id)"), 0, 'nothing is half done');
is($ask->("SELECT count(*) FROM item WHERE status = 'open' AND owner NOT IN ($of_the_killed)"), 0, 'what is not done belongs to the killed');
my $open = $ask->("SELECT count(*) FROM item WHERE status = 'open'");
is($ask->("SELECT count(*) FROM arbiter.return_stale('shop', 'items', '0', 100000) WHERE outcome = 'returned'"), $open, "$open rows are returned");
$ask->("CALL work('last')");
is($ask->("SELECT count(*), count(DISTINCT id) FROM done"), "$rows|$rows", 'every row is done once');
is($ask->("SELECT count(*) FROM (SELECT id, token FROM handed GROUP BY 1, 2 HAVING count(*) > 1) AS twice"), 0, 'no token came twice');

# Pool and trigger are in a dump, whatever the restored table's number is.
$ask->("INSERT INTO item (id, priority) VALUES (100000, 1), (100001, 2)");
my $dir = PostgreSQL::Test::Utils::tempdir();
$node->command_ok([ 'pg_dump', '-Fc', '-f', "$dir/dump", 'postgres' ], 'dumped');
$ask->('CREATE DATABASE restored TEMPLATE template0');
$node->command_ok([ 'pg_restore', '--exit-on-error', '-d', 'restored', "$dir/dump" ], 'restored');
my $restored = sub { $node->safe_psql('restored', @_) };
is($restored->("SELECT key FROM arbiter.allocate('shop', 'items', 'anna')"), '100001', 'restored: it goes on');
my $refused = sub {
    my ($rc, $out, $err) = $node->psql('restored', "\\set VERBOSITY sqlstate\n$_[0]");
    return $err =~ /ERROR:  (\w+)/ ? $1 : $err;
};
is($refused->("UPDATE item SET owner = 'x' WHERE id = 100000"), 'RB003', 'restored: by the same rules');
$restored->("SET client_min_messages = warning; DROP EXTENSION arbiter CASCADE; CREATE EXTENSION arbiter");
is($refused->("SELECT arbiter.allocate('shop', 'items', 'anna')"), 'RB050', 'a new extension: not armed');
$restored->("SELECT arbiter.upgrade_store('shop')");
is($restored->("SELECT key FROM arbiter.allocate('shop', 'items', 'anna')"), '100000', 'upgrade_store: it goes on');
is($refused->("UPDATE item SET owner = 'x' WHERE id = 100000"), 'RB003', 'upgrade_store: by the same rules');
$restored->("SELECT arbiter.drop_store('shop', true)");
is($refused->("UPDATE item SET owner = 'x' WHERE id = 100000"), '', 'drop_store: the table is plain again');
$node->stop;
done_testing();
