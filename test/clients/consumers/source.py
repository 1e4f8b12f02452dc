"""A source that delivers at least once, at its worst, and the audit of what its consumers made of it."""
import json
import random
import selectors
import subprocess
import sys
import time

import psycopg2

ENTITIES, REVISIONS, KILLS = 5, 60, 12
COMMANDS = (["node", "consumer.cjs"], [sys.executable, "-B", "consumer.py"]) * 2

log = {f"account-{n}": [random.randint(1, 100) for _ in range(REVISIONS)] for n in range(ENTITIES)}
acknowledged = {entity: set() for entity in log}
told = dict.fromkeys(("ack", "gap", "fail", "forgotten", "again", "killed"), 0)
selector = selectors.DefaultSelector()


class Consumer:
    def __init__(self, command):
        self.command = command
        self.start()

    def start(self):
        self.process = subprocess.Popen(self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
        selector.register(self.process.stdout, selectors.EVENT_READ, self)
        self.deliver()

    def deliver(self):
        self.entity, self.revision = next_delivery()
        told["again"] += self.revision in acknowledged[self.entity]
        event = {"entity": self.entity, "revision": self.revision, "amount": log[self.entity][self.revision]}
        self.process.stdin.write(json.dumps(event) + "\n")

    def hear(self):
        answer = self.process.stdout.readline().strip()
        if not answer:
            sys.exit(f"{self.command} gave up")
        told[answer] += 1
        if answer == "ack":
            if random.random() < 0.2:
                told["forgotten"] += 1
            else:
                acknowledged[self.entity].add(self.revision)

    def kill(self):
        time.sleep(random.random() * 0.003)
        selector.unregister(self.process.stdout)
        self.process.kill()
        self.process.wait()
        told["killed"] += 1
        self.start()


def next_delivery():
    entity = random.choice([e for e in log if len(acknowledged[e]) < REVISIONS] or list(log))
    due = min(set(range(REVISIONS)) - acknowledged[entity], default=REVISIONS - 1)
    return entity, random.choices((due, random.randint(0, due), min(due + random.randint(1, 3), REVISIONS - 1)), (7, 2, 1))[0]


def feed():
    consumers = [Consumer(command) for command in COMMANDS]
    while any(len(done) < REVISIONS for done in acknowledged.values()):
        for key, _ in selector.select():
            key.data.hear()
            key.data.deliver()
            if told["killed"] < KILLS and random.random() < 0.05:
                key.data.kill()
    for consumer in consumers:
        consumer.process.stdin.close()
        consumer.process.wait()


def report(number, good, what):
    print("ok" if good else "not ok", number, "-", what)
    return good


def main():
    connection = psycopg2.connect("")
    connection.autocommit = True
    cursor = connection.cursor()
    cursor.execute("""SELECT arbiter.create_store('shop');
                      SELECT arbiter.create_projection('shop', 'balance', 'external');
                      CREATE TABLE balance (account text PRIMARY KEY, total bigint NOT NULL, applied bigint NOT NULL)""")
    cursor.executemany("INSERT INTO balance VALUES (%s, 0, 0)", [(entity,) for entity in log])
    feed()
    cursor.execute("SELECT account, total, applied FROM balance ORDER BY account")
    fold = [(entity, sum(amounts), len(amounts)) for entity, amounts in sorted(log.items())]
    good = report(1, cursor.fetchall() == fold, "the read model equals the fold of the log")
    cursor.execute("SELECT entity, revision FROM shop.offsets ORDER BY entity")
    good &= report(2, cursor.fetchall() == [(entity, REVISIONS - 1) for entity in sorted(log)], "the offsets stand at the last events")
    cursor.execute("SELECT count(*) FROM shop.failures")
    good &= report(3, cursor.fetchone() == (0,), "what failed has been applied since")
    good &= report(4, all(told.values()), f"the source was at its worst: {told}")
    sys.exit(not good)


main()
