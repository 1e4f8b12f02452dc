# One call, and the faults in it.
import re
import zlib

import psycopg2
from session import Copy, Session, in_savepoint

# What is made to happen, and what the caller is told.
TOLD = {"XF001": "XF001", "cancel": "57014", "memory": "53200", "timeout": "57014"}
# These take an error of a row's or an event's command or handler for an answer, and go on. No other fault: not a cancel.
PUTS_DOWN = ("run_projection", "run_projections", "retry_failures", "run_sweep", "return_stale")
ERROR = "XF001"
NEVER = 1 << 60


class Problem(Exception):
    pass


class Walk:
    """One call, as it is when it goes well, and in what ways it was seen to fail."""

    def __init__(self, tester, signature, call):
        self.tester, self.signature, self.call = tester, signature, call
        self.name = re.match(r"\w+", signature)[0]
        self.places = self.faults = self.put_down = 0
        self.problems = []
        seen = [self.seen(tester.session), self.seen(tester.session)]
        alive = tester.session.value("SELECT faults.alive()")
        self.answer, self.contents = self.seen(tester.session)
        # What remembers tables that were made and rolled back forgets them some other time.
        self.growth = tester.session.value("SELECT faults.alive()") - alive
        self.has_answer = seen[0][0] == seen[1][0] == self.answer

    def seen(self, session):
        session.run("BEGIN")
        del session.connection.notices[:]
        rows = session.run(self.call)
        self.warnings = set(session.connection.notices)
        self.counting = session.value("SELECT faults.counting()")
        contents = session.run(self.counting)[0]
        session.run("ROLLBACK")
        return rows, contents

    def walk_commits(self, what, most):
        """A procedure that commits as it goes, each time in a database of its own."""
        self.tester.session.close()
        with Copy() as session:
            session.run(f"SELECT faults.arm('{what}', {NEVER})")
            session.run(self.call)
            count = session.value("SELECT faults.disarm()")
            contents = session.run(self.counting)[0]
        self.places += count
        for n in some_of(count, most, f"{self.call[:60]} {what} commits"):
            self.guarded(f"{what} in place {n}, committing", lambda n=n: self.fail_committing(what, n, contents))
        self.tester.session = Session()

    def fail_committing(self, what, n, contents):
        with Copy() as session:
            session.run(f"SELECT faults.arm('{what}', {n})")
            code = session.failure(self.call)
            was_fault = self.was_fault(session, what, code)
            self.look_for_rest(session)
            if code:
                session.run(self.call)
            self.judge(session.run(self.counting)[0], contents, was_fault and not code and what)

    def places_in(self, session, way, what):
        way(session, f"SELECT faults.arm('{what}', {NEVER})", self.call)
        count = session.value("SELECT faults.disarm()")
        session.run("ROLLBACK")
        return count

    def walk(self, way, what, is_cold, most):
        session = Session() if is_cold else self.tester.session
        count = self.places_in(session, way, what)
        if is_cold:
            session.close()
        self.places += count
        for n in some_of(count, most, f"{self.call[:60]} {what} {way.__name__}"):
            self.guarded(f"{what} in place {n}, {way.__name__}{', cold' if is_cold else ''}",
                         lambda n=n: self.at(way, what, is_cold, n))

    def guarded(self, where, body):
        try:
            body()
        except Problem as problem:
            self.problems.append(f"{where}: {problem}")
        except psycopg2.Error as error:
            self.problems.append(f"{where}: {error}".strip().replace("\n", " "))
        else:
            return
        self.tester.start_anew()

    def at(self, way, what, is_cold, n):
        if is_cold:
            session = Session()
            self.fail_once(session, way, what, n)
            return session.close()
        session = self.tester.session
        alive = session.value("SELECT faults.alive()")
        self.fail_once(session, way, what, n)
        if session.value("SELECT faults.alive()") > alive:
            self.look_for_leak(session, way, what, n)

    def look_for_growth(self, times):
        """Whether the session's memory grows by one fault again and again, other than by the call that goes well."""
        n = self.places_in(self.tester.session, in_savepoint, ERROR) * 2 // 3
        if n == 0:
            return
        usual = self.grows_by(times, lambda: self.seen(self.tester.session))
        grown = self.grows_by(times, lambda: self.fail_once(self.tester.session, in_savepoint, ERROR, n))
        if min(grown) > 2 * max(usual):
            raise Problem(f"the session grows by {grown} bytes with {times} faults in place {n} each, by {usual} without")

    def grows_by(self, times, body):
        sizes = []
        for _ in range(4):
            for _ in range(times):
                body()
            sizes.append(self.tester.session.value("SELECT faults.memory()"))
        return [after - before for before, after in zip(sizes, sizes[1:])]

    def was_fault(self, session, what, code):
        was_fault, goes_on = session.run("SELECT faults.disarm() IS NULL, faults.goes_on()")[0]
        self.faults += was_fault
        if code and not was_fault:
            raise Problem(f"{code} without a fault")
        if code and code != TOLD[what]:
            raise Problem(f"told as {code}")
        if not code and goes_on:
            raise Problem("begins to stop, and goes on")
        return was_fault

    def look_for_rest(self, session):
        held = session.value("SELECT faults.held() || faults.locks()")
        if held:
            raise Problem(f"left {held}")
        warned = {warning for warning in session.connection.notices if warning not in self.warnings}
        if self.name in PUTS_DOWN:
            warned = {warning for warning in warned if " could not be run: " not in warning}
        if warned:
            raise Problem(f"warned of {warned}")

    def fail_once(self, session, way, what, n):
        del session.connection.notices[:]
        code = way(session, f"SELECT faults.arm('{what}', {n})", self.call)
        was_fault = self.was_fault(session, what, code)
        if code:
            rows = session.run(self.call)
            if self.has_answer and rows != self.answer:
                raise Problem(f"called again it answers {rows} instead of {self.answer}")
        if session is self.tester.session: # a new one takes its time over that
            self.judge(session.run(self.counting)[0], self.contents, was_fault and not code and what)
        session.run("ROLLBACK")
        self.look_for_rest(session)

    def judge(self, contents, wanted, swallowed):
        """A fault that nobody is told of changes nothing, except where it is put down as that of a row or an event."""
        if contents == wanted:
            return
        if swallowed != ERROR or self.name not in PUTS_DOWN:
            raise Problem(f"left {difference(contents, wanted)}{', and nobody was told' if swallowed else ''}")
        self.put_down += 1

    def look_for_leak(self, session, way, what, n):
        alive = [session.value("SELECT faults.alive()")]
        for _ in range(3):
            self.fail_once(session, way, what, n)
            alive.append(session.value("SELECT faults.alive()"))
        grown = [after - before for before, after in zip(alive, alive[1:])]
        if min(grown) > 2 * self.growth:
            raise Problem(f"leaks {grown} allocations of C++ each time")


def some_of(count, most, seed):
    step = max(1, -(-count // most))
    return range(1 + zlib.crc32(seed.encode()) % step, count + 1, step)


def difference(found, wanted):
    found, wanted = (dict(zip(counts[::2], counts[1::2])) for counts in (found, wanted))
    return ", ".join(f"{count} in {name} instead of {wanted[name]}" for name, count in found.items() if count != wanted[name])
