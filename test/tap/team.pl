# The calling team of doc/team.md at work: twenty services on one pool of contacts, while workers and backends are
# killed and the server is stopped at once. The auditor then proves each promise from the tables, and the notes that
# the workers kept outside of the database; and it sees each promise that is broken on purpose (test/team/tamper.sql).
use strict;
use warnings FATAL => 'all';
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = PostgreSQL::Test::Cluster->new('team');
$node->init(extra => [ '--encoding=UTF8', '--locale=C' ]);
$node->append_conf('postgresql.conf', "fsync = on\nrestart_after_crash = on\n");
$node->start;
local @ENV{qw(PGHOST PGPORT PGUSER PGDATABASE PYTHONDONTWRITEBYTECODE)} = ($node->host, $node->port, getpwuid($>) . '', 'postgres', 1);
local $ENV{TEAM_RESTART} = sprintf "pg_ctl -D '%s' -l '%s' -m immediate -w restart", $node->data_dir, $node->logfile;
open my $run, '-|', 'test/team/run' or die "test/team/run: $!";
while (<$run>) {
    chomp;
    my ($failed, $what) = /^(not )?ok \d+ - (.*)/;
    defined $what ? ok(!$failed, $what) : note($_);
}
ok(close $run, 'the run came to its end');
$node->stop;
done_testing();
