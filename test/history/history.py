"""What a program meant, what it was told, and what is wrong when that is held against what is stored."""
import collections
import types

Fault = collections.namedtuple('Fault', 'kind text')  # kind: lost, doubled, stuck or wrong


class Transaction:
    """`state` is committed, aborted or unknown. Its name is a row of `witness` exactly if it has been committed."""

    def __init__(self, name):
        self.name = name
        self.state = 'aborted'
        self.acknowledged = False  # the answer to the commit came
        self.asked_again = False   # it did not come, and the call was repeated
        self.outlived = False      # it was prepared, and decided after the crash
        self.began = self.ended = 0.0
        self.answers = []     # what it was told, without what a savepoint undid
        self.refusals = []    # what it was refused, and why
        self.complaints = []  # answers that cannot be right, whatever happened elsewhere

    def note(self, call, **fields):
        self.answers.append(types.SimpleNamespace(call=call, **fields))


class History:
    def __init__(self, transactions):
        self.transactions = transactions

    def committed(self, *calls):
        for done in self.transactions:
            if done.state == 'committed':
                for answer in done.answers:
                    if answer.call in calls:
                        yield done, answer

    def refused(self, call):
        return (refusal for done in self.transactions for refusal in done.refusals if refusal.call == call)

    def acknowledged(self):
        return sum(len(done.answers) for done in self.transactions if done.acknowledged)

    def forget_tail(self, witness, failover):
        """An asynchronous standby takes a place it has not heard everything for. What it lacks is the end of what was
        committed: if it has something, it has all that was acknowledged before that began. Returns how many were
        forgotten, and what is wrong."""
        present, earlier = set(witness), [done for done in self.transactions if done.acknowledged and done.ended < failover]
        newest = max((done.began for done in earlier if done.name in present), default=0.0)
        tail = [done for done in earlier if done.name not in present and not done.asked_again]
        for done in tail:
            done.state, done.acknowledged = 'aborted', False
        for done in self.transactions:
            if done.began < failover:
                done.refusals = []  # they may tell of what was forgotten
        return len(tail), [Fault('lost', f'{done.name} is gone, and later ones are there')
                           for done in tail if done.ended < newest]

    def resolve(self, witness):
        """The witness says what became of those whose answer was lost; and that all others were answered the truth."""
        found, present = [], set(witness)
        for done in self.transactions:
            here = done.name in present
            if done.state == 'unknown':
                done.state = 'committed' if here else 'aborted'
            elif done.state == 'committed' and not here and not done.asked_again:
                found.append(Fault('lost', f'{done.name} is acknowledged and has left no witness'))
            elif done.state == 'aborted' and here:
                found.append(Fault('wrong', f'{done.name} is aborted and has left a witness'))
            found += [Fault('wrong', f'{done.name}: {complaint}') for complaint in done.complaints]
        return found


# For faults that are made on purpose, in a copy.
def first(found, wanted=lambda _: True):
    for each in found:
        if wanted(each):
            return each
    raise LookupError('there is nothing to tamper with')


def without(name, rows, row):
    return {name: [each for each in rows if each is not row]}


def changed(name, rows, row, **columns):
    return {name: [{**each, **columns} if each is row else each for each in rows]}


def another(answer, **fields):
    return types.SimpleNamespace(**{**vars(answer), **fields})
