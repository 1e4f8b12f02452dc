"""Machines and commands: the path of each entity is a legal one, and each decision saw what was decided before."""
import uuid

from history import Fault, another, changed, first

SETUP = """
    SELECT arbiter.create_machine('shop', 'lamp', 'lamp', 'Off', '[
        {"from": ["Off"], "command": "light", "to": "On", "event": "Lit"},
        {"from": ["On"], "command": "quench", "to": "Off", "event": "Quenched"},
        {"from": ["Off", "On"], "command": "break", "to": "Broken", "event": "Broken"}]');
    CREATE FUNCTION decide(state jsonb, command jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
        SELECT CASE WHEN (state ->> 'n')::bigint >= 12 THEN '[]'::jsonb ELSE jsonb_build_array(jsonb_build_object(
            'type', 'Counted', 'data', command || jsonb_build_object('n', (state ->> 'n')::bigint + 1))) END $$;
    CREATE FUNCTION evolve(state jsonb, event arbiter.recorded_event) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
        SELECT jsonb_build_object('n', event.data -> 'n') $$"""
TABLES = {'states': """
    SELECT id, arbiter.machine_state('shop', 'lamp', id) AS state
      FROM (SELECT DISTINCT arbiter.stream_id(stream) AS id FROM shop.events WHERE arbiter.category(stream) = 'lamp') AS s"""}
# type: (states that it may follow, where it leads)
LAMP = {'Lit': (('Off',), 'On'), 'Quenched': (('On',), 'Off'), 'Broken': (('Off', 'On'), 'Broken')}


def lamp(writer):
    return writer.window('x', 60, 6)


def transition(writer, done, name):
    entity, command = lamp(writer), writer.random.choice(['light', 'light', 'quench', 'quench', 'break'])
    ids = (str(uuid.UUID(int=writer.random.getrandbits(128), version=4)) if writer.random.random() < 0.5 else None,)
    call = ("SELECT * FROM arbiter.transition('shop', 'lamp', %s, %s, jsonb_build_object('marker', %s::text), %s::uuid)",
            (entity, command, name, *ids))
    (outcome, state, revision), = writer.execute(*call)
    if outcome == 'applied':
        done.note('stored', stream=f'lamp-{entity}', first=revision, markers=[name])
        if ids[0]:
            writer.held.append((done, 'command', {'call': call, 'answer': (state, revision)}))
    done.note('state', stream=f'lamp-{entity}', revision=revision, state=state)


def transition_again(writer, done, _):
    given = writer.holding(done, 'command')
    if given:
        (outcome, *answer), = writer.execute(*given['call'])
        if outcome != 'replayed' or tuple(answer) != given['answer']:
            done.complaints.append(f'first answered {given["answer"]}, again {outcome} {answer}: {given["call"]}')


def append_lamp(writer, done, name):
    stream, type_ = f'lamp-{lamp(writer)}', writer.random.choice([*LAMP])
    if writer.random.random() < 0.5:
        (last,), = writer.execute(
            "SELECT arbiter.append('shop', %s, -2, %s, jsonb_build_object('marker', %s::text))", (stream, type_, name))
    else:
        (last,), = writer.execute("""
            INSERT INTO shop.events (stream, revision, type, data)
            VALUES (%s, arbiter.stream_revision('shop', %s) + 1, %s, jsonb_build_object('marker', %s::text)) RETURNING revision""",
            (stream, stream, type_, name))
    done.note('stored', stream=stream, first=last, markers=[name])


def handle(writer, done, name):
    stream = writer.window('count', 60, 6)
    (outcome, revision), = writer.execute("""
        SELECT outcome, revision
          FROM arbiter.handle('shop', %s, jsonb_build_object('marker', %s::text), 'decide', 'evolve', '{"n": 0}')""",
        (stream, name))
    if outcome == 'applied':
        done.note('stored', stream=stream, first=revision, markers=[name])
    elif outcome != 'already' or revision != 11:
        done.complaints.append(f'{stream}: {outcome} at {revision}')


CALLS = [transition, transition, transition_again, append_lamp, handle]


def faults(history, tables):
    found, paths = [], {}
    for row in sorted(tables['events'], key=lambda row: (row['stream'], row['revision'])):
        stream = row['stream']
        if stream.startswith('lamp-'):
            path = paths.setdefault(stream, ['Off'])
            before, after = LAMP[row['type']]
            if path[-1] not in before:
                found.append(Fault('wrong', f'{stream}: {row["type"]} at {row["revision"]} in state {path[-1]}'))
            path.append(after)
        elif stream.startswith('count-') and row['n'] != row['revision'] + 1:
            found.append(Fault('doubled', f'{stream}: {row["revision"]} was decided on a state that was not the last one'))
    for done, answer in history.committed('state'):
        path = paths.get(answer.stream, ['Off'])
        if path[answer.revision + 1:answer.revision + 2] != [answer.state]:
            found.append(Fault('lost', f'{answer.stream}: {answer.state} at {answer.revision} was acknowledged to {done.name}'))
    told = {f'lamp-{row["id"]}': row['state'] for row in tables['states']}
    found += [Fault('wrong', f'{stream} says it is {told.get(stream)} and is {path[-1]}')
              for stream, path in paths.items() if told.get(stream) != path[-1]]
    return found


def tamperings(history, tables):
    rows, states = tables['events'], tables['states']
    yield 'an entity is in a state without a legal path', lambda: changed(
        'events', rows, first(rows, lambda row: row['type'] == 'Lit' and row['revision'] > 0), type='Quenched')
    yield 'machine_state tells another state', lambda: changed('states', states, states[0], state='Nowhere')
    counted = first(rows, lambda row: row['n'])
    yield 'a command was decided on an old state', lambda: changed('events', rows, counted, n=counted['n'] - 1)


def liars(history):
    done, answer = first(history.committed('state'))
    yield 'somebody was told a state that never was', lambda: (done, [another(answer, state='Nowhere')])
