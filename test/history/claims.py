"""Ledgers: each token is won by one, and a key changes hands only as its ledger allows."""
import collections
import types

import psycopg2

from history import Fault, another, changed, first, without

SETUP = """
    SELECT arbiter.create_ledger('shop', 'once'), arbiter.create_ledger('shop', 'lease', 'after_lease', '300 ms')"""
TABLES = {
    'claims': 'SELECT ledger, key, token, state FROM shop.claims',
    'takeovers': 'SELECT ledger, key, token, reason FROM shop.takeovers'}


def place(writer):
    ledger = writer.random.choice(['once', 'lease'])
    return ledger, writer.window(ledger, 40, 6)


def won(writer, done, ledger, key, token):
    """The same again if this transaction has it already: by winning it, or by renewing what it had won before."""
    held = {'ledger': ledger, 'key': key, 'token': token}
    if not any(answer.call in ('won', 'renewed') and vars(answer).items() >= held.items() for answer in done.answers):
        done.note('won', how='claim', **held)
        writer.held.append((done, 'claim', held))


def claim(writer, done, name):
    ledger, key = place(writer)
    wait = writer.random.choice(['0', '0', '50 ms'])
    (outcome, token), = writer.execute("SELECT outcome, token FROM arbiter.claim('shop', %s, %s, NULL, %s, %s::interval)",
                                       (ledger, key, name, wait))
    if outcome == 'won':
        won(writer, done, ledger, key, token)


def claim_keys(writer, done, name):
    ledger = place(writer)[0]
    keys = [writer.window(ledger, 40, 6) for _ in range(3)]
    for key, outcome, token in writer.execute(
            "SELECT key, outcome, token FROM arbiter.claim_keys('shop', %s, %s, NULL, %s)", (ledger, keys, name)):
        if outcome == 'won':
            won(writer, done, ledger, key, token)


def refused(done, held):
    """Unless it is by what this transaction itself has done, which may be rolled back, the token is worth nothing for good."""
    if not any(answer.call in ('won', 'settled') and answer.key == held['key'] for answer in done.answers):
        done.refusals.append(types.SimpleNamespace(call='settle', **held))


def settle(writer, done, _):
    held = writer.holding(done, 'claim')
    if not held:
        return
    state = writer.random.choice(['done', 'done', 'failed', 'failed', 'unknown'])
    try:
        writer.execute("SELECT arbiter.settle('shop', %s, %s, %s, %s)", (held['ledger'], held['key'], held['token'], state))
    except psycopg2.Error as error:
        if error.pgcode == 'RB020':
            refused(done, held)
        raise
    done.note('settled', state=state, **held)


def settle_keys(writer, done, _):
    held = writer.holding(done, 'claim')
    if not held:
        return
    (outcome,), = writer.execute("SELECT outcome FROM arbiter.settle_keys('shop', %s, %s, %s, 'failed')",
                                 (held['ledger'], [held['key']], [held['token']]))
    if outcome == 'settled':
        done.note('settled', state='failed', **held)
    else:
        refused(done, held)


def renew(writer, done, _):
    held = writer.holding(done, 'claim')
    if held and held['ledger'] == 'lease':
        writer.execute("SELECT arbiter.renew('shop', 'lease', %s, %s)", (held['key'], held['token']))
        done.note('renewed', **held)


def force_takeover(writer, done, name):
    ledger, key = place(writer)
    if writer.execute("SELECT 1 FROM shop.claims WHERE ledger = %s AND key = %s AND state <> 'done'", (ledger, key)):
        (token,), = writer.execute("SELECT arbiter.force_takeover('shop', %s, %s, %s)", (ledger, key, name))
        done.note('won', how='force', reason=name, ledger=ledger, key=key, token=token)
        writer.held.append((done, 'claim', {'ledger': ledger, 'key': key, 'token': token}))


CALLS = [claim, claim, claim_keys, settle, settle, settle_keys, renew, force_takeover]


