# Mailers claim, send and settle while they are killed with -9 and the server is stopped at once, under
# synchronous_commit = off. A file outside the database counts the sends: nobody gets two mails, and what may
# be unsent is listed.
use strict;
use warnings FATAL => 'all';
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $rounds = $ENV{CLAIM_ROUNDS} // 10;
my $workers = 6;
my $mails = 60 * $rounds;

my $node = PostgreSQL::Test::Cluster->new('main');
$node->init;
# The WAL writer sleeps: what nobody flushed on purpose is lost in a crash.
$node->append_conf('postgresql.conf', "fsync = on\nsynchronous_commit = off\nwal_writer_delay = 10s\nautovacuum = off\n");
$node->start;
$node->safe_psql('postgres', "CREATE EXTENSION arbiter; SELECT arbiter.create_store('shop');
    SELECT arbiter.create_ledger('shop', 'mail'); SELECT arbiter.create_ledger('shop', 'fast', durable => false); CHECKPOINT");

sub outcome {
    my ($ledger, $key) = @_;
    return $node->safe_psql('postgres', "SELECT outcome FROM arbiter.claim('shop', '$ledger', '$key')");
}

# A won claim is on the disk when it is told; in a ledger that is not durable it is not, which shows that this
# test can fail.
for my $round (1 .. 3) {
    is(outcome('mail', "d-$round"), 'won', "round $round: a durable claim is won");
    is(outcome('fast', "f-$round"), 'won', "round $round: one that is not durable is won");
    $node->stop('immediate');
    $node->start;
    is(outcome('mail', "d-$round"), 'taken', "round $round: the durable one outlives the crash");
    is(outcome('fast', "f-$round"), 'won', "round $round: the other one does not");
}

# Taking over is winning too.
$node->safe_psql('postgres', "SELECT arbiter.create_ledger('shop', 'lease', 'after_lease', '1 microsecond')");
my ($first) = $node->safe_psql('postgres', "SELECT token FROM arbiter.claim('shop', 'lease', 'k')");
my ($second) = $node->safe_psql('postgres', "SELECT token FROM arbiter.claim('shop', 'lease', 'k')");
$node->stop('immediate');
$node->start;
is($node->safe_psql('postgres', "SELECT token FROM shop.claims WHERE ledger = 'lease'"), $second, 'a takeover outlives the crash');
$node->safe_psql('postgres', "SELECT arbiter.force_takeover('shop', 'lease', 'k', 'a test')");
$node->stop('immediate');
$node->start;
cmp_ok($node->safe_psql('postgres', "SELECT token FROM shop.claims WHERE ledger = 'lease'"), '>', $second, 'and so does one by force');

my $sent = $node->basedir . '/sent';
sub start_mailer {
    my ($number) = @_;
    my $script = $node->basedir . "/mailer-$number";
    my @keys = sort { rand() <=> 0.5 } map { "mail-$_" } 1 .. $mails;
    my $text = "\\set ON_ERROR_STOP on\n";
    for my $key (@keys) {
        $text .= "SELECT outcome = 'won' AS mine, token FROM arbiter.claim('shop', 'mail', '$key', claimant => '$number') \\gset\n"
            . "\\if :mine\n\\! sleep 0.00\$((RANDOM % 9)); echo $key >> $sent; sleep 0.00\$((RANDOM % 9))\n"
            . "SELECT arbiter.settle('shop', 'mail', '$key', :token, 'done') \\g /dev/null\n\\endif\n";
    }
    append_to_file($script, $text);
    my $pid = fork() // die;
    if ($pid == 0) {
        setpgrp;
        open STDOUT, '>', '/dev/null';
        open STDERR, '>', '/dev/null';
        exec 'psql', '-X', '-q', '-d', $node->connstr('postgres'), '-f', $script;
    }
    return $pid;
}

my $serial = 0;
my $killed = 0;
for my $round (1 .. $rounds) {
    my @pids = map { start_mailer(++$serial) } 1 .. $workers;
    select undef, undef, undef, 0.5 + rand;
    if ($round % 2) {
        for (@pids) { $killed += kill 'KILL', -$_; select undef, undef, undef, 0.02 }
    } else {
        $node->stop('immediate');
        $node->start;
        kill 'KILL', -$_ for @pids;
    }
    waitpid $_, 0 for @pids;
}
cmp_ok($killed, '>', 0, 'mailers were killed');
waitpid start_mailer(++$serial), 0; # nobody disturbs this one

my %sends;
$sends{$_}++ for split /\n/, slurp_file($sent);
my @twice = grep { $sends{$_} > 1 } sort keys %sends;
is_deeply(\@twice, [], 'nobody gets two mails');
my %listed = map { $_ => 1 } split /\n/, $node->safe_psql('postgres',
    "SELECT key FROM shop.unsettled_claims WHERE ledger = 'mail' AND key LIKE 'mail-%'");
my @lost = grep { !$sends{$_} && !$listed{$_} } map { "mail-$_" } 1 .. $mails;
is_deeply(\@lost, [], 'what was not sent is listed');
is($node->safe_psql('postgres', "SELECT count(*) FROM shop.claims WHERE ledger = 'mail' AND key LIKE 'mail-%'"), $mails, 'each was claimed once');
note scalar(keys %sends), " sent, ", scalar(keys %listed), " listed as perhaps unsent, of $mails";
$node->stop;
done_testing();
