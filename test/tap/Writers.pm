# Writers that append at random and keep a record of what they were told, for tests that crash the server
# under them: what was acknowledged must be there, what was refused or rolled back must not.
package Writers;
use strict;
use warnings FATAL => 'all';
use IPC::Run ();
use PostgreSQL::Test::Utils;
use Test::More;

# store, node, streams: how many streams to fight over; storm: with batches, slow and prepared transactions too
sub new {
    my ($class, %options) = @_;
    return bless { streams => 5, serial => 0, told => {}, writers => [], %options }, $class;
}

# Each operation carries its number in data and in its event id; the script echoes what came of it.
sub _operation {
    my ($self, $number) = @_;
    my $store = $self->{store};
    my $stream = 's-' . int(rand $self->{streams});
    my $append = sub {
        my ($expected, $tag) = @_;
        return sprintf "SELECT arbiter.append('%s', '%s', %s, '%s', '{\"n\": \"%s\"}', id => '%s') AS revision \\gset\n",
            $store, $stream, $expected, type_of($tag), $tag, id_of($tag);
    };
    my $look = "SELECT arbiter.stream_revision('$store', '$stream') AS head \\gset\n";
    # Who is refused takes a breath, or all operations would be used up while nobody can write.
    my $told = "\\if :ERROR\n\\echo refused $number :LAST_ERROR_SQLSTATE\nSELECT pg_sleep(0.01) \\g /dev/null\n\\else\n"
        . "\\echo stored $number $stream :revision\n\\endif\n";
    return $self->_storm($number, $stream, $append->('-2', $number), $told) if $self->{storm} && rand() < 0.4;
    my $kind = rand;
    return $append->('-2', $number) . $told if $kind < 0.35;
    return $look . $append->(':head', $number) . $told if $kind < 0.7;
    # In a transaction that is rolled back, alone or to a savepoint: the second event is the one that counts.
    return "\\echo open $number\nBEGIN;\n" . $append->('-2', $number) . "ROLLBACK;\n\\echo refused $number rolled back\n"
        if $kind < 0.8;
    return "BEGIN;\nSAVEPOINT s;\n" . $append->('-2', "$number-undone") . "ROLLBACK TO s;\n"
        . $append->('-2', $number)
        . "\\if :ERROR\n\\set code :LAST_ERROR_SQLSTATE\nROLLBACK;\n\\echo refused $number :code\n\\else\nCOMMIT;\n$told\\endif\n"
        if $kind < 0.9;
    return "$look\\set next :head\n"
        . "INSERT INTO $store.events (stream, revision, type, data, id) VALUES ('$stream', :next + 1, '" . type_of($number) . "', '{\"n\": \"$number\"}', '"
        . id_of($number) . "') RETURNING revision \\gset\n" . $told;
}

# What keeps others waiting, and what comes in one piece.
sub _storm {
    my ($self, $number, $stream, $append, $told) = @_;
    my $begin = "BEGIN;\n$append\\if :ERROR\n\\set code :LAST_ERROR_SQLSTATE\nROLLBACK;\n\\echo refused $number :code\n\\else\n";
    my $sleep = sprintf "SELECT pg_sleep(%.3f) \\g /dev/null\n", rand() ** 4 / 5;
    my $kind = rand;
    return "$begin${sleep}COMMIT;\n$told\\endif\n" if $kind < 0.3;
    return $self->_batch($number, $stream) . $told if $kind < 0.6;
    # Somebody else may decide it first, and goes by the letter: c is to be committed, r to be rolled back.
    my $prepare = sub { "${begin}PREPARE TRANSACTION '$_[0]-$number';\n$sleep" };
    return "\\echo open $number\n" . $prepare->('r') . "ROLLBACK PREPARED 'r-$number';\n\\endif\n" if $kind < 0.75;
    return $prepare->('c') . "COMMIT PREPARED 'c-$number';\n\\echo stored $number $stream :revision\n\\endif\n";
}

sub _batch {
    my ($self, $number, $stream) = @_;
    my @events = map { sprintf q({"type": "%s", "id": "%s", "data": {"n": "%s"}}), type_of($_), id_of($_), $_ }
        map({ "$number-$_" } 1 .. 1 + rand 4), $number;
    return sprintf "SELECT arbiter.append_events('%s', '%s', -2, '[%s]') AS revision \\gset\n", $self->{store}, $stream, join ', ', @events;
}

sub type_of {
    my ($tag) = @_;
    my ($number) = $tag =~ /^(\d+)/;
    return $number % 20 ? 'T' : 'Rare';
}

sub id_of {
    my ($tag) = @_;
    my ($number, $part) = $tag =~ /^(\d+)-?(\d*)/;
    return sprintf '00000000-0000-4000-%s-%012d', $tag =~ /undone/ ? '9000' : 8000 + ($part || 0), $number;
}

# Sets that many psql sessions going, each with that many operations in front of it.
sub start {
    my ($self, $count, $operations) = @_;
    for (1 .. $count) {
        # A head, for who begins while nobody can look.
        my $script = "\\set VERBOSITY sqlstate\n\\set ON_ERROR_STOP off\n\\set head -1\n";
        for (1 .. $operations) {
            my $number = ++$self->{serial};
            $script .= "\\echo try $number\n" . $self->_operation($number);
        }
        my $file = $self->{node}->basedir . "/writer-$self->{serial}";
        append_to_file("$file.sql", $script);
        my @command = ('psql', '-XAtq', '-d', $self->{node}->connstr('postgres') . ' application_name=writer', '-f', "$file.sql");
        push @{ $self->{writers} },
            { file => $file, process => IPC::Run::start(\@command, '>', "$file.out", '2>', "$file.err") };
    }
    return;
}

