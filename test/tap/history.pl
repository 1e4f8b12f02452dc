# Random writers, readers and workers at every noun, with savepoints and prepared transactions, while backends and servers are
# killed and standbys promoted: the history of what they were told is the history that is stored, and the check sees each
# fault that is made on purpose. test/history/run says how; alone, with more operations, it makes the table of doc/operations.md.
use strict;
use warnings FATAL => 'all';
use PostgreSQL::Test::Utils;
use Test::More;

my $operations = $ENV{HISTORY_OPERATIONS} // 300;
my @command = ('test/history/run', '--bin', $ENV{HISTORY_BIN} // bin(), '--operations', $operations,
    '--fault', $ENV{HISTORY_FAULTS} // 'terminate,backend,postmaster,immediate,promote,promote-async');
push @command, '--seed', $ENV{HISTORY_SEED} if $ENV{HISTORY_SEED};

sub bin {
    my ($out) = run_command([ 'pg_config', '--bindir' ]);
    return $out;
}

local $ENV{PYTHONDONTWRITEBYTECODE} = 1;
open my $run, '-|', @command or die "@command: $!";
while (<$run>) {
    chomp;
    my ($failed, $what) = /^(not )?ok \d+ - (.*)/;
    defined $what ? ok(!$failed, $what) : note($_);
}
ok(close $run, 'the run came to its end');
done_testing();
