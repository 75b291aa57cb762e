"""The evidence as a page that needs nothing else, and the page of what was missed.

The layouts are ``static/evidence.html`` and ``static/missed.html``, whose engine escapes every
value. The first holds no text of notes. The second does, and stays in the folder of the validation.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from jinja2 import Environment

from deidstream.study.evaluation.layouts import open_layouts
from deidstream.study.validation.site.judged_notes import JudgedNote, Place
from deidstream.study.validation.site.validation_plan import CountedKinds

_NOTHING = "-"
_LEAST_P = 0.001
CONTEXT = 60
"""Characters on either side of what was missed."""


@dataclass(frozen=True, slots=True)
class MissedPlace:
    """An identifier that is left in an output, with the text around it."""

    number: int
    label: str
    found_by: str
    before: str = field(repr=False)
    text: str = field(repr=False)
    after: str = field(repr=False)


def write_page(evidence: Mapping[str, Any]) -> str:
    """Write the evidence as a page."""
    return _environment().get_template("evidence.html").render(evidence)


def write_missed_page(judged: Sequence[JudgedNote]) -> str:
    """Write what was missed, with the text around it."""
    missed = [place for one in judged for place in _show_missed(one)]
    return _environment().get_template("missed.html").render(missed=missed)


def _show_missed(one: JudgedNote) -> Iterator[MissedPlace]:
    for place in one.leaks(CountedKinds.ANY):
        yield _show_place(one, place)


def _show_place(one: JudgedNote, place: Place) -> MissedPlace:
    text = one.note.text
    return MissedPlace(
        number=one.note.number,
        label=str(place.label),
        found_by=", ".join(sorted(place.by)),
        before=text[max(0, place.start - CONTEXT) : place.start],
        text=text[place.start : place.end],
        after=text[place.end : place.end + CONTEXT],
    )


def _percent(value: float | None, digits: int = 2) -> str:
    return _NOTHING if value is None else f"{value:.{digits}%}"


def _plain_percent(value: float) -> str:
    """Write a share that somebody chose with the digits that it has: 99.5%, 1%."""
    return f"{100 * value:.6g}%"


def _number(value: float | None, digits: int = 3) -> str:
    return _NOTHING if value is None else f"{value:.{digits}f}"


def _p_value(value: float | None) -> str:
    """Write a p-value as statisticians do: none is nought."""
    if value is None:
        return f"p {_NOTHING}"
    return f"p < {_LEAST_P}" if value < _LEAST_P else f"p = {value:.3f}"


def _count(value: int) -> str:
    return f"{value:,}"


@cache
def _environment() -> Environment:
    environment = open_layouts()
    environment.filters |= {
        "percent": _percent,
        "plain_percent": _plain_percent,
        "number": _number,
        "p_value": _p_value,
        "count": _count,
    }
    return environment
