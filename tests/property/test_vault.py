"""Laws of the vault: one identity, one surrogate, whoever asks and in whatever order."""

from collections.abc import Callable, Mapping, Sequence
from itertools import count

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from deidstream.models.keyring import canonical
from deidstream.models.replace import Replacer
from deidstream.models.scopes import Scoped
from deidstream.models.stages import Detected
from deidstream.models.vault import PROBES, Settled
from deidstream.schemas.label import PhiLabel
from deidstream.schemas.policy import Scope
from support.vault import World, detected, lines, replacer

# Few enough to meet: local numbers have a hundred surrogates, men's names in K some thirty.
NAMES = (
    "Keith Kevin Kyle Kurt Karl Kent Kirk Ken Kelvin Kris Kasey Kerry Kim Kory Kermit Vanterpool "
    "Brightwater Femi Achterberg Quill Zamora Xu Yardley Underhill Irons"
)
POOLS: Mapping[PhiLabel, Sequence[str]] = {
    PhiLabel.PHONE: [f"{number:03d}-{number * 37 % 10_000:04d}" for number in range(201, 999, 13)],
    PhiLabel.PATIENT: NAMES.split(),
    PhiLabel.MEDICALRECORD: [f"{number:03d}" for number in range(100, 999, 7)],
    PhiLabel.CITY: ["Boston", "Worcester", "Springfield", "Quincy", "Lowell", "Chicago"],
}
items = st.sampled_from(sorted(POOLS)).flatmap(
    lambda label: st.tuples(st.just(label), st.sampled_from(POOLS[label]))
)
notes_of_items = st.lists(st.lists(items, min_size=1, max_size=12), min_size=1, max_size=8)
patients = st.sampled_from(["P1", "P1", "P2"])
few = settings(max_examples=25, deadline=None)


@st.composite
def notes(draw: st.DrawFn) -> list[Detected]:
    """Some notes of a patient or two."""
    return [
        detected(held, draw(patients), number) for number, held in enumerate(draw(notes_of_items))
    ]


def seeds() -> Callable[[], bytes]:
    """Seeds that are no more random than a test needs, and never twice the same."""
    numbers = count(1)
    return lambda: next(numbers).to_bytes(32, "big")


def makers() -> list[Replacer]:
    """A worker of either mode."""
    return [replacer(), replacer(seeds())]


def settled(
    made: Replacer, world: World, noted: Sequence[Detected], size: int = 3
) -> dict[Scoped, str]:
    """What notes come to; everything twice the same."""
    found: dict[Scoped, str] = {}
    for begin in range(0, len(noted), size):
        settling = made.settle([made.plan(note) for note in noted[begin : begin + size]])
        while world.answer(settling):
            pass
        found = merged(found, settling.settled())
    return found


def merged(found: dict[Scoped, str], more: Settled) -> dict[Scoped, str]:
    for scoped, surrogate in more.surrogates.items():
        assert found.setdefault(scoped, surrogate) == surrogate
    assert more.shared == 0
    return found


def assert_one_to_one(found: dict[Scoped, str]) -> None:
    forms = [(scoped.realm, canonical(surrogate)) for scoped, surrogate in found.items()]
    assert len(set(forms)) == len(forms)


@few
@given(notes())
def test_one_identity_has_one_surrogate_and_one_surrogate_one_identity(
    noted: list[Detected],
) -> None:
    for made in makers():
        assert_one_to_one(settled(made, World(), noted))


@few
@given(notes(), notes(), st.lists(st.booleans(), max_size=60))
def test_two_workers_that_race_agree(
    noted: list[Detected], others: list[Detected], turns: list[bool]
) -> None:
    world, fresh = World(), seeds()
    workers = replacer(fresh), replacer(fresh)
    for made in (workers, (replacer(), replacer())):
        world = World()
        talks = [
            maker.settle([maker.plan(note) for note in some])
            for maker, some in zip(made, (noted, [*others, *reversed(noted)]), strict=True)
        ]
        for turn in turns:
            world.answer(talks[turn])
        while any([world.answer(talk) for talk in talks]):  # noqa: C419 - both have their turn
            pass
        found = merged({}, talks[0].settled())
        assert_one_to_one(merged(found, talks[1].settled()))
        assert settled(made[0], world, [*others, *noted]) == found


