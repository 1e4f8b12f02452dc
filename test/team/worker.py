"""What all workers share: a connection that may be cut at any moment, and a notebook outside of the database."""
import contextlib
import os
import random
import time

import psycopg2


class Worker:
    def __init__(self, name, books):
        self.name = name
        self.books = books
        self.connection = None

    def run(self):
        """Until somebody kills it."""
        while True:
            try:
                self.connect()
                while True:
                    self.work()
            except psycopg2.Error as error:
                if not self.cut(error):
                    self.tell('unexpected', 'failed', error.pgcode, error)
                    self.pause()

    def connect(self):
        """Waits for a server that is starting up."""
        while self.connection is None or self.cut():
            try:
                self.connection = psycopg2.connect('', application_name=f'team {self.name}')
                self.connection.autocommit = True
            except psycopg2.OperationalError:
                time.sleep(0.05)

    def cut(self, error=None):
        """Is the connection gone? An error without a SQLSTATE is the client library's, which says no more than that."""
        if error and error.pgcode is None:
            self.connection.close()
        return self.connection is None or self.connection.closed

    def ask(self, sql, *values):
        with self.connection.cursor() as cursor:
            cursor.execute(sql, values or None)
            return cursor.fetchall() if cursor.description else []

    @contextlib.contextmanager
    def transaction(self):
        self.ask('BEGIN')
        try:
            yield
            self.ask('COMMIT')
        except psycopg2.Error as error:
            if not self.cut(error):
                self.ask('ROLLBACK')
            raise

    def settle(self, ledger, key, token, result=None):
        """Says that it is done, until that is known to have arrived."""
        again = False
        while True:
            try:
                self.ask("SELECT arbiter.settle('team', %s, %s, %s, 'done', %s)", ledger, key, token, result)
                return
            except psycopg2.Error as error:
                if again and error.pgcode == 'RB020':  # the first time got through
                    return
                if not self.cut(error):
                    raise
                self.connect()
                again = True

    def tell(self, act, outcome, what, why=''):
        """What the worker was answered. It is noted after the commit, so what is noted has to be there."""
        self.write('told', self.name, act, outcome, what, why)

    def write(self, book, *words):
        """One write at the end of a file: it is there as a whole, whenever the worker dies."""
        line = '\t'.join(' '.join(str(word).split()) for word in words) + '\n'
        file = os.open(os.path.join(self.books, book), os.O_WRONLY | os.O_APPEND)
        os.write(file, line.encode())
        os.close(file)

    def pause(self, longest=0.02):
        time.sleep(random.random() * longest)

    def chance(self, probability):
        return random.random() < probability
