"""A long message holds what is behind it in its partition, and nothing else."""

from deidstream.schemas.outcome import Place
from deidstream.stream.lanes.partition_order import PartitionOrder

Message = tuple[int, str]
"""Partition and name; a name in capitals is that of a long message."""


def order() -> PartitionOrder[Message]:
    return PartitionOrder(place_of=_place_of, is_long=lambda message: message[1].isupper())


def _place_of(message: Message) -> Place:
    return "raw", message[0]


def test_short_messages_begin_together() -> None:
    messages = [(0, "a"), (1, "b"), (0, "c")]
    found = order().sort(messages, reading=1)
    assert (found.together, found.alone) == (tuple(messages), ())


def test_what_is_behind_a_long_message_waits_for_its_end() -> None:
    kept = order()
    found = kept.sort([(0, "a"), (0, "LONG"), (0, "b"), (1, "c"), (0, "SECOND")], reading=1)
    assert (found.together, found.alone) == (((0, "a"), (1, "c")), ((0, "LONG"),))
    assert kept.sort([(0, "d"), (1, "e")], reading=1).together == ((1, "e"),)
    assert kept.release(("raw", 0)) == [(0, "b"), (0, "SECOND"), (0, "d")]
    assert kept.sort([(0, "b"), (0, "SECOND"), (0, "d")], reading=1).alone == ((0, "SECOND"),)
    assert kept.release(("raw", 0)) == [(0, "d")]
    assert kept.sort([(0, "d")], reading=1).together == ((0, "d"),)


def test_what_is_held_is_dropped_when_it_is_read_again() -> None:
    kept = order()
    kept.sort([(0, "LONG"), (0, "a")], reading=1)
    assert kept.sort([(0, "LONG"), (0, "a")], reading=2).alone == ()
    assert kept.release(("raw", 0)) == [(0, "LONG"), (0, "a")]
