"""Every call of test/clients/calls by one client of a pooler that has a single connection to the server; after each, another
client gets that connection and asks what was left on it: nothing may be."""
import os
import sys

import psycopg2

os.chdir(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, "../python")
from calls import public_functions, read_calls, shown, values_of  # noqa: E402
from client import call  # noqa: E402

# What outlives a transaction and would be the next client's. One row, the same after every call; the first column is
# the server's process, so that it is known to be the one connection.
LEFT = """
SELECT pg_backend_pid(), md5((SELECT string_agg(name || '=' || setting, ',' ORDER BY name) FROM pg_settings
                               WHERE name !~ '^(transaction_|application_name|plpgsql)')),
       current_user, current_setting('search_path'),
       (SELECT count(*) FROM pg_locks WHERE pid = pg_backend_pid() AND locktype NOT IN ('relation', 'virtualxid')),
       (SELECT count(*) FROM pg_locks WHERE pid = pg_backend_pid() AND locktype = 'relation' AND mode <> 'AccessShareLock'),
       (SELECT count(*) FROM pg_listening_channels()), (SELECT count(*) FROM pg_prepared_statements),
       (SELECT count(*) FROM pg_cursors WHERE name <> ''), pg_my_temp_schema()
"""


def left(connection):
    with connection, connection.cursor() as cursor:
        cursor.execute(LEFT)
        return cursor.fetchone()


def main():
    caller, next_one = psycopg2.connect(""), psycopg2.connect("")
    before = left(next_one)
    failed = number = 0
    called, known = set(), {}
    for signature, statement, arguments, outcome in read_calls("../calls"):
        number += 1
        called.add(signature)
        try:
            row = call(caller, statement, values_of(arguments, known))
            answer = shown(row[0]) if row else None
            problem = f"{answer} instead of {outcome['=']}" if outcome.get("=", answer) != answer else None
            known[outcome.get(">")] = answer
        except psycopg2.Error as error:
            problem = f"{error.pgcode} {error}"
        after = left(next_one)
        if after != before:
            problem = f"left behind: {after} instead of {before}"
        failed += problem is not None
        print("not ok" if problem else "ok", number, "-", signature, *(["#", problem] if problem else []))
    number += 1
    with next_one, next_one.cursor() as cursor:
        missing = public_functions(cursor) - called
    failed += bool(missing)
    print("not ok" if missing else "ok", number, "- every public function was called", *sorted(missing))
    sys.exit(failed > 0)


main()
