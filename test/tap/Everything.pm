# What everything.sql made goes on wherever it was brought: nothing is lost, repeated or open to whom it was closed.
package Everything;
use strict;
use warnings FATAL => 'all';
use Exporter 'import';
use Test::More;

our @EXPORT_OK = qw(goes_on);

sub goes_on {
    my ($node, $database, $how) = @_;
    my $ask = sub { $node->safe_psql($database, @_) };
    my $refused = sub {
        my ($sqlstate, $statement, $what) = @_;
        my ($rc, $out, $err) = $node->psql($database, "LOAD 'arbiter';\n\\set VERBOSITY verbose\n$statement");
        like($err, qr/$sqlstate/, "$how: $what");
    };
    # But that nobody has run the projections for a minute, where the machine is slow.
    is($ask->(q{SELECT count(*) FROM arbiter.doctor('shop') WHERE problem !~ '^events wait for it'}), '0', "$how: the doctor has nothing to say");
    is($ask->('SELECT bool_and(armed) FROM arbiter.stores'), 't', "$how: armed");

    # The log and its feed.
    my $last = $ask->('SELECT max(position) FROM shop.events');
    my $head = $ask->(q{SELECT arbiter.stream_revision('shop', 'a-1')});
    is($ask->("SELECT arbiter.append('shop', 'a-1', $head, 'Next', '{}')"), $head + 1, "$how: appends go on");
    cmp_ok($ask->("SELECT position FROM arbiter.last_event('shop', 'a-1')"), '>', $last, "$how: so do positions");
    is($ask->("SELECT array_agg(position) = (SELECT array_agg(position ORDER BY position) FROM shop.events) FROM arbiter.read_feed('shop')"),
        't', "$how: the feed has everything");
    is($ask->(q{SELECT string_agg(type, ' ') FROM arbiter.read_feed('shop', arbiter.cursor('shop', 'exporter'))}), 'Next',
        "$how: a consumer goes on where it was");
    is($ask->(q{SELECT arbiter.append('shop', 'a-1', -2, 'U', '{"n": 1}', '{"by": "x"}', '00000000-0000-4000-8000-000000000001')}),
        '0', "$how: an old id is remembered");
    $refused->('RB002', q{SELECT arbiter.append('shop', 'closed', -2, 'T', '{}')}, 'a closed stream is closed');
    $refused->('RB004', q{INSERT INTO shop.events (stream, revision, type, data) VALUES ('a-1', 9999, 'T', '{}')}, 'raw writers are held to the rules');
    $refused->('RB030', q{SELECT arbiter.append('shop', 'parcel-1', -2, 'ParcelSent', '{}')}, 'so is the machine');
    is($ask->(q{SELECT outcome FROM arbiter.transition('shop', 'parcel', '1', 'receive')}), 'applied', "$how: which goes on");

    # Projections: the inline one has seen the append above, and one event is no work to who has applied it.
    is($ask->("SELECT count(*) FROM app.seen WHERE projection = 'inline' AND stream = 'a-1' AND revision > $head"), '1', "$how: inline sees what comes");
    is($ask->(q{SELECT outcome || ' ' || applied FROM arbiter.run_projection('shop', 'seen', 1000)}), 'ran 0', "$how: nothing is applied again");
    is($ask->(q{SELECT arbiter.append('shop', 'b-1', -1, 'T', '{}'); SELECT applied FROM arbiter.run_projection('shop', 'seen', 1000)}), "0\n1",
        "$how: the next event is");
    is($ask->(q{SELECT arbiter.advance('shop', 'mailer', 'a-1', 1), arbiter.advance('shop', 'mailer', 'a-1', 2)}), 'f|t', "$how: offsets are kept");
    is($ask->(q{SELECT count(*) FROM arbiter.next_events('shop', 'worked', 100, '1 hour') AS n JOIN shop.taken_streams AS t
        ON t.entity = n.stream AND t.projection = 'worked' AND t.token <> n.token}), '0', "$how: what a worker has nobody else is given");
    is($ask->(q{SELECT count(*) FROM shop.taken_streams AS t, arbiter.done_event('shop', 'worked', t.entity, t.taken_to, t.token) AS done
        WHERE t.projection = 'worked' AND t.entity IN ('a-1', 'a-4') AND done}), '2', "$how: and its token is good");

    # Claims and the pool: who has it has it, and the next token is larger.
    is($ask->(q{SELECT string_agg(outcome, ' ' ORDER BY key) FROM arbiter.claim_keys('shop', 'mails', ARRAY[E'k\\\\1', 'k2', 'k3', 'k5'])}), 'taken taken won taken',
        "$how: claims are held");
    is($ask->(q{SELECT outcome, result FROM arbiter.claim('shop', 'once', 'k1', 'fingerprint')}), 'settled|{"id": 7}', "$how: what is done is done");
    is($ask->(q{WITH t AS (SELECT token FROM shop.claims WHERE key = 'k3') SELECT arbiter.force_takeover('shop', 'mails', 'k3', 'gone') > token FROM t}), 't',
        "$how: a claim's token grows");
    $refused->('RB020', q{SELECT arbiter.hold_work('shop', 'work', '2', (SELECT token - 1 FROM app.work WHERE id = 2))}, 'an old token of the pool is refused');
    is($ask->(q{SELECT arbiter.hold_work('shop', 'work', '2', (SELECT token FROM app.work WHERE id = 2))}), '', "$how: the current one is good");
    is($ask->(q{WITH t AS (SELECT token FROM app.work WHERE id = 2) SELECT arbiter.reassign('shop', 'work', '2', 'eve') > token FROM t}), 't', "$how: and grows");
    is($ask->(q{SELECT key FROM arbiter.allocate('shop', 'work', 'ann')}), '4', "$how: the pool goes on");
    $refused->('RB003', 'UPDATE app.work SET owner = NULL WHERE id = 2', 'and holds raw writers to its rules');
    $refused->('23505: this parcel has its row already', q{INSERT INTO app.work (id, parcel) VALUES (51, '50')}, "the guard has its message");

    # Names, and what is due.
    is($ask->(q{SELECT string_agg(derivation || ' ' || verdict, ',') FROM arbiter.verify_derivations('shop')}), 'order_id ok', "$how: nothing drifted");
    is($ask->(q{SELECT shop.order_id('a')}), 'ee9a20b9-7978-57b4-a6dc-943ede56bca3', "$how: ids are the same");
    like($ask->(q{CALL arbiter.run_sweep('shop', 'send', 100)}), qr/^6\|\d\|0$/, "$how: the sweep goes on where it was");
    return;
}

1;
