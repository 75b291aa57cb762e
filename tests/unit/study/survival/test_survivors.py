"""What of an overlooked identifier is left under each technique."""

from collections import Counter

import pytest

from deidstream.schemas.label import PhiLabel
from deidstream.schemas.labelled import LabelledNote
from deidstream.schemas.note import RawNote
from deidstream.schemas.span import Span
from deidstream.study.survival.planted_misses import PlantedMiss, plant_misses
from deidstream.study.survival.survivors import (
    Fate,
    MissFound,
    Survival,
    count_fates,
    find_fates,
    tell_fate,
)
from support.pipeline import pipeline

TEXT = (
    "Patient: Quentin Vanterpool\n"
    "The heart of Mr. Vanterpool was normal on imaging today. Dr. Oyelaran saw him in the clinic.\n"
    "Call the ward on 415-282-7710 if the liver is tender on examination again.\n"
)
SPANS = (
    ("Quentin Vanterpool", PhiLabel.PATIENT),
    ("Vanterpool", PhiLabel.PATIENT),
    ("today", PhiLabel.DATE),
    ("Oyelaran", PhiLabel.DOCTOR),
    ("415-282-7710", PhiLabel.PHONE),
)


def labelled(text: str = TEXT) -> LabelledNote:
    spans: list[Span] = []
    at = 0
    for words, label in SPANS:
        at = text.index(words, at)
        spans.append(Span(at, at + len(words), label))
        at += len(words)
    return LabelledNote(RawNote("n", "p", text), tuple(spans))


def planted() -> dict[str, PlantedMiss]:
    return {miss.identifier: miss for miss in plant_misses([labelled()], 10, 0)}


def found(policy: str, identifier: str) -> MissFound:
    (one,) = find_fates(pipeline(policy), [planted()[identifier]])
    return one


def fate(policy: str, identifier: str) -> Fate:
    return found(policy, identifier).fate


def test_direct_identifiers_are_planted_once_and_all_others_are_found() -> None:
    misses = planted()
    assert set(misses) == {"Quentin Vanterpool", "Vanterpool", "Oyelaran", "415-282-7710"}
    others = misses["Vanterpool"].found
    assert [TEXT[span.start : span.end] for span in others] == ["today", "Oyelaran", "415-282-7710"]


def test_the_draw_depends_on_the_seed_alone_and_keeps_order() -> None:
    notes = [labelled()] * 5
    assert plant_misses(notes, 7, 1) == plant_misses(notes, 7, 1)
    assert len(plant_misses(notes, 7, 1)) == 7
    assert "Oyelaran" not in repr(plant_misses(notes, 7, 1))


@pytest.mark.parametrize("policy", ["redact", "surrogate", "safe-harbor"])
def test_what_is_overlooked_stays_where_only_identifiers_are_replaced(policy: str) -> None:
    assert fate(policy, "Oyelaran") is Fate.WHOLE


@pytest.mark.parametrize("policy", ["kneo", "kneo-words", "kneo-notes"])
def test_it_goes_with_the_wording(policy: str) -> None:
    assert fate(policy, "Oyelaran") is Fate.GONE


def test_sentence_kneo_leaves_it_on_a_line_that_is_no_prose() -> None:
    assert fate("kneo", "Quentin Vanterpool") is Fate.WHOLE


def test_the_verifier_holds_back_a_number_by_its_form() -> None:
    assert found("surrogate", "415-282-7710") == MissFound(PhiLabel.PHONE, Fate.WHOLE, held=True)
    assert found("kneo-words", "415-282-7710") == MissFound(PhiLabel.PHONE, Fate.GONE)


@pytest.mark.parametrize(
    ("identifier", "output", "expected"),
    [
        ("Ada Lake-Marsh", "seen by ADA LAKE MARSH.", Fate.WHOLE),
        ("Ada Lakemarsh", "Lakemarsh was seen", Fate.PART),
        ("Ada Lakemarsh", "Ms. Lakemarshes", Fate.GONE),
        ("04-77-19", "04/77/19", Fate.WHOLE),
    ],
)
def test_an_identifier_is_compared_by_its_words(
    identifier: str, output: str, expected: Fate
) -> None:
    assert tell_fate(identifier, output) is expected


def test_shares_are_of_what_stayed_a_miss() -> None:
    whole, gone = MissFound(PhiLabel.PATIENT, Fate.WHOLE), MissFound(PhiLabel.DOCTOR, Fate.GONE)
    again = MissFound(PhiLabel.DOCTOR, Fate.FOUND)
    survival = count_fates("p", [*[whole] * 3, *[gone] * 7, again])
    assert (survival.missed, survival.total[Fate.FOUND]) == (10, 1)
    # Wilson by hand: (3 + 1.9208) / (10 + 3.8415) = 0.3555, half-width 0.2477.
    assert survival.share_of(Fate.WHOLE) == pytest.approx((0.3, 0.1078, 0.6032), abs=1e-4)
    assert Survival("p", {}, 0).total == Counter()
