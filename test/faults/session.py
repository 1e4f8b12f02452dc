# A session of the walk, and the ways around a call in it.
import os
import sys

import psycopg2

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../clients/python"))
from calls import as_sent  # noqa: E402


class Session:
    def __init__(self, database="faults"):
        self.connection = psycopg2.connect(dbname=database, options="-c client_min_messages=warning")
        self.connection.autocommit = True
        self.cursor = self.connection.cursor()
        self.run("SELECT arbiter.version()")

    def run(self, statement):
        self.cursor.execute(statement)
        return self.cursor.fetchall() if self.cursor.description else []

    def value(self, statement):
        return self.run(statement)[0][0]

    def failure(self, statement):
        try:
            self.run(statement)
        except psycopg2.Error as error:
            if self.connection.closed:
                raise
            return error.pgcode
        return None

    def text(self, statement, values):
        return self.cursor.mogrify(as_sent(statement), values).decode()

    def close(self):
        self.connection.close()


class Copy:
    """A session in a database like that of the calls, with nobody in it."""

    def __enter__(self):
        self.make("DROP DATABASE IF EXISTS faults_copy WITH (FORCE)", "CREATE DATABASE faults_copy TEMPLATE faults")
        self.session = Session("faults_copy")
        return self.session

    def __exit__(self, *_):
        self.session.close()

    @staticmethod
    def make(*statements):
        session = psycopg2.connect(dbname="postgres")
        session.autocommit = True
        with session.cursor() as cursor:
            for statement in statements:
                cursor.execute(statement)
        session.close()


# The ways around a call: each leaves a transaction open in which it can be made again.


def in_savepoint(session, arm, call):
    session.run("BEGIN; SAVEPOINT s; " + arm)
    code = session.failure(call)
    if code:
        session.run("ROLLBACK TO s")
    return code


def in_block(session, arm, call):
    session.run("BEGIN; " + arm)
    return session.value(session.text("SELECT faults.caught($1)", [call]))


def in_transaction(session, arm, call):
    session.run("BEGIN; " + arm)
    code = session.failure(call)
    if code:
        session.run("ROLLBACK; BEGIN")
    return code
