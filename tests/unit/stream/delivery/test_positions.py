"""What may be delivered: a model of a partition through every order of rebalances and commits."""

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from deidstream.schemas.outcome import Coordinates
from deidstream.stream.delivery.positions import Membership, Positions, Taken, ends_of

PLACE = ("raw", 0)
# Offsets of the messages of a log; the others are markers of transactions, or were compacted.
LOG = tuple(offset for offset in range(60) if offset % 7 not in {2, 3})


def source(offset: int) -> Coordinates:
    return Coordinates(*PLACE, offset)


def member(generation: int) -> Membership:
    return Membership("m", generation)


class OnePartition(RuleBasedStateMachine):
    """A worker whose partition comes and goes; others deliver while it is away."""

    def __init__(self) -> None:
        super().__init__()
        self.positions = Positions()
        self.generation = self.reading = 0
        self.committed = -1
        self.next_read = 0
        self.delivered: list[int] = []
        self.waiting: list[tuple[Taken, int]] = []
        self.unread: list[tuple[int, int]] = []

    @rule()
    def lose(self) -> None:
        self.positions.revoke()

    @precondition(lambda self: self.positions.membership is None)
    @rule(by_others=st.integers(0, 4))
    def gain(self, by_others: int) -> None:
        self.generation += 1
        fresh = [offset for offset in LOG if offset >= self.committed][:by_others]
        self.delivered += fresh
        self.committed = max([self.committed, *(offset + 1 for offset in fresh)])
        self.seek()

    @precondition(lambda self: self.positions.membership is not None)
    @rule()
    def seek_again(self) -> None:
        self.seek()

    def seek(self) -> None:
        self.reading += 1
        self.next_read = max(0, self.committed)
        self.positions.assign({PLACE: self.committed}, member(self.generation), self.reading)

    @rule(count=st.integers(1, 6))
    def read(self, count: int) -> None:
        found = [offset for offset in LOG if offset >= self.next_read][:count]
        self.unread += [(offset, self.reading) for offset in found]
        self.next_read = max([self.next_read, *(offset + 1 for offset in found)])

    @rule(count=st.integers(1, 8))
    def take(self, count: int) -> None:
        group, self.unread = self.unread[:count], self.unread[count:]
        sources = [source(offset) for offset, _ in group]
        current = self.positions.take(sources, [reading for _, reading in group])
        if current:
            taken = self.positions.start([sources[number] for number in current])
            self.waiting.append((taken, self.generation))

    @precondition(lambda self: self.waiting)
    @rule(succeeds=st.booleans())
    def deliver(self, succeeds: bool) -> None:  # noqa: FBT001 - hypothesis passes it
        taken, _ = self.waiting.pop(0)
        admitted = self.positions.admit(taken)
        # The broker refuses whoever is not a member of the current generation.
        if not admitted or self.positions.membership != member(self.generation) or not succeeds:
            return
        sources = [taken.sources[number] for number in admitted]
        self.delivered += [each.offset for each in sources]
        ends = ends_of(sources)
        self.committed = ends[PLACE]
        self.positions.advance(ends)

    @invariant()
    def nothing_comes_twice_and_nothing_is_left_out(self) -> None:
        assert self.delivered == list(LOG[: len(self.delivered)])
        assert all(offset < self.committed for offset in self.delivered)


OnePartition.TestCase.settings = settings(max_examples=60, stateful_step_count=40, deadline=None)
TestOnePartition = OnePartition.TestCase


def assigned(at: int) -> Positions:
    positions = Positions()
    positions.assign({PLACE: at}, member(1), 1)
    return positions


def test_messages_of_another_reading_are_not_taken() -> None:
    positions = assigned(5)
    assert positions.take([source(5), source(6)], [0, 1]) == [1]


def test_nothing_is_taken_between_assignments() -> None:
    positions = assigned(5)
    positions.revoke()
    assert positions.take([source(5)], [1]) == []


def test_what_was_delivered_before_is_left_out() -> None:
    positions = assigned(5)
    taken = positions.start([source(5), source(6), source(9)])
    positions.advance({PLACE: 7})
    assert positions.admit(taken) == [2]


def test_messages_behind_a_gap_wait_for_those_before_them() -> None:
    positions = assigned(5)
    positions.start([source(5)])
    later = positions.start([source(6)])
    assert positions.admit(later) == []


def test_a_log_made_anew_is_read_from_its_beginning() -> None:
    positions = assigned(200)
    taken = positions.start([source(0), source(1)])
    assert positions.admit(taken) == [0, 1]


def test_an_assignment_of_the_same_generation_keeps_what_was_delivered() -> None:
    positions = assigned(5)
    positions.advance({PLACE: 9})
    positions.assign({PLACE: 5}, member(1), 2)
    assert positions.admit(positions.start([source(5), source(9)])) == [1]
