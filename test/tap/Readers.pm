# Readers of the feed that keep outside the database what they were handed, for tests in which writers and the
# server do their worst meanwhile: what a reader got must be what is in the store, in order, each event once.
package Readers;
use strict;
use warnings FATAL => 'all';
use IPC::Run ();
use PostgreSQL::Test::Utils;
use Test::More;

# One turn of each kind, and where the cursor stands afterwards. "STORE" and "BATCH" are filled in.
my $columns = q{coalesce(string_agg(position || ':' || id, ' '), '') AS got, count(*) AS count,
    coalesce(max(position), :after) AS last, coalesce(bool_or(type = 'End'), false) OR :'done' AS done};
my $read = "SELECT $columns FROM arbiter.read_feed('STORE', :after, BATCH) \\gset\n\\set after :last\n\\echo got :after :got\n";
my $look = "SELECT arbiter.feed_horizon('STORE', :after) AS horizon \\gset\n";
my $move = "SELECT CASE WHEN :count < BATCH THEN greatest(:last, :horizon) ELSE :last END AS after \\gset\n"
    . "\\echo got :after :got\n";
my %turns = (
    # goes from event to event
    read => $read,
    # several reads under one snapshot
    repeatable => "BEGIN ISOLATION LEVEL REPEATABLE READ;\n" . $read x 3 . "COMMIT;\n",
    # goes to the horizon it asked for before reading, over whatever is dead behind the last event
    horizon => "${look}SELECT $columns FROM arbiter.read_feed('STORE', :after, BATCH) \\gset\n$move",
    filtered => "${look}SELECT $columns FROM arbiter.read_feed('STORE', :after, BATCH, '{Rare,End}') \\gset\n$move",
    # a query of its own, and the horizon of the same statement
    sql => "SELECT $columns, greatest(:after, arbiter.feed_horizon('STORE')) AS horizon FROM (SELECT * FROM STORE.events\n"
        . "    WHERE position > :after AND position <= arbiter.feed_horizon('STORE', :after) ORDER BY position) AS e \\gset\n"
        . "\\set after :horizon\n\\echo got :after :got\n",
);

sub new {
    my ($class, %options) = @_;
    return bless { readers => [], %options }, $class;
}

# name, node, kind, batch
sub add {
    my ($self, %reader) = @_;
    $reader{batch} //= 100_000;
    my $turn = $turns{ $reader{kind} };
    $turn =~ s/STORE/$self->{store}/g;
    $turn =~ s/BATCH/$reader{batch}/g;
    my $file = $reader{node}->basedir . "/reader-$reader{name}";
    # psql has no loops: files that name files
    my $unless_done = sub { "\\if :done\n\\else\n$_[0]\n\\endif\n" };
    append_to_file("$file.turn",
        $turn . $unless_done->("CALL arbiter.wait_for_events('$self->{store}', :after, '1s') \\g /dev/null"));
    append_to_file("$file.many", $unless_done->("\\i $file.turn") x 300);
    append_to_file("$file.all", "\\set ON_ERROR_STOP on\n\\set done f\n" . $unless_done->("\\i $file.many") x 300);
    push @{ $self->{readers} }, { %reader, file => $file, after => 0, got => [] };
    return;
}

# Each from where it was, until the event named End or the end of the server.
sub start {
    my ($self) = @_;
    for my $reader (@{ $self->{readers} }) {
        $reader->{process} = IPC::Run::start(
            [ 'psql', '-XAtq', '-d', $reader->{node}->connstr('postgres'), '-v', "after=$reader->{after}", '-f', "$reader->{file}.all" ],
            '<', \'', '>', "$reader->{file}.out", '2>', "$reader->{file}.err");
    }
    return;
}

# Waits for them. What they complained of comes back, a line each.
sub finish {
    my ($self) = @_;
    my @complaints;
    for my $reader (@{ $self->{readers} }) {
        $reader->{process}->finish;
        for (split /\n/, slurp_file("$reader->{file}.out")) {
            next unless my ($after, $got) = /^got (\d+) ?(.*)$/;
            $reader->{after} = $after;
            push @{ $reader->{got} }, split / /, $got;
        }
        push @complaints, map { "$reader->{name}: $_" } split /\n/, slurp_file("$reader->{file}.err");
    }
    return @complaints;
}

# What is in the store: by node, types by event.
sub _stored {
    my ($self) = @_;
    my %stored;
    for my $node (map { $_->{node} } @{ $self->{readers} }) {
        $stored{$node} //= { map { split /\|/ } split /\n/,
            $node->safe_psql('postgres', "SELECT position || ':' || id, type FROM $self->{store}.events") };
    }
    return \%stored;
}

# Whatever was handed out is still there.
sub check_kept {
    my ($self, $when) = @_;
    my @lost;
    my $stored = $self->_stored;
    for my $reader (@{ $self->{readers} }) {
        push @lost, map { "$reader->{name} had $_" } grep { !exists $stored->{ $reader->{node} }{$_} } @{ $reader->{got} };
    }
    is("@lost[0 .. ($#lost < 9 ? $#lost : 9)]", '', "$when: whatever was handed out is still there");
    return;
}

# Each got everything that is there, once and in order.
sub check {
    my ($self, $when) = @_;
    my $all = $self->_stored;
    for my $reader (@{ $self->{readers} }) {
        my %stored = %{ $all->{ $reader->{node} } };
        my ($last, %got, @wrong) = (0);
        for my $event (@{ $reader->{got} }) {
            my ($position) = split /:/, $event;
            push @wrong, "$event came after $last" if $position <= $last;
            push @wrong, "$event is not there" unless exists $stored{$event};
            $got{$event} = 1;
            $last = $position;
        }
        push @wrong, map { "$_ was skipped" }
            grep { !$got{$_} && ($reader->{kind} ne 'filtered' || $stored{$_} =~ /^(?:Rare|End)$/) } sort keys %stored;
        is("@wrong[0 .. ($#wrong < 9 ? $#wrong : 9)]", '',
            "$when: $reader->{name} got what is there, in order, once (" . scalar(keys %got) . ')');
    }
    return;
}

1;
