# The calls of test/clients/calls, as SQL for psql.
package Calls;
use strict;
use warnings FATAL => 'all';
use JSON::PP;
use Exporter 'import';
our @EXPORT_OK = qw(read_calls statement literal public_functions);

# Each a hash: signature, statement with its $1, $2, …, arguments as [type, value], and the name to remember, if any.
sub read_calls {
    open my $file, '<:encoding(UTF-8)', "$ENV{TESTDIR}/test/clients/calls" or die "calls: $!";
    my $text = join '', grep { !/^#/ } <$file>;
    $text =~ s/^\s+//;
    return map {
        my ($signature, $statement, @rest) = map { s/^ +//r } split /\n/;
        my ($remember) = map { /^> (.*)/ ? $1 : () } @rest;
        {   signature => $signature,
            statement => $statement,
            arguments => [ map { [ split / /, $_, 2 ] } grep { !/^[=>]/ } @rest ],
            remember  => $remember,
        }
    } split /\n\n+/, $text;
}

sub quoted { return q{'} . $_[0] =~ s/'/''/gr . q{'} }

# Texts as Unicode escapes where they could mean two things.
sub text { return $_[0] =~ /[\\\n]/ ? 'pg_catalog.convert_from(pg_catalog.decode(' . quoted(unpack 'H*', utf8($_[0])) . q{, 'hex'), 'UTF8')} : quoted($_[0]) }
sub utf8 { my ($text) = @_; utf8::encode($text); return $text }

# A value that was remembered is a variable of psql.
sub literal {
    my ($type, $value) = @_;
    return 'NULL' if $type eq 'null';
    return ":'$1'::bigint" if $value =~ /^:(\w+)$/;
    return 'ARRAY[' . join(', ', map { text($_) } @{ decode_json(utf8($value)) }) . ']::text[]' if $type eq 'text[]';
    return quoted("$value seconds") . '::interval' if $type eq 'interval';
    return text($value) . '::' . ($type =~ /^(?:json|bytea)$/ ? 'text' : $type);
}

sub statement {
    my ($call, @values) = @_;
    @values = map { literal(@$_) } @{ $call->{arguments} } if !@values;
    my $statement = $call->{statement};
    $statement =~ s/\$(\d+)/$values[$1 - 1]/g;
    return $statement;
}

# As pg_proc has them; where asked, those that are internal.
sub public_functions {
    my ($node, $internal) = @_;
    my $like = $internal ? 'LIKE' : 'NOT LIKE';
    return split /\n/, $node->safe_psql('postgres', <<"SQL");
    SELECT p.proname || '(' || coalesce((SELECT string_agg(format_type(t, NULL), ', ' ORDER BY n)
                                           FROM unnest(p.proargtypes::oid[]) WITH ORDINALITY AS a (t, n)), '') || ')'
      FROM pg_proc AS p
     WHERE p.pronamespace = 'arbiter'::regnamespace AND obj_description(p.oid, 'pg_proc') $like 'internal%'
     ORDER BY 1
SQL
}

1;
