import sys

import psycopg2
from calls import as_sent, public_functions, read_calls, shown, values_of


def call(connection, statement, arguments):
    connection.autocommit = statement.startswith("CALL")
    with connection, connection.cursor() as cursor:
        cursor.execute(as_sent(statement), arguments)
        return cursor.fetchone() if cursor.description else None


def main():
    connection = psycopg2.connect("")
    failed = number = 0
    called = set()
    known = {}
    for signature, statement, arguments, outcome in read_calls("../calls"):
        number += 1
        called.add(signature)
        try:
            row = call(connection, statement, values_of(arguments, known))
            answer = shown(row[0]) if row else None
            problem = f"{answer} instead of {outcome['=']}" if outcome.get("=", answer) != answer else None
            known[outcome.get(">")] = answer
        except psycopg2.Error as error:
            problem = f"{error.pgcode} {error}"
        failed += problem is not None
        print("not ok" if problem else "ok", number, "-", signature, *(["#", problem] if problem else []))
    with connection, connection.cursor() as cursor:
        public = public_functions(cursor)
    called.discard("preparation")
    number += 1
    failed += public != called
    print("ok" if public == called else "not ok", number, "- every public function is called")
    for name in sorted(public - called):
        print("# not called:", name)
    for name in sorted(called - public):
        print("# not there:", name)
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
