"""Whatever is found in an export, its marks come out as they went in."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from deidstream.models.detection.detector import Detector
from deidstream.models.policy.reader import read_shipped_policy
from deidstream.models.surrogates.substitute import substitute
from deidstream.models.text.machine_marks import find_marks
from deidstream.schemas.label import PhiLabel
from deidstream.schemas.note import RawNote
from deidstream.schemas.span import Replacement, Span
from support.notes import note
from support.profiles import few

PIECES = (
    "^XA^FO12,10^A0N,26,24^FD",
    "^FS^XZ",
    "\n",
    "<family>",
    "</family>",
    '<p class="q">',
    '{"fam":"',
    '","giv_name": "',
    '", "dob_at": 4}',
    "\\textbf{",
    "\\par ",
    "\n\\b ",
    "} ",
    "@@ -1,2 +1,2 @@\n+",
    "\n-",
    " pt_name=",
    " corr_id=",
    " bed_no=",
    "{{pt.name}}",
    "commit e41b0c7",
    " (id,ln,fn) VALUES (",
    "&amp;",
    "&eacute;",
    "Okoro",
    "Ada",
    "ln",
    "family",
    "00771830",
    " is 35 y",
    "l2/O3/2O24",
    "\u00ad",
    "\u200b",
    "\u2014",
    "-\n",
)
TEXTS = st.lists(st.sampled_from(PIECES), max_size=30).map("".join)


@dataclass(frozen=True, slots=True)
class Everything:
    """Reports stretches of what it reads: shares of its length."""

    shares: Sequence[tuple[float, float]]
    name: str = "rules"

    def recognize(self, notes: Sequence[RawNote]) -> list[tuple[Span, ...]]:
        return [tuple(self._report(len(read.text))) for read in notes]

    def _report(self, length: int) -> Sequence[Span]:
        places = ((int(min(ends) * length), int(max(ends) * length)) for ends in self.shares)
        return [
            Span(start, end, PhiLabel.PATIENT, 0.96, "rules:a")
            for start, end in places
            if start < end
        ]


SHARES = st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1)), max_size=4)


@few(150)
@given(TEXTS, SHARES)
def test_marks_come_out_as_they_went_in(text: str, shares: Sequence[tuple[float, float]]) -> None:
    recognizers = (Everything([(0, 1), *shares]),)
    detector = Detector(read_shipped_policy("surrogate"), recognizers)
    (detected,) = detector.detect([note(text=text)])
    marks = find_marks(text)
    places = {at for mark in marks for at in range(mark.start, mark.end)}
    for span in (*detected.spans, *detected.counted):
        assert places.isdisjoint(range(span.start, span.end))
    replacements = [Replacement(span, "Xy", "surrogate") for span in detected.spans]
    made, _ = substitute(text, replacements)
    at = 0
    for mark in marks:
        at = made.index(text[mark.start : mark.end], at) + mark.end - mark.start


@few(100)
@given(TEXTS)
def test_marks_are_disjoint_and_in_order(text: str) -> None:
    marks = find_marks(text)
    assert all(mark.start < mark.end for mark in marks)
    assert all(one.end <= two.start for one, two in pairwise(marks))
