# Writers that do everything a writer can do, and readers of every kind on a primary and a standby: each is handed
# all there is, in order, once, and none falls behind what was settled.
#   FEED_STORM_SECONDS   how long (12)
#   FEED_STORM_SEED      as printed by a run before
use strict;
use warnings FATAL => 'all';
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;
use Time::HiRes qw(sleep time);
use Readers;
use Writers;

my $seconds = $ENV{FEED_STORM_SECONDS} // 12;
my $seed = srand($ENV{FEED_STORM_SEED} // CORE::time ^ $$);
diag "FEED_STORM_SEED=$seed";

my $primary = PostgreSQL::Test::Cluster->new('primary');
$primary->init(allows_streaming => 1);
$primary->append_conf('postgresql.conf', <<'CONF');
max_prepared_transactions = 20
max_connections = 60
log_statement = none
shared_preload_libraries = 'arbiter'
CONF
$primary->start;
my $ask = sub { $primary->safe_psql('postgres', @_) };
$ask->("CREATE EXTENSION arbiter; SELECT arbiter.create_store('shop')");
$primary->backup('b');
my $standby = PostgreSQL::Test::Cluster->new('standby');
$standby->init_from_backup($primary, 'b', has_streaming => 1);
# A reader in a long transaction must not be cancelled because the primary vacuums.
$standby->append_conf('postgresql.conf', "hot_standby_feedback = on\nmax_standby_streaming_delay = -1\n");
$standby->start;

my $readers = Readers->new(store => 'shop');
for my $node ($primary, $standby) {
    my $name = $node->name;
    $readers->add(node => $node, name => "$name-$_", kind => 'read', batch => $_) for 1, 7, 1000;
    $readers->add(node => $node, name => "$name-filtered", kind => 'filtered', batch => 3);
    $readers->add(node => $node, name => "$name-$_", kind => $_) for qw(repeatable sql);
}
$readers->start;

# The bound: within five seconds, a reader who asks again reaches everything that was settled when he first asked: all
# positions that had been handed out before the first one of an open transaction. Not at once, since he
# may fall on the moment between drawing a position and announcing it, and on a busy machine that may last.
$ask->(<<'SQL');
CREATE PROCEDURE keep_up(until timestamptz, INOUT worst interval DEFAULT '0', INOUT looks int DEFAULT 0) LANGUAGE plpgsql AS $$
DECLARE
    cursor bigint := 0;
    last bigint;
    first bigint; -- null: nobody; 0: somebody has not announced it yet
    since timestamptz;
BEGIN
    WHILE clock_timestamp() < until LOOP
        SELECT last_value INTO last FROM shop.events_position;
        WITH l AS MATERIALIZED (SELECT * FROM pg_locks WHERE granted)
        SELECT min(coalesce((SELECT (l.classid::bigint << 32) | l.objid::bigint FROM l
                              WHERE l.virtualtransaction = holder.virtualtransaction AND l.locktype = 'advisory' AND l.database = 'shop.events_position'::regclass), 0))
          INTO first FROM l AS holder
         WHERE holder.relation = 'shop.events_position'::regclass AND holder.mode = 'RowExclusiveLock';
        since := clock_timestamp();
        LOOP
            cursor := arbiter.feed_horizon('shop', cursor);
            EXIT WHEN cursor >= least(last, first - 1) OR clock_timestamp() - since > interval '10 s';
            PERFORM pg_sleep(0.001);
        END LOOP;
        worst := greatest(worst, clock_timestamp() - since);
        looks := looks + 1;
        COMMIT;
        PERFORM pg_sleep(0.005);
    END LOOP;
END
$$;
CREATE PROCEDURE kill_writers(until timestamptz) LANGUAGE plpgsql AS $$
BEGIN
    WHILE clock_timestamp() < until LOOP
        PERFORM pg_sleep(random() * 0.6);
        PERFORM pg_terminate_backend((SELECT pid FROM pg_stat_activity WHERE application_name = 'writer' ORDER BY random() LIMIT 1));
        COMMIT;
    END LOOP;
END
$$;
CREATE PROCEDURE settle(until timestamptz) LANGUAGE plpgsql AS $$
BEGIN
    WHILE clock_timestamp() < until LOOP
        CALL arbiter.settle_feed('shop');
        COMMIT;
        PERFORM pg_sleep(0.02);
    END LOOP;
END
$$;
SQL

my %beside;
for my $call ('keep_up', 'kill_writers', 'settle') {
    $beside{$call} = { out => '', err => '' };
    $beside{$call}{process} = IPC::Run::start([ 'psql', '-XAtq', '-d', $primary->connstr('postgres'), '-c',
        "CALL $call(clock_timestamp() + '$seconds seconds')" ], '<', \'', '>', \$beside{$call}{out}, '2>', \$beside{$call}{err});
}

# Prepared by writers that were killed before they could decide.
my $decide = sub {
    $primary->psql('postgres', <<'SQL', on_error_stop => 0);
        SELECT (CASE left(gid, 1) WHEN 'c' THEN 'COMMIT' ELSE 'ROLLBACK' END) || ' PREPARED ' || quote_literal(gid)
          FROM pg_prepared_xacts WHERE prepared < clock_timestamp() - interval '0.5 s' \gexec
SQL
};
my $writers = Writers->new(node => $primary, store => 'shop', streams => 60, storm => 1);
my $until = time + $seconds;
while (time < $until || $writers->count_running) {
    $writers->keep_running(6, 150) if time < $until;
    $decide->();
    sleep 0.1;
}
$writers->finish;
$_->{process}->finish for values %beside;
while ($ask->('SELECT count(*) FROM pg_prepared_xacts')) { $decide->(); sleep 0.1 }
$ask->("SELECT arbiter.append('shop', 'end', -1, 'End', '{}'); CALL arbiter.settle_feed('shop')");

is(join("\n", $readers->finish), '', 'every reader reaches the end and has nothing to complain of');
$readers->check('in the end');
$writers->check('in the end');
is(join('', map { $_->{err} } values %beside), '', 'nor has who settles, kills or keeps up');
my ($worst, $looks) = $beside{keep_up}{out} =~ /(.*)\|(.*)/;
note "the worst delay of what was settled: $worst, in $looks looks";
is($ask->("SELECT interval '$worst' < interval '5 s'"), 't', "what is settled is passed within five seconds (worst: $worst)");
note join ', ', map { "$_ " . $writers->count_told($_) } qw(stored refused doomed unanswered);
cmp_ok($writers->count_told('stored'), '>', 5 * $seconds, 'the writers wrote');
cmp_ok($writers->count_told('unanswered'), '>', 0, 'and some were killed');
$_->stop for $standby, $primary;
done_testing();
