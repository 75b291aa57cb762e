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
from deidstream.schemas.word_policy import CodeRule
from support.pipeline import SENTENCES, pipeline, service
from support.word_vectors import WORDS

TEXT = (
    "PLAN\nMr. Quentin Vanterpool was seen at Dry Creek Hospital on 01/31/2024 by Dr. Lake.\n"
    "The heart was normal on imaging today. The liver was tender on examination today.\n"
)
NOTES = read_shipped_policy("kneo-notes")


def with_kneo(policy: Policy, **changes: object) -> Policy:
    return replace(policy, kneo=replace(policy.kneo, **changes))  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]


def run(policy: Policy, text: str = TEXT) -> Outcome:
    (outcome,) = asyncio.run(
        service(pipeline(policy=policy)).run([encode_note(RawNote("n", "p", text))])
    )
    return outcome


def record(policy: Policy, text: str = TEXT) -> dict[str, object]:
    outcome = run(policy, text)
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


def marked(made: dict[str, object]) -> list[str]:
    stated, text = made["kneo"], str(made["text"])
    assert isinstance(stated, dict)
    assert len(stated["exchanged"]) == stated["replaced"]
    return [text[start:end] for start, end in stated["exchanged"]]


@pytest.mark.parametrize("signs", [False, True])
@pytest.mark.parametrize("name", ["kneo", "kneo-notes"])
def test_the_record_says_where_exchanged_sentences_stand(name: str, *, signs: bool) -> None:
    policy = with_kneo(
        read_shipped_policy(name), signs=signs, min_cosine=0.0, guards=(), deniability=0
    )
    made = record(policy)
    found = marked(made)
    assert found
    pool = set(SENTENCES)
    for sentence in found:
        assert sentence.endswith(".")
        assert sentence in pool
        assert (f"\u27e6{sentence}\u27e7" in str(made["text"])) is signs


def test_the_signs_change_nothing_but_the_text_around_sentences() -> None:
    plain, shown = (
        record(with_kneo(read_shipped_policy("kneo"), signs=signs)) for signs in (False, True)
    )
    assert str(shown["text"]).translate({0x27E6: None, 0x27E7: None}) == plain["text"]
    assert marked(shown) == marked(plain)


def with_words(**changes: object) -> Policy:
    words = read_shipped_policy("kneo-words")
    return replace(words, words=replace(words.words, **changes))  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]


def test_the_record_says_where_drawn_words_stand() -> None:
    made = record(with_words())
    found = {word.casefold() for word in marked(made)}
    assert "heart" not in found
    assert found <= set(WORDS)
    shown = record(with_words(signs=True))
    assert all(f"\u27e6{word}\u27e7" in str(shown["text"]) for word in marked(shown))


def test_codes_leave_where_the_policy_keeps_them() -> None:
    text = f"{TEXT}Known T2DM (E11.9), pain at L4-L5.\n"
    kept = record(with_words(codes=CodeRule.KEEP), text)
    assert all(code in str(kept["text"]) for code in ("T2DM", "(E11.9)", "L4-L5"))
    stated = kept["kneo"]
    assert isinstance(stated, dict)
    assert stated["kept"] == {"code": 9}
    exchanged = record(with_words(), text)
    assert not any(code in str(exchanged["text"]) for code in ("T2DM", "E11", "L4"))
