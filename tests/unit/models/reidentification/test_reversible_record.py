"""Reversible records: who can open them, and what stands in them."""

import asyncio

import pytest

from deidstream.models.reidentification.reversible_record import (
    Original,
    ReversibleKeys,
    ReversibleRecord,
    make_key_mark,
    make_records,
    matches_mark,
)
from deidstream.schemas.label import PhiLabel
from deidstream.schemas.note import RawNote
from deidstream.schemas.outcome import Anonymized
from deidstream.schemas.policy import OperatorName
from deidstream.schemas.wire import encode_note
from support.pipeline import pipeline, service

KEYS = ReversibleKeys(bytes(range(1, 33)), "mercy")
NAME = KEYS.name("o1", "Ada Venn")
RECORD = ReversibleRecord("p" * 64, (Original(PhiLabel.PATIENT, "Quentin Vanterpool"),))
TEXT = "Mr. Quentin Vanterpool came on 03/04/2024. VANTERPOOL left. MRN: 5512873."


def test_a_record_opens_under_its_own_key_tenant_and_name() -> None:
    sealed = KEYS.seal(NAME, RECORD)
    assert KEYS.unseal(NAME, sealed) == RECORD
    assert KEYS.seal(NAME, RECORD) == sealed
    other_key = ReversibleKeys(bytes(range(2, 34)), "mercy")
    altered = sealed[:-1] + bytes([sealed[-1] ^ 1])
    for keys, name, value in (
        (ReversibleKeys(KEYS.root, "other"), NAME, sealed),
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
    assert len(sealed) == len(
        KEYS.seal(NAME, ReversibleRecord("p" * 64, (Original(PhiLabel.DOCTOR, "Ox"),)))
    )
    assert KEYS.name("o1", "ada  VENN") == NAME == KEYS.name("o1", "Ada Venn   "), "padded"
    assert (
        len({NAME, KEYS.name("o2", "Ada Venn"), ReversibleKeys(KEYS.root, "x").name("o1", "a")})
        == 3
    )
    shown = repr((KEYS, RECORD))
    assert "Vanterpool" not in shown
    assert repr(KEYS.root) not in shown


def test_a_note_has_a_record_for_each_of_its_surrogates() -> None:
    note = RawNote("n1", "P1", TEXT, tenant="mercy")
    (outcome,) = asyncio.run(service(pipeline("surrogate")).run([encode_note(note)]))
    assert isinstance(outcome, Anonymized)
    records = {each.name: each for each in make_records(KEYS, note, outcome.note)}
    replaced = outcome.note.permit.replacements
    names = [KEYS.name(outcome.note.output_id, r.text) for r in replaced]
    assert set(names) == set(records)
    opened = [KEYS.unseal(name, records[name].value) for name in names]
    assert {record.policy for record in opened} == {outcome.note.policy.sha256}
    for replacement, record in zip(replaced, opened, strict=True):
        original = TEXT[replacement.span.start : replacement.span.end]
        assert Original(replacement.span.label, original) in record.originals
    owner = KEYS.patient("P1")
    assert {each.patient for each in records.values()} == {owner}
    assert {KEYS.unseal_entry(owner, each.entry) for each in records.values()} == set(names)


def test_the_list_of_a_patient_is_read_by_its_own_key_and_for_its_own_patient() -> None:
    owner = KEYS.patient("P1")
    entry = KEYS.seal_entry(owner, NAME)
    assert KEYS.unseal_entry(owner, entry) == NAME
    assert NAME not in entry
    assert KEYS.seal_entry(KEYS.patient("P2"), NAME) != entry
    assert owner not in {KEYS.patient("p1"), ReversibleKeys(KEYS.root, "other").patient("P1")}
    other_key = ReversibleKeys(bytes(range(2, 34)), "mercy")
    for keys, patient in (
        (KEYS, KEYS.patient("P2")),
        (ReversibleKeys(KEYS.root, "other"), owner),
        (other_key, owner),
    ):
        with pytest.raises(ValueError, match="cannot be read"):
            keys.unseal_entry(patient, entry)


def test_a_mark_tells_which_key_made_it_and_of_which_version() -> None:
    mark = make_key_mark(KEYS.root, 3)
    assert mark.startswith(b"3:")
    assert KEYS.root not in mark
    assert matches_mark(KEYS.root, mark)
    assert not matches_mark(bytes(range(2, 34)), mark)
    assert not any(matches_mark(KEYS.root, wrong) for wrong in (b"", b"3:", b"3", mark[:-1]))


def test_what_is_redacted_has_no_record() -> None:
    note = RawNote("n1", "P1", TEXT, tenant="mercy")
    (outcome,) = asyncio.run(service(pipeline("redact")).run([encode_note(note)]))
    assert isinstance(outcome, Anonymized)
    assert {r.operator for r in outcome.note.permit.replacements} == {OperatorName.REDACT}
    assert make_records(KEYS, note, outcome.note) == []


def test_what_could_only_be_redacted_has_no_record() -> None:
    note = RawNote("n1", "P1", TEXT.replace("03/04/2024", "31/02/2024"), tenant="mercy")
    (outcome,) = asyncio.run(service(pipeline("surrogate")).run([encode_note(note)]))
    assert isinstance(outcome, Anonymized)
    assert "[DATE]" in outcome.note.permit.text
    records = make_records(KEYS, note, outcome.note)
    assert records
    assert KEYS.name(outcome.note.output_id, "[DATE]") not in {each.name for each in records}
