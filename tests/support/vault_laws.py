"""Laws of the vault, for every store: one identity has one surrogate, for every client at any time.

Each is given a way to open an empty store, and what draws its notes.
"""

from collections.abc import Callable, Sequence

from hypothesis import strategies as st

from deidstream.models.keyring import canonical
from deidstream.models.records import Detected, ScopedIdentity
from deidstream.models.surrogates.allocation import PROBES, AllocatedSurrogates
from deidstream.models.surrogates.replacer import Replacer
from deidstream.models.surrogates.scopes import written_forms
from deidstream.schemas.label import PhiLabel
from deidstream.schemas.policy import Scope
from support.vault import World, detected, lines, replacer
from support.vault_notes import Item, items, items_of_note, makers, notes, seeds

Open = Callable[[], World]
Law = Callable[[Open, st.DataObject], None]


def one_identity_has_one_surrogate_and_one_surrogate_one_identity(
    opened: Open, data: st.DataObject
) -> None:
    noted = data.draw(notes())
    for made in makers():
        assert_one_to_one(allocate(made, opened(), noted))


def two_workers_that_race_agree(opened: Open, data: st.DataObject) -> None:
    noted, others = data.draw(notes()), data.draw(notes())
    turns = data.draw(st.lists(st.booleans(), max_size=60))
    fresh = seeds()
    for made in ((replacer(fresh), replacer(fresh)), (replacer(), replacer())):
        world = opened()
        talks = [
            maker.allocate([maker.plan(note) for note in some])
            for maker, some in zip(made, (noted, [*others, *reversed(noted)]), strict=True)
        ]
        for turn in turns:
            world.answer(talks[turn])
        while any([world.answer(talk) for talk in talks]):  # noqa: C419 - both have their turn
            pass
        found = merged({}, talks[0].result())
        assert_one_to_one(merged(found, talks[1].result()))
        assert allocate(made[0], world, [*others, *noted]) == found


def neither_batches_nor_a_cold_store_change_an_output(opened: Open, data: st.DataObject) -> None:
    noted, size = data.draw(notes()), data.draw(st.integers(1, 8))
    made, world = replacer(), opened()
    first = texts(world, made, noted, 8)
    assert texts(world, made, noted, size) == first
    assert texts(opened(), made, noted, size) == first


def a_random_mapping_is_made_once(opened: Open, data: st.DataObject) -> None:
    noted, size = data.draw(notes()), data.draw(st.integers(1, 8))
    world, fresh = opened(), seeds()
    first = texts(world, replacer(fresh), noted, 8)
    kept = world.held()
    assert texts(world, replacer(fresh), list(reversed(noted)), size) == list(reversed(first))
    assert world.held() == kept


def no_surrogate_is_an_original_of_its_note(opened: Open, data: st.DataObject) -> None:
    noted = data.draw(notes())
    scopes = {
        PhiLabel.PATIENT: Scope.DOCUMENT,
        PhiLabel.CITY: Scope.TENANT,
        PhiLabel.PHONE: Scope.MENTION,
    }
    for made in (*makers(), replacer(None, scopes), replacer(seeds(), scopes)):
        for note, written in zip(noted, opened().write(made, noted), strict=True):
            originals = {canonical(line) for line in note.note.text.splitlines()}
            assert originals.isdisjoint(map(canonical, lines(written)))


def no_surrogate_is_an_original_that_the_patient_had_before(
    opened: Open, data: st.DataObject
) -> None:
    noted = data.draw(notes())
    for made in makers():
        world, known = opened(), dict[str, set[str]]()
        found = dict[ScopedIdentity, str]()
        for note in noted:
            originals = known.setdefault(note.note.patient_id, set())
            originals.update(map(canonical, note.note.text.splitlines()))
            more = allocate(made, world, [note])
            for scoped in more.keys() - found.keys():
                assert originals.isdisjoint(written_forms(scoped.identity, more[scoped]))
            found |= more


def what_was_an_original_before_stands_for_nobody(opened: Open, data: st.DataObject) -> None:
    made = replacer()
    for item in data.draw(items_of_note):
        (first,) = lines(opened().write(made, [detected([item])])[0])
        world = opened()
        world.write(made, [detected([(item[0], first)])])
        (now,) = lines(world.write(made, [detected([item], number=2)])[0])
        assert canonical(now) != canonical(first)


