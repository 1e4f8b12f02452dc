"""What was stored, held against what the writers were told."""
import claims
import clerk
import guards
import log
import machines
import others
import pools
import projections
import sweeps

NOUNS = [log, claims, guards, pools, machines, sweeps, projections]
SETUP = """
    CREATE EXTENSION arbiter; CREATE EXTENSION amcheck;
    CREATE TABLE witness (name text PRIMARY KEY);
    SELECT arbiter.create_store('shop')"""
TABLES = {'witness': 'SELECT name FROM witness', 'cursor': "SELECT arbiter.cursor('shop', 'reader')"}


def setup(inline):
    steps = [SETUP] + [noun.SETUP for noun in [*NOUNS, clerk] if noun is not log] + [projections.INLINE] * inline
    return ';\n'.join(steps)


def tables(read):
    return {name: read(sql) for noun in [None, *NOUNS] for name, sql in (noun.TABLES if noun else TABLES).items()}


def faults(history, found, got, saved):
    """`history` is resolved."""
    wrong = [fault for noun in NOUNS for fault in noun.faults(history, found)]
    return wrong + others.faults(got, saved, log.erased(history), found)


def closing(ask):
    """Nothing is stuck when all are gone: no lock, no prepared transaction, no claim, no row of a pool, no event."""
    return [fault for noun in [*NOUNS, clerk] if hasattr(noun, 'close_up') for fault in noun.close_up(ask)]


SOUND = """
    SELECT bt_index_check(i.indexrelid, true)
      FROM pg_index AS i JOIN pg_class AS c ON c.oid = i.indexrelid JOIN pg_am AS a ON a.oid = c.relam
     WHERE c.relnamespace IN ('shop'::regnamespace, 'public'::regnamespace) AND a.amname = 'btree';
    SELECT c.relname, h.* FROM pg_class AS c, verify_heapam(c.oid, check_toast => true) AS h
     WHERE c.relnamespace IN ('shop'::regnamespace, 'public'::regnamespace) AND c.relkind = 'r'"""
