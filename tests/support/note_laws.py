"""Laws of what is written: form, intervals, and where it landed. Whatever the store.

Each is given a way to open an empty store, and what draws its notes.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime

from hypothesis import strategies as st

from deidstream.models.records import Detected
from deidstream.schemas.label import PhiLabel
from support.vault import detected, lines
from support.vault_laws import Law, Open
from support.vault_notes import makers, notes

# Which of two numbers is the month is not for these laws to tell.
SHOWN = ("%Y-%m-%d", "%Y/%m/%d", "%d-%b-%Y", "%Y%m%d", "%B %d, %Y")
# Of somebody who is not yet as old as a date may show.
days = st.dates(date(1960, 1, 1), date(2030, 12, 31))


@dataclass(frozen=True, slots=True)
class Shown:
    """A day as a note writes it."""

    day: date
    form: str

    @property
    def item(self) -> tuple[PhiLabel, str]:
        """The day as it is written."""
        return PhiLabel.DATE, self.day.strftime(self.form)

    def read(self, text: str) -> date:
        """The shifted day, in the same form."""
        return datetime.strptime(text, self.form).date()  # noqa: DTZ007


shown = st.builds(Shown, days, st.sampled_from(SHOWN))


def intervals_between_dates_of_a_patient_stay(opened: Open, data: st.DataObject) -> None:
    several = data.draw(st.lists(st.lists(shown, max_size=4), min_size=2, max_size=4))
    authored = data.draw(st.lists(days, min_size=len(several), max_size=len(several)))
    noted = [
        written_on(detected([one.item for one in some], number=number), day)
        for number, (some, day) in enumerate(zip(several, authored, strict=True))
    ]
    for made in makers():
        # Each half of the notes is another worker's.
        world, came = opened(), list[tuple[date, date]]()
        for half in (slice(0, None, 2), slice(1, None, 2)):
            for written, some, day in zip(
                world.write(made, noted[half]), several[half], authored[half], strict=True
            ):
                here = lines(written)
                came += [(o.day, o.read(t)) for o, t in zip(some, here, strict=True)]
                came.append((day, date.fromisoformat(written.authored_at or "")))
        assert len({after - before for before, after in came}) == 1
        assert all(after != before for before, after in came)


def written_on(note: Detected, day: date) -> Detected:
    """The note with the day of its metadata."""
    return replace(note, note=replace(note.note, authored_at=day.isoformat()))


WRITTEN: Sequence[tuple[PhiLabel, str]] = (
    (PhiLabel.PATIENT, "SMITH, JONATHAN R."),
    (PhiLabel.PATIENT, "van der Berg-Ellis, Rosalind"),
    (PhiLabel.DOCTOR, "Dr. Kevin Brightwater, MD"),
    (PhiLabel.PHONE, "(508) 362-9144"),
    (PhiLabel.PHONE, "508.362.9144"),
    (PhiLabel.PHONE, "362-9144 ext. 31"),
    (PhiLabel.MEDICALRECORD, "4471-0982"),
    (PhiLabel.ACCOUNT, "KB20938817"),
    (PhiLabel.IDNUM, "ab-77/004x"),
    (PhiLabel.SSN, "219-40-6631"),
    (PhiLabel.IPADDR, "203.14.7.88"),
    (PhiLabel.DATE, "03/04/2021"),
    (PhiLabel.DATE, "2021-11-30"),
    (PhiLabel.DATE, "14-Feb-2019"),
    (PhiLabel.ZIP, "02115"),
)
_KEPT = {"dr", "md", "van", "der"}


def form(label: PhiLabel, text: str) -> str:
    """Signs and their order; of a name how each word is cased, of all else what each sign is."""
    if label in {PhiLabel.PATIENT, PhiLabel.DOCTOR}:
        return re.sub(r"[^\W\d_]+", lambda word: cased(word[0]), text)
    if label is PhiLabel.IPADDR:
        return re.sub(r"[0-9]+", "0", text)
    return re.sub("[A-Z]", "A", re.sub("[a-z]", "a", re.sub("[0-9]", "0", text)))


def cased(word: str) -> str:
    """How a word is cased, or the word itself where it stays."""
    if word.casefold() in _KEPT:
        return word
    if word.isupper():
        return "A" if len(word) == 1 else "AA"
    return "Aa" if word[0].isupper() else "aa"  # McGarry is as Brightwater


def the_form_stays(opened: Open, data: st.DataObject) -> None:
    held = data.draw(st.lists(st.sampled_from(WRITTEN), min_size=1, max_size=8))
    patient = data.draw(st.text("PQ0123456789", min_size=1, max_size=6))
    for made in makers():
        (written,) = opened().write(made, [detected(held, patient)])
        for (label, text), line in zip(held, lines(written), strict=True):
            assert form(label, line) == form(label, text)
            assert line != text


def spans_go_there_and_back(opened: Open, data: st.DataObject) -> None:
    noted = data.draw(notes())
    for made in makers():
        for note, written in zip(noted, opened().write(made, noted), strict=True):
            text = written.text
            assert [r.span for r in written.replacements] == list(note.spans)
            for landed in reversed(written.replacements):
                assert text[landed.out_start : landed.out_end] == landed.text
                before = note.note.text[landed.span.start : landed.span.end]
                text = text[: landed.out_start] + before + text[landed.out_end :]
            assert text == note.note.text


NOTE_LAWS: tuple[Law, ...] = (
    intervals_between_dates_of_a_patient_stay,
    the_form_stays,
    spans_go_there_and_back,
)
