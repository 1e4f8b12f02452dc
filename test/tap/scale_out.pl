# examples/scale-out: three shards behind PL/Proxy. Every guarantee is the shard's own; what is new is that each stream
# has one home, that a dead shard stops nobody else, and that a consumer with a position for each shard misses nothing.
use strict;
use warnings FATAL => 'all';
use IPC::Run ();
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my ($shares) = run_command([ 'pg_config', '--sharedir' ]);
plan skip_all => 'plproxy is not installed for this server' unless -f "$shares/extension/plproxy.control";

my $examples = 'examples/scale-out';
my @locale = (extra => [ '--encoding=UTF8', '--locale=C.UTF-8' ]);
my ($router, @shards) = map { PostgreSQL::Test::Cluster->new($_) } qw(router shard0 shard1 shard2);
for my $node ($router, @shards) {
    $node->init(@locale);
    $node->start;
}

sub play {
    my ($node, $file, $input, @variables) = @_;
    my ($out, $err) = ('', '');
    ok(IPC::Run::run([ 'psql', '-Xqt', '-d', $node->connstr('postgres'), (map { ('-v', $_) } @variables), '-f', "$examples/$file" ],
            '<', \$input, '>', \$out, '2>', \$err),
        "$file: played") or diag($err);
    return $out;
}
sub reach { # as a router names a shard
    my ($node) = @_;
    return $node->connstr('postgres') . ' user=' . getpwuid($<);
}
play($shards[$_], 'shard.sql', '', "shard=$_") for 0 .. 2;
play($router, 'router.sql', '', map { "shard$_=" . reach($shards[$_]) } 0 .. 2);
play($router, 'consumer.sql', '');

my $ask = sub { $router->safe_psql('postgres', @_) };
sub refusal {
    my ($node, $sql) = @_;
    my ($rc, $out, $err) = $node->psql('postgres', "\\set VERBOSITY verbose\n$sql");
    return $err;
}
# What the page shows of it, to the letter but for spaces at the ends of lines.
my $page = slurp_file('doc/shard.md');
sub shown {
    my ($node, $sql) = @_;
    my ($out, $in) = ('', $sql);
    IPC::Run::run([ 'psql', '-X', '-d', $node->connstr('postgres') ], '<', \$in, '>', \$out, '2>', \$out);
    $out =~ s/[ \t]+$//mg;
    $out =~ s/\n+\z/\n/;
    ok($page =~ /^```\n\Q$sql$out\E```$/m, "doc/shard.md shows the answer to " . ($sql =~ /(\w+ .*)\n\z/)[0]) or diag($out);
}
sub over_shards {
    my ($sql) = @_;
    my @answers = map { $_->safe_psql('postgres', $sql) } @shards;
    return @answers;
}

# Where things lie.
is($ask->("SELECT string_agg(shop.shard('order-' || n)::text, '' ORDER BY n) FROM generate_series(1, 3) AS n"), '201', 'the map');
shown($router, qq{SELECT shop.append('order-1', -1, 'Placed', '{"amount": 1}', '00000000-0000-4000-8000-0000000000a1');\n});
is($ask->("SELECT shop.append('order-1', -1, 'Placed', '{\"amount\": 1}', '00000000-0000-4000-8000-0000000000a1')"), '0',
    'the same again is recognised');
is(join(' ', over_shards("SELECT count(*) FROM shop.events")), '0 0 1', 'it lies on its shard');
is($ask->("SELECT revision, type, data FROM shop.read_stream('order-1')"), '0|Placed|{"amount": 1}', 'and is read from there');
shown($router, <<'SQL');
SELECT shop.append('order-1', -1, 'Placed', '{}', '00000000-0000-4000-8000-0000000000b2');
SQL
like(refusal($router, "SELECT shop.append('order-1', -1, 'Placed', '{}', gen_random_uuid())"), qr/ERROR:\s+RB001:/, 'with its SQLSTATE');
like(refusal($shards[0], "SELECT arbiter.append('shop', 'order-1', -2, 'Placed', '{}')"), qr/23514: .*events_of_this_shard/,
    'another shard refuses the stream, whoever asks');
