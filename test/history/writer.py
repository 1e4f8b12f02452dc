"""A writer with random intentions, which notes each before it acts, and what it was told afterwards."""
import json
import random
import time
import uuid

import psycopg2
import psycopg2.extensions

ANY, EXISTS, NO_STREAM = -2, -4, -1
# What ends a transaction without leaving anything behind. 57P01 and lost connections are judged apart.
REFUSALS = {'RB001', 'RB002', 'RB004', '23505', '40001', '40P01', '55P03', '57014'}


class Transaction:
    """What one transaction meant to store. `state` is committed, aborted or unknown."""

    def __init__(self, name):
        self.name = name
        self.state = 'aborted'
        self.stored = []     # (stream, first revision, [marker, ...]) as acknowledged within the transaction
        self.undone = []     # markers whose savepoint was rolled back, or that were refused
        self.complaints = []  # answers that cannot be right, whatever happened elsewhere
        self.heads = []      # (stream, revision) that a refusal named


class Writer:
    def __init__(self, number, seed, streams, until):
        self.number = number
        self.random = random.Random(f'{seed} {number}')
        self.streams = streams
        self.until = until
        self.transactions = []
        self.acknowledged = []  # calls with ids, and the revision they were answered with
        self.connection = None
        self.count = 0

    def run(self):
        while time.time() < self.until:
            try:
                self.connect()
                while time.time() < self.until:
                    self.transaction()
            except psycopg2.Error as error:  # the connection is gone: the state was noted where it is known
                # Some losses of it are a plain DatabaseError, which has no SQLSTATE then.
                if error.pgcode and not isinstance(error, (psycopg2.OperationalError, psycopg2.InterfaceError)):
                    raise
                time.sleep(0.05)
        if self.connection and not self.connection.closed:
            self.connection.close()
        return self.transactions

    def connect(self):
        if self.connection is None or self.connection.closed:
            self.connection = psycopg2.connect('', application_name='history writer')
            self.connection.autocommit = True
            self.execute("SET lock_timeout = '2s'")
            if self.transactions and self.transactions[-1].state == 'unknown':
                self.ask_again(self.transactions[-1])

    def ask_again(self, done):
        """The acknowledgement was lost: the same call, with the same ids, stores the event now or says where it is."""
        calls = [(call, last) for then, call, last in self.acknowledged if then is done]
        if len(done.stored) != 1 or len(calls) != 1:
            return
        (call, last), (stream, first, markers) = calls[0], done.stored[0]
        try:
            (again,), = self.execute(*call)
            done.stored = [(stream, first + again - last, markers)]
            done.state = 'committed'
        except psycopg2.Error as error:
            if error.pgcode == 'RB001':  # it had not been stored, and the stream has moved on
                done.state = 'aborted'
            elif self.connection.closed or error.pgcode not in REFUSALS:
                raise

    def execute(self, sql, values=()):
        with self.connection.cursor() as cursor:
            cursor.execute(sql, values)
            return cursor.fetchall() if cursor.description else []

    # One transaction, and how it ended.
    def transaction(self):
        self.count += 1
        done = Transaction(f'{self.number}-{self.count}')
        self.transactions.append(done)
        level = self.random.choice(['READ COMMITTED'] * 3 + ['REPEATABLE READ', 'SERIALIZABLE'])
        self.execute(f'BEGIN ISOLATION LEVEL {level}')
        try:
            for step in range(self.random.choice([1, 1, 1, 2, 3])):
                self.step(done, f'{done.name}-{step}')
        except psycopg2.Error as error:
            if self.connection.closed or error.pgcode not in REFUSALS:
                raise
            self.execute('ROLLBACK')
            return
        self.end(done)

    def end(self, done):
        how = self.random.choice(['commit'] * 6 + ['rollback', 'prepare', 'prepare and rollback'])
        if how == 'rollback':
            self.execute('ROLLBACK')
            return
        done.state = 'unknown'
        try:
            if how == 'commit':
                self.execute('COMMIT')
            else:
                self.execute(f"PREPARE TRANSACTION '{done.name}'")
                time.sleep(self.random.random() * 0.02)
                verb = 'COMMIT' if how == 'prepare' else 'ROLLBACK'
                self.execute(f"{verb} PREPARED '{done.name}'")
            done.state = 'aborted' if how == 'prepare and rollback' else 'committed'
        except psycopg2.Error as error:
            if self.connection.closed:
                raise
            if error.pgcode not in REFUSALS:
                raise
            done.state = 'aborted'  # SERIALIZABLE speaks at the commit
            self.execute('ROLLBACK')

    # One call, in a savepoint or not.
    def step(self, done, name):
        savepoint = self.random.choice([None, None, 'release', 'rollback'])
        if savepoint:
            self.execute('SAVEPOINT step')
        before, told = len(done.stored), len(self.acknowledged)
        try:
            self.call(done, name)
        except psycopg2.Error as error:
            if self.connection.closed or not savepoint or error.pgcode not in REFUSALS:
                raise
            self.execute('ROLLBACK TO SAVEPOINT step')
            return
        if savepoint == 'rollback':
            self.execute('ROLLBACK TO SAVEPOINT step')
            for _, _, markers in done.stored[before:]:
                done.undone += markers
            del done.stored[before:]
            del self.acknowledged[told:]

    def call(self, done, name):
        kind = self.random.choice([self.append, self.append_events, self.append_if, self.append_streams,
                                   self.raw_insert, self.retry])
        kind(done, name)

    # What a call is made of.
    def stream(self):
        return self.streams[int(len(self.streams) * self.random.random() ** 2)]

    def expectation(self, stream):
        head = self.execute("SELECT arbiter.stream_revision('shop', %s)", (stream,))[0][0]
        return self.random.choice([ANY, EXISTS, NO_STREAM, head, head, head, max(head - 1, NO_STREAM)])

    def events(self, name, count):
        ids = self.random.random() < 0.5
        return [{'type': 'T', 'data': {'marker': f'{name}-{i}'}} |
                ({'id': str(uuid.UUID(int=self.random.getrandbits(128), version=4))} if ids else {})
                for i in range(count)]

    def note(self, done, stream, expected, events, last):
        first = last - len(events) + 1
        if expected >= NO_STREAM and first != expected + 1:
            done.complaints.append(f'{stream}: expected {expected}, stored from {first} on')
        if expected == EXISTS and first == 0:
            done.complaints.append(f'{stream}: begun by an append that expected it to exist')
        done.stored.append((stream, first, [event['data']['marker'] for event in events]))

    def refused(self, done, stream, expected, actual):
        fits = actual == expected if expected >= NO_STREAM else expected == ANY or actual != NO_STREAM
        if fits:
            done.complaints.append(f'{stream}: expected {expected}, refused at {actual}')
        if not any(stream == mine for mine, _, _ in done.stored):
            done.heads.append((stream, actual))

    def checked(self, done, stream, expected, sql, values):
        try:
            return self.execute(sql, values)
        except psycopg2.Error as error:
            if error.pgcode == 'RB001' and stream:
                self.refused(done, stream, expected, int(error.diag.message_detail.split(',')[1].split()[-1]))
            raise

    # The calls.
    def append(self, done, name):
        stream = self.stream()
        expected = self.expectation(stream)
        event, = self.events(name, 1)
        call = ("SELECT arbiter.append('shop', %s, %s, 'T', %s::jsonb, '{}', %s::uuid)",
                (stream, expected, json.dumps(event['data']), event.get('id')))
        (last,), = self.checked(done, stream, expected, *call)
        self.note(done, stream, expected, [event], last)
        if 'id' in event:
            self.acknowledged.append((done, call, last))

    def append_events(self, done, name):
        stream = self.stream()
        expected = self.expectation(stream)
        events = self.events(name, self.random.choice([1, 2, 3, 300]))
        call = ("SELECT arbiter.append_events('shop', %s, %s, %s::jsonb)", (stream, expected, json.dumps(events)))
        (last,), = self.checked(done, stream, expected, *call)
        self.note(done, stream, expected, events, last)
        if 'id' in events[0]:
            self.acknowledged.append((done, call, last))

    def append_if(self, done, name):
        stream = self.stream()
        expected = self.expectation(stream)
        events = self.events(name, self.random.choice([1, 2]))
        (outcome, last, current), = self.execute(
            "SELECT * FROM arbiter.append_if('shop', %s, %s, %s::jsonb)", (stream, expected, json.dumps(events)))
        if outcome == 'appended':
            self.note(done, stream, expected, events, last)
        else:
            done.undone += [event['data']['marker'] for event in events]
            self.refused(done, stream, expected, current)

    def append_streams(self, done, name):
        streams = list({self.stream() for _ in range(3)})
        self.random.shuffle(streams)
        appends = [{'stream': stream, 'expected': self.expectation(stream),
                    'events': self.events(f'{name}-{i}', self.random.choice([0, 1, 2]))}
                   for i, stream in enumerate(streams)]
        rows = self.execute("SELECT * FROM arbiter.append_streams('shop', %s::jsonb)", (json.dumps(appends),))
        for part, (stream, last) in zip(appends, rows):
            if stream != part['stream']:
                done.complaints.append(f'answered for {stream}, asked for {part["stream"]}')
            if part['events']:
                self.note(done, stream, part['expected'], part['events'], last)

    def raw_insert(self, done, name):
        stream = self.stream()
        head = self.execute("SELECT arbiter.stream_revision('shop', %s)", (stream,))[0][0]
        count = self.random.choice([1, 2])
        events = self.events(name, count)
        for i, event in enumerate(events):
            self.execute("INSERT INTO shop.events (stream, revision, type, data) VALUES (%s, %s, 'T', %s::jsonb)",
                         (stream, head + 1 + i, json.dumps(event['data'])))
        self.note(done, stream, head, events, head + count)

    # The acknowledgement was lost, says the caller: the first answer again.
    def retry(self, done, _):
        told = [(call, last) for then, call, last in self.acknowledged[-20:] if then.state == 'committed']
        if told:
            call, last = self.random.choice(told)
            (again,), = self.execute(*call)
            if again != last:
                done.complaints.append(f'first answered {last}, on a retry {again}: {call}')
