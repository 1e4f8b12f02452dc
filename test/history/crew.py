"""The processes at work, and what they share."""
import multiprocessing
import time

import others
from clerk import Clerk
from history import History
from writer import Writer

multiprocessing.set_start_method('fork')


class Progress:
    """What all processes share: how many operations were acknowledged, whether that is all, and where the servers are."""

    def __init__(self):
        self.acknowledged = multiprocessing.Value('q', 0)
        self.at_end = multiprocessing.Value('b', 0)
        self.failovers = multiprocessing.Value('q', 0)
        self.where = multiprocessing.Array('c', 300)
        self.standby = multiprocessing.Array('c', 300)
        self.moved = 0.0  # when the last failover was

    def move(self, pair):
        """The writers' server is another one. Who reads on a standby stays where it is, until there is a standby again: the old
        primary by itself would show what nobody was told of."""
        self.moved = time.monotonic()
        self.where.value = pair.primary.dsn().encode()
        if not pair.synchronous:
            self.failovers.value += 1

    def follow(self, pair):
        self.standby.value = pair.standby.dsn().encode()

    def generation(self):
        """Another one: what was acknowledged and handed out may be gone."""
        return self.failovers.value

    def dsn(self):
        return self.where.value.decode()

    def standby_dsn(self):
        return self.standby.value.decode()

    def add(self, operations):
        with self.acknowledged.get_lock():
            self.acknowledged.value += operations

    def count(self):
        return self.acknowledged.value

    def over(self):
        return self.at_end.value


class Crew:
    """The processes at work, and what they bring home."""

    def __init__(self, progress, seed, writers, standby=False):
        self.progress, self.seed, self.results = progress, seed, multiprocessing.Queue()
        self.jobs = [('writer', Writer(n, seed, progress)) for n in range(writers)]
        self.jobs += [('reader', others.Reader(progress)), ('runner', others.Runner(progress)),
                      ('clerk', Clerk(progress, seed))]
        self.jobs += [('standby', others.Reader(progress, on_standby=True))] * standby
        self.processes = [multiprocessing.Process(target=self.work, args=job, daemon=True) for job in self.jobs]
        for process in self.processes:
            process.start()

    def work(self, kind, job):
        try:
            self.results.put((kind, job.run()))
        except Exception as error:  # not swallowed: whoever waits for the result raises it
            self.results.put(('error', f'{kind}: {error!r}'))

    def finish(self):
        """The history, and what each reader of the feed was given, with the cursor that it saved."""
        self.progress.at_end.value = 1
        transactions, read = [], {}
        for _ in self.jobs:
            kind, result = self.results.get(timeout=120)
            if kind == 'error':
                raise RuntimeError(result)
            if kind == 'writer':
                transactions += result
            elif kind in ('reader', 'standby'):
                read[kind] = result
        for process in self.processes:
            process.join()
        return History(transactions), read

    def alive(self):
        return all(process.is_alive() for process in self.processes)
