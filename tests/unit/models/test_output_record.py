"""What leaves beside the text: pseudonyms, a note type, a moment."""

import asyncio
import re
from dataclasses import replace
from typing import Any, cast

import pytest

from deidstream.models.policy.reader import read_shipped_policy
from deidstream.schemas.note import RawNote
from deidstream.schemas.outcome import Anonymized, Ranking
from deidstream.schemas.policy import Policy
from deidstream.schemas.wire import encode_note
from support.pipeline import pipeline, service

TEXT = "Mr. Quentin Vanterpool was seen at Dry Creek Hospital on 01/31/2024 by Dr. Lake."


def emitted(policy: str = "surrogate", **fields: str) -> Anonymized:
    note = replace(RawNote("n", "Garcia", TEXT), **cast("Any", fields))
    (outcome,) = asyncio.run(service(pipeline(policy)).run([encode_note(note)]))
    assert isinstance(outcome, Anonymized)
    return outcome


def ranking(policy: Policy, **fields: str) -> Ranking | None:
    note = replace(RawNote("n", "Garcia", TEXT), **cast("Any", fields))
    (outcome,) = asyncio.run(service(pipeline(policy=policy)).run([encode_note(note)]))
    assert isinstance(outcome, Anonymized)
    return outcome.ranking


def test_a_note_is_ranked_among_those_of_its_tenant_policy_and_type() -> None:
    plain = read_shipped_policy("surrogate")
    assert ranking(plain) is None

    def by_share(policy: Policy = plain, **risk: float) -> Policy:
        return replace(policy, risk=replace(policy.risk, red_share=0.05, **cast("Any", risk)))

    first = ranking(by_share())
    assert first is not None
    assert (first.red_share, first.yellow_share) == (0.05, 0.15000000000000002)
    assert first.note_type == ""
    # Another list of terms changes the digest of a policy, and leaves its notes comparable.
    assert ranking(by_share(replace(plain, sha256="1" * 64))) == first
    typed = ranking(by_share(), note_type="Progress Note")
    assert typed is not None
    assert (typed.group, len(typed.note_type)) == (first.group, 16)
    assert ranking(by_share(), note_type="progress note") == typed
    groups = {
        made.group
        for made in (
            ranking(by_share(), tenant="mercy"),
            ranking(by_share(replace(plain, name="other"))),
            ranking(by_share(residual=0.09)),
        )
        if made is not None
    }
    assert len(groups | {first.group}) == 4


@pytest.mark.parametrize(
    "given", ["discharge_summary", "Discharge Summary", "history_and_physical", "progress note"]
)
def test_a_note_type_of_ordinary_words_stays(given: str) -> None:
    assert emitted(note_type=given).note.note_type == given


@pytest.mark.parametrize(
    "given",
    ["Visit of Garcia", "Letter to Mr. Vanterpool", "visit 12345", "lake visit", "x" * 65, ""],
)
def test_a_note_type_that_may_name_somebody_does_not(given: str) -> None:
    assert emitted(note_type=given).note.note_type is None


@pytest.mark.parametrize(
    "given",
    [
        "2024-01-31 by Dr. John Smith MRN 4417",
        "January 31, 2024",
        "31.01.2024 Smith",
        "2024-13-45T10:00:00Z",
        "Smith",
        "",
    ],
)
def test_what_is_no_moment_is_dropped(given: str) -> None:
    assert emitted(authored_at=given).note.authored_at is None


@pytest.mark.parametrize(
    "given", ["2024-01-31", "2024-01-31T10:15:00Z", "2024-01-31T10:15:00+01:00"]
)
def test_a_moment_moves_with_the_dates_of_the_text(given: str) -> None:
    made = emitted(authored_at=given).note
    assert made.authored_at is not None
    year, month, day = made.authored_at[:10].split("-")
    assert f"{month}/{day}/{year}" in made.text
    assert made.authored_at[10:] == given[10:]
    assert made.authored_at != given


def test_a_redacted_note_has_no_moment() -> None:
    assert emitted("redact", authored_at="2024-01-31").note.authored_at is None


def test_ids_are_pseudonyms_and_a_changed_message_has_another_output_id() -> None:
    one, other = emitted().note, emitted(language="en").note
    assert one.note_id == other.note_id != "n"
    assert one.patient_id == other.patient_id != "Garcia"
    assert one.output_id != other.output_id


@pytest.mark.slow
def test_no_word_of_a_person_stands_in_anybody_elses_surrogate() -> None:
    for number in range(40):
        note = RawNote(str(number), f"P{number}", TEXT)
        (outcome,) = asyncio.run(service().run([encode_note(note)]))
        assert isinstance(outcome, Anonymized)
        assert {"Lake", "Vanterpool"}.isdisjoint(re.findall(r"\w+", outcome.note.text))
