"""The log: appends in every way, and the three calls that change history."""
import json
import types
import uuid

import psycopg2

from history import Fault, another, changed, first, without

ANY, EXISTS, NO_STREAM = -2, -4, -1
STREAMS = [f's-{i}' for i in range(12)]
TABLES = {'events': """
    SELECT position, stream, revision, type, data ->> 'marker' AS marker, (data ->> 'n')::bigint AS n,
           metadata ? '$redacted' AS redacted FROM shop.events"""}


# What a call is made of.
def any_stream(writer):
    if writer.random.random() < 0.25:
        return mortal_stream(writer)
    return STREAMS[int(len(STREAMS) * writer.random.random() ** 2)]


def mortal_stream(writer):
    """One that may be closed, truncated and redacted. Its events have no ids: a truncated one could be stored again."""
    return writer.window('mortal', 150, 8)


def expectation(writer, stream):
    head = writer.execute("SELECT arbiter.stream_revision('shop', %s)", (stream,))[0][0]
    return writer.random.choice([ANY, EXISTS, NO_STREAM, head, head, head, max(head - 1, NO_STREAM)])


def new_events(writer, stream, name, count):
    ids = writer.random.random() < 0.5 and not stream.startswith('mortal')
    return [{'type': 'T', 'data': {'marker': f'{name}-{i}'}} |
            ({'id': str(uuid.UUID(int=writer.random.getrandbits(128), version=4))} if ids else {})
            for i in range(count)]


def note(done, stream, expected, events, last):
    first = last - len(events) + 1
    if expected >= NO_STREAM and first != expected + 1:
        done.complaints.append(f'{stream}: expected {expected}, stored from {first} on')
    if expected == EXISTS and first == 0:
        done.complaints.append(f'{stream}: begun by an append that expected it to exist')
    done.note('stored', stream=stream, first=first, markers=[event['data']['marker'] for event in events])


def refused(done, stream, expected, actual):
    fits = actual == expected if expected >= NO_STREAM else expected == ANY or actual != NO_STREAM
    if fits:
        done.complaints.append(f'{stream}: expected {expected}, refused at {actual}')
    if not any(answer.call == 'stored' and answer.stream == stream for answer in done.answers):
        done.refusals.append(types.SimpleNamespace(call='append', stream=stream, revision=actual))


def checked(writer, done, stream, expected, sql, values):
    try:
        return writer.execute(sql, values)
    except psycopg2.Error as error:
        if error.pgcode == 'RB001':
            refused(done, stream, expected, int(error.diag.message_detail.split(',')[1].split()[-1]))
        raise


# The calls.
def append(writer, done, name):
    stream = any_stream(writer)
    expected = expectation(writer, stream)
    event, = new_events(writer, stream, name, 1)
    call = ("SELECT arbiter.append('shop', %s, %s, 'T', %s::jsonb, '{}', %s::uuid)",
            (stream, expected, json.dumps(event['data']), event.get('id')))
    (last,), = checked(writer, done, stream, expected, *call)
    note(done, stream, expected, [event], last)
    if 'id' in event:
        writer.repeatable.append((done, call, last))


def append_events(writer, done, name):
    stream = any_stream(writer)
    expected = expectation(writer, stream)
    events = new_events(writer, stream, name, writer.random.choice([1, 2, 3, 40]))
    call = ("SELECT arbiter.append_events('shop', %s, %s, %s::jsonb)", (stream, expected, json.dumps(events)))
    (last,), = checked(writer, done, stream, expected, *call)
    note(done, stream, expected, events, last)
    if 'id' in events[0]:
        writer.repeatable.append((done, call, last))


def append_if(writer, done, name):
    stream = any_stream(writer)
    expected = expectation(writer, stream)
    events = new_events(writer, stream, name, writer.random.choice([1, 2]))
    (outcome, last, current), = writer.execute(
        "SELECT * FROM arbiter.append_if('shop', %s, %s, %s::jsonb)", (stream, expected, json.dumps(events)))
    if outcome == 'appended':
        note(done, stream, expected, events, last)
    elif outcome == 'conflict':
        refused(done, stream, expected, current)


def append_streams(writer, done, name):
    streams = list({any_stream(writer) for _ in range(3)})
    writer.random.shuffle(streams)
    appends = [{'stream': stream, 'expected': expectation(writer, stream),
                'events': new_events(writer, stream, f'{name}-{i}', writer.random.choice([0, 1, 2]))}
               for i, stream in enumerate(streams)]
    rows = writer.execute("SELECT * FROM arbiter.append_streams('shop', %s::jsonb)", (json.dumps(appends),))
    for part, (stream, last) in zip(appends, rows):
        if stream != part['stream']:
            done.complaints.append(f'answered for {stream}, asked for {part["stream"]}')
        if part['events']:
            note(done, stream, part['expected'], part['events'], last)


