"""Notes made by seed, of whose dates the true days are known.

A note is text and dates in turn. How a date is written depends on its day alone, so that the note
can be written again with all its days moved.
"""

import random
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from functools import partial
from itertools import pairwise

from deidstream.models.phi.dates.calendar import ORDINALS
from deidstream.models.phi.dates.holidays import HOLIDAYS
from deidstream.models.phi.spelled_numbers import spell_year
from deidstream.schemas.note import RawNote

Form = Callable[[date], str]
"""Writes a day."""

FORTNIGHT = timedelta(14)
_ZERO = re.compile(r"\b0(?=[1-9])")
_MONTH = re.compile(r"\b([A-Z][a-z]{2})(?:uary|ruary|ch|il|e|y|ust|tember|ober|ember)\b")
_LETTERS = str.maketrans("01", "Ol")
"""What a scanner reads digits as."""
_BLANKS = re.compile(r"\s+")
_MONTHS = 12
_OF_NOTE, _OF_ODD_NOTE = 5, 3
"""Parts of a note."""
_USUAL, _HALF = 0.6, 0.5
"""Shares of writers."""
_FIRST, _LAST = date(2005, 1, 1), date(2025, 12, 31)
_FEASTS = (
    "Easter", "Good Friday", "Thanksgiving", "Christmas", "Diwali", "Eid al-Fitr", "Passover",
    "Lunar New Year", "Yom Kippur", "Labor Day",
)  # fmt: skip
_DRUGS = (
    "Metoprolol 25 mg PO BID", "Lisinopril 10 mg PO daily", "Apixaban 5 mg PO BID",
    "Furosemide 40 mg IV", "Ceftriaxone 1 g IV q24h", "Prednisone 20 mg PO daily",
)  # fmt: skip
_EVENTS = ("MI", "CABG", "appendectomy", "left TKR", "PE", "hernia repair", "cataract surgery")
_VALUES = (
    ("Lactate", "2.1"), ("Creatinine", "1.2"), ("Platelets", "212"), ("Hb", "11.4"),
    ("INR", "2.4"), ("Troponin", "0.5-1.2"), ("Pain", "3/10"), ("TSH", "3.04"),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Planted:
    """A date of a note."""

    day: date
    form: Form
    kind: str

    def write(self, days: int = 0) -> str:
        """Write the day that lies so many days later."""
        return self.form(self.day + timedelta(days))


@dataclass(frozen=True, slots=True)
class DatedNote:
    """A note in pieces."""

    note_id: str
    patient_id: str
    authored_at: str | None
    pieces: tuple[str | Planted, ...]

    @property
    def note(self) -> RawNote:
        return RawNote(
            self.note_id,
            self.patient_id,
            "".join(self.write_from(0, 0)),
            tenant="t",
            authored_at=self.authored_at,
        )

    def write_from(self, first: int, days: int) -> Iterable[str]:
        """Yield the pieces from one on, with dates so many days later."""
        for piece in self.pieces[first:]:
            yield piece if isinstance(piece, str) else piece.write(days)

    @property
    def places(self) -> list[tuple[int, int, Planted]]:
        """Start and end of each date in the text."""
        found: list[tuple[int, int, Planted]] = []
        start = 0
        for piece, text in zip(self.pieces, self.write_from(0, 0), strict=True):
            if isinstance(piece, Planted):
                found.append((start, start + len(text), piece))
            start += len(text)
        return found


@dataclass(frozen=True, slots=True)
class _Style:
    """How one writer writes dates."""

    full: Form
    numeric: Form
    partial: Form
    day_month: Form
    worded: Form


def _numeric(day: date, order: str, *, sign: str, padded: bool, century: bool) -> str:
    """Write ``dmy`` or ``md`` in numbers."""
    width = 2 if padded else 1
    year = f"{day.year}" if century else f"{day.year % 100:02d}"
    written = {"d": f"{day.day:0{width}d}", "m": f"{day.month:0{width}d}", "y": year}
    return sign.join(written[part] for part in order)


def _plain(day: date, form: str) -> str:
    """Write by a form of ``strftime`` whose days have no leading zero."""
    return day.strftime(form.replace("%d", str(day.day)))


def _digits(day: date) -> str:
    return day.strftime("%Y%m%d")


def _make_style(chance: random.Random, *, british: bool) -> _Style:
    order = "dmy" if british else "mdy"
    padded = chance.random() < _USUAL
    numeric = partial(
        _numeric,
        order=order,
        sign=chance.choice("//-."[: 4 if british else 3]),
        padded=padded,
        century=chance.random() < _USUAL,
    )
    short = partial(_numeric, order=order[:2], sign="/", padded=padded, century=True)
    worded = "%d %B %Y" if british else "%B %d, %Y"
    return _Style(
        chance.choice((numeric, numeric, partial(_plain, form=worded))),
        numeric,
        short,
        partial(_plain, form="%d %b" if british else "%b %d"),
        partial(_plain, form=worded),
    )


@dataclass(frozen=True, slots=True)
class _Writer:
    """Writes the parts of one note."""

    chance: random.Random
    style: _Style
    noted: date
    british: bool

    def day_before(self, most: int, least: int = 1) -> date:
        return self.noted - timedelta(self.chance.randint(least, most))

    def medications(self) -> list[str | Planted]:
        """A table of drugs, whose columns a blank or a tab separates."""
        gap = self.chance.choice((" ", "  ", "\t"))
        rows: list[str | Planted] = ["Medications\n"]
        for drug in self.chance.sample(_DRUGS, 3):
            start = self.day_before(500, 40)
            stop = start + timedelta(self.chance.randint(3, 300))
            rows += [drug, gap, self._date(start, "table"), gap, self._date(stop, "table")]
            rows += [f"{gap}{self.chance.choice(('active', 'stopped'))}\n"]
        return rows

    def history(self) -> list[str | Planted]:
        """Events of which the month or the year is known."""
        # Where the month leads, two digits behind it are a day to any reader.
        form = self.chance.choice(("%b %y" if self.british else "%b '%y", "%b %Y", "%B %Y"))
        parts: list[str | Planted] = ["PMH: "]
        for event in self.chance.sample(_EVENTS, 3):
            month = self.day_before(9000, 500).replace(day=15)
            parts += [f"{event} ", Planted(month, partial(_plain, form=form), f"month {form}")]
            parts += ["; "]
        year = self.day_before(12000, 800).replace(month=7, day=1)
        return [*parts, "asthma since ", Planted(year, partial(_plain, form="%Y"), "year"), ".\n"]

    def weekdays(self) -> list[str | Planted]:
        """Days with their weekday."""
        name = self.chance.choice(("%A, ", "%a "))

        def named(day: date) -> str:
            return day.strftime(name) + self.style.full(day)

        def named_partial(day: date) -> str:
            return day.strftime("%a ") + self.style.partial(day)

        first, second = self.day_before(60, 12), self.day_before(10)
        return [
            "Admitted ", Planted(first, named, "weekday"), ", discharged ",
            Planted(second, named_partial, "weekday without year"), ".\n",
        ]  # fmt: skip

    def iso(self) -> list[str | Planted]:
        """Days as machines write them."""

        def week(day: date) -> str:
            year, number, weekday = day.isocalendar()
            return f"{year}-W{number:02d}-{weekday}"

        return [
            "Seen ", Planted(self.day_before(300), week, "ISO week"), " and on ",
            Planted(self.day_before(300), partial(_plain, form="%Y-%j"), "day of the year"),
            ", drawn ", Planted(self.day_before(60), date.isoformat, "ISO"), ".\n",
        ]  # fmt: skip

    def row(self) -> list[str | Planted]:
        """Several dates with nothing but blanks between them."""
        day = self.day_before(300, 120)
        days = [
            day + timedelta(step) for step in (0, *sorted(self.chance.sample(range(2, 110), 2)))
        ]
        dates = [self._date(one, "in a row") for one in days[: self.chance.choice((2, 3))]]
        return ["Seen ", *_join(dates, " "), " in clinic.\n"]

    def partial_row(self) -> list[str | Planted]:
        """Days without year in a row, values below."""
        day = self.day_before(60, 20)
        dates = [
            Planted(day + timedelta(2 * step), self.style.partial, "in a row without year")
            for step in range(3)
        ]
        return ["INR ", *_join(dates, " "), "\n2.1 2.4 2.6\n"]

    def values(self) -> list[str | Planted]:
        """A date, and a value below it."""
        lines: list[str | Planted] = []
        for name, value in self.chance.sample(_VALUES, 3):
            lines += [f"{name} ", self._date(self.day_before(40), "above a value"), f"\n{value}\n"]
        return lines

    def partials(self) -> list[str | Planted]:
        """Days without year in sentences."""
        days = [self.day_before(80) for _ in range(4)]
        ct, lap, change, labs = (Planted(day, self.style.partial, "without year") for day in days)
        return [
            "CT ", ct, " neg, lap ", lap, " neg, changed ", change, ". Labs ", labs,
            ": Hb 10.2, WBC 7.1. Strength 4/5, pain 3/10.\n",
        ]  # fmt: skip

    def worded_partials(self) -> list[str | Planted]:
        """Days without year, the month in words; some lie in the year before."""
        return [
            "Fell on ",
            Planted(self.day_before(200), self.style.day_month, "month's name without year"),
            ", symptoms since ",
            Planted(self.day_before(30), self.style.day_month, "month's name without year"),
            ".\n",
        ]

    def feast(self) -> list[str | Planted]:
        """A feast with its year, and days around it."""
        name = self.chance.choice(_FEASTS)
        year = self.noted.year - 1
        day = HOLIDAYS[name.lower().removesuffix(" day").replace("'", "")](year)

        def feast(moved: date) -> str:
            return f"{name} {year}" if moved == day else _plain(moved, "%B %d, %Y")

        after = day + timedelta(self.chance.randint(1, 9))
        return [
            "Began two days before ", Planted(day, feast, "feast"), "; admitted ",
            Planted(after, self.style.full, "beside a feast"), ".\n",
        ]  # fmt: skip

    def coming(self) -> list[str | Planted]:
        """Days to come, some without year."""
        term = self.noted + timedelta(self.chance.randint(60, 250))
        visit = self.noted + timedelta(self.chance.randint(7, 85))
        return [
            "EDD ", self._date(term, "to come"), ". Next appointment ",
            Planted(visit, self.style.day_month, "to come without year"), ".\n",
        ]  # fmt: skip

    def ranges(self) -> list[str | Planted]:
        """A stay from one day to another, perhaps across the end of a year."""
        start = self.day_before(300, 20)
        stop = start + timedelta(self.chance.randint(2, 15))
        mark = self.chance.choice((" to ", " - ", "-"))
        first, last = (self._date(day, "range") for day in (start, stop))
        return ["Inpatient ", first, mark, last, ".\n"]

    def stamps(self) -> list[str | Planted]:
        """A birth and a moment in digits alone."""
        born = self.day_before(25000, 12000)
        return [
            "DOB ", Planted(born, _digits, "digits"), ", collected ",
            Planted(self.day_before(9), date.isoformat, "ISO"), "T14:05:00Z.\n",
        ]  # fmt: skip

    def cultures(self) -> list[str | Planted]:
        """Days of cultures and lines, beside results and scores."""
        days = [Planted(self.day_before(60), self.style.partial, "cultures") for _ in range(4)]
        return [
            "BCx ", days[0], " 2/2 E. coli. Rpt BCx ", days[1], " NGTD. PICC placed ", days[2],
            "; margin marked ", days[3], ", extended 2 cm. Power 4/5, GCS 14/15, pain 7/10.\n",
        ]  # fmt: skip

    def scan(self) -> list[str | Planted]:
        """Dates that a scanner misread; they come out in digits."""
        first, second = self.day_before(400, 90), self.day_before(60)
        rows: list[str | Planted] = ["REP0RT of the Vascu1ar C1inic, printed "]
        for day, form in ((first, self.style.numeric), (second, self.style.worded)):
            rows += [Planted(day, _misread(form, day), "scan"), "; "]
        return [*rows, "ref P88l2, 0utpatient.\n"]

    def dictation(self) -> list[str | Planted]:
        """Dates that are spoken."""
        first, second = self.day_before(4000, 400), self.day_before(300)
        return [
            "she was seen on ", Planted(first, _say, "dictation"), " full stop admitted ",
            Planted(second, _say, "dictation"), " comma she did well full stop\n",
        ]  # fmt: skip

    def evidence(self) -> list[str | Planted]:
        """What shows which of day and month comes first: a day over 12, and the spelling."""
        day = self.day_before(90)
        while day.day <= _MONTHS:
            day -= timedelta(3)
        spelled = "Haemoglobin stable, oedema of ankles" if self.british else "Hemoglobin stable"
        return [f"{spelled}; last seen ", Planted(day, self.style.numeric, "evidence"), ".\n"]

    def _date(self, day: date, kind: str) -> Planted:
        return Planted(day, self.style.full, kind)


_PARTS = (
    _Writer.medications, _Writer.history, _Writer.weekdays, _Writer.iso, _Writer.row,
    _Writer.partial_row, _Writer.values, _Writer.partials, _Writer.worded_partials, _Writer.feast,
    _Writer.coming, _Writer.ranges, _Writer.stamps,
)  # fmt: skip


_Part = Callable[[_Writer], list[str | Planted]]
_FURTHER = (_Writer.cultures, _Writer.scan, _Writer.dictation, _Writer.partials, _Writer.row)
"""Parts of notes of odd forms, which are drawn apart, so that the others stay the same."""


def _misread(form: Form, day: date) -> Form:
    """Write a day with letters for digits, and any other one plainly."""
    return lambda moved: form(moved).translate(_LETTERS) if moved == day else form(moved)


def _say(day: date) -> str:
    year = spell_year(day.year, "two thousand four")
    return f"the {ORDINALS[day.day - 1]} of {day:%B} {year}".lower()


def _join(dates: Sequence[Planted], mark: str) -> list[str | Planted]:
    joined: list[str | Planted] = [dates[0]]
    for _, date_after in pairwise(dates):
        joined += [mark, date_after]
    return joined


def make_pair(seed: int, *, odd: bool = False) -> tuple[DatedNote, DatedNote]:
    """Make two notes of one patient, 14 days apart; ``odd``: in forms that few notes have."""
    chance = random.Random(seed)
    british = chance.random() < _HALF
    span = (_LAST - _FIRST).days
    noted = _FIRST + timedelta(chance.randrange(span))
    style = _make_style(chance, british=british)
    with_metadata = chance.random() < _HALF
    first, second = (
        _make_note(
            f"{seed}-{number}",
            _Writer(chance, style, day, british),
            _FURTHER if odd else _PARTS,
            with_metadata=with_metadata,
        )
        for number, day in enumerate((noted, noted + FORTNIGHT))
    )
    return first, second


def _make_note(
    note_id: str, writer: _Writer, parts: Sequence[_Part], *, with_metadata: bool
) -> DatedNote:
    head: list[str | Planted] = [
        "Clinic note ",
        Planted(writer.noted, writer.style.worded, "head"),
        "\n",
    ]
    count = _OF_ODD_NOTE if parts is _FURTHER else _OF_NOTE
    body = [writer.evidence(), *(part(writer) for part in writer.chance.sample(parts, count))]
    pieces = [*head, *(piece for part in body for piece in part)]
    authored = writer.noted.isoformat() if with_metadata else None
    return DatedNote(note_id, f"patient {note_id.split('-', 1)[0]}", authored, tuple(pieces))


def forget_form(text: str) -> str:
    """Leave out in what a moved date may differ: zeros, the length of May, the width of columns."""
    return _BLANKS.sub(" ", _MONTH.sub(r"\1", _ZERO.sub("", text))).strip()
