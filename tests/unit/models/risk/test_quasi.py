"""The load of quasi-identifiers that stay."""

from dataclasses import replace

import pytest

from deidstream.models.records import Substituted
from deidstream.models.risk.left_words import LeftWords
from deidstream.models.risk.measured import Measured
from deidstream.models.risk.quasi import QuasiLoad
from deidstream.schemas.label import PhiLabel
from deidstream.schemas.policy import AgePolicy, OperatorName
from deidstream.schemas.risk_policy import RiskPolicy
from deidstream.schemas.span import Span
from support.risk import emitted, exchanged, policy

AGE = Span(4, 6, PhiLabel.AGE)
ZIP = Span(11, 14, PhiLabel.ZIP)
TEXT = "age 47 zip 021 and pain in the chest"


def load(population: int = 1_000_000, held: str = "") -> QuasiLoad:
    made = policy(risk=RiskPolicy(population=population))
    return QuasiLoad(made, lambda word: word == held)


def measure(load: QuasiLoad, item: Substituted) -> Measured:
    return load.measure(item, LeftWords.of_output(item))


def test_common_words_and_labels_are_no_load() -> None:
    found = measure(load(), emitted(TEXT, [AGE, ZIP]))
    assert (found.value, found.reasons) == (0.0, ())


def test_facts_that_stay_true_multiply() -> None:
    kept = emitted(TEXT, [AGE, ZIP], new="47", operator="keep")
    assert measure(load(800_000), kept).value == 1.0
    one = emitted(TEXT, [AGE], new="47", operator="keep")
    assert measure(load(800), one).value == 0.1
    assert measure(load(80_000), one).value == 0.001
    assert measure(load(800), one).reasons == ("TRUE_FACT:AGE",)


def test_an_age_in_a_band_is_less() -> None:
    one = emitted(TEXT, [AGE], new="45-49", operator="generalise")
    banded = replace(load(800), policy=replace(load(800).policy, ages=AgePolicy(band=5)))
    assert measure(banded, one).value == 0.02


def test_a_label_for_what_could_not_be_read_is_no_fact() -> None:
    assert measure(load(1), emitted(TEXT, [ZIP], new="[ZIP]", operator="generalise")).value == 0.0


def test_rare_words_count_by_their_share_of_the_words() -> None:
    item = emitted("pain and zzyzxosis with fever")
    found = measure(load(), item)
    assert (found.value, found.reasons) == (0.2, ("RARE_WORDS",))


def test_a_word_that_reference_notes_hold_is_not_rare() -> None:
    item = emitted("pain and zzyzxosis with fever")
    assert measure(load(held="zzyzxosis"), item).value == 0.0


def test_words_of_surrogates_and_neighbours_are_not_the_note_s() -> None:
    named = emitted("ask Ann now", [Span(4, 7, PhiLabel.PATIENT)], new="Qqq Xxyx")
    assert measure(load(), named).value == 0.0
    item = emitted("pain and zzyzxosis with fever")
    assert measure(load(), exchanged(item, "no blorkosis seen")).value == 0.0
    kept = measure(load(), exchanged(item, "no zzyzxosis seen now")).value
    assert kept == pytest.approx(1 / 3, abs=1e-4)


def test_kept_places_weigh_more_than_kept_countries() -> None:
    def value(label: PhiLabel) -> float:
        kept = emitted("from Leeds now", [Span(5, 10, label)], operator="keep", new="Leeds")
        return measure(load(), kept).value

    assert value(PhiLabel.CITY) > value(PhiLabel.COUNTRY)


DATED = "Seen on 03/04/2024 and again"
LEFT = Span(8, 18, PhiLabel.DATE, 0.0, "rules:date.numeric")


def moving(operator: OperatorName = OperatorName.SHIFT) -> QuasiLoad:
    operators = {**load().policy.operators, PhiLabel.DATE: operator}
    return QuasiLoad(replace(load(36_500).policy, operators=operators), lambda word: word == "seen")


def test_a_whole_date_that_stays_among_shifted_ones_is_a_true_fact() -> None:
    found = measure(moving(), emitted(DATED, doubts=[LEFT]))
    assert (found.value, found.reasons) == (0.1, ("TRUE_FACT:DATE",))
    assert measure(moving(OperatorName.RELATIVE), emitted(DATED, doubts=[LEFT])) == found


def test_what_is_no_whole_date_or_does_not_stay_is_no_fact() -> None:
    assert measure(moving(), emitted(DATED)).value == 0
    part = LEFT.at(8, 13)
    assert measure(moving(), emitted(DATED, doubts=[part])).value == 0
    assert measure(moving(OperatorName.REDACT), emitted(DATED, doubts=[LEFT])).value == 0
    gone = exchanged(emitted(DATED, doubts=[LEFT]), "Seen on another day and again")
    assert measure(moving(), gone).value == 0