# Until that many more events are stored. The server waits: asking it again and again would take longer
# than the writers do.
sub wait_for_events {
    my ($self, $more) = @_;
    $self->{node}->safe_psql('postgres', <<"SQL");
        SET statement_timeout = '120s';
        DO \$\$
        DECLARE
            enough bigint := (SELECT count(*) + $more FROM $self->{store}.events);
        BEGIN
            WHILE (SELECT count(*) < enough FROM $self->{store}.events) LOOP
                PERFORM pg_sleep(0.01);
            END LOOP;
        END
        \$\$
SQL
    return;
}

# How many are still at it.
sub count_running {
    my ($self) = @_;
    return scalar grep { $_->{process}->pumpable } @{ $self->{writers} };
}

# Starts as many more as it takes for that many to be at it: on a fast machine the first ones are soon done.
sub keep_running {
    my ($self, $count, $operations) = @_;
    $self->start(1, $operations) for $self->count_running .. $count - 1;
    return;
}

# Waits for the sessions to end, by themselves or with the server, and notes what they were told.
sub finish {
    my ($self) = @_;
    for my $writer (splice @{ $self->{writers} }) {
        $writer->{process}->finish;
        for (split /\n/, slurp_file("$writer->{file}.out")) {
            $self->{told}{$1} = ['unanswered'] if /^try (\d+)$/;
            $self->{told}{$1} = [ 'stored', $2, $3 ] if /^stored (\d+) (\S+) (\d+)$/;
            $self->{told}{$1} = [ 'refused', $2 ]    if /^refused (\d+) (.*)$/;
            # begun and bound to be rolled back
            $self->{told}{$1} = ['doomed'] if /^open (\d+)$/;
        }
    }
    return;
}

sub count_told {
    my ($self, $outcome) = @_;
    return scalar grep { $_->[0] eq $outcome } values %{ $self->{told} };
}

# Compares the log with the record.
sub check {
    my ($self, $when) = @_;
    my (%found, @wrong);
    my $store = $self->{store};
    for (split /\n/, $self->{node}->safe_psql('postgres', "SELECT data->>'n', stream, revision FROM $store.events")) {
        my ($tag, $stream, $revision) = split /\|/;
        push @{ $found{$tag} }, [ $stream, $revision ];
    }
    for my $tag (keys %found) {
        push @wrong, "$tag is stored twice" if @{ $found{$tag} } > 1;
        push @wrong, "$tag was rolled back to a savepoint and is stored" if $tag =~ /undone/;
    }
    for my $number (keys %{ $self->{told} }) {
        my ($outcome, $stream, $revision) = @{ $self->{told}{$number} };
        my $row = $found{$number} ? $found{$number}[0] : undef;
        push @wrong, "$number was acknowledged at $stream $revision and is " . ($row ? "at @$row" : 'lost')
            if $outcome eq 'stored' && !($row && $row->[0] eq $stream && $row->[1] == $revision);
        push @wrong, "$number was $outcome and is stored" if $outcome =~ /^(?:refused|doomed)$/ && $row;
    }
    is("@wrong[0 .. ($#wrong < 9 ? $#wrong : 9)]", '', "$when: the log agrees with what its writers were told");
    is($self->{node}->safe_psql('postgres', <<"SQL"), '0', "$when: revisions are dense, positions follow them");
        SELECT count(*) FROM (
            SELECT revision - row_number() OVER w AS off, position <= lag(position) OVER w AS behind
              FROM $store.events WINDOW w AS (PARTITION BY stream ORDER BY revision)) AS e
         WHERE off <> -1 OR behind
SQL
    return;
}

# Who got no answer calls again, with the same id: afterwards the event is there once, whatever had happened.
sub retry_unanswered {
    my ($self) = @_;
    my @open = grep { $self->{told}{$_}[0] eq 'unanswered' } sort { $a <=> $b } keys %{ $self->{told} };
    my $script = '';
    my $stream_of = sub { sprintf 'r-%d', $_[0] % 3 };
    my %stored = map { my ($n, @at) = split /\|/; ($n => \@at) } split /\n/,
        $self->{node}->safe_psql('postgres', "SELECT data->>'n', stream, revision FROM $self->{store}.events");
    for my $number (@open) {
        my $stream = $stored{$number} ? $stored{$number}[0] : $stream_of->($number);
        $script .= sprintf "SELECT '%s', arbiter.append('%s', '%s', -2, '%s', '{\"n\": \"%s\"}', id => '%s');\n",
            $number, $self->{store}, $stream, type_of($number), $number, id_of($number);
        $self->{told}{$number} = [ 'stored', $stream ];
    }
    for (split /\n/, $self->{node}->safe_psql('postgres', $script)) {
        my ($number, $revision) = split /\|/;
        $self->{told}{$number}[2] = $revision;
    }
    return scalar @open;
}

1;
