# The runner by itself: it comes where a store is and leaves where it is in the way, it acts as the store's owner and
# nobody else, and neither handlers that fail, hang or end their process, nor crashes keep it from its work.
use strict;
use warnings FATAL => 'all';
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Sessions qw(wait_until_gone);
use Test::More;

my $node = PostgreSQL::Test::Cluster->new('main');
$node->init(allows_streaming => 1);
$node->append_conf('postgresql.conf', <<'CONF');
shared_preload_libraries = 'arbiter'
arbiter.runner_timeout = '2s'
arbiter.runner_nap = '200ms'
restart_after_crash = on
CONF
$node->start;

sub sql { return $node->safe_psql('app', "SET client_min_messages = warning; $_[0]") }
sub soon { my ($query, $expected, $what, $where) = @_;
    ok($node->poll_query_until($where // 'app', $query, $expected), $what); return; }
my $workers = "SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'arbiter runner'";

sub make_store {
    my ($store) = @_;
    $node->safe_psql('app', <<"SQL");
        SET client_min_messages = warning;
        SET SESSION AUTHORIZATION keeper;
        SELECT arbiter.create_store('$store');
        CREATE TABLE $store.seen (stream text, revision bigint, who text, PRIMARY KEY (stream, revision));
        CREATE FUNCTION $store.see(event jsonb) RETURNS void LANGUAGE plpgsql AS \$\$
        BEGIN
            INSERT INTO $store.seen VALUES (event ->> 'stream', (event ->> 'revision')::bigint, session_user || '/' || current_user);
            CASE event ->> 'type'
                WHEN 'Killer' THEN PERFORM pg_terminate_backend(pg_backend_pid());
                WHEN 'Sleeper' THEN PERFORM pg_sleep(3600);
                WHEN 'Failure' THEN RAISE 'no';
                WHEN 'Climber' THEN SET SESSION AUTHORIZATION postgres;
                ELSE NULL;
            END CASE;
        END \$\$;
        SELECT arbiter.create_projection('$store', 'p', 'transactional', '$store.see');
SQL
    return;
}
sub append {
    my ($stream, $type, $store) = @_;
    return sql("SELECT arbiter.append('" . ($store // 'shop') . "', '$stream', -2, '$type', '{}')");
}
sub seen { my ($stream, $store) = @_;
    return 'SELECT count(*) FROM ' . ($store // 'shop') . ".seen WHERE stream = '$stream'"; }
sub failure { return "SELECT count(*) FROM shop.failures WHERE attempts > 0 AND entity = '$_[0]'" }

# The page's table of settings is the server's.
my @documented = map { /^\| `(arbiter\.\w+)` \| `?([^ `]+)`? \| (\w*) ?\| (?:(\d+) to (\d+))? ?\|/
    ? join('|', $1, $2, $3, $4 // '', $5 // '', 'sighup') : () } split /\n/, slurp_file('doc/operations.md');
is(join("\n", sort @documented), $node->safe_psql('postgres', <<'SQL'), 'doc/operations.md has every setting as it is');
    SELECT name, boot_val, unit, min_val, max_val, context FROM pg_settings WHERE name LIKE 'arbiter.%' ORDER BY name COLLATE "C";
SQL

$node->safe_psql('postgres', 'CREATE ROLE keeper LOGIN; CREATE DATABASE app');
sql('CREATE EXTENSION arbiter; GRANT USAGE ON SCHEMA arbiter TO keeper; GRANT CREATE ON DATABASE app TO keeper');
is($node->safe_psql('postgres', $workers), '0', 'no worker where there is no store');
make_store('shop');
append('a-1', 'T');
soon(seen('a-1'), '1', 'the first append brings a worker');
is(sql('SELECT who FROM shop.seen'), 'keeper/keeper', 'which is a session of the owner');
is(sql("SELECT datname, usename, application_name FROM pg_stat_activity WHERE backend_type = 'arbiter runner'"),
    'app|keeper|arbiter runner', 'and says so');
soon('SELECT settled FROM shop.feed', '1', 'it settles the feed');

make_store('bank');
append('b-1', 'T', 'bank');
soon(seen('b-1', 'bank'), '1', "the owner's next store is found by the same worker");
is($node->safe_psql('postgres', $workers), '1', 'one is enough');

# Handlers at their worst.
append('climber-1', 'Climber');
soon(failure('climber-1'), '1', 'a handler cannot become somebody else');
append('failure-1', 'Failure');
append('failure-1', 'T');
append('a-2', 'T');
soon(seen('a-2'), '1', 'a handler that fails holds nobody else up');
append('killer-1', 'Killer');
append('a-3', 'T');
soon(seen('a-3'), '1', 'nor does one that ends its process');
soon(failure('killer-1'), '1', 'whose attempt was counted');
append('sleeper-1', 'Sleeper');
append('a-4', 'T');
soon(seen('a-4'), '1', 'nor does one that hangs');
soon(failure('sleeper-1'), '1', 'whose attempt was counted too');
like(slurp_file($node->logfile), qr/took longer than "arbiter.runner_timeout" allows/, 'the log says so');
append('b-2', 'T', 'bank');
soon(seen('b-2', 'bank'), '1', 'the other store has not noticed');
sql(<<'SQL');
    CREATE OR REPLACE FUNCTION shop.see(event jsonb) RETURNS void LANGUAGE sql
        AS $$ INSERT INTO shop.seen VALUES (event ->> 'stream', (event ->> 'revision')::bigint, session_user || '/' || current_user) $$;
    UPDATE shop.failed_events SET next_attempt_at = now();
SQL
soon('SELECT count(*) FROM shop.failed_events', '0', 'mended: what was held back is tried again, by itself');
is(sql("SELECT stream, count(*) FROM shop.seen WHERE stream ~ '^[^a]' GROUP BY 1 ORDER BY 1"),
    "climber-1|1\nfailure-1|2\nkiller-1|1\nsleeper-1|1", 'and applied once');

sql('ALTER FUNCTION bank.see(jsonb) RENAME TO gone');
append('b-3', 'T', 'bank');
append('a-5', 'T');
soon(seen('a-5'), '1', 'a handler that is gone stops its own projection');
sql('ALTER FUNCTION bank.gone(jsonb) RENAME TO see');
soon(seen('b-3', 'bank'), '1', 'until it is back');

# Reconcilers and sweeps, on their intervals.
$node->safe_psql('app', <<'SQL');
    SET client_min_messages = warning;
    SET SESSION AUTHORIZATION keeper;
    CREATE FUNCTION shop.missing(projection text) RETURNS TABLE (entity text, revision bigint, detail jsonb)
        LANGUAGE sql AS $$ SELECT 'a-1', 0::bigint, NULL::jsonb WHERE NOT EXISTS (SELECT FROM shop.seen WHERE stream = 'a-1') $$;
    CREATE FUNCTION shop.see_too(event jsonb) RETURNS void LANGUAGE sql
        AS $$ INSERT INTO shop.seen VALUES (event ->> 'stream', (event ->> 'revision')::bigint, 'again') ON CONFLICT DO NOTHING $$;
    SELECT arbiter.create_projection('shop', 'q', 'async', 'shop.see_too', 'shop.missing', '1s');
    SELECT arbiter.create_machine('shop', 'order', 'order', 'Open',
        '[{"from": ["Open"], "command": "expire", "to": "Expired", "event": "OrderExpired"}]');
    CREATE TABLE shop.orders (id text PRIMARY KEY);
    SELECT arbiter.create_sweep('shop', 'expire', 'shop.orders', 'id', 'true', 'id', 'order', 'expire');
    INSERT INTO shop.orders VALUES ('order-1'), ('order-2');
SQL
soon("SELECT count(*) FROM shop.events WHERE type = 'OrderExpired'", '2', 'a sweep is run');
soon("SELECT lag_events FROM shop.projection_status WHERE projection = 'q'", '0', 'an async projection too');
sql("DELETE FROM shop.seen WHERE stream = 'a-1'");
soon(seen('a-1'), '1', 'a reconciler is asked by and by, and what it misses is made up for');
sql("SELECT arbiter.drop_projection('shop', 'q', true); DROP TABLE shop.orders; SELECT arbiter.drop_sweep('shop', 'expire')");

# It is in nobody's way.
soon($workers, '1', 'there is a worker');
$node->safe_psql('postgres', 'CREATE DATABASE app2 TEMPLATE app');
is($node->safe_psql('postgres', 'SELECT count(*) FROM pg_database WHERE datname = \'app2\''), '1', 'a served database can be copied');
append('a-6', 'T');
soon(seen('a-6'), '1', 'the worker is back');
$node->safe_psql('app2', "SELECT arbiter.append('shop', 'a-6', -2, 'T', '{}')");
soon(seen('a-6'), '1', 'the copy has one of its own', 'app2');
$node->safe_psql('postgres', 'DROP DATABASE app2');
is($node->safe_psql('postgres', 'SELECT count(*) FROM pg_database WHERE datname = \'app2\''), '0', 'a served database can be dropped');
$node->safe_psql('app', 'SET client_min_messages = warning; SET SESSION AUTHORIZATION keeper; SELECT arbiter.drop_store(\'bank\', true)');
append('a-7', 'T');
soon(seen('a-7'), '1', 'a store that is dropped is missed by nobody');
sql('DROP EXTENSION arbiter CASCADE');
soon($workers, '0', 'without the extension the worker leaves');
sql('CREATE EXTENSION arbiter; GRANT USAGE ON SCHEMA arbiter TO keeper');
$node->safe_psql('app', "SET SESSION AUTHORIZATION keeper; SELECT arbiter.upgrade_store('shop')");
append('a-8', 'T');
soon(seen('a-8'), '1', 'and with it another comes');

# Settings.
$node->append_conf('postgresql.conf', 'arbiter.runner_workers = 0');
$node->reload;
soon($workers, '0', 'it can be switched off');
$node->append_conf('postgresql.conf', 'arbiter.runner_workers = 2');
$node->reload;
soon($workers, '2', 'and on again, with two workers');
append("c-$_", 'T') for 1 .. 20;
soon("SELECT count(*) FROM shop.seen WHERE stream ~ '^c-'", '20', 'which share the work');
$node->append_conf('postgresql.conf', "arbiter.runner_databases = 'postgres, \"another one\"'");
$node->reload;
soon($workers, '0', 'a database that is not named is left alone');
$node->append_conf('postgresql.conf', "arbiter.runner_databases = 'postgres, app'\narbiter.runner_workers = 1");
$node->reload;
soon($workers, '1', 'one that is named is not');

# Whoever is idle writes nothing.
sql('CREATE EXTENSION pg_walinspect');
soon('SELECT settled = (SELECT last_value FROM shop.events_position) FROM shop.feed', 't', 'all is settled');
my $from = sql('SELECT pg_current_wal_insert_lsn()');
sql('CHECKPOINT'); # so that there is something to look at
sleep 3;
is(sql("SELECT coalesce(string_agg(resource_manager || ' ' || record_type, ', '), '') FROM pg_get_wal_records_info('$from', pg_current_wal_flush_lsn())
         WHERE resource_manager IN ('Heap', 'Transaction')"), '', 'an idle runner writes nothing');

# Crashes.
for my $type ('runner', 'launcher') {
    my $pid = sql("SELECT pid FROM pg_stat_activity WHERE backend_type = 'arbiter $type'");
    kill 'KILL', $pid;
    ok(wait_until_gone($node, $pid), "when the $type is killed the server begins anew");
    append("d-$type", 'T');
    soon(seen("d-$type"), '1', 'with a runner');
}
$node->stop('immediate');
$node->start;
append('a-11', 'T');
soon(seen('a-11'), '1', 'an immediate stop is survived');

# A standby waits until it is none.
$node->backup('b');
my $standby = PostgreSQL::Test::Cluster->new('standby');
$standby->init_from_backup($node, 'b', has_streaming => 1);
$standby->start;
is($standby->safe_psql('postgres', "SELECT count(*) FROM pg_stat_activity WHERE backend_type ~ '^arbiter'"), '0', 'a standby has no runner');
append('a-12', 'T');
soon(seen('a-12'), '1', 'the primary has');
$node->wait_for_catchup($standby);
$standby->promote;
$standby->safe_psql('app', "SELECT arbiter.append('shop', 'a-13', -2, 'T', '{}')");
ok($standby->poll_query_until('app', seen('a-13'), '1'), 'once promoted it has one');
$standby->stop;

# It goes at once when it is told to, whatever it is doing.
$node->append_conf('postgresql.conf', 'arbiter.runner_timeout = 0');
$node->reload;
sql('CREATE OR REPLACE FUNCTION shop.see(event jsonb) RETURNS void LANGUAGE sql AS \'SELECT pg_sleep(3600)\'');
append('a-14', 'T');
soon("SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'arbiter runner' AND wait_event = 'PgSleep'", '1', 'a handler is at it');
is(sql("SELECT query FROM pg_stat_activity WHERE backend_type = 'arbiter runner'"), "CALL arbiter.run_projections('shop')",
    'pg_stat_activity says whose');
my $asked = time;
$node->stop('fast');
cmp_ok(time - $asked, '<', 30, 'a fast stop does not wait for it');
done_testing();
