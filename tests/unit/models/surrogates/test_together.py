"""All notes of a patient together have the same surrogates, whatever their order."""

import random
from collections.abc import Iterable, Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from deidstream.models.keyring import canonical
from deidstream.models.records import Detected
from deidstream.models.surrogates.replacer import Replacer
from deidstream.models.text.word_files import split_list
from deidstream.schemas.label import PhiLabel
from support.vault import World, detected, lines, replacer
from support.vault_laws import allocate, assert_one_to_one
from support.vault_notes import makers, notes

Texts = dict[str, str]


def write_together(world: World, made: Replacer, noted: Sequence[Detected], batch: int) -> Texts:
    """Claim the surrogates of all notes, then write them in batches."""
    allocation = made.allocate([made.plan(note).without_text() for note in noted], together=True)
    while world.answer(allocation):
        pass
    return texts_of(noted, world.write(made, noted, batch))


def texts_of(noted: Iterable[Detected], written: Iterable[object]) -> Texts:
    return {
        note.note.note_id: getattr(each, "text")  # noqa: B009 - of Substituted
        for note, each in zip(noted, written, strict=True)
    }


def shard(noted: Sequence[Detected], mixed: random.Random) -> list[list[Detected]]:
    """Deal the notes out in an order of their own, all of a patient to one shard."""
    shards: list[list[Detected]] = [[] for _ in range(mixed.randint(1, 3))]
    homes = {note.note.patient_id: mixed.choice(shards) for note in noted}
    for note in mixed.sample(noted, len(noted)):
        homes[note.note.patient_id].append(note)
    return shards


@pytest.mark.slow  # as many interleavings as the documentation promises
@given(notes(), st.randoms(use_true_random=False))
@settings(max_examples=250)
def test_neither_order_nor_shards_nor_workers_change_an_output(
    noted: list[Detected], mixed: random.Random
) -> None:
    # Each shard has a worker with a store of its own: they share the key and nothing else.
    whole = write_together(World(), replacer(), noted, 8)
    for _ in range(3):
        apart: Texts = {}
        for some in shard(noted, mixed):
            apart |= write_together(World(), replacer(), some, mixed.randint(1, 4))
        assert apart == whole


@pytest.mark.slow  # as many interleavings as the documentation promises
@given(notes(), st.randoms(use_true_random=False))
@settings(max_examples=250)
def test_archive_feed_and_replay_that_share_a_store_agree(
    noted: list[Detected], mixed: random.Random
) -> None:
    for made in makers():
        world = World()
        feed = mixed.sample(noted, mixed.randint(0, len(noted)))
        found = allocate(made, world, feed)
        for some in shard(noted, mixed):
            write_together(world, made, some, 4)
        made_once = allocate(made, world, noted)
        assert_one_to_one(made_once)
        assert found.items() <= made_once.items()
        assert allocate(made, world, list(reversed(noted)), 1) == made_once
        # What has been given away stays, also if it is claimed once more with all others.
        write_together(world, made, noted, 8)
        assert allocate(made, world, noted) == made_once


@pytest.mark.slow  # draws for every note of many patients
@given(notes())
def test_a_patient_with_one_note_has_the_surrogates_of_the_feed(noted: list[Detected]) -> None:
    for note in noted:
        fed = texts_of([note], World().write(replacer(), [note]))
        assert write_together(World(), replacer(), [note], 1) == fed


def test_who_is_first_in_the_feed_has_what_two_draw_and_together_nobody_is_first() -> None:
    # Two men's names in K of thirty surrogates: some of these pairs draw the same.
    names = split_list("Keith Kevin Kyle Kurt Karl Kent Kirk Ken Kelvin Kasey Kerry Kory Kermit")
    singly = [
        detected([(PhiLabel.PATIENT, name)], "P1", number) for number, name in enumerate(names)
    ]
    orders = [singly, singly[::-1]]
    made = replacer()
    fed = [texts_of(order, World().write(made, order)) for order in orders]
    assert fed[0] != fed[1]
    first, second = (write_together(World(), made, order, 3) for order in orders)
    assert first == second
    assert len(set(first.values())) == len(names)


def test_no_surrogate_is_an_original_of_another_note_of_the_patient() -> None:
    made = replacer()
    note = detected([(PhiLabel.PATIENT, "Quentin Vanterpool")])
    (drawn,) = lines(World().write(made, [note])[0])
    other = detected([(PhiLabel.DOCTOR, drawn.split()[1])], number=2)
    for order in ([note, other], [other, note]):
        texts = write_together(World(), made, order, 1)
        assert canonical(drawn.split()[1]) not in map(canonical, texts["note-P1-1"].split())
