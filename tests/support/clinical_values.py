"""The clinical values of a whole text, as its parts."""

from collections.abc import Iterable, Sequence

from deidstream.models.detection.clinical.line_forms import (
    LineForm,
    LineForms,
    NoteLine,
    find_lines,
)
from deidstream.models.detection.clinical.value import ClinicalValue


def lines_of(text: str) -> list[NoteLine]:
    return find_lines(text, [(0, len(text))] if text else [])


def find_forms(text: str, forms: Iterable[LineForm]) -> list[str]:
    return texts_of(text, LineForms(forms).find(text, lines_of(text)))


def texts_of(text: str, values: Iterable[ClinicalValue]) -> list[str]:
    return [text[value.start : value.end] for value in values]


def find_plainly(text: str, forms: Sequence[LineForm]) -> list[ClinicalValue]:
    """Find forms by their definition: every pattern, over the whole text."""
    return [
        ClinicalValue(*match.span(form.group), form.refutes)
        for form in forms
        for match in form.pattern.finditer(text)
        if form.counts is None or form.counts(match[form.group])
    ]
