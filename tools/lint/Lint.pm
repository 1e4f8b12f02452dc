# What the checks share: reading the tree, stripping C++ and SQL of what is no code, and reporting.
package Lint;
use strict;
use warnings;
use Exporter 'import';
use File::Find ();
our @EXPORT = qw(sources slurp cpp_code includes includes_of layer_of is_shell check finish);

# Files below a folder whose name ends in one of the endings, sorted, relative to the top of the tree.
sub sources {
    my ($folder, @endings) = @_;
    my $ending = join '|', map { quotemeta } @endings;
    my @found;
    File::Find::find({ no_chdir => 1, wanted => sub { push @found, $_ if -f && /(?:$ending)$/ } }, $folder)
        if -d $folder;
    return sort @found;
}

sub slurp {
    my ($file) = @_;
    open my $in, '<:encoding(UTF-8)', $file or die "$file: $!\n";
    local $/;
    return scalar <$in>;
}

# The code alone: comments and literals become blanks, line numbers stay right.
sub cpp_code {
    my ($text) = @_;
    my $blank = sub { my $s = shift; $s =~ s/[^\n]/ /g; $s };
    $text =~ s{(R"(\w*)\(.*?\)\2"|//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|(?<![0-9A-Fa-f])'(?:\\.|[^'\\\n])+')}{
        my $found = $1;
        # the name in an #include is no literal
        (substr($text, 0, $-[0]) =~ /\#\s*include\s*$/) ? $found : $blank->($found)
    }gsex;
    return $text;
}

# [line, name as written with its quotes]
sub includes {
    my ($text) = @_;
    my ($number, @found) = (0);
    for my $line (split /\n/, $text) {
        $number++;
        push @found, [ $number, $1 ] if $line =~ /^\s*#\s*include\s*([<"][^>"]+[>"])/;
    }
    return @found;
}

# Every file below src/ that a file includes, directly or through others.
my %direct;
sub includes_of {
    my ($file, $seen) = @_;
    $seen //= {};
    $direct{$file} //= [ grep { -f } map { $_->[1] =~ /^"(.*)"$/ ? "src/$1" : () } includes(slurp($file)) ];
    $seen->{$_}++ || includes_of($_, $seen) for @{ $direct{$file} };
    return sort keys %$seen;
}

sub layer_of { return $_[0] =~ m{^src/([^/]+)/} ? $1 : '' }

# The thin SQL-callable files: they may know the server.
sub is_shell { return $_[0] =~ /_sql\.cpp$/ }

my ($number, $failed) = (0, 0);

# One line that tools/tally counts, followed by what was found.
sub check {
    my ($name, @findings) = @_;
    $number++;
    $failed = 1 if @findings;
    print @findings ? 'not ok' : 'ok', " $number - $name\n", map { "    $_\n" } @findings;
}

sub finish { exit $failed }

1;
