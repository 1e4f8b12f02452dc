"""A guard: at most one open ticket a contact, whoever writes."""
import collections

from history import Fault, changed, first, without

SETUP = """
    CREATE TABLE ticket (id text PRIMARY KEY, contact text NOT NULL, closed boolean NOT NULL DEFAULT false);
    SELECT arbiter.create_guard('one_open_ticket', 'ticket', '{contact}', 'NOT closed', 'the contact has an open ticket')"""
TABLES = {'ticket': 'SELECT id, contact, closed FROM ticket'}


def open_ticket(writer, done, name):
    contact = writer.window('contact', 200, 5)
    writer.execute('INSERT INTO ticket (id, contact) VALUES (%s, %s)', (name, contact))
    done.note('opened', id=name, contact=contact)
    writer.held.append((done, 'ticket', {'id': name}))


def close_ticket(writer, done, _):
    ticket = writer.holding(done, 'ticket')
    if ticket:
        writer.execute('UPDATE ticket SET closed = true WHERE id = %s', (ticket['id'],))
        done.note('shut', id=ticket['id'])


CALLS = [open_ticket, open_ticket, close_ticket]


def faults(history, tables):
    rows = {row['id']: row for row in tables['ticket']}
    opened = {answer.id: answer.contact for _, answer in history.committed('opened')}
    shut = {answer.id for _, answer in history.committed('shut')}
    found = [Fault('lost', f'ticket {id_} was opened for {contact}, there is {rows.get(id_)}')
             for id_, contact in opened.items() if rows.get(id_, {}).get('contact') != contact]
    found += [Fault('wrong', f'ticket {id_} is there, and nobody has opened it') for id_ in rows if id_ not in opened]
    found += [Fault('lost' if row['id'] in shut else 'wrong', f'{row}, and it was {"" if row["id"] in shut else "not "}closed')
              for row in rows.values() if row['closed'] != (row['id'] in shut)]
    open_ones = collections.Counter(row['contact'] for row in rows.values() if not row['closed'])
    return found + [Fault('doubled', f'{contact} has {count} open tickets') for contact, count in open_ones.items() if count > 1]


def tamperings(history, tables):
    rows = tables['ticket']
    yield 'a ticket is lost', lambda: without('ticket', rows, rows[0])
    yield 'a closed ticket is open again', lambda: changed('ticket', rows, first(rows, lambda row: row['closed']), closed=False)
    yield 'a contact has two open tickets', lambda: {
        'ticket': [*rows, first(rows, lambda row: not row['closed']) | {'id': 'another'}]}
