# Random writers, savepoints, prepared transactions, terminated and killed backends: the history of what they were told
# is the history that is stored (test/history/run says how). HISTORY_SECONDS and HISTORY_SEED make it longer, or the same.
use strict;
use warnings FATAL => 'all';
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = PostgreSQL::Test::Cluster->new('history');
$node->init(extra => [ '--encoding=UTF8', '--locale=C' ]);
$node->append_conf('postgresql.conf', <<'CONF');
fsync = on
restart_after_crash = on
max_prepared_transactions = 20
CONF
$node->start;
local @ENV{qw(PGHOST PGPORT PGUSER PGDATABASE PYTHONDONTWRITEBYTECODE)} = ($node->host, $node->port, getpwuid($>) . '', 'postgres', 1);
open my $run, '-|', 'test/history/run' or die "test/history/run: $!";
while (<$run>) {
    chomp;
    my ($failed, $what) = /^(not )?ok \d+ - (.*)/;
    defined $what ? ok(!$failed, $what) : note($_);
}
ok(close $run, 'the run came to its end');
$node->stop;
done_testing();