shown($shards[1], "\\set VERBOSITY terse\nINSERT INTO shop.events (stream, revision, type, data) VALUES ('order-1', 0, 'Placed', '{}');\n");

# Four writers, each event with an id of its own; shard 1 dies under them, comes back, and all of them say everything again.
my ($writers, $each, $streams) = (4, 200, 40);
my @files;
for my $writer (0 .. $writers - 1) {
    my $file = $router->basedir . "/writer$writer.sql";
    append_to_file($file, join '', map {
        my $n = $writer * $each + $_;
        sprintf("SELECT shop.append('order-%d', -2, 'Paid', '{\"amount\": %d}', '00000000-0000-4000-9000-%012d');\n", 1000 + $n % $streams, $n, $n)
    } 1 .. $each);
    push @files, $file;
}
sub write_all {
    my ($meanwhile) = @_;
    my (@sessions, @errors);
    for my $n (0 .. $#files) {
        my $in = '';
        $errors[$n] = '';
        push @sessions, IPC::Run::start([ 'psql', '-XAtq', '-d', $router->connstr('postgres'), '-f', $files[$n] ],
            '<', \$in, '>', \my $out, '2>', \$errors[$n]);
    }
    $meanwhile->() if $meanwhile;
    $_->finish for @sessions;
    return join '', @errors;
}
sub follow_all { # until no shard has anything new
    my $applied;
    do { $applied = $ask->('SELECT sum(shop.follow(shard, 50)) FROM generate_series(0, 2) AS shard') } while $applied > 0;
}

my $errors = write_all(sub {
    $shards[1]->poll_query_until('postgres', 'SELECT count(*) > 5 FROM shop.events') or die 'shard 1 was given nothing';
    $shards[1]->stop('immediate');
});
like($errors, qr/ERROR/, 'the writers noticed');
my $alive = "SELECT shop.append('order-' || n, -2, 'Kept', '{}', gen_random_uuid()) FROM generate_series(1, 9) AS n WHERE shop.shard('order-' || n) <> 1";
is(scalar(split /\n/, $ask->($alive)), $ask->("SELECT count(*) FROM generate_series(1, 9) AS n WHERE shop.shard('order-' || n) <> 1"),
    'streams of the other shards go on');
my $dead = $ask->("SELECT min('order-' || n) FROM generate_series(1, 9) AS n WHERE shop.shard('order-' || n) = 1");
like(refusal($router, "SELECT shop.append('$dead', -2, 'Kept', '{}', gen_random_uuid())"), qr/ERROR:\s+XX000: PL\/Proxy function shop\.append/,
    'those of the dead one are refused');
like(refusal($router, 'SELECT shop.follow(1)'), qr/XX000: PL\/Proxy/, 'its feed too');
cmp_ok($ask->('SELECT shop.follow(0) + shop.follow(2)'), '>', 0, 'the consumer goes on along the others');
like(refusal($router, "SELECT shop.claim('m-' || n, 'a') FROM generate_series(1, 9) AS n WHERE shop.ledger_shard('m-' || n) = 1"), qr/XX000: PL\/Proxy/,
    'nobody wins a claim there');

$shards[1]->start;
is(write_all(), '', 'it is back, and everything is said again, without an error');
follow_all();
my ($paid, $sum) = ($writers * $each, $writers * $each * ($writers * $each + 1) / 2);
is($ask->("SELECT sum(total) FROM shop.revenue WHERE stream ~ '^order-10..\$'"), $sum, 'the read model has every event once');
my @counts = over_shards("SELECT count(*) FROM shop.events WHERE type = 'Paid'");
is(eval join('+', @counts), $paid, 'the shards hold every event once: ' . join(' + ', @counts));
is(scalar(grep { $_ > 0 } @counts), 3, 'each of them has some');
is(join(' ', over_shards("SELECT count(*) FROM (SELECT stream FROM shop.events GROUP BY stream HAVING max(revision) <> count(*) - 1) AS s")),
    '0 0 0', 'revisions are dense');
