"""What becomes of a note with risk level red: emitted, quarantined or made anew."""

import asyncio
from collections.abc import Sequence

import pytest

from deidstream.models.policy.reader import read_policy
from deidstream.models.policy.stricter import strengthen
from deidstream.schemas.errors import InvalidPolicy, Reason, Stage
from deidstream.schemas.note import RawNote
from deidstream.schemas.outcome import Anonymized, Failed, Outcome, RiskLevel
from deidstream.schemas.policy import Combine, OperatorName, Policy, Profile, Technique
from deidstream.schemas.risk_policy import RedAction, RiskPolicy
from deidstream.schemas.wire import encode_note
from support.pipeline import pipeline, service

NAMED = "Mr. Quentin Vanterpool was seen today. He feels well and went home with his wife."
CALM = "The patient was seen today. He feels well and went home with his wife."


def policy(risk: str, technique: str = "surrogate") -> Policy:
    head = f'technique = "{technique}"\npurpose = "training"\n'
    body = 'recognizers = ["rules", "dictionary", "known"]\n[risk]\n'
    return read_policy((head + body + risk).encode(), name="p")


def run(made: Policy, texts: Sequence[str]) -> list[Outcome]:
    values = [encode_note(RawNote(f"n{n}", "p", text)) for n, text in enumerate(texts)]
    return asyncio.run(service(pipeline(policy=made)).run(values))


def emitted(outcome: Outcome) -> Anonymized:
    assert isinstance(outcome, Anonymized)
    return outcome


UNIQUE = 'measures = ["context-uniqueness"]\nsimilarity = 1.0\nred = 0.0\nyellow = 0.0\n'
"""Every note with an entity is red, any other yellow."""


def test_red_is_emitted_by_default() -> None:
    (outcome,) = run(policy(UNIQUE), [NAMED])
    assert emitted(outcome).risk.level is RiskLevel.RED


def test_red_is_quarantined() -> None:
    red, calm = run(policy(UNIQUE + 'on_red = "quarantine"'), [NAMED, CALM])
    assert isinstance(red, Failed)
    assert (red.reason, red.stage) == (Reason.RISK_TOO_HIGH, Stage.ASSESS)
    assert emitted(calm).risk.level is RiskLevel.YELLOW


def test_red_is_redacted_and_assessed_again_and_only_red() -> None:
    risk = 'residual = 0.06\nquasi = 1.0\non_red = "strengthen"\nstill_red = "emit"'
    red, calm = run(policy(risk), [f"{NAMED} Then Xqyzfeather left.", CALM])
    assert "[PATIENT]" in emitted(red).note.text
    assert emitted(red).note.technique == Technique.REDACT
    assert emitted(red).note.policy.name == emitted(calm).note.policy.name


def test_what_is_still_red_is_quarantined_unless_the_policy_says_otherwise() -> None:
    for said, expected in (("", Failed), ('\nstill_red = "emit"', Anonymized)):
        (outcome,) = run(policy(UNIQUE + 'on_red = "strengthen"' + said), [NAMED])
        assert isinstance(outcome, expected)


def test_sentences_are_exchanged_on_top_of_the_surrogates() -> None:
    risk = UNIQUE + 'on_red = "strengthen"\nstronger = "kneo-sentences"\nstill_red = "emit"'
    (outcome,) = run(policy(risk), [NAMED])
    assert emitted(outcome).note.technique == Technique.KNEO_SENTENCES
    assert "feels well" not in emitted(outcome).note.text


def test_a_note_ends_the_same_whatever_is_beside_it() -> None:
    made = policy(UNIQUE + 'on_red = "strengthen"\nstill_red = "emit"')
    together = run(made, [NAMED, CALM, NAMED])
    alone = [run(made, [text])[0] for text in (NAMED, CALM)]
    texts = [emitted(one).note.text for one in together]
    assert texts[:2] == [emitted(one).note.text for one in alone]
    assert [emitted(one).risk for one in together[:2]] == [emitted(one).risk for one in alone]


def test_the_stronger_policy_detects_more_and_does_not_strengthen_again() -> None:
    made = strengthen(policy(UNIQUE + 'on_red = "strengthen"'))
    assert (made.combine, made.detection.profile) == (Combine.UNION, Profile.STRICT)
    assert set(made.operators.values()) == {OperatorName.REDACT}
    assert made.risk.on_red is RedAction.QUARANTINE


def test_sentences_cannot_be_the_stronger_technique_of_themselves() -> None:
    with pytest.raises(InvalidPolicy, match=r"risk\.stronger"):
        policy('on_red = "strengthen"\nstronger = "kneo-sentences"', "kneo-sentences")
    assert RiskPolicy().still_red is RedAction.QUARANTINE
