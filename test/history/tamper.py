"""Faults made on purpose, in a copy of what was found: the check has to see each of them."""
import copy


def tamperings(transactions, rows):
    """(name, transactions, rows) for each; `rows` is not empty."""
    committed = next(done for done in transactions if done.state == 'committed' and done.stored)
    stream, revision, markers = committed.stored[0]
    at = next(i for i, row in enumerate(rows) if row[3] == markers[0])
    by_order = sorted(range(len(rows)), key=lambda i: (rows[i][1], rows[i][2]))
    first, second = next((a, b) for a, b in zip(by_order, by_order[1:]) if rows[a][1] == rows[b][1])

    def changed(i, **columns):
        row = dict(zip(('position', 'stream', 'revision', 'marker'), rows[i])) | columns
        return rows[:i] + [tuple(row.values())] + rows[i + 1:]

    yield 'an acknowledged event is lost', transactions, rows[:at] + rows[at + 1:]
    yield 'an event is stored twice', transactions, rows + [(1 << 60, stream, 1 << 40, markers[0])]
    yield 'an event stands elsewhere', transactions, changed(at, stream='elsewhere')
    yield 'an event is nobody\'s', transactions, rows + [(1 << 60, 'strange', 0, 'strange')]
    swapped = changed(first, position=rows[second][0])
    swapped[second] = (rows[first][0], *rows[second][1:])
    yield 'two positions are swapped', transactions, swapped

    def other(**attributes):
        wrong = copy.copy(committed)
        wrong.__dict__.update(attributes)
        return [wrong if done is committed else done for done in transactions]

    yield 'a rejected append is stored', other(state='aborted'), rows
    yield 'what a savepoint undid is stored', other(stored=[], undone=markers), rows
    yield 'half a transaction is stored', other(
        state='unknown', stored=[(stream, revision, [*markers, 'not there'])]), rows
