# What tests say to a server that is killed under them: sessions that do not end by themselves, and questions
# that bear its hanging up, which poll_query_until does not take well.
package Sessions;
use strict;
use warnings FATAL => 'all';
use Exporter qw(import);
use IPC::Run ();
use PostgreSQL::Test::Utils;
use Time::HiRes qw(usleep);

our @EXPORT_OK = qw(psql_loop wait_until_gone);

# A session that says the same again and again, until it or the server is killed.
sub psql_loop {
    my ($node, $name, $sql) = @_;
    my $file = $node->basedir . "/$name.sql";
    append_to_file($file, $sql x 5000) unless -e $file;
    my ($in, $out) = ('', '');
    local $ENV{PGAPPNAME} = $name;
    return IPC::Run::start(
        [ 'psql', '-XAtq', '-v', 'ON_ERROR_STOP=0', '-d', $node->connstr('postgres'), '-f', $file ], '<', \$in, '>', \$out, '2>', \$out);
}

sub wait_until_gone {
    my ($node, $pid) = @_;
    for (1 .. 1800) {
        my ($left) = run_command([ 'psql', '-XAtc', "SELECT count(*) FROM pg_stat_activity WHERE pid = $pid", '-d', $node->connstr('postgres') ]);
        return 1 if $left eq '0';
        usleep(100_000);
    }
    return 0;
}

1;