def faults(history, tables):
    wins, settled, found = collections.defaultdict(dict), {}, []
    for done, answer in history.committed('won'):
        if wins[answer.ledger, answer.key].setdefault(answer.token, answer) is not answer:
            found.append(Fault('doubled', f'{answer.ledger} {answer.key}: token {answer.token} was won twice'))
    for done, answer in history.committed('settled'):
        if settled.setdefault((answer.ledger, answer.key, answer.token), answer.state) != answer.state:
            found.append(Fault('doubled', f'{answer.ledger} {answer.key}: token {answer.token} was settled twice'))
    rows = {(row['ledger'], row['key']): row for row in tables['claims']}
    for at, tokens in wins.items():
        found += changes(at, tokens, settled)
        last = max(tokens)
        state, row = settled.get((*at, last), 'claimed'), rows.get(at)
        if not row or (row['token'], row['state']) != (last, state):
            found.append(Fault('lost', f'{at}: acknowledged was {state} with token {last}, there is {row}'))
    found += [Fault('wrong', f'{at} is claimed, and nobody has won it') for at in rows if at not in wins]
    found += [Fault('wrong', f'{answer.ledger} {answer.key}: {answer.token} was renewed, and nobody has won it')
              for _, answer in history.committed('renewed') if answer.token not in wins[answer.ledger, answer.key]]
    found += [Fault('wrong', f'{at}: was settled with a token that nobody has won') for at in settled if at[2] not in wins[at[:2]]]
    found += [Fault('wrong', f'{refused.ledger} {refused.key}: token {refused.token} was refused, and holds the claim')
              for refused in history.refused('settle')
              if rows.get((refused.ledger, refused.key), {}).items() >= {'token': refused.token, 'state': 'claimed'}.items()]
    forced = {(answer.ledger, answer.key, answer.token, answer.reason)
              for _, answer in history.committed('won') if answer.how == 'force'}
    recorded = {tuple(row.values()) for row in tables['takeovers']}
    found += [Fault('lost', f'takeover {what} is not recorded') for what in forced - recorded]
    found += [Fault('wrong', f'takeover {what} is recorded, and nobody did it') for what in recorded - forced]
    return found


def changes(at, tokens, settled):
    """Who won after another had won: by force unless it was done, otherwise if it had failed, or by the lease."""
    found, order = [], sorted(tokens)
    for former, latter in zip(order, order[1:]):
        state = settled.get((*at, former))
        by_lease = at[0] == 'lease' and state is None
        if not (state != 'done' if tokens[latter].how == 'force' else state == 'failed' or by_lease):
            found.append(Fault('doubled', f'{at}: {latter} was won after {former}, which was {state or "not settled"}'))
    return found


def tamperings(history, tables):
    rows = tables['claims']
    yield 'a claim is lost', lambda: without('claims', rows, rows[0])
    yield 'a claim is nobody\'s', lambda: {'claims': [*rows, {**rows[0], 'key': 'strange'}]}
    yield 'a claim has gone back to an older token', lambda: changed('claims', rows, rows[0], token=rows[0]['token'] - 1)
    yield 'what was settled is open again', lambda: changed(
        'claims', rows, first(rows, lambda row: row['state'] == 'done'), state='claimed')
    yield 'a takeover is not recorded', lambda: without('takeovers', tables['takeovers'], tables['takeovers'][0])


def liars(history):
    """Another answer of the kind that was given: two have won a token, one has won what was done."""
    done, won_ = first(history.committed('won'), lambda pair: pair[1].how == 'claim')
    yield 'two have won the same token', lambda: (done, [another(won_)])

    def after_done():
        done, answer = first(history.committed('settled'), lambda pair: pair[1].state == 'done')
        return done, [another(answer, call='won', how='claim', token=answer.token + 1)]
    yield 'a claim was won that was done', after_done


def close_up(ask):
    """What is open is live or can be taken, and nothing else: a lease lapses, and `once` is listed for a person."""
    ask("SELECT pg_sleep(0.4)")
    stuck = ask("""SELECT c.ledger, c.key FROM shop.claims AS c, arbiter.claim('shop', c.ledger, c.key) AS a
                    WHERE c.ledger = 'lease' AND c.state = 'claimed' AND a.outcome <> 'won'""")
    stuck += ask("""SELECT ledger, key FROM shop.claims WHERE state IN ('claimed', 'unknown')
                    EXCEPT SELECT ledger, key FROM shop.unsettled_claims""")
    return [Fault('stuck', f'claim {at} is neither live, nor takeable, nor listed') for at in stuck]
