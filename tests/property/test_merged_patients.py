"""Merged numbers have one survivor, whoever asks, whatever was said before and however often."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from deidstream.models.keyring import Keyring
from deidstream.models.patients.merged_patients import change_links, find_survivors
from deidstream.models.patients.patient_log import Asking, PatientKey
from deidstream.models.records import Recall
from deidstream.schemas.note import LinkType, PatientLink

NUMBERS = ("4410^^^GH", "88123", "Zyxwv-7", "5", "pat/9")
RING = Keyring(bytes(range(32)), 1, "north")
PAGE = Path(__file__).parents[2] / "docs" / "merges.md"
(EXAMPLE,) = re.findall(r"```python\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
READER = compile(EXAMPLE, PAGE.name, "exec")

number = st.sampled_from(NUMBERS)
kind = st.sampled_from(LinkType)
saying = st.tuples(number, kind, number)
sayings = st.lists(saying, max_size=12)
Saying = tuple[str, LinkType, str]


def answer(asking: Asking[object], store: dict[bytes, bytes], steps: int | None = None) -> object:
    """Answer the questions of one, or the first few of them."""
    answers: Sequence[bytes | None] | None = None
    while steps is None or steps > 0:
        try:
            ask = next(asking) if answers is None else asking.send(answers)
        except StopIteration as ended:
            return ended.value
        if isinstance(ask, Recall):
            answers = [store.get(name) for name in ask.names]
        else:
            answers = [store.setdefault(name, value) for name, value in ask.pairs]
        steps = None if steps is None else steps - 1
    return None


def say(said: Saying, ring: Keyring = RING) -> Asking[None]:
    own, link_type, other = said
    return change_links(PatientKey(ring, own), [PatientLink(link_type, other)])


def survivors(store: dict[bytes, bytes], ring: Keyring = RING) -> dict[str, str]:
    found = answer(find_survivors(PatientKey(ring, one) for one in NUMBERS), store)
    assert isinstance(found, list)
    return dict(zip(NUMBERS, found, strict=True))


def read_as_documented(records: Sequence[dict[str, str]]) -> dict[str, str]:
    """What the reader of docs/merges.md makes of the records, in their order."""
    names: dict[str, Any] = {"records": records}
    exec(READER, names)  # noqa: S102 - the page's own lines
    return {one: names["path"](one)[-1] for one in NUMBERS}


def as_record(said: Saying) -> dict[str, str]:
    own, link_type, other = said
    if link_type is LinkType.REPLACED_BY:
        own, link_type, other = other, LinkType.REPLACES, own
    return {"patient_id": own, "type": link_type, "other_id": other}


@given(sayings)
def test_readers_of_the_records_come_to_what_the_store_says(said: list[Saying]) -> None:
    store: dict[bytes, bytes] = {}
    for one in said:
        answer(say(one), store)
    records = [as_record(one) for one in said if one[0] != one[2]]
    assert survivors(store) == read_as_documented(records)


@given(sayings, number, number)
def test_after_a_merge_both_have_one_survivor_until_they_are_parted(
    before: list[Saying], survivor: str, retired: str
) -> None:
    store: dict[bytes, bytes] = {}
    for one in before:
        answer(say(one), store)
    was = survivors(store)
    answer(say((survivor, LinkType.REPLACES, retired)), store)
    now = survivors(store)
    assert now[survivor] == now[retired]
    assert was[survivor] != survivor or now[survivor] == survivor
    answer(say((survivor, LinkType.APART, retired)), store)
    parted = survivors(store)
    assert survivor == retired or parted[survivor] != parted[retired]


@given(sayings, saying)
def test_what_is_said_twice_changes_nothing(before: list[Saying], last: Saying) -> None:
    store: dict[bytes, bytes] = {}
    for one in [*before, last]:
        answer(say(one), store)
    kept = dict(store)
    answer(say(last), store)
    assert store == kept


@given(sayings, saying, st.integers(0, 12))
def test_a_worker_that_was_killed_on_the_way_changes_nothing_for_the_next(
    before: list[Saying], last: Saying, steps: int
) -> None:
    whole: dict[bytes, bytes] = {}
    for one in before:
        answer(say(one), whole)
    killed = dict(whole)
    answer(say(last), whole)
    answer(say(last), killed, steps)
    answer(say(last), killed)
    assert survivors(killed) == survivors(whole)


@settings(deadline=None)
@given(saying, saying, st.lists(st.booleans(), max_size=40))
def test_two_workers_at_once_leave_numbers_on_which_all_agree(
    first: Saying, second: Saying, turns: list[bool]
) -> None:
    store: dict[bytes, bytes] = {}
    racing = [say(first), say(second)]
    answers: list[Sequence[bytes | None] | None] = [None, None]
    for turn in [*turns, *[True, False] * 40]:
        asking, given_answers = racing[turn], answers[turn]
        try:
            ask = next(asking) if given_answers is None else asking.send(given_answers)
        except StopIteration:
            racing[turn] = change_links(PatientKey(RING, "5"), [])
            answers[turn] = None
            continue
        if isinstance(ask, Recall):
            answers[turn] = [store.get(name) for name in ask.names]
        else:
            answers[turn] = [store.setdefault(name, value) for name, value in ask.pairs]
    found = survivors(store)
    merging = {LinkType.REPLACES, LinkType.REPLACED_BY}
    if (
        first[1] in merging
        and second[1] in merging
        and {first[0], first[2]} == {second[0], second[2]}
    ):
        assert found[first[0]] == found[first[2]]
    assert {found[one] for one in found.values()} <= set(found.values())


@given(sayings, sayings)
def test_a_new_key_keeps_what_was_merged_under_the_one_before(
    before: list[Saying], after: list[Saying]
) -> None:
    next_ring = Keyring(bytes(range(1, 33)), 2, "north", {1: RING.root})
    rotated: dict[bytes, bytes] = {}
    plain: dict[bytes, bytes] = {}
    for one in before:
        answer(say(one), rotated)
        answer(say(one), plain)
    for one in after:
        answer(say(one, next_ring), rotated)
        answer(say(one), plain)
    assert survivors(rotated, next_ring) == survivors(plain)


@given(sayings)
def test_the_store_has_no_number_and_knows_no_other_tenant(said: list[Saying]) -> None:
    store: dict[bytes, bytes] = {}
    for one in said:
        answer(say(one), store)
    kept = b"".join(name + value for name, value in store.items())
    assert not any(one.encode() in kept for one in NUMBERS if len(one) > 1)
    assert survivors(store, Keyring(RING.root, 1, "south")) == {one: one for one in NUMBERS}
