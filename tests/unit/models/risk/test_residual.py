"""The probability that a direct identifier was overlooked and can be told."""

from dataclasses import replace

import pytest

from deidstream.models.records import Substituted
from deidstream.models.risk.left_words import LeftWords
from deidstream.models.risk.measured import Measured
from deidstream.models.risk.miss_rates import NoteWeights, Sight, read_residual_table
from deidstream.models.risk.note_evidence import SURE
from deidstream.models.risk.residual import TOLD_APART, ResidualRisk
from deidstream.schemas.label import LABELS, PhiLabel, is_direct
from deidstream.schemas.policy import DetectionPolicy, OperatorName, Profile
from deidstream.schemas.span import POSSIBLE, Span
from support.risk import TABLE, emitted, exchanged, policy

TEXT = "Ann Quillfeather was seen by Bo Zzyzx today."
FOUND = (Span(0, 16, PhiLabel.PATIENT, 1.0, "tagger"),)
DOUBT = Span(29, 37, PhiLabel.PATIENT, 0.4, POSSIBLE)


def assess(
    item: Substituted, operator: OperatorName = OperatorName.REDACT, *, tagger: bool = True
) -> Measured:
    risk = ResidualRisk(policy(operator, tagger=tagger), TABLE)
    return risk.measure(item, LeftWords.of_output(item))


def measure(item: Substituted, operator: OperatorName = OperatorName.REDACT) -> float:
    return assess(item, operator).value


def test_a_note_without_suspects_has_the_rate_of_what_nobody_sees() -> None:
    assert measure(emitted("Ann was seen.", [Span(0, 3, PhiLabel.PATIENT)])) == 0.01


def test_each_mention_found_adds_one_that_may_have_been_overlooked() -> None:
    spans = [Span(0, 3, PhiLabel.PATIENT), Span(8, 12, PhiLabel.SSN)]
    assert measure(emitted("Ann was seen.", spans)) == round(1 - 0.99**2, 4)


def test_a_note_in_which_nothing_was_found_is_not_safe_by_rule() -> None:
    found = assess(emitted("all well"))
    assert (found.value, found.reasons) == (0.01, ("UNSEEN_IDENTIFIER:PERSON",))


def test_a_doubt_raises_it_and_is_told_by_its_kind() -> None:
    without = assess(emitted(TEXT, FOUND))
    found = assess(emitted(TEXT, FOUND, [DOUBT]))
    assert found.value > without.value
    assert found.reasons[0] == "POSSIBLE_IDENTIFIER:NAME"


def test_a_surer_tagger_raises_it_further() -> None:
    values = [
        measure(emitted(TEXT, FOUND, [Span(29, 37, PhiLabel.PATIENT, score, POSSIBLE)]))
        for score in (0.01, 0.1, 0.5, 0.9)
    ]
    assert values == sorted(set(values))


def test_among_surrogates_a_leftover_is_harder_to_tell() -> None:
    item = emitted("Ann was seen.", [Span(0, 3, PhiLabel.PATIENT)])
    assert measure(item, OperatorName.SURROGATE) == round(0.01 * TOLD_APART, 4)


def test_a_policy_that_takes_only_what_is_sure_overlooks_more() -> None:
    item = emitted("Ann was seen.", [Span(0, 3, PhiLabel.PATIENT)])
    precise = replace(policy(), detection=DetectionPolicy(profile=Profile.PRECISE))
    found = ResidualRisk(precise, TABLE).measure(item, LeftWords.of_output(item))
    assert found.value == 0.02


def test_a_note_of_which_detection_is_unsure_has_more_risk() -> None:
    table = replace(TABLE, corrections=dict.fromkeys(Sight, NoteWeights(unsure=0.5)))
    values: list[float] = []
    for score in (1.0, SURE, 0.5):
        item = emitted("Ann was seen.", [Span(0, 3, PhiLabel.PATIENT, score)])
        found = ResidualRisk(policy(), table).measure(item, LeftWords.of_output(item))
        values.append(found.value)
    assert values[0] == values[1] < values[2]


def test_what_is_left_of_a_note_decides_whatever_the_whole_note_tells() -> None:
    table = replace(TABLE, corrections=dict.fromkeys(Sight, NoteWeights(always=5.0)))
    item = exchanged(emitted(TEXT, FOUND, [DOUBT]), "Nothing of it stays.")
    assert ResidualRisk(policy(), table).measure(item, LeftWords.of_output(item)).value == 0.0


def test_without_the_tagger_the_rates_are_those_of_rules() -> None:
    item = emitted("Ann was seen.", [Span(0, 3, PhiLabel.PATIENT)])
    assert assess(item, tagger=False).value == 0.1


def test_what_an_exchange_of_sentences_took_away_counts_no_more() -> None:
    item = emitted(TEXT, FOUND, [DOUBT])
    assert measure(exchanged(item, "Nothing of it stays.")) == 0.0
    assert measure(exchanged(item, "Bo Zzyzx came.")) > measure(exchanged(item, "Bo came."))


def test_the_shipped_table_has_every_group_and_a_weight_for_the_tagger() -> None:
    table = read_residual_table()
    for sight in Sight:
        for label in filter(is_direct, PhiLabel):
            assert 0 < table.miss_rate(LABELS[label].group, sight) < 1
    seen = {"always": 1.0, "unlisted": 1.0, "plain": 1.0, "capital": 1.0}
    chances = [table.probability(seen | {"tagger": odds}, Sight.TAGGER) for odds in (0.0, 3.0, 6.0)]
    assert chances == sorted(chances)


@pytest.mark.parametrize("sight", list(Sight))
def test_more_suspects_and_more_doubts_never_lower_the_shipped_risk(sight: Sight) -> None:
    weights = read_residual_table().corrections[sight]
    # From 1 - TOLD_APART on, a leftover that is hard to tell cannot hide those that are easy.
    assert weights.expected > 1 - TOLD_APART
    assert min(weights.unsure, weights.torn) >= 0


def test_misread_notes_have_more_of_the_shipped_risk() -> None:
    risk = ResidualRisk(policy(), read_residual_table())
    values: list[float] = []
    for text in ("seen on Monday, all well", "seen on M0n8ay, all well"):
        item = emitted(text)
        values.append(risk.measure(item, LeftWords.of_output(item)).value)
    assert values[0] < values[1]


@pytest.mark.parametrize("sight", list(Sight))
def test_rates_without_the_tagger_are_not_lower(sight: Sight) -> None:
    table = read_residual_table()
    for label in filter(is_direct, PhiLabel):
        group = LABELS[label].group
        assert table.miss_rate(group, Sight.RULES) >= table.miss_rate(group, sight) * 0.5