def raw_insert(writer, done, name):
    stream = any_stream(writer)
    writer.execute("SELECT arbiter.lock_entity(%s, '1s')" if writer.random.random() < 0.5 else 'SELECT %s', (stream,))
    head = writer.execute("SELECT arbiter.stream_revision('shop', %s)", (stream,))[0][0]
    events = new_events(writer, stream, name, writer.random.choice([1, 2]))
    for i, event in enumerate(events):
        writer.execute("INSERT INTO shop.events (stream, revision, type, data) VALUES (%s, %s, 'T', %s::jsonb)",
                       (stream, head + 1 + i, json.dumps(event['data'])))
    note(done, stream, head, events, head + len(events))


def retry(writer, done, _):
    """The acknowledgement was lost, says the caller: the first answer again."""
    told = [(call, last) for then, call, last in writer.repeatable[-20:] if then.state == 'committed' and not then.asked_again]
    if told:
        call, last = writer.random.choice(told)
        (again,), = writer.execute(*call)
        if again != last:
            done.complaints.append(f'first answered {last}, on a retry {again}: {call}')


def close(writer, done, name):
    stream = mortal_stream(writer)
    if writer.random.random() < 0.2 and writer.execute("SELECT arbiter.stream_revision('shop', %s) > 8", (stream,))[0][0]:
        (revision,), = writer.execute("SELECT arbiter.close_stream('shop', %s, %s)", (stream, name))
        done.note('closed', stream=stream, revision=revision)


def truncate(writer, done, name):
    stream = mortal_stream(writer)
    head = writer.execute("SELECT arbiter.stream_revision('shop', %s)", (stream,))[0][0]
    if head >= 0:
        before = writer.random.randint(1, head + 1)
        (revision,), = writer.execute("SELECT arbiter.truncate_stream('shop', %s, %s, %s)", (stream, before, name))
        done.note('truncated', stream=stream, before=before, revision=revision)


def redact(writer, done, name):
    stream = mortal_stream(writer)
    target = writer.execute("""
        SELECT revision FROM arbiter.read_stream('shop', %s) WHERE type !~ '^[$]' ORDER BY random() LIMIT 1""", (stream,))
    if target:
        (revision,), = writer.execute("SELECT arbiter.redact('shop', %s, %s, %s)", (stream, target[0], name))
        done.note('redacted', stream=stream, target=target[0][0], revision=revision)


CALLS = [append, append_events, append_if, append_streams, raw_insert, retry]
LIFECYCLE = [close, truncate, redact]


# What is wrong.
def erased(history):
    """The first revision that is left of each stream that was truncated."""
    first = {}
    for _, answer in history.committed('truncated'):
        first[answer.stream] = max(first.get(answer.stream, 0), answer.before)
    return first


def intended(history):
    """(stream, revision): marker, of every event that was acknowledged or is known to be committed."""
    found, meant = [], {}
    for done, answer in history.committed('stored'):
        for i, marker in enumerate(answer.markers):
            at = (answer.stream, answer.first + i)
            if meant.setdefault(at, marker) != marker:
                found.append(Fault('doubled', f'{meant[at]} and {marker} were both acknowledged at {at}'))
    return meant, found


def own_events(history):
    """(stream, revision): type, of what the log itself has written by its calls."""
    types_of = {'closed': '$closed', 'truncated': '$truncated', 'redacted': '$redacted'}
    return {(answer.stream, answer.revision): types_of[answer.call] for _, answer in history.committed(*types_of)}


def faults(history, tables):
    rows = tables['events']
    first = erased(history)
    meant, found = intended(history)
    own = own_events(history)
    emptied = {(answer.stream, answer.target) for _, answer in history.committed('redacted')}
    closed = {}
    for _, answer in history.committed('closed'):
        closed[answer.stream] = min(answer.revision, closed.get(answer.stream, answer.revision))
    at = {(row['stream'], row['revision']): row for row in rows}
    found += missing(meant, own, emptied, first, at)
    found += strangers(rows, meant, own, emptied, closed)
    found += disorder(rows, first)
    heads = {}
    for row in rows:
        heads[row['stream']] = max(row['revision'], heads.get(row['stream'], -1))
    found += [Fault('lost', f'{stream} was closed, and does not end with that')
              for stream in closed if at.get((stream, heads.get(stream)), {}).get('type') != '$closed']
    found += [Fault('lost', f'somebody was refused for revision {refusal.revision} of {refusal.stream}, which is not there')
              for refusal in history.refused('append') if refusal.revision > heads.get(refusal.stream, -1)]
    return found


