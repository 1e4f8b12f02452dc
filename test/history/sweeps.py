"""A sweep: each job is finished once, by whoever comes first, or was cancelled before."""
import collections

from history import Fault, first, without

SETUP = """
    CREATE TABLE job (id text PRIMARY KEY);
    SELECT arbiter.create_machine('shop', 'job', 'job', 'Open', '[
        {"from": ["Open"], "command": "finish", "to": "Finished", "event": "JobFinished"},
        {"from": ["Open"], "command": "cancel", "to": "Cancelled", "event": "JobCancelled"}]');
    SELECT arbiter.create_sweep('shop', 'jobs', 'job', 'id', 'true', 'id', 'job', 'finish')"""
TABLES = {'job': "SELECT id, arbiter.machine_state('shop', 'job', id) AS state FROM job"}
RUN = "CALL arbiter.run_sweep('shop', 'jobs', 50)"


def add(writer, done, name):
    writer.execute('INSERT INTO job VALUES (%s)', (name,))
    done.note('job', id=name)
    writer.held.append((done, 'job', {'id': name}))


def cancel(writer, done, name):
    job = writer.holding(done, 'job')
    if job:
        (outcome, revision), = writer.execute(
            "SELECT outcome, revision FROM arbiter.transition('shop', 'job', %s, 'cancel', jsonb_build_object('marker', %s::text))",
            (job['id'], name))
        if outcome == 'applied':
            done.note('stored', stream=f'job-{job["id"]}', first=revision, markers=[name])


CALLS = [add, add, cancel]


def faults(history, tables):
    added = {answer.id for _, answer in history.committed('job')}
    there = {row['id'] for row in tables['job']}
    found = [Fault('lost', f'job {id_} was added') for id_ in added - there]
    found += [Fault('wrong', f'job {id_} is there, and nobody has added it') for id_ in there - added]
    ends = collections.Counter(row['stream'] for row in tables['events'] if row['type'] in ('JobFinished', 'JobCancelled'))
    found += [Fault('doubled', f'{stream} has ended {count} times') for stream, count in ends.items() if count > 1]
    return found + [Fault('wrong', f'{row} does not say what its stream says') for row in tables['job']
                    if (row['state'] == 'Open') == bool(ends[f'job-{row["id"]}'])]


def tamperings(history, tables):
    rows, events = tables['job'], tables['events']
    yield 'a job is lost', lambda: without('job', rows, rows[0])
    finished = first(events, lambda row: row['type'] == 'JobFinished')
    yield 'a job was finished twice', lambda: {'events': [*events, finished | {'revision': 1, 'position': 1 << 60}]}
    yield 'a job that was finished is open', lambda: without('events', events, finished)


def close_up(ask):
    """What is due is done when nobody is in the way."""
    for _ in range(100):
        ask('DELETE FROM shop.sweep_rests')
        ask(RUN)
        stuck = ask("SELECT id FROM job WHERE arbiter.machine_state('shop', 'job', id) = 'Open'")
        if not stuck:
            break
    return [Fault('stuck', f'job {id_} is not done') for (id_,) in stuck]
