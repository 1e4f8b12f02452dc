"""The calling team. Each class is a service; `work` is what it does over and over."""
import json
import random
import time
import uuid

import psycopg2

from worker import Worker

CALLERS = [f'caller-{n}' for n in range(1, 13)]
MANAGERS = [f'manager-{n}' for n in range(1, 11)]


def digests(hour):
    """The keys of the mails of one hour. They come from the schedule, and not from the clock of who is late."""
    return [f'digest for {manager}, hour {hour}' for manager in MANAGERS]


class Desk(Worker):
    """What everybody may do: make a company's profile, open a transfer."""

    def profile(self, company, lock=True):
        """Behind the lock nobody makes what another one is making."""
        try:
            with self.transaction():
                if lock:
                    self.ask('SELECT arbiter.lock_entity(team.company_id(%s))', company)
                found = self.ask('SELECT created_by FROM profile WHERE id = team.company_id(%s)', company)
                if not found:
                    self.pause()  # They type. This is when another one makes it, too.
                    self.ask('INSERT INTO profile (company, created_by) VALUES (%s, %s)', company, self.name)
        except psycopg2.Error as error:
            if error.pgcode == '55P03':  # The lock was not to be had in time. It is not what decides.
                return self.profile(company, lock=False)
            return self.lost('profile', company, error, 'profile_pkey')
        if found:
            return self.tell('profile', 'lost', company, f'made by {found[0][0]}')
        return self.tell('profile', 'won', company)

    def transfer(self, contact):
        """The check is for those who come late. Who comes at the same time meets the guard."""
        if self.ask('SELECT 1 FROM transfer WHERE contact = %s AND NOT closed', contact):
            return self.tell('transfer', 'lost', contact, 'one is open')
        self.pause()
        return self.open_transfer(contact)

    def open_transfer(self, contact):
        try:
            (number,), = self.ask('INSERT INTO transfer (contact, opened_by) VALUES (%s, %s) RETURNING id', contact, self.name)
        except psycopg2.Error as error:
            return self.lost('transfer', contact, error, 'one_open_transfer')
        return self.tell('transfer', 'won', number)

    def lost(self, act, what, error, constraint):
        """A lost race is an answer. Every other error is none."""
        if error.pgcode != '23505' or error.diag.constraint_name != constraint:
            raise error
        self.tell(act, 'lost', what, error.diag.message_primary)


class Caller(Desk):
    def work(self):
        for contact, token, company in self.given() or self.allocate():
            try:
                self.call(contact, token, company)
            except psycopg2.Error as error:
                if error.pgcode != 'RB020':
                    raise
                self.tell('call', 'lost', contact, error.diag.message_detail)

    def given(self):
        """What a manager gave it, and what it had when it died: a hint, hold_work decides."""
        return self.ask("SELECT id, token, company FROM contact WHERE owner = %s AND status = 'open'", self.name)

    def allocate(self):
        self.pause()
        return self.ask("""
            WITH given AS (SELECT key::bigint AS contact, token, "row" ->> 'company' AS company
                             FROM arbiter.allocate('team', 'contacts', %s)),
                 logged AS (INSERT INTO call_log (contact, token, who, step)
                            SELECT contact, token, %s, 'given' FROM given)
            SELECT contact, token, company FROM given""", self.name, self.name)

    def call(self, contact, token, company):
        with self.transaction():
            self.hold(contact, token)
            self.log(contact, token, 'dialled')
        self.pause(0.1)  # They talk. This is when managers reassign.
        briefing = self.briefing(company)
        self.profile(company)
        if self.chance(0.3):
            self.transfer(contact)
        with self.transaction():
            self.hold(contact, token)
            busy = self.chance(0.1)
            if busy:  # Another time. The row has a larger token then, under which that is logged.
                self.ask("SELECT arbiter.release_work('team', 'contacts', %s::text, %s, '200 ms')", contact, token)
                self.ask("""INSERT INTO call_log (contact, token, who, step)
                            SELECT id, token, %s, 'released' FROM contact WHERE id = %s""", self.name, contact)
            else:
                self.ask("UPDATE contact SET status = 'called' WHERE id = %s", contact)
                self.log(contact, token, 'ended', briefing)
        if not busy:
            self.tell('call', 'won', contact)

    def hold(self, contact, token):
        self.ask("SELECT arbiter.hold_work('team', 'contacts', %s::text, %s)", contact, token)

    def log(self, contact, token, step, briefing=None):
        self.ask('INSERT INTO call_log (contact, token, who, step, briefing) VALUES (%s, %s, %s, %s, %s)',
                 contact, token, self.name, step, briefing and json.dumps(briefing))

    def briefing(self, company):
        """Claim, commit, pay, settle. Nobody pays for what is paid; None while somebody else is at it."""
        (outcome, state, token, result, who, key), = self.ask("""
            SELECT a.outcome, a.state, a.token, a.result, a.claimant, k.key
              FROM (SELECT team.company_id(%s)::text AS key) AS k,
                   arbiter.claim('team', 'briefings', k.key, claimant => %s) AS a""", company, self.name)
        if outcome == 'won':
            result = {'briefing': str(uuid.uuid4())}
            self.pause(0.1)  # The AI thinks.
            self.write('paid', key, company, result['briefing'])
            self.pause(0.05)
            self.settle('briefings', key, token, json.dumps(result))
            self.tell('briefing', 'won', key)
        else:
            self.tell('briefing', 'lost', key, f'{outcome} {state} by {who}')
        return result


