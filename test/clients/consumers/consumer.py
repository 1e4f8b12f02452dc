"""Applies deliveries, one JSON object a line, and answers each: ack, gap, fail or pass."""
import json
import random
import sys

import psycopg2

connection = psycopg2.connect("")


class Hopeless(RuntimeError):
    pass


def apply(event):
    with connection, connection.cursor() as cursor:
        cursor.execute("SELECT arbiter.advance('shop', %s, %s, %s)", (event["projection"], event["entity"], event["revision"]))
        if cursor.fetchone()[0]:
            cursor.execute("UPDATE model SET total = total + %s, applied = applied + 1 WHERE projection = %s AND account = %s",
                           (event["amount"], event["projection"], event["entity"]))
            if event["projection"] == "large" and event["amount"] == 99:
                raise Hopeless("nobody takes 99")
            if random.random() < 0.05:
                raise RuntimeError("the effect failed")


def record(call, event, error):
    with connection, connection.cursor() as cursor:
        cursor.execute(f"SELECT arbiter.{call}('shop', %s, %s, %s, %s)",
                       (event["projection"], event["entity"], event["revision"], str(error)))


for line in sys.stdin:
    event = json.loads(line)
    try:
        apply(event)
        answer = "ack"
    except psycopg2.Error as error:
        if error.pgcode != "RB010":
            raise
        answer = "gap"
    except Hopeless as error:
        record("pass_event", event, error)
        answer = "pass"
    except RuntimeError as error:
        record("fail_event", event, error)
        answer = "fail"
    print(answer, flush=True)
