import datetime
import json
import re
import sys
import uuid

import psycopg2
import psycopg2.extras

psycopg2.extras.register_uuid()

READ = {
    "text": str,
    "bigint": int,
    "boolean": lambda value: value == "true",
    "uuid": uuid.UUID,
    "json": lambda value: psycopg2.extras.Json(json.loads(value)),
    "interval": lambda value: datetime.timedelta(seconds=int(value)),
    "text[]": json.loads,
    "bytea": str.encode,
    "null": lambda _: None,
}

PUBLIC = """
SELECT p.proname || '(' || coalesce((SELECT string_agg(format_type(t, NULL), ', ' ORDER BY n)
                                       FROM unnest(p.proargtypes::oid[]) WITH ORDINALITY AS a (t, n)), '') || ')'
  FROM pg_proc AS p
 WHERE p.pronamespace = 'arbiter'::regnamespace AND obj_description(p.oid, 'pg_proc') !~ '^internal'
"""


def read_calls(path):
    with open(path, encoding="utf-8") as lines:
        text = "".join(line for line in lines if not line.startswith("#"))
    for block in text.strip().split("\n\n"):
        signature, statement, *rest = [line.strip() for line in block.split("\n")]
        outcome = {line[0]: line[2:] for line in rest if line[0] in "=>"}
        yield signature, statement, [line.partition(" ")[::2] for line in rest if line[0] not in "=>"], outcome


def shown(value):
    return str(value).lower() if isinstance(value, bool) else str(value)


def call(connection, statement, arguments):
    connection.autocommit = statement.startswith("CALL")
    with connection, connection.cursor() as cursor:
        cursor.execute(re.sub(r"\$\d+", "%s", statement), arguments)
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
            values = [READ[kind](known[value[1:]] if value.startswith(":") else value) for kind, value in arguments]
            row = call(connection, statement, values)
            answer = shown(row[0]) if row else None
            problem = f"{answer} instead of {outcome['=']}" if outcome.get("=", answer) != answer else None
            known[outcome.get(">")] = answer
        except psycopg2.Error as error:
            problem = f"{error.pgcode} {error}"
        failed += problem is not None
        print("not ok" if problem else "ok", number, "-", signature, *(["#", problem] if problem else []))
    with connection, connection.cursor() as cursor:
        cursor.execute(PUBLIC)
        public = {row[0] for row in cursor}
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
