"""psycopg 3; the server is where PGHOST, PGPORT and PGDATABASE say. Nothing here needs a session: it may be a pooler's
in transaction mode, which is why nothing is prepared on the server."""
import random
import time
import uuid

import psycopg
from psycopg.types.json import Jsonb

SHOWS = [("Grand Hall", "2027-01-31"), ("GRAND HALL ", "2027-02-01"), ("Old Mill", "2027-01-31")]
# RB001: decided from a state that is no more. 40001, 40P01: the server chose another. Begin anew, with the same id.
RETRY = {"RB001", "40001", "40P01"}
told = {"sold": 0, "full": 0, "again": 0, "mailed": 0}
connection = psycopg.connect(autocommit=True, prepare_threshold=None)


def ask(sql, *values):
    return connection.execute(sql, values).fetchall()


def retrying(work, attempts=50):
    for attempt in range(1, attempts + 1):
        try:
            with connection.transaction():
                return work()
        except psycopg.Error as error:
            if error.sqlstate not in RETRY or attempt == attempts:
                raise
            told["again"] += 1
            time.sleep(random.random() * 0.01 * attempt)


def register(venue, day):
    [(stream,)] = ask("SELECT arbiter.stream_name('show', theatre.show_id(%s, %s))", venue, day)
    try:
        ask("SELECT arbiter.append('theatre', %s, arbiter.no_stream(), 'ShowAnnounced', '{\"seats\": 20}')", stream)
    except psycopg.Error as error:
        if error.sqlstate != "RB001":  # somebody else has announced it
            raise
    return stream


def sell(stream, guest):
    command = uuid.uuid4()  # repeated, it is recognised

    def decide():
        events = ask("SELECT type, data, head FROM arbiter.load_stream('theatre', %s)", stream)
        seats = next(data["seats"] for kind, data, _ in events if kind == "ShowAnnounced")
        sold = sum(kind == "SeatSold" for kind, _, _ in events)
        if sold == seats:
            return "full"
        ask("SELECT arbiter.append('theatre', %s, %s, 'SeatSold', %s, id => %s)",
            stream, events[0][2], Jsonb({"seat": sold + 1, "guest": guest}), command)
        return "sold"

    told[retrying(decide)] += 1


def project():
    with connection.transaction():
        ask("SELECT arbiter.lock_entity('consumer-seats')")  # one at a time; advance would tell anyway
        events = ask("SELECT position, stream, revision, type, data FROM arbiter.read_feed('theatre', arbiter.cursor('theatre', 'seats'))")
        for _, stream, revision, kind, data in events:
            [(first,)] = ask("SELECT arbiter.advance('theatre', 'seats', %s, %s)", stream, revision)
            if first and kind == "SeatSold":
                connection.execute("INSERT INTO theatre.seats VALUES (%s, %s, %s)", [stream, data["seat"], data["guest"]])
        if events:
            ask("SELECT arbiter.save_cursor('theatre', 'seats', %s)", events[-1][0])
        return len(events)


def send_mails(sender):
    for (mail,) in ask("SELECT stream || '/' || seat FROM theatre.seats"):  # a hint
        [(outcome, token)] = ask("SELECT outcome, token FROM arbiter.claim('theatre', 'mails', %s)", mail)
        if outcome != "won":
            continue
        # Committed: from here on it is ours alone.
        connection.execute("INSERT INTO theatre.outside VALUES (%s, %s)", [mail, sender])
        ask("SELECT arbiter.settle('theatre', 'mails', %s, %s, 'done')", mail, token)
        told["mailed"] += 1


streams = [register(*show) for show in SHOWS]
for n in range(10):
    for show in streams:
        sell(show, f"python {n}")
while project() > 0:
    pass
send_mails("python")
print(f"python: sold {told['sold']}, full {told['full']}, mailed {told['mailed']}, decided again {told['again']}")
