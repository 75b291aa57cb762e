"""A note under KNEO through the whole pipeline: its record says what was done, or it stays back."""

import asyncio
from dataclasses import replace

import jsonschema
import orjson
import pytest

from deidstream.models.policy.reader import read_shipped_policy
from deidstream.schemas.contracts import CONTRACTS
from deidstream.schemas.errors import Reason, Stage
from deidstream.schemas.kneo_policy import OnUndeniable
from deidstream.schemas.note import RawNote
from deidstream.schemas.outcome import Anonymized, Failed, Outcome
from deidstream.schemas.policy import Policy
from deidstream.schemas.wire import encode_anonymized, encode_note
from support.pipeline import pipeline, service

TEXT = (
    "PLAN\nMr. Quentin Vanterpool was seen at Dry Creek Hospital on 01/31/2024 by Dr. Lake.\n"
    "The heart was normal on imaging today. The liver was tender on examination today.\n"
)
NOTES = read_shipped_policy("kneo-notes")


def with_kneo(policy: Policy, **changes: object) -> Policy:
    return replace(policy, kneo=replace(policy.kneo, **changes))  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]


def run(policy: Policy) -> Outcome:
    (outcome,) = asyncio.run(
        service(pipeline(policy=policy)).run([encode_note(RawNote("n", "p", TEXT))])
    )
    return outcome


def record(policy: Policy) -> dict[str, object]:
    outcome = run(policy)
    assert isinstance(outcome, Anonymized)
    made: dict[str, object] = orjson.loads(encode_anonymized(outcome.note))
    jsonschema.Draft202012Validator(CONTRACTS["notes.anonymized"]).validate(made)
    return made


@pytest.mark.parametrize("deniability", [0, 1, 10])
def test_the_record_states_donors_and_ranks(deniability: int) -> None:
    made = record(with_kneo(NOTES, deniability=deniability, donors_among=8, same_type=False))
    stated = made["kneo"]
    assert isinstance(stated, dict)
    assert (stated["donors"], stated["anonymity_set"]) == (1, 8)
    assert ("deniability" in stated) is bool(deniability)
    assert "each drawn among 8 notes" in str(made["text"])
    assert "Vanterpool" not in str(made["text"])


def test_sentences_from_any_note_have_no_anonymity_set() -> None:
    stated = record(read_shipped_policy("kneo"))["kneo"]
    assert isinstance(stated, dict)
    assert not {"anonymity_set", "deniability"} & stated.keys()


@pytest.mark.parametrize("name", ["surrogate", "redact"])
def test_other_techniques_state_nothing_of_it(name: str) -> None:
    assert "kneo" not in record(read_shipped_policy(name))


def test_a_note_that_cannot_be_denied_is_quarantined() -> None:
    undeniable = with_kneo(NOTES, deniability=9_000, on_undeniable=OnUndeniable.QUARANTINE)
    assert run(undeniable) == Failed(Reason.UNDENIABLE, Stage.KNEO)


def test_or_it_leaves_without_its_sentences() -> None:
    made = record(with_kneo(NOTES, deniability=9_000, on_undeniable=OnUndeniable.REDACT))
    assert str(made["text"]).endswith("]\n\n[...]\n")
    stated = made["kneo"]
    assert isinstance(stated, dict)
    assert stated["deniability"]["redacted"] is True
    assert stated["deniability"]["reached"] is False


def test_no_repr_of_an_outcome_shows_the_note() -> None:
    assert "heart" not in repr(run(NOTES))