@few
@given(notes(), st.integers(1, 8))
def test_neither_batches_nor_a_cold_store_change_an_output(noted: list[Detected], n: int) -> None:
    made = replacer()
    world = World()
    first = made_texts(world, made, noted, 8)
    assert made_texts(world, made, noted, n) == first
    assert made_texts(World(), made, noted, n) == first


@few
@given(notes(), st.integers(1, 8))
def test_a_random_mapping_is_made_once(noted: list[Detected], n: int) -> None:
    world, fresh = World(), seeds()
    first = made_texts(world, replacer(fresh), noted, 8)
    kept = dict(world.kept)
    assert made_texts(world, replacer(fresh), list(reversed(noted)), n) == list(reversed(first))
    assert world.kept == kept


def made_texts(world: World, made: Replacer, noted: Sequence[Detected], batch: int) -> list[str]:
    return [written.text for written in world.write(made, noted, batch)]


@few
@given(notes())
def test_no_surrogate_is_an_original_of_its_note(noted: list[Detected]) -> None:
    scopes = {
        PhiLabel.PATIENT: Scope.DOCUMENT,
        PhiLabel.CITY: Scope.TENANT,
        PhiLabel.PHONE: Scope.MENTION,
    }
    for made in (*makers(), replacer(None, scopes), replacer(seeds(), scopes)):
        for note, written in zip(noted, World().write(made, noted), strict=True):
            originals = {canonical(line) for line in note.note.text.splitlines()}
            assert originals.isdisjoint(map(canonical, lines(written)))


@few
@given(notes())
def test_no_surrogate_is_an_original_that_the_patient_had_before(noted: list[Detected]) -> None:
    world, made = World(), replacer()
    world.write(made, noted)
    known: dict[str, set[str]] = {}
    for note in noted:
        known.setdefault(note.note.patient_id, set()).update(note.note.text.casefold().split("\n"))
    for patient, originals in known.items():
        new = detected([(label, pool[0]) for label, pool in POOLS.items()], patient, 99)
        fresh = set(new.note.text.casefold().split("\n")) - originals
        written = world.write(made, [new])[0]
        came = zip(new.note.text.casefold().splitlines(), lines(written), strict=True)
        assert {canonical(s) for item, s in came if item in fresh}.isdisjoint(originals - {""})


@few
@given(st.lists(items, min_size=2, max_size=12, unique=True), st.lists(items, max_size=6))
def test_a_document_tells_its_surrogates_apart_without_the_store(
    held: list[tuple[PhiLabel, str]], again: list[tuple[PhiLabel, str]]
) -> None:
    made = replacer(None, dict.fromkeys(PhiLabel, Scope.DOCUMENT))
    world = World()
    written = world.write(made, [detected([*held, *again])])[0]
    came = dict(zip([*held, *again], lines(written), strict=True))
    assert len(set(map(canonical, came.values()))) == len(came)
    assert all(
        came[item] == line for item, line in zip([*held, *again], lines(written), strict=True)
    )
    assert (world.trips, world.kept) == (0, {})


@few
@given(notes())
def test_a_batch_asks_a_bounded_number_of_times(noted: list[Detected]) -> None:
    for made, cold, warm in zip(makers(), (5, 7), (1, 2), strict=True):
        world = World()
        world.write(made, noted, len(noted))
        assert world.trips <= cold
        world.trips = 0
        settled(made, world, noted, len(noted))
        assert world.trips <= warm + 3


@pytest.mark.parametrize("pool", [150])
def test_a_pool_that_is_used_up_is_shared_and_says_so(pool: int) -> None:
    made = replacer(None, {PhiLabel.PHONE: Scope.TENANT})
    numbers = [(PhiLabel.PHONE, f"{201 + n}-0{n:03d}") for n in range(pool)]
    settling = made.settle([made.plan(detected(numbers))])
    world = World()
    while world.answer(settling):
        pass
    found = settling.settled()
    assert len(found.surrogates) == pool
    assert pool - 100 <= found.shared < pool - 100 + PROBES * 3
    assert found.claimed + found.shared == pool
    assert world.trips <= 5