def a_second_pass_brings_no_original_back(opened: Open, data: st.DataObject) -> None:
    noted = data.draw(notes())
    for made in makers():
        world = opened()
        once = world.write(made, noted)
        again = world.write(
            made, [passed_on(note, lines(w)) for note, w in zip(noted, once, strict=True)]
        )
        originals = dict[str, set[str]]()
        for note in noted:
            some = originals.setdefault(note.note.patient_id, set())
            some.update(map(canonical, note.note.text.splitlines()))
        for note, written in zip(noted, again, strict=True):
            assert originals[note.note.patient_id].isdisjoint(map(canonical, lines(written)))


def passed_on(note: Detected, written: Sequence[str]) -> Detected:
    """What came out of a note, as a note of the same patient."""
    labels = (span.label for span in note.spans)
    return detected(list(zip(labels, written, strict=True)), note.note.patient_id, 99)


def a_document_tells_its_surrogates_apart_without_the_store(
    opened: Open, data: st.DataObject
) -> None:
    held = data.draw(st.lists(items, min_size=2, max_size=12, unique=True))
    again = data.draw(st.lists(st.sampled_from(held), max_size=6))
    made = replacer(None, dict.fromkeys(PhiLabel, Scope.DOCUMENT))
    world = opened()
    written = lines(world.write(made, [detected([*held, *again])])[0])
    came = dict(zip([*held, *again], written, strict=True))
    named = {item: identity_of(made, item) for item in held}
    assert len(set(map(canonical, came.values()))) >= len(set(named.values()))
    assert [came[item] for item in [*held, *again]] == written
    assert (world.trips, world.held()) == (0, {})


def identity_of(made: Replacer, item: Item) -> ScopedIdentity:
    (scoped,) = made.plan(detected([item])).needs
    return scoped


def a_batch_asks_a_bounded_number_of_times(opened: Open, data: st.DataObject) -> None:
    noted = data.draw(notes())
    for made, cold, warm in zip(makers(), (5, 7), (1, 2), strict=True):
        world = opened()
        world.write(made, noted, len(noted))
        assert world.trips <= cold
        world.trips = 0
        allocate(made, world, noted, len(noted))
        assert world.trips <= warm + 3


def a_pool_that_is_used_up_is_shared_and_says_so(opened: Open, data: st.DataObject) -> None:
    pool = data.draw(st.integers(110, 150))
    made = replacer(None, {PhiLabel.PHONE: Scope.TENANT})
    numbers = [(PhiLabel.PHONE, f"{201 + n}-0{n:03d}") for n in range(pool)]
    allocation = made.allocate([made.plan(detected(numbers))])
    world = opened()
    while world.answer(allocation):
        pass
    found = allocation.result()
    assert len(found.surrogates) == pool
    assert pool - 100 <= found.shared < pool - 100 + PROBES * 3
    assert found.claimed + found.shared == pool
    assert world.trips <= 5


def allocate(
    made: Replacer, world: World, noted: Sequence[Detected], size: int = 3
) -> dict[ScopedIdentity, str]:
    """What notes come to; everything twice the same."""
    found: dict[ScopedIdentity, str] = {}
    for begin in range(0, len(noted), size):
        allocation = made.allocate([made.plan(note) for note in noted[begin : begin + size]])
        while world.answer(allocation):
            pass
        found = merged(found, allocation.result())
    return found


def merged(
    found: dict[ScopedIdentity, str], more: AllocatedSurrogates
) -> dict[ScopedIdentity, str]:
    for scoped, surrogate in more.surrogates.items():
        assert found.setdefault(scoped, surrogate) == surrogate
    assert more.shared == 0
    return found


def assert_one_to_one(found: dict[ScopedIdentity, str]) -> None:
    written = [
        (s.scope, form) for s, text in found.items() for form in written_forms(s.identity, text)
    ]
    assert len(set(written)) == len(written)


def texts(world: World, made: Replacer, noted: Sequence[Detected], batch: int) -> list[str]:
    return [written.text for written in world.write(made, noted, batch)]


LAWS: tuple[Law, ...] = (
    one_identity_has_one_surrogate_and_one_surrogate_one_identity,
    two_workers_that_race_agree,
    neither_batches_nor_a_cold_store_change_an_output,
    a_random_mapping_is_made_once,
    no_surrogate_is_an_original_of_its_note,
    no_surrogate_is_an_original_that_the_patient_had_before,
    what_was_an_original_before_stands_for_nobody,
    a_second_pass_brings_no_original_back,
    a_document_tells_its_surrogates_apart_without_the_store,
    a_batch_asks_a_bounded_number_of_times,
    a_pool_that_is_used_up_is_shared_and_says_so,
)
