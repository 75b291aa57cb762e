"""A note that is not in English is quarantined, redacted strictly or processed, by the policy."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace

import orjson
import pytest

from deidstream.agents.runtime.span_finder import SpanFinder
from deidstream.models.policy.reader import read_policy
from deidstream.models.policy.stricter import redact_strictly
from deidstream.schemas.errors import Reason, Rejected, Stage
from deidstream.schemas.label import PhiLabel
from deidstream.schemas.note import RawNote
from deidstream.schemas.outcome import Anonymized, Failed, Outcome
from deidstream.schemas.policy import (
    Combine,
    OperatorName,
    OtherLanguage,
    Policy,
    Profile,
    Technique,
)
from deidstream.schemas.wire import encode_anonymized, encode_note
from support.pipeline import pipeline, service

SPANISH = (
    "El paciente Don Nicanor Villafuerte acude el 03/04/2024 por dolor en el hombro derecho que le "
    "impide dormir. Ha tomado antiinflamatorios sin mejoría. Se recomienda reposo y volver en una "
    "semana si no mejora."
)
ENGLISH = (
    "Mr. Quentin Vanterpool was seen on 03/04/2024 with pain in the right shoulder that keeps him "
    "awake. He has taken ibuprofen without relief. Rest, and return in a week if it is no better."
)
SHORT = "Mr. Quentin Vanterpool was seen on 03/04/2024."


def policy_with(other: str = "") -> Policy:
    body = 'technique = "surrogate"\nrecognizers = ["rules", "dictionary", "known"]\n'
    return read_policy(
        (body + (f'[language]\nother = "{other}"' if other else "")).encode(), name="p"
    )


def run(policy: Policy, texts: Sequence[str]) -> list[Outcome]:
    values = [encode_note(RawNote(f"n{n}", "p", text)) for n, text in enumerate(texts)]
    return asyncio.run(service(pipeline(policy=policy)).run(values))


def told(outcome: Outcome) -> tuple[str, str]:
    if isinstance(outcome, Failed):
        return outcome.reason, outcome.stage
    assert isinstance(outcome, Anonymized)
    record = orjson.loads(encode_anonymized(outcome.note))
    return record["language"], record["technique"]


def test_by_default_it_is_quarantined_and_the_notes_beside_it_pass() -> None:
    assert policy_with().language.other is OtherLanguage.QUARANTINE
    found = run(policy_with(), [ENGLISH, SPANISH, SHORT, SPANISH])
    refused = (Reason.UNSUPPORTED_LANGUAGE, Stage.DECODE)
    assert [*map(told, found)] == [("en", "surrogate"), refused, ("und", "surrogate"), refused]


def test_strictly_it_is_redacted_and_the_notes_beside_it_have_surrogates() -> None:
    found = run(policy_with("strict"), [SPANISH, ENGLISH, SPANISH])
    assert [*map(told, found)] == [("es", "redact"), ("en", "surrogate"), ("es", "redact")]
    spanish, english, again = (o.note for o in found if isinstance(o, Anonymized))
    assert "[DATE]" in spanish.text
    assert spanish.text == again.text
    assert spanish.policy == english.policy
    assert "Vanterpool" not in english.text
    assert "[PATIENT]" not in english.text


def test_it_may_be_processed_as_english() -> None:
    (found,) = run(policy_with("process"), [SPANISH])
    assert told(found) == ("es", "surrogate")


def test_what_the_sender_states_does_not_count() -> None:
    value = encode_note(RawNote("n", "p", ENGLISH, language="es"))
    (found,) = asyncio.run(service(pipeline(policy=policy_with())).run([value]))
    assert told(found) == ("en", "surrogate")


@pytest.mark.parametrize(("other", "refused"), [("", True), ("strict", False), ("process", False)])
def test_finding_alone_keeps_to_the_policy(other: str, refused: bool) -> None:  # noqa: FBT001
    made = service(pipeline(policy=policy_with(other)))
    value = encode_note(RawNote("n", "p", SPANISH))
    if refused:
        with pytest.raises(Rejected) as caught:
            asyncio.run(SpanFinder.of_service(made).find_one(value))
        assert caught.value.reason is Reason.UNSUPPORTED_LANGUAGE
    else:
        assert PhiLabel.DATE in {
            span.label for span in asyncio.run(SpanFinder.of_service(made).find_one(value))
        }


def test_the_strict_policy_redacts_every_label_whatever_the_operators() -> None:
    site = replace(
        policy_with("strict"),
        combine=Combine.CORROBORATED,
        thresholds={PhiLabel.DATE: 0.9},
        operators=dict.fromkeys(PhiLabel, OperatorName.KEEP),
    )
    made = redact_strictly(site)
    assert set(made.operators.values()) == {OperatorName.REDACT}
    assert set(made.operators) == set(PhiLabel)
    assert made.detection.profile is Profile.STRICT
    assert (made.technique, made.combine, made.thresholds) == (Technique.REDACT, Combine.UNION, {})
    assert (made.name, made.sha256) == (site.name, site.sha256)
