"""Makes and drops what the others use, while they use it and the server is killed: all of it is there, or nothing."""
import random
import time

from history import Fault
from others import patiently

SETUP = """
    CREATE TABLE desk (id text PRIMARY KEY, owner text, since timestamptz, token bigint NOT NULL DEFAULT 0);
    CREATE INDEX desk_free ON desk (id) WHERE owner IS NULL"""
# Identical again is a no-op, so whoever lost the answer makes it once more.
PAIRS = [
    ("SELECT arbiter.create_store('other')", "SELECT arbiter.drop_store('other', true)"),
    ("SELECT arbiter.create_ledger('shop', 'desk')", "SELECT arbiter.drop_ledger('shop', 'desk', true)"),
    ("""SELECT arbiter.create_machine('shop', 'desk', 'desk', 'A',
                                      '[{"from": ["A"], "command": "c", "to": "B", "event": "E"}]')""",
     "SELECT arbiter.drop_machine('shop', 'desk', true)"),
    ("SELECT arbiter.create_projection('shop', 'desk', 'external')", "SELECT arbiter.drop_projection('shop', 'desk', true)"),
    ("SELECT arbiter.create_pool('shop', 'desk', 'desk', 'id', 'owner', 'since', 'token', NULL, 'id ASC')",
     "SELECT arbiter.drop_pool('shop', 'desk', true)"),
    ("SELECT arbiter.create_sweep('shop', 'desk', 'desk', 'id', 'true', 'id')", "SELECT arbiter.drop_sweep('shop', 'desk')"),
    ("SELECT arbiter.create_guard('desk_guard', 'desk', '{owner}', NULL, 'one desk an owner')",
     "SELECT arbiter.drop_guard('desk_guard', 'desk')"),
    ("""SELECT arbiter.create_derivation('shop', 'desk_id', '6ba7b810-9dad-11d1-80b4-00c04fd430c8',
            '[{"name": "number", "type": "text"}]', '[{"args": {"number": "a"},
            "uuid": "ee9a20b9-7978-57b4-a6dc-943ede56bca3", "origin": "python 3, uuid.uuid5"}]')""",
     "SELECT arbiter.drop_derivation('shop', 'desk_id', true)"),
    ("SELECT arbiter.upgrade_store('shop')", "SELECT arbiter.verify_derivations('shop')"),
    ("SELECT arbiter.rebuild_projection('shop', 'run'); DELETE FROM effects WHERE projection = 'run'", "SELECT 1"),
]


class Clerk:
    def __init__(self, progress, seed):
        self.progress, self.random = progress, random.Random(f'{seed} clerk')

    def run(self):
        patiently(self.progress, self.progress.dsn, 'history clerk', self.turn)

    def turn(self, cursor):
        for sql in self.random.choice(PAIRS):
            cursor.execute(sql)  # several statements in one are one transaction
        time.sleep(0.2 + 0.3 * self.random.random())


def close_up(ask):
    """All of it can be made and dropped, and the store is well."""
    for pair in PAIRS[:-1]:
        for sql in pair:
            ask(sql)
    return [Fault('stuck', str(row)) for row in ask("SELECT * FROM arbiter.doctor('shop') WHERE severity = 'error'")]
