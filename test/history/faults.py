"""What is done to the server while the writers write. Each returns when the server is on its way back."""
import os
import signal
import time

from history import Fault

VICTIMS = "SELECT pid FROM pg_stat_activity WHERE application_name LIKE 'history _%' AND pid <> pg_backend_pid()"


def victim(cluster, chance):
    pids = [pid for (pid,) in cluster.ask(VICTIMS)]
    return chance.choice(pids) if pids else None


def terminate(cluster, chance):
    """Backends are terminated, ten of them."""
    for _ in range(10):
        pid = victim(cluster, chance)
        if pid:
            cluster.ask(f'SELECT pg_terminate_backend({pid})')


def backend(cluster, chance):
    """A backend is killed with -9, which brings the others down."""
    pid = victim(cluster, chance)
    if pid:
        try:
            os.kill(pid, signal.SIGKILL)
        except ProcessLookupError:
            pass


def postmaster(cluster, _):
    """The postmaster is killed with -9; its children notice, and go."""
    cluster.kill_postmaster()
    cluster.start()


def immediate(cluster, _):
    """The server is stopped at once."""
    cluster.stop('immediate')
    cluster.start()


# With a standby: each returns what was wrong on the way.
def promote(pair, progress, chance):
    """The primary is killed or stopped under load, and the standby takes its place."""
    (pair.primary.kill_postmaster if chance.random() < 0.5 else pair.primary.stop)()
    pair.promote()
    progress.move(pair)
    pair.rejoin()
    progress.follow(pair)
    return []


def promote_async(pair, progress, _):
    """The standby has stopped hearing of what is committed when the primary goes: a tail of it is lost, and nothing else."""
    senders = [*pair.hold_the_sender()]
    before = progress.count()
    while progress.count() < before + 50:
        time.sleep(0.01)
    pair.primary.kill_postmaster()
    for pid in senders:
        os.kill(pid, signal.SIGKILL)
    pair.promote()
    progress.move(pair)
    pair.rejoin()
    progress.follow(pair)
    return []


def names(node):
    return {name for (name,) in node.ask('SELECT name FROM witness')}


def partition(pair, progress, _):
    """The line is cut: nothing is acknowledged any more. The standby is promoted, and what the old primary has committed without
    saying so is gone from it when it comes back."""
    pair.network.cut()
    time.sleep(1)  # what had arrived before is acknowledged still
    before, wrong = progress.count(), []
    pair.wait(pair.primary, "SELECT 1 FROM pg_stat_activity WHERE wait_event = 'SyncRep'")
    time.sleep(4)  # longer than wal_sender_timeout
    if progress.count() != before:
        wrong.append(Fault('wrong', f'{progress.count() - before} operations were acknowledged during the partition'))
    old = pair.primary
    pair.promote()
    progress.move(pair)
    old.stop()
    old.start(" -c synchronous_standby_names=''")
    tail = names(old) - names(pair.primary)
    old.stop('fast')
    pair.network.heal()
    pair.rejoin()
    progress.follow(pair)
    pair.catch_up()
    # What was prepared before, and committed by the old one alone, may have been committed by the new one since.
    left = tail & names(old) - names(pair.primary)
    wrong += [Fault('wrong', f'{name} is still on the old primary') for name in left]
    print(f'# partition: the old primary had committed {len(tail)} transactions that nobody was told of', flush=True)
    return wrong + [Fault('wrong', 'the partition has left no tail')] * (not tail)


CRASHES = {'terminate': terminate, 'backend': backend, 'postmaster': postmaster, 'immediate': immediate}
FAILOVERS = {'promote': promote, 'promote-async': promote_async, 'partition': partition}
