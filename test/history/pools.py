"""A pool: each row is one owner's at a time. Who has a row writes into its trail, so the row's own lock puts them in order."""
import collections
import json

from history import Fault, changed, first, without

SETUP = """
    CREATE TABLE work (id text PRIMARY KEY, status text NOT NULL DEFAULT 'open', owner text, since timestamptz,
                       token bigint NOT NULL DEFAULT 0, trail jsonb NOT NULL DEFAULT '[]');
    CREATE INDEX work_free ON work (id) WHERE owner IS NULL AND status = 'open';
    SELECT arbiter.create_pool('shop', 'work', 'work', 'id', 'owner', 'since', 'token', 'status = ''open''', 'id')"""
TABLES = {'work': 'SELECT id, status, owner, token, trail FROM work'}


def write(writer, done, name, key, token, what, more=''):
    """Into the history and into the row."""
    mark = {'by': f'{name} {what}', 'what': what, 'token': token}
    writer.execute(f'UPDATE work SET trail = trail || %s::jsonb {more} WHERE id = %s', (json.dumps([mark]), key))
    done.note('work', key=key, **mark)


def held(writer, done):
    return writer.holding(done, 'work')


def hold(writer, work):
    writer.execute("SELECT arbiter.hold_work('shop', 'work', %s, %s, %s)",
                   (work['key'], work['token'], writer.random.random() < 0.5))


def add(writer, done, name):
    writer.execute("INSERT INTO work (id, trail) VALUES (%s, %s::jsonb)",
                   (name, json.dumps([{'by': f'{name} added', 'what': 'added', 'token': 0}])))
    done.note('work', key=name, by=f'{name} added', what='added', token=0)


def allocate(writer, done, name):
    for key, token in writer.execute("SELECT key, token FROM arbiter.allocate('shop', 'work', %s, %s)",
                                     (name, writer.random.choice([1, 1, 3]))):
        write(writer, done, name, key, token, 'taken')
        writer.held.append((done, 'work', {'key': key, 'token': token}))


def finish(writer, done, name):
    work = held(writer, done)
    if work:
        hold(writer, work)
        write(writer, done, name, work['key'], work['token'], 'finished', ", status = 'done'")


def keep(writer, done, name):
    work = held(writer, done)
    if work:
        hold(writer, work)
        write(writer, done, name, work['key'], work['token'], 'kept')


def release(writer, done, name):
    work = held(writer, done)
    if work:
        writer.execute("SELECT arbiter.release_work('shop', 'work', %s, %s)", (work['key'], work['token']))
        write(writer, done, name, work['key'], work['token'], 'released')


def reassign(writer, done, name):
    work = held(writer, done)
    if work:
        (token,), = writer.execute("SELECT arbiter.reassign('shop', 'work', %s, %s, 'a test')", (work['key'], name))
        write(writer, done, name, work['key'], token, 'given')
        writer.held.append((done, 'work', {'key': work['key'], 'token': token}))


def return_stale(writer, done, name):
    for key, outcome, error in writer.execute("SELECT key, outcome, error FROM arbiter.return_stale('shop', 'work', '500 ms', 2)"):
        if outcome == 'returned':
            write(writer, done, name, key, 0, 'returned')
        else:
            done.complaints.append(f'{key} could not be returned: {error}')


CALLS = [add, add, allocate, allocate, allocate, finish, finish, keep, release, reassign, return_stale]


def faults(history, tables):
    found, told = [], collections.Counter((answer.key, answer.by) for _, answer in history.committed('work'))
    rows = {row['id']: row for row in tables['work']}
    stored = collections.Counter((row['id'], mark['by']) for row in rows.values() for mark in row['trail'])
    found += [Fault('lost', f'{what} was acknowledged') for what in told - stored]
    found += [Fault('doubled' if what in told else 'wrong', f'{what} is in the trail, and was not told')
              for what in stored - told]
    for row in rows.values():
        found += [Fault('doubled', f'{row["id"]}: {wrong}') for wrong in steps(row)]
    return found


def steps(row):
    """One owner at a time, each with a larger token, and finished at most once."""
    newest = finished = 0
    holder = None
    for mark in row['trail']:
        what, token = mark['what'], mark['token']
        if what in ('taken', 'given'):
            if token <= newest or (what == 'taken' and (holder or finished)):
                yield f'{mark} though it was held with {holder}, newest {newest}'
            holder = newest = token
        elif what in ('kept', 'finished', 'released') and token != holder:
            yield f'{mark} though it was held with {holder}'
        elif what == 'returned' and not holder:
            yield f'{mark} though nobody had it'
        if what in ('released', 'returned'):
            holder = None
        finished += what == 'finished' and not finished
    if (row['owner'] is not None) != bool(holder) or (holder and row['token'] != holder) or row['token'] < newest:
        yield f'is owned by {row["owner"]} with {row["token"]}, by its trail it is {holder}'
    if (row['status'] == 'done') != bool(finished):
        yield f'is {row["status"]}, which its trail does not say'


def tamperings(history, tables):
    rows = tables['work']
    row = first(rows, lambda row: row['owner'] and row['trail'][-1]['what'] == 'taken')
    trail, mark = row['trail'], row['trail'][-1]
    yield 'work is lost', lambda: without('work', rows, row)
    yield 'an allocation is lost', lambda: changed('work', rows, row, trail=trail[:-1], owner=None)
    yield 'a row was handed to two', lambda: changed(
        'work', rows, row, trail=[*trail, {**mark, 'by': 'a stranger', 'token': mark['token'] + 1}], token=mark['token'] + 1)
    yield 'a row has another owner\'s token', lambda: changed('work', rows, row, token=row['token'] + 1)
    yield 'somebody wrote with an old token', lambda: changed(
        'work', rows, row, trail=[*trail, {**mark, 'what': 'kept', 'token': mark['token'] - 1}])
    yield 'a row is free that was taken', lambda: changed('work', rows, row, owner=None)


def close_up(ask):
    """Whatever is owned and not done comes back, and can be handed out."""
    ask("SELECT arbiter.return_stale('shop', 'work', '0', 1000000)")
    ask("SELECT arbiter.allocate('shop', 'work', 'the last', 1000000)")
    stuck = ask("SELECT id FROM work WHERE status = 'open' AND owner IS DISTINCT FROM 'the last'")
    return [Fault('stuck', f'work {key} cannot be handed out') for (key,) in stuck]
