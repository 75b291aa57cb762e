"""What the output of a probe must be."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deidstream.agents.doctor.probe_note import PIECES, find_difference, make_probe

GOOD = {"name": "Martin Arnold", "record number": "51813196", "telephone number": "(839) 555-0159"}


def output(**instead: str) -> str:
    """The output in which identifiers are replaced, some by what a test says."""
    replaced = {
        **GOOD,
        "family name": "Arnold",
        **{k.replace("_", " "): v for k, v in instead.items()},
    }
    return "".join(replaced[piece.kind] if piece.kind else piece.text for piece in PIECES)


def test_replaced_identifiers_are_no_difference() -> None:
    assert find_difference({"text": output(), "technique": "surrogate"}) is None
    labels = output(name="[PATIENT]", family_name="[PATIENT]", record_number="[MEDICALRECORD]")
    assert find_difference({"text": labels, "technique": "redact"}) is None


@pytest.mark.parametrize("piece", [piece for piece in PIECES if piece.kind])
def test_an_identifier_that_is_left_is_named_by_its_kind_alone(piece: object) -> None:
    kind, text = piece.kind, piece.text  # type: ignore[attr-defined]
    said = find_difference({"text": output(**{kind.replace(" ", "_"): text.upper()})})
    assert said is not None
    assert "left in the output" in said
    assert text not in said


@given(st.data())
def test_text_that_is_lost_is_seen(data: st.DataObject) -> None:
    text = output()
    fixed = data.draw(st.sampled_from([piece.text for piece in PIECES if not piece.kind]))
    at = text.index(fixed) + data.draw(st.integers(0, len(fixed) - 1))
    assert find_difference({"text": text[:at] + text[at + 1 :], "technique": "surrogate"})


def test_sentences_of_kneo_may_differ_and_identifiers_may_not() -> None:
    assert find_difference({"text": "Another sentence.", "technique": "kneo-sentences"}) is None
    left = {"text": "Ms. Featherstone is here.", "technique": "kneo-sentences"}
    assert find_difference(left) == "the family name is left in the output"


def test_the_note_shows_nothing_of_itself() -> None:
    assert "Ottoline" not in repr(make_probe("c", "default"))