is($ask->("SELECT sum(events) FROM shop.revenue"), eval(join '+', over_shards('SELECT count(*) FROM shop.events')), 'nothing was passed over');
is($ask->("SELECT string_agg(reached::text, ' ' ORDER BY shard) FROM shop.cursors"), join(' ', over_shards('SELECT max(position) FROM shop.events')),
    'the cursor is a vector of their heads');

# Claims: eight claimants of the same keys.
my @claimants = map {
    my $claimant = $_;
    my ($in, $out) = ('', '');
    my $sql = "SELECT (shop.claim('mail-' || n, 'c$claimant')).outcome FROM generate_series(1, 30) AS n";
    { out => \$out, session => IPC::Run::start([ 'psql', '-XAtq', '-d', $router->connstr('postgres'), '-c', $sql ], '<', \$in, '>', \$out, '2>', \$out) };
} 1 .. 8;
$_->{session}->finish for @claimants;
my $said = join '', map { ${ $_->{out} } } @claimants;
is(scalar(() = $said =~ /^won$/mg), 30, 'each key is won once over all shards');
is(scalar(() = $said =~ /^taken$/mg), 210, 'the others are told so');

my $token = $ask->("SELECT token FROM shop.claim('mail-31', 'c1')");
is($ask->("SELECT shop.settle('mail-31', $token, 'done')"), 'done', 'the winner settles');
is($ask->("SELECT outcome, state FROM shop.claim('mail-31', 'c2')"), 'settled|done', 'and is not followed');

# What is no promise: the router's transaction is not theirs.
$ask->("BEGIN; SELECT shop.append('order-1', -2, 'Stays', '{}', gen_random_uuid()); ROLLBACK");
like($ask->("SELECT string_agg(type, ' ') FROM shop.read_stream('order-1')"), qr/Stays/, 'a rolled-back router transaction takes nothing back');

# A fourth shard: it gets some streams of each, whole, and the others keep the rest.
my $fourth = PostgreSQL::Test::Cluster->new('shard3');
$fourth->init(@locale);
$fourth->start;
follow_all();
my $arrivals = '';
$arrivals .= play($shards[$_], 'leave.sql', '', "shard=$_") for 0 .. 2;
my $moving = $ask->("SELECT min(stream) FROM shop.revenue WHERE arbiter.shard_of(stream, 4) = 3");
like(refusal($router, "SELECT shop.append('$moving', -2, 'Late', '{}', gen_random_uuid())"), qr/23514/, 'a stream on the move is refused where it was');
play($fourth, 'arrive.sql', $arrivals);
play($router, 'grow.sql', '', 'shard3=' . reach($fourth));

my $count = 'SELECT count(*) FROM shop.events WHERE arbiter.shard_of(stream, 4) = 3';
is($fourth->safe_psql('postgres', $count), eval join('+', over_shards($count)), 'every event of theirs has arrived');
cmp_ok($fourth->safe_psql('postgres', $count), '>', 100, 'and it is not nothing');
my $head = $ask->("SELECT max(revision) FROM shop.read_stream('$moving')");
is($ask->("SELECT shop.append('$moving', $head, 'Paid', '{\"amount\": 5}', gen_random_uuid())"), $head + 1, 'its next revision is the next');
is($ask->("SELECT shop.append('order-1001', -2, 'Paid', '{\"amount\": 1}', '00000000-0000-4000-9000-000000000001')"),
    $ask->("SELECT revision FROM shop.read_stream('order-1001') WHERE id = '00000000-0000-4000-9000-000000000001'"),
    'an id that was used before the move is recognised after it');
my $total = $ask->('SELECT sum(total) FROM shop.revenue');
is($ask->('SELECT shop.follow(3)'), '1', 'the consumer is given what is new');
is($ask->('SELECT sum(total) FROM shop.revenue'), $total + 5, 'and nothing twice');
my ($keys, $taken) = split /\|/, $ask->("SELECT count(*), count(*) FILTER (WHERE (shop.claim('mail-' || n, 'late')).outcome = 'taken')
    FROM generate_series(1, 30) AS n WHERE arbiter.shard_of('mail-' || n, 4) = 3");
cmp_ok($keys, '>', 0, 'some keys would have moved');
is($taken, $keys, 'and are still taken, since the ledger did not');

done_testing;
