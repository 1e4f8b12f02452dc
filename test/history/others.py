"""Who else is at work: readers of the feed, and a runner of projections and sweeps. All come back after each crash."""
import time

import psycopg2

import sweeps
from history import Fault
from writer import connect, is_lost


# A standby cancels what is in the way of its replay; a deadlock is somebody's lot; and nobody waits for ever for what is prepared.
PASSING = {'40001', '57014', '40P01', '55P03'}


def patiently(progress, dsn, name, turn):
    connection = None
    while not progress.over():
        try:
            if connection is None or connection.closed:
                connection = connect(dsn, name)
                with connection.cursor() as cursor:
                    cursor.execute("SET lock_timeout = '2s'")
            with connection.cursor() as cursor:
                turn(cursor)
        except psycopg2.Error as error:
            if not is_lost(connection, error) and error.pgcode not in PASSING:
                raise
            if connection and is_lost(connection, error):
                connection.close()
            time.sleep(0.1)


class Reader:
    """What it was handed it keeps for itself, as a consumer in another system does: (position, stream, revision)."""

    def __init__(self, progress, on_standby=False):
        self.progress, self.on_standby = progress, on_standby
        self.generation = progress.generation()
        self.got = []
        self.saved = 0

    def run(self):
        dsn = self.progress.standby_dsn if self.on_standby else self.progress.dsn
        patiently(self.progress, dsn, 'history reader', self.turn)
        return self.got, self.saved

    def turn(self, cursor):
        if self.generation != self.progress.generation():  # an asynchronous failover takes back what was handed out
            self.generation, self.got, self.saved = self.progress.generation(), [], 0
        after = self.got[-1][0] if self.got else 0
        cursor.execute("SELECT position, stream, revision FROM arbiter.read_feed('shop', %s, 500)", (after,))
        events = cursor.fetchall()
        self.got += events
        if not self.on_standby:
            cursor.execute("SELECT arbiter.save_cursor('shop', 'reader', %s)", (after,))
            self.saved = after
        if not events:
            cursor.execute("CALL arbiter.wait_for_events('shop', %s, '200 ms')", (after,))


class Runner:
    def __init__(self, progress):
        self.progress = progress

    def run(self):
        patiently(self.progress, self.progress.dsn, 'history runner', self.turn)

    @staticmethod
    def turn(cursor):
        cursor.execute("CALL arbiter.run_projections('shop', 200)")
        cursor.execute(sweeps.RUN)
        cursor.execute("CALL arbiter.settle_feed('shop')")
        cursor.execute("CALL arbiter.prune_claims('shop', 'once', '1 hour')")
        time.sleep(0.02)


def read_on(got, ask):
    """The rest, when nobody writes any more."""
    while True:
        events = ask(f"SELECT position, stream, revision FROM arbiter.read_feed('shop', {got[-1][0] if got else 0}, 10000)")
        if not events:
            return got
        got += events


def faults(got, saved, first, tables):
    """Handed out is each event that is there, once, in order, and nothing that is not: but for what was truncated since."""
    found = [Fault('doubled', f'the feed gave {latter} after {former}')
             for former, latter in zip(got, got[1:]) if latter[0] <= former[0]]
    there = {(row['position'], row['stream'], row['revision']) for row in tables['events']}
    found += [Fault('lost', f'the feed has not given {event}') for event in there - {*got}]
    found += [Fault('lost', f'the feed has given {event}, which is not there')
              for event in {*got} - there if event[2] >= first.get(event[1], 0)]
    if tables['cursor'][0]['cursor'] < saved:
        found.append(Fault('lost', f'the cursor was at {saved}, and is at {tables["cursor"][0]["cursor"]}'))
    return found


def tamperings(got):
    yield 'the feed has left an event out', got[:-2] + got[-1:]
    yield 'the feed has given an event twice', [*got, got[-1]]
    yield 'the feed has given two out of order', [*got[:-2], got[-1], got[-2]]
    yield 'the feed has given what was not there', [*got, (got[-1][0] + 1, 'strange', 0)]
