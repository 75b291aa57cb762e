"""Surrogates are read and written with the entities of their note."""

from datetime import date

import pytest

from deidstream.schemas.label import PhiLabel
from deidstream.schemas.note import RawNote
from deidstream.schemas.span import Span
from support.outputs import replaced

TEXT = "At St. Mary&apos;s Hospital: D&#39;Zyxwvan&ntilde;o, seen &lt; 4 h &amp; well."


def made_of(original: str, label: PhiLabel, policy: str = "surrogate") -> str:
    start = TEXT.index(original)
    span = Span(start, start + len(original), label, 1.0, "tagger")
    return replaced(RawNote("n", "p", TEXT), [span], policy).text


@pytest.mark.parametrize("policy", ["surrogate", "redact"])
def test_nothing_of_a_name_is_left_and_nothing_beside_it_changes(policy: str) -> None:
    before, name, after = TEXT.partition("D&#39;Zyxwvan&ntilde;o")
    made = made_of(name, PhiLabel.PATIENT, policy)
    assert made.startswith(before)
    assert made.endswith(after)
    assert not any(part in made.removeprefix(before) for part in ("Zyxwvan", "ntilde", "#39"))


def test_what_a_surrogate_keeps_is_written_as_it_was() -> None:
    made = made_of("St. Mary&apos;s Hospital", PhiLabel.HOSPITAL)
    assert made.startswith("At St. ")
    assert "&apos;s Hospital: D&#39;Zyxwvan&ntilde;o" in made
    assert "Mary" not in made


def test_the_terms_of_a_leak_are_no_names_of_entities() -> None:
    start = TEXT.index("D&#39;")
    span = Span(start, start + len("D&#39;Zyxwvan&ntilde;o"), PhiLabel.PATIENT, 1.0, "tagger")
    planned = replaced(RawNote("n", "p", TEXT), [span], "surrogate").planned
    assert {term.text for term in planned.leak_terms} == {"D'Zyxwvan\u00f1o"}


def test_a_scan_is_written_with_the_digits_and_names_that_it_means() -> None:
    text = (
        "REP0RT of the C1inic, D0B l9/O3/2O24: Lethabo M0kgatle, mother Rose Mokgatle. "
        "Seen 2l/O3/2O24, since 2O22."
    )
    parts = [
        ("l9/O3/2O24", PhiLabel.DATE),
        ("M0kgatle", PhiLabel.PATIENT),
        ("Mokgatle", PhiLabel.PATIENT),
        ("2l/O3/2O24", PhiLabel.DATE),
    ]
    spans: list[Span] = []
    for part, label in parts:
        start = text.index(part)
        spans.append(Span(start, start + len(part), label, 1.0, "tagger"))
    made = replaced(RawNote("n", "p", text), spans, "surrogate")
    born, child, mother, seen = (one.text for one in made.replacements)
    assert child == mother
    assert child.isalpha()
    first, second = (date(int(d[6:]), int(d[3:5]), int(d[:2])) for d in (born, seen))
    assert (second - first).days == 2
    assert made.text.startswith("REP0RT of the C1inic, D0B ")
    assert made.text.endswith(", since 2O22.")
