"""A word alone in the term of a code is no name, unless something else than the tagger says so."""

import json
from typing import Any

import pytest

from deidstream.models.detection.clinical.lone_names import drop_lone_names
from deidstream.schemas.documents.note_form import CodedTerm
from deidstream.schemas.label import PhiLabel
from deidstream.schemas.note import RawNote
from deidstream.schemas.span import Span
from support.plain_rendering import read

SNOMED = {"system": "http://snomed.info/sct", "code": "1", "display": ""}


def condition(text: str, term: CodedTerm = CodedTerm.LOCAL) -> dict[str, Any]:
    code = {"coding": [SNOMED | {"display": text}]} if term is CodedTerm.PUBLIC else {"text": text}
    return {"resourceType": "Condition", "id": "c1", "code": code}


def kept(
    note: RawNote, term: str, source: str = "tagger", label: PhiLabel = PhiLabel.PATIENT
) -> bool:
    start = note.text.index(term)
    return bool(drop_lone_names(note, [Span(start, start + len(term), label, 1.0, source)]))


@pytest.mark.parametrize("term", ["Bili", "Neut", "Hb", "Na", "K", "CK", "Fe", "Gout", "Fontan"])
@pytest.mark.parametrize("kind", CodedTerm)
@pytest.mark.parametrize("source", ["tagger", "tagger:possible", "dictionary:person.alone"])
def test_a_short_term_is_no_name(term: str, kind: CodedTerm, source: str) -> None:
    assert not kept(read(condition(term, kind)), term, source)


@pytest.mark.parametrize("kind", CodedTerm)
@pytest.mark.parametrize("source", ["known", "sweep", "rules:name.titled", "dictionary:deny"])
def test_a_name_that_is_stated_repeated_or_ruled_counts(kind: CodedTerm, source: str) -> None:
    assert kept(read(condition("Zyxwvan", kind)), "Zyxwvan", source)


@pytest.mark.parametrize(
    ("text", "name", "source"),
    [
        ("Assault by Zyxwvan", "Zyxwvan", "tagger"),
        ("Moved from the Zyxwvan", "Zyxwvan", "tagger"),
        ("Ann Zyxwvan", "Ann Zyxwvan", "dictionary:person.forward"),
    ],
)
def test_a_whole_name_and_one_that_is_led_to_count_where_no_terminology_speaks(
    text: str, name: str, source: str
) -> None:
    assert kept(read(condition(text)), name, source)
    assert not kept(read(condition(text, CodedTerm.PUBLIC)), name, source)


def test_a_number_in_a_term_of_a_site_may_be_one_of_a_person() -> None:
    number = "555-201-8890"
    assert kept(read(condition(f"Call {number}")), number, label=PhiLabel.PHONE)


def test_what_is_a_term_is_no_name_in_the_rest_of_the_resource() -> None:
    note = read(condition("Fontan") | {"note": [{"text": "Stable Fontan, seen by Zyxwvan"}]})
    start = note.text.rindex("Fontan")
    spans = [
        Span(start, start + 6, PhiLabel.PATIENT, 1.0, "tagger"),
        Span(start + 16, start + 23, PhiLabel.DOCTOR, 1.0, "tagger"),
    ]
    assert note.text[start + 16 : start + 23] == "Zyxwvan"
    assert drop_lone_names(note, spans) == (spans[1],)


def test_terms_of_json_within_a_text_are_terms_too() -> None:
    quantity = {"valueQuantity": {"value": 34, "unit": "wk"}, "note": [{"text": "Ask Zyxwvan"}]}
    note = RawNote("n1", "p1", f"Export:\n{json.dumps(quantity)}")
    assert not kept(note, "wk")
    assert kept(note, "Zyxwvan")


def test_a_note_without_terms_keeps_its_names() -> None:
    assert kept(RawNote("n1", "p1", "Seen by Zyxwvan."), "Zyxwvan")
