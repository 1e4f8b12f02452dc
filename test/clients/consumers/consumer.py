"""Applies deliveries, one JSON object a line, and answers each: ack, gap or fail."""
import json
import random
import sys

import psycopg2

connection = psycopg2.connect("")


def apply(event):
    with connection, connection.cursor() as cursor:
        cursor.execute("SELECT arbiter.advance('shop', 'balance', %s, %s)", (event["entity"], event["revision"]))
        if cursor.fetchone()[0]:
            cursor.execute("UPDATE balance SET total = total + %s, applied = applied + 1 WHERE account = %s",
                           (event["amount"], event["entity"]))
            if random.random() < 0.05:
                raise RuntimeError("the effect failed")


def fail(event, error):
    with connection, connection.cursor() as cursor:
        cursor.execute("SELECT arbiter.fail_event('shop', 'balance', %s, %s, %s)",
                       (event["entity"], event["revision"], str(error)))


for line in sys.stdin:
    event = json.loads(line)
    try:
        apply(event)
        answer = "ack"
    except psycopg2.Error as error:
        if error.pgcode != "RB010":
            raise
        answer = "gap"
    except RuntimeError as error:
        fail(event, error)
        answer = "fail"
    print(answer, flush=True)
