# What is given as a text stays a text. Every text, list and JSON string that a public function takes is replaced, one at a
# time, by what would end a literal, a name, a body or a comment; nothing of it may run, nor break the SQL around it. And names
# of that kind are names like others: a store, its ledgers, pools and projections work with them.
use strict;
use warnings FATAL => 'all';
use utf8;
use FindBin;
use lib $FindBin::Bin;
use JSON::PP;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;
use Calls qw(read_calls statement literal);

my $spring = q{SELECT pg_catalog.nextval('public.canary')};
my @texts = (
    "'; $spring; --", "\"; $spring; --", "\\'; $spring; --", "\\", "\"); $spring; --", "*/ $spring; /*", "x\n; $spring;\n--",
    "\$\$; $spring; \$undo\$; $spring; --", '%s %I %L %1$s {store} $1', '"', '', 'a.b.c.d', 'public.canary', "id, ($spring)",
    "($spring) IS NULL", q{pg_catalog.nextval('public.canary') > 0}, "true LIMIT ($spring)", 'a' x 63, 'é' x 32, "\x{1}\x{7f}\x{202e}",
);
# What has a grammar of its own may say that it is not met: conditions, and names with a schema.
my %is_condition = map { $_ => 1 } qw(create_guard:3 create_pool:7 create_sweep:4);
my %is_qualified = map { $_ => 1 } qw(import_events:1 fold:2 handle:3 handle:4 create_guard:1 drop_guard:1 create_sweep:2 create_pool:2);

my $node = PostgreSQL::Test::Cluster->new('main');
$node->init(extra => [ '--encoding=UTF8', '--locale=C' ]);
$node->append_conf('postgresql.conf', "fsync = off\nescape_string_warning = off");
$node->start;
$node->safe_psql('postgres', <<'SQL');
CREATE EXTENSION arbiter;
CREATE SEQUENCE public.canary;
SQL
my $roles = q{SELECT string_agg(r::text, ' ' ORDER BY oid) FROM pg_authid AS r};
my $alive = $node->safe_psql('postgres', $roles);

# Every value like this one with one of its texts replaced.
sub variants {
    my ($type, $value, @texts) = @_;
    return map { literal($type, $_) } @texts if $type eq 'text';
    return () if $type !~ /^(?:json|text\[\])$/;
    my $coder = JSON::PP->new->allow_nonref->canonical;
    my @found;
    for my $text (@texts) {
        for (my $place = 0;; $place++) {
            my $left = $place;
            my $changed = replace($coder->decode($value), \$left, $text);
            last if $left >= 0;
            push @found, literal($type, $type eq 'json' ? $coder->encode($changed) : $coder->latin1(0)->encode($changed));
        }
    }
    return @found;
}

# The n-th text of it; n is less than nothing once it was found.
sub replace {
    my ($value, $n, $text) = @_;
    return [ map { replace($_, $n, $text) } @$value ] if ref $value eq 'ARRAY';
    return { map { $_ => replace($value->{$_}, $n, $text) } sort keys %$value } if ref $value eq 'HASH';
    return $value if ref $value || !defined $value;
    return (${$n}--) == 0 ? $text : $value;
}

# A transaction each, except what commits on its way.
sub made {
    my ($call, $sql) = @_;
    my ($begin, $end) = $sql =~ /^CALL / ? ('', '') : ("BEGIN;\n", "COMMIT;\n");
    my $keep = $call->{remember} ? " \\gset got_\n\\set $call->{remember} :got_token\n" : ";\n";
    return "$begin$sql$keep\\echo \@\@ $call->{signature} = :SQLSTATE\n$end";
}

