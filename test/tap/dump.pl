# A store is an ordinary schema to pg_dump: restored into another cluster, in every format, it is the same
# store, armed, and goes on where it was.
use strict;
use warnings FATAL => 'all';
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my ($old, $new) = map { PostgreSQL::Test::Cluster->new($_) } qw(old new);
for my $node ($old, $new) {
    $node->init(extra => [ '--encoding=UTF8', '--locale=C' ]);
    $node->start;
}
# The two clusters do not agree on anything internal.
$new->safe_psql('postgres', 'CREATE TABLE filler (i int); ' x 1 . 'SELECT txid_current();');
$old->safe_psql('postgres', <<'SQL');
    CREATE EXTENSION arbiter;
    SELECT arbiter.create_store('shop');
    SELECT arbiter.create_store('Odd "name"', unique_event_ids => false);
    SELECT arbiter.append('shop', 'a-' || n % 7, -2, 'Type-' || n % 3, jsonb_build_object('n', n), '{"by": "x"}',
                          ('00000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid) FROM generate_series(1, 500) AS n;
    SELECT arbiter.append('shop', E'caf\u00e9 \n %_''"', -1, E'\u00e9t\u00e9', '"\u00e9"');
    SELECT arbiter.append('shop', 'large', -1, 'Large', to_jsonb(repeat('x', 3000000)));
    SELECT arbiter.append('Odd "name"', 'a-1', -1, 'Made', '{}');
    BEGIN; SELECT arbiter.append('shop', 'gone', -1, 'Gone', '{}'); ROLLBACK;
    CALL arbiter.settle_feed('shop');
    SELECT arbiter.save_cursor('shop', 'mailer', 400), arbiter.save_cursor('shop', 'exporter', arbiter.feed_horizon('shop'));
SQL

sub text_of { # \restrict carries a random token
    my ($node, $database) = @_;
    my $file = $node->basedir . "/$database.sql";
    $node->command_ok([ 'pg_dump', '-f', $file, $database ], "pg_dump of $database");
    my $text = slurp_file($file);
    $text =~ s/^\\(?:un)?restrict .*$//mg;
    return $text;
}
my $original = text_of($old, 'postgres');
my $dir = PostgreSQL::Test::Utils::tempdir();
$old->command_ok([ 'pg_dump', '-f', "$dir/plain", 'postgres' ], 'plain');
$old->command_ok([ 'pg_dump', '-Fc', '-f', "$dir/custom", 'postgres' ], 'custom');
$old->command_ok([ 'pg_dump', '-Fd', '-j', '2', '-f', "$dir/parallel", 'postgres' ], 'parallel');

my %restore = (
    plain => [ 'psql', '-Xq', '-v', 'ON_ERROR_STOP=1', '-f', "$dir/plain", '-d', 'plain' ],
    custom => [ 'pg_restore', '--exit-on-error', '-d', 'custom', "$dir/custom" ],
    parallel => [ 'pg_restore', '--exit-on-error', '-j', '2', '-d', 'parallel', "$dir/parallel" ],
);
for my $format (sort keys %restore) {
    $new->safe_psql('postgres', "CREATE DATABASE $format TEMPLATE template0");
    $new->command_ok($restore{$format}, "$format: restored");
    is(text_of($new, $format), $original, "$format: dumped again, it is the same");
    my $ask = sub { $new->safe_psql($format, @_) };
    is($ask->('SELECT bool_and(armed), count(*) FROM arbiter.stores'), 't|2', "$format: armed");
    my $last = $ask->('SELECT max(position) FROM shop.events');
    my $head = $ask->(q{SELECT arbiter.stream_revision('shop', 'a-1')});
    is($ask->("SELECT arbiter.append('shop', 'a-1', $head, 'Next', '{}')"), $head + 1, "$format: appends go on");
    cmp_ok($ask->("SELECT position FROM arbiter.last_event('shop', 'a-1')"), '>', $last, "$format: so do positions");
    is($ask->("SELECT array_agg(position) = (SELECT array_agg(position ORDER BY position) FROM shop.events) FROM arbiter.read_feed('shop')"),
        't', "$format: the feed has everything");
    is($ask->(q{SELECT string_agg(type, ' ') FROM arbiter.read_feed('shop', arbiter.cursor('shop', 'exporter'))}), 'Next',
        "$format: a consumer goes on where it was");
    is($ask->(q{SELECT arbiter.append('shop', 'a-1', -2, 'Type-1', '{"n": 1}', '{}', '00000000-0000-4000-8000-000000000001')}),
        '0', "$format: an old id is remembered");
    my ($rc, $out, $err) = $new->psql($format,
        "\\set VERBOSITY sqlstate\nINSERT INTO shop.events (stream, revision, type, data) VALUES ('a-1', 9999, 'T', '{}')");
    like($err, qr/RB004/, "$format: raw writers are held to the rules");
}
$_->stop for $old, $new;
done_testing();
