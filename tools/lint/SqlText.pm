# SQL as tokens, enough of it for the checks: no grammar, only what stands beside what.
package SqlText;
use strict;
use warnings;
use Exporter 'import';
our @EXPORT = qw(tokens statements keywords);

# Each token: {kind, text, line}; kinds: word (lower-cased), quoted, string, body, number, operator, punct.
# Comments and psql's backslash commands are dropped. A body is what stands between dollar quotes.
sub tokens {
    my ($text, $line) = @_;
    $line //= 1;
    my @tokens;
    my $add = sub { my ($kind, $value, $whole) = @_;
        push @tokens, { kind => $kind, text => $value, line => $line };
        $line += ($whole =~ tr/\n//); };
    pos($text) = 0;
    while (pos($text) < length $text) {
        if ($text =~ m{\G(\s+|--[^\n]*|/\*.*?\*/|(?<![^\n])\\[^\n]*)}gcs) { $line += ($1 =~ tr/\n//) }
        elsif ($text =~ m{\G(\$(\w*)\$(.*?)\$\2\$)}gcs) { $add->('body', $3, $1) }
        elsif ($text =~ m{\G([eE]'(?:\\.|''|[^'\\])*')}gcs) { $add->('string', $1, $1) }
        elsif ($text =~ m{\G('(?:''|[^'])*')}gcs) { $add->('string', $1, $1) }
        elsif ($text =~ m{\G("(?:""|[^"])*")}gcs) { $add->('quoted', $1, $1) }
        elsif ($text =~ m{\G([A-Za-z_\x80-\x{10FFFF}][\w\$]*)}gcs) { $add->('word', lc $1, $1) }
        elsif ($text =~ m{\G(\d[\d.]*(?:[eE][+-]?\d+)?|\$\d+)}gcs) { $add->('number', $1, $1) }
        elsif ($text =~ m{\G(::|:=|=>|\.\.|[+\-*/<>=~!@\#%^&|`?]+)}gcs) { $add->('operator', $1, $1) }
        elsif ($text =~ m{\G(.)}gcs) { $add->('punct', $1, $1) }
    }
    return @tokens;
}

# Lists of tokens, cut at semicolons. BEGIN ATOMIC bodies hold semicolons of their own.
sub statements {
    my @statements = ([]);
    my $atomic = 0;
    for my $token (@_) {
        my $before = @{ $statements[-1] } ? $statements[-1][-1]{text} : '';
        $atomic = 1 if $token->{text} eq 'atomic' && $before eq 'begin';
        $atomic = 0 if $atomic && $token->{text} eq 'end' && $before eq ';';
        if ($token->{kind} eq 'punct' && $token->{text} eq ';' && !$atomic) { push @statements, [] }
        else { push @{ $statements[-1] }, $token }
    }
    return grep { @$_ } @statements;
}

# word => RESERVED, COL_NAME, TYPE_FUNC_NAME or UNRESERVED, as the server's own parser has it
sub keywords {
    my ($pg_config) = @_;
    chomp(my $include = `$pg_config --includedir-server`);
    my $file = "$include/parser/kwlist.h";
    open my $in, '<', $file or die "$file: $!\n";
    my %category = map { /^PG_KEYWORD\("(\w+)", \w+, (\w+)_KEYWORD/ ? ($1 => $2) : () } <$in>;
    die "$file: no keywords found\n" unless $category{select} eq 'RESERVED';
    return %category;
}

1;