# Quotes and backslashes are all that the setting is about.
sub texts_under {
    my ($conforming) = @_;
    return grep { $conforming eq 'on' || /['\\]/ } @texts;
}

sub is_odd {
    my ($where, $variant, $got) = @_;
    return 1 if $got !~ /^\w{5}$/ || $got =~ /^(?:XX|P0)/;
    return !$is_condition{$where} && !($is_qualified{$where} && $variant =~ /a\.b\.c\.d/) if $got =~ /^(?:42601|0A000)$/;
    return 0;
}

sub broken {
    my ($out) = @_;
    return [ grep { !/ = 00000$/ } $out =~ /^@@ (.*)$/mg ];
}

for my $conforming (qw(on off)) {
    my $database = "texts_$conforming";
    $node->safe_psql('postgres', "CREATE DATABASE $database TEMPLATE postgres");
    my $script = "SET client_min_messages = error;\nSET standard_conforming_strings = $conforming;\n\\set VERBOSITY sqlstate\n";
    my @tried;
    for my $call (read_calls()) {
        my @values = map { $_->[0] eq 'interval' && $call->{signature} =~ /^wait/ ? "'0'::interval" : literal(@$_) } @{ $call->{arguments} };
        my ($name) = $call->{signature} =~ /^(\w+)/;
        for my $i ($name eq 'preparation' ? () : 0 .. $#values) {
            for my $variant (variants(@{ $call->{arguments}[$i] }, texts_under($conforming))) {
                my @changed = @values;
                $changed[$i] = $variant;
                push @tried, [ "$name:$i", $variant ];
                $script .= "BEGIN;\n" . statement($call, @changed) . ";\n\\echo \@ $#tried :SQLSTATE\nROLLBACK;\n";
            }
        }
        $script .= made($call, statement($call));
    }
    my (undef, $out) = $node->psql($database, $script, on_error_stop => 0);
    my %got = $out =~ /^@ (\d+) (\w{5})$/mg;
    my @odd = map { join ' ', @$_ } grep { is_odd(@$_) } map { [ @{ $tried[$_] }, $got{$_} // 'no answer' ] } 0 .. $#tried;
    note(scalar(@tried) . " texts, standard_conforming_strings $conforming");
    is_deeply(\@odd, [], "no text breaks the SQL around it, standard_conforming_strings $conforming") or diag(join "\n", @odd);
    is_deeply(broken($out), [], 'and the calls are still there');
    is($node->safe_psql($database, 'SELECT is_called FROM public.canary'), 'f', 'nothing of any text ran');
}

# The same calls, with names that are no identifiers.
my @names = qw(shop mails work mailer sums compared worked);
my @odd_names = ("it's \"a\" \\ name", '$$ $undo$ %s %1$I', '{store}', 'SELECT', "--\n/*", 'é' x 23, '\\u0027 U&"\\0041"');

sub renamed {
    my ($call, $to) = @_;
    my %new = map { $names[$_] => $to . ($_ || '') } 0 .. $#names;
    my $identifier = '"' . $to =~ s/"/""/gr . '"';
    my $statement = $call->{statement};
    $statement =~ s/'(\w+)'/$new{$1} ? literal('text', $new{$1}) : $&/ge;
    $statement =~ s/\bshop\./$identifier./g;
    my @values = map {
        my ($type, $value) = @$_;
        $value //= '';
        literal($type, $new{$value} // $value =~ s/^shop\./$identifier./r)
    } @{ $call->{arguments} };
    return statement({ %$call, statement => $statement }, @values);
}

for my $i (0 .. $#odd_names) {
    my $conforming = $i % 2 ? 'on' : 'off';
    my $database = "names_$i";
    $node->safe_psql('postgres', "CREATE DATABASE $database TEMPLATE postgres");
    my $script = "SET client_min_messages = error;\nSET standard_conforming_strings = $conforming;\n\\set VERBOSITY sqlstate\n";
    $script .= made($_, renamed($_, $odd_names[$i])) for read_calls();
    my (undef, $out) = $node->psql($database, $script, on_error_stop => 0);
    is_deeply(broken($out), [], "all calls with names like " . $odd_names[$i] =~ s{\n}{ }r) or diag(explain(broken($out)));
}

# Nor need a table of the user's, or its columns, have names that are identifiers.
my $odd = q{"it's ""x"" \\ %s $$"};
my ($column, $table, $order, $positive) = map { literal('text', $_) } q{it's "x" \\ %s $$}, "$odd.$odd", "$odd DESC", "$odd > 0";
is($node->safe_psql('postgres', <<"SQL"), "2|t\n1|t\n1|returned\n1", 'pools, guards and sweeps over a table with such names');
SET client_min_messages = error;
SELECT FROM arbiter.create_store('odd');
CREATE SCHEMA $odd;
CREATE TABLE $odd.$odd ($odd bigint PRIMARY KEY, "o'" text, "s\\" timestamptz, "t""" bigint);
INSERT INTO $odd.$odd VALUES (1), (2);
SELECT FROM arbiter.create_pool('odd', $column, $table, $column, 'o''', 's\\', 't"', $positive, $order);
SELECT FROM arbiter.create_guard('g''"\\', $table, ARRAY[$column], $positive, 'one for each', $column);
SELECT FROM arbiter.create_sweep('odd', $column, $table, $column, '"o''" IS NULL', $order);
SELECT a.key, a.token > 0 FROM arbiter.allocate('odd', $column, $column, 2) AS a;
SELECT r.key, r.outcome FROM arbiter.return_stale('odd', $column, '0', 1) AS r ORDER BY r.key DESC;
SELECT d.key FROM arbiter.due_rows('odd', $column, 1) AS d;
SELECT FROM arbiter.drop_sweep('odd', $column);
SELECT FROM arbiter.drop_pool('odd', $column, true);
SELECT FROM arbiter.drop_guard('g''"\\', $table);
SQL

is($node->safe_psql('postgres', $roles), $alive, 'every role is what it was');
done_testing();
