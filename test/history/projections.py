"""Projections of every kind: what was applied is what the log says, once, in order, up to the offset."""
import collections

from history import Fault, another, changed, first, without
import log

SETUP = """
    CREATE TABLE effects (projection text NOT NULL, entity text NOT NULL, revision bigint NOT NULL,
                          n bigint GENERATED ALWAYS AS IDENTITY);
    CREATE FUNCTION note_run(events arbiter.recorded_event[]) RETURNS void LANGUAGE sql AS $$
        INSERT INTO public.effects (projection, entity, revision) SELECT 'run', e.stream, e.revision FROM unnest(events) AS e $$;
    CREATE FUNCTION note_inline(event arbiter.recorded_event) RETURNS void LANGUAGE sql AS $$
        INSERT INTO public.effects (projection, entity, revision) VALUES ('inline', event.stream, event.revision) $$;
    SELECT arbiter.create_projection('shop', 'run', 'transactional', 'note_run'),
           arbiter.create_projection('shop', 'external', 'external'),
           arbiter.create_projection('shop', 'worker', 'transactional', category => 'count'),
           arbiter.create_projection('shop', 'mail', 'async', reconciler => 'external', reconcile_every => '1 day',
                                     category => 'lamp')"""
# An inline projection sends every append through the executor, so not every run has one.
INLINE = "SELECT arbiter.create_projection('shop', 'inline', 'inline', 'note_inline')"
TABLES = {
    'projections': "SELECT projection FROM shop.projections WHERE projection IN ('run', 'inline')",
    'effects': 'SELECT projection, entity, revision FROM effects ORDER BY n',
    'offsets': 'SELECT projection, entity, revision FROM shop.offsets'}


def effect(writer, done, projection, entity, revision):
    writer.execute('INSERT INTO effects (projection, entity, revision) VALUES (%s, %s, %s)', (projection, entity, revision))
    done.note('applied', projection=projection, entity=entity, revision=revision)


def deliver(writer, done, _):
    """From anywhere: the next revision as a rule, one that has come before, or one that is too early."""
    entity = writer.window('entity', 400, 4)
    (last,), = writer.execute("SELECT arbiter.last_revision('shop', 'external', %s)", (entity,))
    revision = max(last + writer.random.choice([1, 1, 1, 1, 0, 2]), 0)
    (new,), = writer.execute("SELECT arbiter.advance('shop', 'external', %s, %s)", (entity, revision))
    if new:
        effect(writer, done, 'external', entity, revision)


def work(writer, done, _):
    """A worker takes events of streams that nobody has, and applies them in the transaction."""
    for stream, revision in writer.execute("SELECT stream, revision FROM arbiter.next_events('shop', 'worker', 4)"):
        (new,), = writer.execute("SELECT arbiter.advance('shop', 'worker', %s, %s)", (stream, revision))
        if not new:
            done.complaints.append(f'{stream} {revision} was handed out, and had been applied')
        effect(writer, done, 'worker', stream, revision)


def take(writer, done, _):
    """Another takes them with a token, and says in a later transaction that it has made the effect."""
    for stream, revision, token in writer.execute(
            "SELECT stream, revision, token FROM arbiter.next_events('shop', 'mail', 3, '300 ms')"):
        writer.held.append((done, 'event', {'entity': stream, 'revision': revision, 'token': token}))


def finish(writer, done, _):
    event = writer.holding(done, 'event')
    if event:
        (new,), = writer.execute("SELECT arbiter.done_event('shop', 'mail', %s, %s, %s)",
                                 (event['entity'], event['revision'], event['token']))
        if new:
            effect(writer, done, 'mail', event['entity'], event['revision'])


CALLS = [deliver, deliver, deliver, work, work, take, finish, finish]


def faults(history, tables):
    found, applied = [], collections.defaultdict(list)
    for row in tables['effects']:
        applied[row['projection'], row['entity']].append(row['revision'])
    for at, revisions in applied.items():
        found += [Fault('doubled', f'{at}: {latter} was applied after {former}')
                  for former, latter in zip(revisions, revisions[1:]) if latter <= former]
    told = {(answer.projection, answer.entity, answer.revision) for _, answer in history.committed('applied')}
    stored = {tuple(row.values()) for row in tables['effects'] if row['projection'] not in ('run', 'inline')}
    found += [Fault('lost', f'{what} was applied') for what in told - stored]
    found += [Fault('wrong', f'{what} is applied, and nobody did it') for what in stored - told]
    found += behind(applied, tables, log.erased(history))
    found += unfolded(history, applied, tables)
    return found


