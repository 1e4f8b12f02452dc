# Mailers claim, send and settle. The server is stopped at once between the sending and the settling, fifty
# times under synchronous_commit = off; and twenty mailers at a time are killed with -9 at each step. A file outside the
# database counts the sends: nobody gets two mails, and what may be unsent is listed.
use strict;
use warnings FATAL => 'all';
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $stops = $ENV{CLAIM_STOPS} // 50;
my $rounds = $ENV{CLAIM_ROUNDS} // 3;
my $workers = 20;
my $mails = 100 * $rounds;

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

my $sent = $node->basedir . '/sent';
append_to_file($sent, '');

# What a mailer does up to the settling, at which the server stops. It sends what it wins; so does its rerun.
sub send_once {
    my ($key) = @_;
    my $outcome = outcome('mail', $key);
    append_to_file($sent, "$key\n") if $outcome eq 'won';
    return $outcome;
}

# A claim in a ledger that is not durable is forgotten, which shows that this test can fail.
my (%first, %rerun, $forgotten);
for my $stop (1 .. $stops) {
    $first{send_once("stop-$stop")}++;
    my $shows = $stop <= 3 && outcome('fast', "stop-$stop") eq 'won';
    $node->stop('immediate');
    $node->start;
    $rerun{send_once("stop-$stop")}++;
    $forgotten++ if $shows && outcome('fast', "stop-$stop") eq 'won';
}
is_deeply(\%first, { won => $stops }, "$stops claims are won and sent");
is_deeply(\%rerun, { taken => $stops }, 'after the server was stopped at once no rerun sends again');
is($forgotten, 3, 'though claims that are not durable are forgotten');

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

# Where a mailer dies, by its own hand: psql's shell commands know their parent.
my @steps = ('claiming', 'claimed', 'sent', 'settling', 'settled');
sub start_mailer {
    my ($number, $dies_at, $wait) = @_;
    my $script = $node->basedir . "/mailer-$number";
    my $wins = 1 + int rand 3;
    my $die = sub { $_[0] eq $dies_at ? "\\if :dies\n\\! kill -9 \$PPID\n\\endif\n" : '' };
    my $text = "\\set ON_ERROR_STOP on\n\\set wins 0\n";
    for my $key (sort { rand() <=> 0.5 } map { "mail-$_" } 1 .. $mails) {
        $text .= "BEGIN;\nSELECT outcome = 'won' AS mine, token FROM arbiter.claim('shop', 'mail', '$key', claimant => '$number', wait => '$wait') \\gset\n"
            . "\\if :mine\nSELECT :wins + 1 AS wins, :wins + 1 = $wins AS dies \\gset\n" . $die->('claiming')
            . "COMMIT;\n" . $die->('claimed')
            . "\\! echo $key >> $sent\n" . $die->('sent')
            . "BEGIN;\nSELECT arbiter.settle('shop', 'mail', '$key', :token, 'done') \\g /dev/null\n" . $die->('settling')
            . "COMMIT;\n" . $die->('settled')
            . "\\else\nCOMMIT;\n\\endif\n";
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
my %died;
for my $round (1 .. $rounds) {
    my %pids = map { start_mailer(++$serial, $steps[$_ % @steps], '0') => $steps[$_ % @steps] } 1 .. $workers;
    if ($round % 2 == 0) { # among what else is going on, the server stops
        select undef, undef, undef, 0.2 + rand 0.5;
        $node->stop('immediate');
        $node->start;
    }
    for my $pid (keys %pids) {
        waitpid $pid, 0;
        $died{ $pids{$pid} }++ if ($? & 127) == 9;
    }
}
is_deeply([ sort keys %died ], [ sort @steps ], 'mailers were killed at each step');
note join ', ', map { "$_: $died{$_}" } @steps;
waitpid start_mailer(++$serial, 'never', '1 min'), 0; # nobody disturbs this one

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