def missing(meant, own, emptied, first, at):
    """What was acknowledged is where it was said to be, or was truncated, and then it is gone."""
    found = []
    for (stream, revision), what in [*meant.items(), *own.items()]:
        row = at.get((stream, revision))
        if revision < first.get(stream, 0):
            if row:
                found.append(Fault('wrong', f'{stream} {revision} was truncated and is stored'))
        elif not row:
            found.append(Fault('lost', f'{what} was acknowledged at {stream} {revision}'))
        elif (stream, revision) in own:
            if row['type'] != what:
                found.append(Fault('lost', f'{stream} {revision} is {row["type"]}, acknowledged was {what}'))
        elif (stream, revision) in emptied:
            if not row['redacted'] or row['marker']:
                found.append(Fault('lost', f'{stream} {revision} was redacted and tells {row["marker"]}'))
        elif row['marker'] != what:
            found.append(Fault('lost', f'{what} was acknowledged at {stream} {revision}, there is {row["marker"]}'))
    return found


def strangers(rows, meant, own, emptied, closed):
    """What is there was meant, once, by somebody who was not rolled back."""
    found, seen = [], set()
    for row in rows:
        at = row['stream'], row['revision']
        if row['type'].startswith('$'):
            # In a closed stream the closing event is repeated behind the one that tells of the erasing.
            behind_erasing = own.get((at[0], at[1] - 1)) in ('$truncated', '$redacted')
            repeated = row['type'] == '$closed' and row['stream'] in closed and behind_erasing
            if own.get(at) != row['type'] and not repeated:
                found.append(Fault('wrong', f'{row["type"]} is at {at}, and nobody meant it'))
            continue
        if row['type'] == 'JobFinished':
            continue  # by a sweep, which gives no data
        if row['marker'] is not None and row['marker'] in seen:
            found.append(Fault('doubled', f'{row["marker"]} is stored twice'))
        seen.add(row['marker'])
        if at not in meant or (row['redacted'] and at not in emptied):
            found.append(Fault('wrong', f'{row["marker"]} is at {at}, and nobody meant it'))
        if row['stream'] in closed and row['revision'] > closed[row['stream']]:
            found.append(Fault('wrong', f'{at} is behind the end of its stream'))
    return found


def disorder(rows, first):
    """Revisions are dense from 0, or from where the stream was truncated, and positions grow with them."""
    found, last = [], {}
    for row in sorted(rows, key=lambda row: (row['stream'], row['revision'])):
        stream, revision, position = row['stream'], row['revision'], row['position']
        before, behind = last.get(stream, (first.get(stream, 0) - 1, 0))
        if revision != before + 1:
            found.append(Fault('lost', f'{stream}: revision {revision} follows {before}'))
        if position <= behind:
            found.append(Fault('wrong', f'{stream}: position {position} of revision {revision} is not behind {behind}'))
        last[stream] = (revision, position)
    return found


def tamperings(history, tables):
    rows = tables['events']
    plain = first(rows, lambda row: row['marker'] and row['stream'] in STREAMS)
    strange = {**plain, 'position': 1 << 60}
    cut = erased(history)
    yield 'an acknowledged event is lost', lambda: without('events', rows, plain)
    yield 'an event is stored twice', lambda: {'events': [*rows, strange | {'revision': 1 << 40}]}
    yield 'an event stands elsewhere', lambda: changed('events', rows, plain, stream='elsewhere')
    yield 'an event is nobody\'s', lambda: {'events': [*rows, strange | {'stream': 'strange', 'revision': 0, 'marker': 'strange'}]}
    yield 'two positions are swapped', lambda: swapped(rows)
    yield 'what was redacted is there again', lambda: changed(
        'events', rows, first(rows, lambda row: row['redacted']), redacted=False, marker='again')
    yield 'an event is empty that nobody redacted', lambda: changed('events', rows, plain, redacted=True, marker=None)
    yield 'a stream is open again', lambda: without('events', rows, first(rows, lambda row: row['type'] == '$closed'))
    yield 'what was truncated is there again', lambda: {
        'events': [*rows, first(rows, lambda row: row['stream'] in cut) | {'revision': 0, 'position': 0}]}


def swapped(rows):
    order = sorted(rows, key=lambda row: (row['stream'], row['revision']))
    one, other = first(zip(order, order[1:]), lambda pair: pair[0]['stream'] == pair[1]['stream'])
    positions = {one['position']: other['position'], other['position']: one['position']}
    return {'events': [{**row, 'position': positions.get(row['position'], row['position'])} for row in rows]}


def liars(history):
    done, answer = first(history.committed('stored'), lambda pair: pair[1].stream in STREAMS)
    yield 'two were told the same revision', lambda: (done, [another(answer, markers=['another'])])
    yield 'an append was acknowledged that is not there', lambda: (done, [another(answer, first=1 << 40)])