class Manager(Desk):
    def work(self):
        self.pause(0.1)
        for contact, in self.ask("""SELECT id FROM contact WHERE owner IS NOT NULL AND status = 'open'
                                     ORDER BY random() LIMIT 1"""):
            self.reassign(contact, random.choice(CALLERS))
        for contact, in self.ask('SELECT contact FROM call_log ORDER BY n DESC LIMIT 3'):
            self.transfer(contact)
        if self.chance(0.2):
            self.ask('UPDATE transfer SET closed = true WHERE id = (SELECT id FROM transfer WHERE NOT closed ORDER BY random() LIMIT 1)')

    def reassign(self, contact, to):
        with self.transaction():
            # What it found may have been called by now. With the row locked, that is known.
            if not self.ask("SELECT 1 FROM contact WHERE id = %s AND status = 'open' FOR NO KEY UPDATE", contact):
                return
            (token,), = self.ask("SELECT arbiter.reassign('team', 'contacts', %s::text, %s, 'mid-call')", contact, to)
            self.ask("INSERT INTO call_log (contact, token, who, step) VALUES (%s, %s, %s, 'given')", contact, token, to)
        self.tell('reassign', 'won', contact, token)


class Returner(Worker):
    """Gives work back that nobody has touched for an hour, which in this game is half a second."""

    def work(self):
        self.pause(0.4)
        self.return_stale('500 ms')

    def return_stale(self, older_than):
        with self.transaction():
            answers = self.ask("SELECT key::bigint, error FROM arbiter.return_stale('team', 'contacts', %s, 100)", older_than)
            self.ask("""INSERT INTO call_log (contact, token, who, step)
                        SELECT id, token, %s, 'returned' FROM contact WHERE id = ANY (%s)""",
                     self.name, [key for key, error in answers if not error])
        for key, error in answers:
            self.tell('return', 'failed' if error else 'won', key, error or '')


class Mailer(Worker):
    """Each replica has the job of every hour, and runs it again when it was killed. An hour is half a second here."""
    began = time.time()

    def work(self):
        now = self.hour()
        for hour in range(max(now - 1, 0), now + 1):
            self.run_job(hour)
        self.pause(0.1)

    def hour(self):
        return int((time.time() - self.began) * 2)

    def run_job(self, hour):
        for key in random.sample(digests(hour), len(MANAGERS)):
            (outcome, state, token, who), = self.ask("""
                SELECT outcome, state, token, claimant
                  FROM arbiter.claim('team', 'mails', %s, claimant => %s)""", key, self.name)
            if outcome != 'won':
                self.tell('mail', 'lost', key, f'{outcome} {state} by {who}')
                continue
            self.pause(0.05)
            self.write('sent', key)
            self.pause(0.1)
            self.settle('mails', key, token)
            self.tell('mail', 'won', key)


class Script(Desk):
    """Somebody's script at night, with plain statements: no token, no lock, no check."""

    def work(self):
        self.pause(0.2)
        for contact, company in self.ask("""SELECT id, company FROM contact WHERE owner IS NOT NULL AND status = 'open'
                                             ORDER BY random() LIMIT 1"""):
            self.steal(contact)
            self.insert_profile(f' {company.upper()}')
            self.open_transfer(contact)

    def steal(self, contact):
        try:
            self.ask('UPDATE contact SET owner = %s, since = now() WHERE id = %s', self.name, contact)
            self.tell('steal', 'won', contact)
        except psycopg2.Error as error:
            if error.pgcode != 'RB003':
                raise
            self.tell('steal', 'lost', contact, error.diag.message_detail)

    def insert_profile(self, company):
        try:
            self.ask('INSERT INTO profile (company, created_by) VALUES (%s, %s)', company, self.name)
            self.tell('profile', 'won', company)
        except psycopg2.Error as error:
            self.lost('profile', company, error, 'profile_pkey')


TEAM = ([(name, Caller) for name in CALLERS] + [(name, Manager) for name in MANAGERS[:2]]
        + [(f'{kind.__name__.lower()}-{n}', kind) for kind in (Returner, Mailer, Script) for n in (1, 2)])
