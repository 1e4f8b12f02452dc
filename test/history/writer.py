"""A writer with random intentions, which notes each before it acts, and what it was told afterwards."""
import random
import time

import psycopg2

import claims
import guards
import log
import machines
import pools
import projections
import sweeps
from history import Transaction

# What ends a transaction without leaving anything behind; 42704 is an event that was truncated before it was redacted. 57P01
# and lost connections are judged apart.
REFUSALS = {'RB001', 'RB002', 'RB004', 'RB010', 'RB020', 'RB030', '23505', '40001', '40P01', '55000', '55P03', '57014', '42704'}
CALLS = (3 * log.CALLS + log.LIFECYCLE + 2 * claims.CALLS + guards.CALLS + 2 * pools.CALLS + 2 * machines.CALLS +
         sweeps.CALLS + projections.CALLS)


def connect(dsn, name):
    connection = psycopg2.connect(dsn(), application_name=name)
    connection.autocommit = True
    return connection


def is_lost(connection, error):
    """The server is gone, or leaves, or is not there yet. Some losses are a plain DatabaseError without SQLSTATE."""
    return connection is None or connection.closed or not error.pgcode or error.pgcode[:3] in ('57P', '08P', '080')


class Writer:
    def __init__(self, number, seed, progress):
        self.number = number
        self.random = random.Random(f'{seed} {number}')
        self.progress = progress
        self.transactions = []
        self.repeatable = []  # calls with ids, and the revision they were answered with
        self.held = []        # (transaction, kind, what is held by a token)
        self.connection = None
        self.count = 0
        self.generation = progress.generation()

    def run(self):
        while not self.progress.over():
            try:
                self.connect()
                while not self.progress.over():
                    self.transaction()
            except psycopg2.Error as error:  # the state was noted where it is known
                if not is_lost(self.connection, error):
                    raise
                if self.connection:  # it may not have noticed, and what is unknown is asked for on a new one, at once
                    self.connection.close()
                time.sleep(0.05)
        if self.connection and not self.connection.closed:
            self.connection.close()
        return self.transactions

    def connect(self):
        if self.connection is None or self.connection.closed:
            self.connection = connect(self.progress.dsn, 'history writer')
            self.execute("SET lock_timeout = '1s'")
            if self.generation != self.progress.generation():
                self.begin_anew()
            last = self.transactions[-1] if self.transactions else None
            if last and last.state == 'unknown' and not self.decide_prepared(last):
                self.ask_again(last)

    def begin_anew(self):
        """An asynchronous standby has taken over, and may not have heard of the last that was acknowledged: tokens may be worth
        nothing, and calls with ids are made again."""
        last = self.transactions[-1] if self.transactions else None
        self.held = []
        self.decide_anew(last)
        for done in [done for done, _, _ in self.repeatable[-30:]]:
            if done.state == 'committed' and not done.asked_again:
                self.ask_again(done)
        self.repeatable = [told for told in self.repeatable if told[0] is last]
        self.generation = self.progress.generation()

    def decide_anew(self, last):
        """It may have heard that something was prepared, and not what was decided: that is said again."""
        decided = {done.name: done.state for done in self.transactions if done is not last}
        for (gid,) in self.execute('SELECT gid FROM pg_prepared_xacts WHERE gid LIKE %s', (f'{self.number}-%',)):
            if gid in decided:
                self.execute(f"{'COMMIT' if decided[gid] == 'committed' else 'ROLLBACK'} PREPARED '{gid}'")

    def decide_prepared(self, done):
        """It was prepared when the server went: it is still, and is decided now."""
        if not self.execute('SELECT 1 FROM pg_prepared_xacts WHERE gid = %s', (done.name,)):
            return False
        verb = self.random.choice(['COMMIT', 'ROLLBACK'])
        self.execute(f"{verb} PREPARED '{done.name}'")
        done.outlived = True
        self.ended(done, verb == 'COMMIT')
        return True

    def ask_again(self, done):
        """The acknowledgement was lost: the same call, with the same ids, stores the event now or says where it is."""
        calls = [(call, last) for then, call, last in self.repeatable if then is done]
        if len(done.answers) != 1 or len(calls) != 1:
            return
        (call, last), answer = calls[0], done.answers[0]
        try:
            (again,), = self.execute(*call)
            answer.first += again - last
            done.asked_again = True
            self.ended(done, True)
        except psycopg2.Error as error:
            if error.pgcode in ('RB001', 'RB002'):  # it had not been stored, and the stream has moved on
                done.state = 'aborted'
            elif self.connection.closed or error.pgcode not in REFUSALS:
                raise

    def execute(self, sql, values=()):
        with self.connection.cursor() as cursor:
            cursor.execute(sql, values)
            return cursor.fetchall() if cursor.description else []

    def ended(self, done, committed):
        done.state = 'committed' if committed else 'aborted'
        done.ended = time.monotonic()
        if committed:
            done.acknowledged = True
            self.progress.add(len(done.answers))

    # One transaction, and how it ended.
    def transaction(self):
        self.count += 1
        done = Transaction(f'{self.number}-{self.count}')
        done.began = time.monotonic()
        self.transactions.append(done)
        level = self.random.choice(['READ COMMITTED'] * 3 + ['REPEATABLE READ', 'SERIALIZABLE'])
        self.execute(f'BEGIN ISOLATION LEVEL {level}')
        try:
            for step in range(self.random.choice([1, 1, 1, 2, 3])):
                self.step(done, f'{done.name}-{step}')
            self.execute('INSERT INTO witness VALUES (%s)', (done.name,))
        except psycopg2.Error as error:
            if is_lost(self.connection, error) or error.pgcode not in REFUSALS:
                raise
            self.execute('ROLLBACK')
            return
        self.end(done)

    def end(self, done):
        how = self.random.choice(['commit'] * 8 + ['rollback', 'prepare', 'prepare and rollback'])
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
            self.ended(done, how != 'prepare and rollback')
        except psycopg2.Error as error:
            if is_lost(self.connection, error) or error.pgcode not in REFUSALS:
                raise
            done.state = 'aborted'  # SERIALIZABLE speaks at the commit
            self.execute('ROLLBACK')

    # One call, in a savepoint or not.
    def step(self, done, name):
        savepoint = self.random.choice([None, None, None, 'release', 'rollback'])
        if savepoint:
            self.execute('SAVEPOINT step')
        before = len(done.answers), len(self.repeatable), len(self.held)
        try:
            self.random.choice(CALLS)(self, done, name)
        except psycopg2.Error as error:
            if is_lost(self.connection, error) or not savepoint or error.pgcode not in REFUSALS:
                raise
            savepoint = 'rollback'
        if savepoint == 'rollback':
            self.execute('ROLLBACK TO SAVEPOINT step')
            for noted, length in zip((done.answers, self.repeatable, self.held), before):
                del noted[length:]

    # What the calls choose from.
    def window(self, name, every, width):
        """Names that all writers fight over for a while, and then leave behind."""
        return f'{name}-{self.progress.count() // every + int(width * self.random.random() ** 2)}'

    def holding(self, done, kind):
        """Something that is held by this writer's own token, or was: tokens of what was not committed are none."""
        mine = [what for then, of, what in self.held[-60:]
                if of == kind and (then is done or then.state == 'committed')]
        return self.random.choice(mine) if mine else None