def behind(applied, tables, erased):
    """An offset is the last revision that was applied. Passed without an effect: the log's own events, and what was erased."""
    found, offsets = [], {(row['projection'], row['entity']): row['revision'] for row in tables['offsets']}
    own = {(row['stream'], row['revision']) for row in tables['events'] if row['type'].startswith('$') or row['redacted']}
    for at, revisions in applied.items():
        if at[0] in ('external', 'worker', 'mail') and revisions != list(range(len(revisions))):
            found.append(Fault('lost', f'{at}: {revisions} has holes'))
        passed = offsets.get(at, -1)
        while passed > revisions[-1] and ((at[1], passed) in own or passed < erased.get(at[1], 0)):
            passed -= 1
        if passed != revisions[-1]:
            found.append(Fault('lost', f'{at}: the offset is {offsets.get(at)}, applied was {revisions[-1]}'))
    return found


def unfolded(history, applied, tables):
    """What runs by itself has seen each event that is there, and none that nobody has stored; truncated ones or not."""
    found, meant = [], log.intended(history)[0]
    left = {(row['stream'], row['revision']) for row in tables['events'] if not row['type'].startswith('$')}
    emptied = {(row['stream'], row['revision']) for row in tables['events'] if row['redacted']}
    for projection in (row['projection'] for row in tables['projections']):
        seen = {(entity, revision) for (of, entity), revisions in applied.items() if of == projection for revision in revisions}
        unseen = (left - emptied if projection == 'run' else left | {*meant}) - seen
        found += [Fault('lost', f'{projection} has not seen {what}') for what in unseen]
        found += [Fault('wrong', f'{projection} has seen {what}, which nobody has stored') for what in seen - left - {*meant}]
    return found


def tamperings(history, tables):
    rows, offsets = tables['effects'], tables['offsets']
    for row in {row['projection']: row for row in rows}.values():
        yield f'an effect is lost: {row["projection"]}', lambda row=row: without('effects', rows, row)
        yield f'an effect is made twice: {row["projection"]}', lambda row=row: {'effects': [*rows, row]}
    offset = first(offsets, lambda row: row['projection'] == 'external')
    yield 'an offset has gone back', lambda: changed('offsets', offsets, offset, revision=offset['revision'] - 1)
    yield 'an offset has run ahead', lambda: changed('offsets', offsets, offset, revision=offset['revision'] + 1)


def liars(history):
    done, answer = first(history.committed('applied'))
    yield 'an effect was made that is not there', lambda: (done, [another(answer, revision=1 << 40)])


def close_up(ask):
    """Whoever had taken a stream is gone, or its lease is over: the others go on to the end."""
    ask('SELECT pg_sleep(0.4)')
    ask("CALL arbiter.run_projections('shop')")
    for take in ("next_events('shop', 'worker', 1000)", "next_events('shop', 'mail', 1000, '1 min')"):
        says = 'advance' if 'worker' in take else 'done_event'
        name = take.split("'")[3]
        token = ', token' if 'mail' in take else ''
        for _ in range(200):
            # Materialized, since the effects are to come after all of it is taken.
            if not ask(f"""WITH t AS MATERIALIZED (SELECT * FROM arbiter.{take}),
                                a AS MATERIALIZED (SELECT *, arbiter.{says}('shop', '{name}', stream, revision{token}) AS new FROM t)
                           INSERT INTO effects (projection, entity, revision)
                           SELECT '{name}', stream, revision FROM a WHERE new RETURNING 1"""):
                break
    stuck = ask("SELECT projection, lag_events, held_back FROM shop.projection_status WHERE lag_events > 0 OR held_back > 0")
    stuck += ask("""SELECT p, s.stream FROM (SELECT stream, max(revision) AS head FROM shop.events GROUP BY 1) AS s,
                           (VALUES ('run', ''), ('worker', 'count'), ('mail', 'lamp')) AS v (p, category)
                     WHERE v.category IN ('', arbiter.category(s.stream)) AND arbiter.last_revision('shop', p, s.stream) <> s.head""")
    return [Fault('stuck', f'a projection: {what}') for what in stuck]
