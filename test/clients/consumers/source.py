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

log = {f"account-{n}": [random.randint(1, 100) for _ in range(REVISIONS - 1)] + [99] for n in range(ENTITIES)}
# A strict projection is given every revision; the other one a selection, of which one amount can never be applied.
deliverable = {("balance", entity): list(range(REVISIONS)) for entity in log}
deliverable |= {("large", entity): [r for r in range(REVISIONS) if amounts[r] > 50] for entity, amounts in log.items()}
acknowledged = {place: set() for place in deliverable}
told = dict.fromkeys(("ack", "gap", "fail", "pass", "forgotten", "again", "killed"), 0)
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
        self.place, self.revision = next_delivery()
        told["again"] += self.revision in acknowledged[self.place]
        projection, entity = self.place
        event = {"projection": projection, "entity": entity, "revision": self.revision, "amount": log[entity][self.revision]}
        self.process.stdin.write(json.dumps(event) + "\n")

    def hear(self):
        answer = self.process.stdout.readline().strip()
        if not answer:
            sys.exit(f"{self.command} gave up")
        told[answer] += 1
        if answer in ("ack", "pass"):
            if random.random() < 0.2:
                told["forgotten"] += 1
            else:
                acknowledged[self.place].add(self.revision)

    def kill(self):
        time.sleep(random.random() * 0.003)
        selector.unregister(self.process.stdout)
        self.process.kill()
        self.process.wait()
        told["killed"] += 1
        self.start()


def next_delivery():
    place = random.choice([p for p in deliverable if len(acknowledged[p]) < len(deliverable[p])] or list(deliverable))
    revisions = deliverable[place]
    due = next((n for n, revision in enumerate(revisions) if revision not in acknowledged[place]), len(revisions) - 1)
    # Who is shown a selection cannot tell a gap, so he is not shown too much.
    ahead = min(due + random.randint(1, 3), len(revisions) - 1) if place[0] == "balance" else due
    return place, revisions[random.choices((due, random.randint(0, due), ahead), (7, 2, 1))[0]]


def folded(projection, entity):
    amounts = [log[entity][revision] for revision in deliverable[projection, entity]]
    if projection == "large":
        amounts = [amount for amount in amounts if amount != 99]
    return projection, entity, sum(amounts), len(amounts)


def feed():
    consumers = [Consumer(command) for command in COMMANDS]
    while any(len(acknowledged[place]) < len(deliverable[place]) for place in deliverable):
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
                      SELECT arbiter.create_projection('shop', 'large', 'external', strict => false, reconciler => 'external', reconcile_every => '1 day');
                      CREATE TABLE model (projection text, account text, total bigint NOT NULL, applied bigint NOT NULL, PRIMARY KEY (projection, account))""")
    cursor.executemany("INSERT INTO model VALUES (%s, %s, 0, 0)", list(deliverable))
    feed()
    cursor.execute("SELECT * FROM model ORDER BY projection, account")
    fold = [folded(*place) for place in sorted(deliverable)]
    good = report(1, cursor.fetchall() == fold, "the read models equal the folds of what their projections are shown")
    cursor.execute("SELECT projection, entity, revision FROM shop.offsets ORDER BY projection, entity")
    good &= report(2, cursor.fetchall() == [(*place, deliverable[place][-1]) for place in sorted(deliverable)], "the offsets stand at the last events")
    cursor.execute("SELECT count(*) FROM shop.failures")
    good &= report(3, cursor.fetchone() == (0,), "what failed has been applied since")
    cursor.execute("SELECT projection, entity, revision FROM shop.debts ORDER BY 1, 2, 3")
    owed = [("large", entity, revision) for entity in sorted(log) for revision in range(REVISIONS) if log[entity][revision] == 99]
    good &= report(4, cursor.fetchall() == owed, "what nobody could apply is owed")
    good &= report(5, all(told.values()), f"the source was at its worst: {told}")
    sys.exit(not good)


main()
