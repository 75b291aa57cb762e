"""The conversation with the store, and what the store gets to see."""

from dataclasses import replace
from itertools import count

import pytest

from deidstream.models.keyring import Keyring, canonical
from deidstream.models.records import Claim, Recall
from deidstream.models.surrogates.allocation import allocate_without_store
from deidstream.models.surrogates.replacer import Replacer
from deidstream.models.surrogates.scopes import slot_name
from deidstream.schemas.label import PhiLabel
from deidstream.schemas.policy import Scope
from support.vault import ROOT, World, detected, lines, replacer

NAMES = [(PhiLabel.PATIENT, "Quentin Vanterpool"), (PhiLabel.PHONE, "(508) 362-9144")]
NOTE = detected(NAMES)


def fresh() -> bytes:
    return next(NUMBERS).to_bytes(32, "big")


NUMBERS = count(1)


def test_what_is_known_takes_one_question_and_what_is_new_two() -> None:
    world, made = World(), replacer()
    world.write(made, [NOTE])
    assert world.trips == 2
    world.write(made, [NOTE])
    assert world.trips == 3


def test_a_note_without_phi_asks_nothing() -> None:
    for made in (replacer(), replacer(fresh)):
        world = World()
        assert world.write(made, [detected([])])[0].text == ""
        assert world.trips == 0


def test_a_slot_of_another_is_passed_over_and_stays_his() -> None:
    made = replacer()
    allocation = made.allocate([made.plan(NOTE)])
    assert isinstance(allocation.ask, Recall)
    others = World(dict.fromkeys(allocation.ask.names, b"somebody else"))
    before = lines(World().write(made, [NOTE])[0])
    after = lines(others.write(made, [NOTE])[0])
    assert before[0] != after[0]
    assert list(others.kept.values()).count(b"somebody else") == len(allocation.ask.names)
    assert lines(others.write(made, [NOTE])[0]) == after


def test_who_loses_a_race_takes_his_next_draw() -> None:
    made = replacer()
    allocation = made.allocate([made.plan(NOTE)])
    assert isinstance(allocation.ask, Recall)
    allocation.take_answers([None for _ in allocation.ask.names])
    assert isinstance(allocation.ask, Claim)
    first = allocation.ask.names
    allocation.take_answers([b"somebody else" for _ in first])
    assert isinstance(allocation.ask, Recall)
    assert set(allocation.ask.names).isdisjoint(first)


def test_nothing_is_settled_before_the_store_has_answered() -> None:
    made = replacer()
    with pytest.raises(ValueError, match="not answered"):
        made.allocate([made.plan(NOTE)]).result()


def test_the_store_sees_neither_originals_nor_surrogates() -> None:
    for made in (replacer(), replacer(fresh)):
        world = World()
        written = world.write(made, [NOTE])[0]
        kept = b"".join(name + value for name, value in world.kept.items())
        words = {*NOTE.note.text.split(), *written.text.split(), "note-P1-1"}
        assert not [word for word in words if word.encode() in kept]
        assert not [
            w for w in words if canonical(w).encode() in kept or w.encode().hex() in str(kept)
        ]
        assert len(set(world.kept.values())) == len(world.kept)


def test_all_that_is_kept_of_a_patient_is_under_his_owner() -> None:
    owner = Keyring(ROOT, 1, "default").owner("P1")
    for made in (replacer(), replacer(fresh)):
        world = World()
        world.write(made, [NOTE])
        assert {name[:16] for name in world.kept} == {owner}
        assert {len(name) for name in world.kept} == {32}


def test_what_a_tenant_shares_is_under_no_patients_owner() -> None:
    made = replacer(None, dict.fromkeys(PhiLabel, Scope.TENANT))
    world = World()
    world.write(made, [NOTE])
    assert Keyring(ROOT, 1, "default").owner("P1") not in {name[:16] for name in world.kept}
    assert len({name[:16] for name in world.kept}) == len(world.kept)


def test_a_random_surrogate_is_in_the_store_alone() -> None:
    first, second = (lines(World().write(replacer(fresh), [NOTE])[0]) for _ in range(2))
    assert first[0] != second[0]


def rotated(made: Replacer) -> Replacer:
    return replace(made, root=ROOT[::-1], key_version=2, older={1: ROOT})


def test_a_random_mapping_outlives_a_rotation_and_new_values_are_of_the_new_key() -> None:
    world, made = World(), replacer(fresh)
    before = lines(world.write(made, [NOTE])[0])
    known = set(world.kept)
    more = detected([*NAMES, (PhiLabel.DOCTOR, "Petronella Achterberg")])
    assert lines(world.write(rotated(made), [more])[0])[:2] == before
    versions = {v[:2] for n, v in world.kept.items() if n not in known and len(v) > 16}
    assert versions == {b"\x00\x02"}


def test_a_key_draws_other_surrogates_after_a_rotation() -> None:
    world, made = World(), replacer()
    before = lines(world.write(made, [NOTE])[0])
    assert lines(world.write(rotated(made), [NOTE])[0])[0] != before[0]


def test_a_seed_that_was_altered_is_no_seed() -> None:
    world, made = World(), replacer(fresh)
    world.write(made, [NOTE])
    world.kept = {name: value[:-1] + bytes([value[-1] ^ 1]) for name, value in world.kept.items()}
    with pytest.raises(ValueError, match="another key"):
        world.write(made, [NOTE])


def test_a_short_seed_is_refused() -> None:
    with pytest.raises(ValueError, match="32 bytes"):
        World().write(replacer(lambda: b"short"), [NOTE])


def test_a_rehearsal_settles_like_a_cold_store() -> None:
    made = replacer()
    planned = [made.plan(NOTE)]
    alone = made.substitute(planned[0], allocate_without_store(made.allocate(planned)))
    assert alone.text == World().write(made, [NOTE])[0].text


def test_a_patients_earlier_original_becomes_nobodys_surrogate() -> None:
    made = replacer()
    wanted = lines(World().write(made, [NOTE])[0])[0].split()[1]
    world = World()
    world.write(made, [detected([(PhiLabel.DOCTOR, wanted)], number=2)])
    assert lines(world.write(made, [NOTE])[0])[0].split()[1] != wanted
    assert lines(World().write(made, [NOTE])[0])[0].split()[1] == wanted


BENJAMIN = detected([(PhiLabel.PATIENT, "Benjamin"), (PhiLabel.PATIENT, "Ben")], "P5")


@pytest.mark.parametrize(
    "before", ["{long}", "{short}", "{caps}, Quentin", "Dr. {short} Vanterpool"]
)
def test_no_form_of_a_surrogate_is_an_earlier_original(before: str) -> None:
    made, world = replacer(), World()
    long, short = lines(World().write(made, [BENJAMIN])[0])
    assert long != short
    earlier = before.format(long=long, short=short, caps=short.upper())
    world.write(made, [detected([(PhiLabel.DOCTOR, earlier)], "P5", number=2)])
    assert {long, short}.isdisjoint(lines(world.write(made, [BENJAMIN])[0]))


def test_a_draw_is_passed_over_whole_if_its_short_form_is_anothers() -> None:
    made, world = replacer(), World()
    first = lines(World().write(made, [BENJAMIN])[0])
    (scoped,) = made.plan(BENJAMIN).exclusive
    ring = made.keyring(BENJAMIN.note)
    long, short = (slot_name(ring, scoped.scope, canonical(name)) for name in first)
    world.kept[short] = b"somebody else"
    assert set(first).isdisjoint(lines(world.write(made, [BENJAMIN])[0]))
    assert long not in world.kept
