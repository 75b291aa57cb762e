"""Reversible records: who can open them, and what stands in them."""

import asyncio

import pytest

from deidstream.models.reversible import Original, Record, ReverseKeys, opened, reversible
from deidstream.schemas.label import PhiLabel
from deidstream.schemas.note import RawNote
from deidstream.schemas.outcome import Anonymized
from deidstream.schemas.policy import OperatorName
from deidstream.schemas.wire import encode_note
from support.pipeline import pipeline, service

KEYS = ReverseKeys(bytes(range(1, 33)), "mercy")
NAME = KEYS.name("o1", "Ada Venn")
RECORD = Record("p" * 64, (Original(PhiLabel.PATIENT, "Quentin Vanterpool"),))
TEXT = "Mr. Quentin Vanterpool came on 03/04/2024. VANTERPOOL left. MRN: 5512873."


def test_a_record_opens_under_its_own_key_tenant_and_name() -> None:
    sealed = KEYS.seal(NAME, RECORD)
    assert KEYS.unseal(NAME, sealed) == RECORD
    assert KEYS.seal(NAME, RECORD) == sealed
    other_key = ReverseKeys(bytes(range(2, 34)), "mercy")
    altered = sealed[:-1] + bytes([sealed[-1] ^ 1])
    for keys, name, value in (
        (ReverseKeys(KEYS.root, "other"), NAME, sealed),
        (other_key, NAME, sealed),
        (KEYS, KEYS.name("o2", "Ada Venn"), sealed),
        (KEYS, NAME, altered),
    ):
        with pytest.raises(ValueError, match="cannot be opened") as caught:
            keys.unseal(name, value)
        assert "Vanterpool" not in str(caught.value)


def test_names_and_values_tell_nothing() -> None:
    sealed = KEYS.seal(NAME, RECORD)
    assert b"Vanterpool" not in sealed
    assert len(sealed) == len(KEYS.seal(NAME, Record("p" * 64, (Original(PhiLabel.DOCTOR, "Ox"),))))
    assert KEYS.name("o1", "ada  VENN") == NAME
    assert (
        len({NAME, KEYS.name("o2", "Ada Venn"), ReverseKeys(KEYS.root, "x").name("o1", "a")}) == 3
    )
    shown = repr((KEYS, RECORD))
    assert "Vanterpool" not in shown
    assert repr(KEYS.root) not in shown


def test_a_note_has_a_record_for_each_of_its_surrogates() -> None:
    value = encode_note(RawNote("n1", "P1", TEXT, tenant="mercy"))
    (outcome,) = asyncio.run(service(pipeline("surrogate")).run([value]))
    assert isinstance(outcome, Anonymized)
    pairs = dict(reversible(KEYS, TEXT, outcome.note))
    replaced = outcome.note.permit.replacements
    names = [KEYS.name(outcome.note.output_id, r.text) for r in replaced]
    assert set(names) == set(pairs)
    records = opened(KEYS, names, [pairs[name] for name in names])
    assert {record.policy for record in records} == {outcome.note.policy.sha256}
    for replacement, record in zip(replaced, records, strict=True):
        original = TEXT[replacement.span.start : replacement.span.end]
        assert Original(replacement.span.label, original) in record.originals
    assert opened(KEYS, [b"x"], [None]) == [Record()]


def test_what_is_redacted_has_no_record() -> None:
    value = encode_note(RawNote("n1", "P1", TEXT, tenant="mercy"))
    (outcome,) = asyncio.run(service(pipeline("redact")).run([value]))
    assert isinstance(outcome, Anonymized)
    assert {r.operator for r in outcome.note.permit.replacements} == {OperatorName.REDACT}
    assert reversible(KEYS, TEXT, outcome.note) == []
