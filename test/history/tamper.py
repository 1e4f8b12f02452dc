"""Faults made on purpose, in a copy of what was found: the check has to see each of them."""
import copy

from check import NOUNS, faults
from history import History, first
import others


def tamperings(history, tables, got, saved):
    """(what, how it is seen); where there is nothing to tamper with, the latter raises LookupError."""
    for noun in NOUNS:
        for what, make in offered(noun, 'tamperings', history, tables):
            yield what, lambda make=make: faults(history, tables | make(), got, saved)
        for what, make in offered(noun, 'liars', history):
            yield what, lambda make=make: faults(with_liar(history, *make()), tables, got, saved)
    for what, other in others.tamperings(got):
        yield what, lambda other=other: faults(history, tables, other, saved)
    yield 'the cursor has gone back', lambda: faults(history, tables, got, 1 << 60)
    names = [row['name'] for row in tables['witness']]
    # One that was asked again may have left its witness or not: it is judged by its events.
    lost = first(history.transactions, lambda done: done.state == 'committed' and not done.asked_again).name
    yield 'a whole transaction is lost', lambda: history.resolve([name for name in names if name != lost])
    yield 'a transaction is there that was rolled back', lambda: history.resolve(
        names + [first(history.transactions, lambda done: done.state == 'aborted').name])


def offered(noun, name, *given):
    try:
        yield from getattr(noun, name, lambda *_: ())(*given)
    except LookupError as error:
        yield f'{noun.__name__} is tampered with', lambda error=error: (_ for _ in ()).throw(error)


def with_liar(history, done, answers):
    liar = copy.copy(done)
    liar.name, liar.answers = 'a liar', answers
    return History([*history.transactions, liar])
