# test/clients/calls, and what else is written like it, as psycopg2 sends it.
import datetime
import json
import re
import uuid

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


def as_sent(statement):
    return re.sub(r"\$\d+", "%s", statement)


def values_of(arguments, known):
    return [READ[kind](known[value[1:]] if value.startswith(":") else value) for kind, value in arguments]


def shown(value):
    return str(value).lower() if isinstance(value, bool) else str(value)


def public_functions(cursor):
    cursor.execute(PUBLIC)
    return {row[0] for row in cursor}
