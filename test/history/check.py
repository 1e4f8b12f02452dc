"""What was stored, held against what the writers were told."""


def faults(transactions, rows):
    """rows: (position, stream, revision, marker) of every event. Returns what is wrong, in words."""
    found = [f'{done.name}: {complaint}' for done in transactions for complaint in done.complaints]
    where = {}
    for _, stream, revision, marker in rows:
        if marker in where:
            found.append(f'{marker} is stored twice')
        where[marker] = (stream, revision)
    found += disorder(rows)
    meant = set()
    for done in transactions:
        meant.update(done.undone)
        found += [f'{done.name}: {marker} was undone and is stored' for marker in done.undone if marker in where]
        found += misplaced(done, where, meant)
    found += [f'{marker} is stored, and nobody meant it' for marker in where if marker not in meant]
    heads = {}
    for _, stream, revision, _ in rows:
        heads[stream] = max(revision, heads.get(stream, -1))
    found += [f'{done.name}: was refused for revision {revision} of {stream}, which is not there'
              for done in transactions for stream, revision in done.heads if revision > heads.get(stream, -1)]
    return found


def disorder(rows):
    """Revisions are dense from 0, and positions grow with them."""
    found, last = [], {}
    for position, stream, revision, _ in sorted(rows, key=lambda row: (row[1], row[2])):
        before, behind = last.get(stream, (-1, 0))
        if revision != before + 1:
            found.append(f'{stream}: revision {revision} follows {before}')
        if position <= behind:
            found.append(f'{stream}: position {position} of revision {revision} is not behind {behind}')
        last[stream] = (revision, position)
    return found


def misplaced(done, where, meant):
    """Once where it was acknowledged, or not at all; all of a transaction or nothing."""
    found, stored, missing = [], 0, 0
    for stream, first, markers in done.stored:
        meant.update(markers)
        for i, marker in enumerate(markers):
            if marker not in where:
                missing += 1
            elif where[marker] != (stream, first + i):
                found.append(f'{marker} is at {where[marker]}, acknowledged at {(stream, first + i)}')
            else:
                stored += 1
    if done.state == 'committed' and missing:
        found.append(f'{done.name} is committed and lacks {missing} events')
    if done.state == 'aborted' and stored:
        found.append(f'{done.name} is aborted and has left {stored} events')
    if done.state == 'unknown' and missing and stored:
        found.append(f'{done.name} is stored by half: {stored} events are there, {missing} are not')
    return found
