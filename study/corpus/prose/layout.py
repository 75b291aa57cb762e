"""Restore the lines of transcribed notes, and replace their placeholders by stand-ins."""

from dataclasses import dataclass, field

import re2

from deidstream.study.corpus.frames import TemplateSlot, template

_COLON = re2.compile(r"[ ]*,?[ ]*:[ ]*,[ ]*")
_BREAK = re2.compile(r",([^\s\d,])")
_ITEM = re2.compile(r",(\d{1,2}[.)] )")

_NOBODY = r"(?:X{1,4}|XYZ?|ABCD?|YZ|[A-Z])"
_DATE = r"(?:MM|XX|xx|mm|DD|\*\*)[/-](?:DD|XX|xx|dd|YY)[/-](?:YYYY|YY|XXXX|XX|xxxx|xx|yyyy|yy)"
_PLACEHOLDER = re2.compile(
    rf"(?:\b(?P<doctor>Drs?\.?|Doctor) +{_NOBODY}\b)"
    rf"|(?:\b(?P<patient>Mr\.?|Mrs\.?|Ms\.?|Miss) +{_NOBODY}\b)"
    r"|(?P<hospital>\b(?:ABCD?|XYZ|XXXX?)(?: General| Medical| Regional| Memorial)?"
    r" (?:Hospital|Medical Center|Clinic)\b)"
    rf"|(?P<date>\b(?:{_DATE}|MM DD, YYYY|MM/YYYY))"
    r"|(?:(?P<age>\bXX|\bxx|\bX)(?:-year-old\b| year old\b))"
)
"""Placeholders that transcribed notes have for removed PHI."""


@dataclass(frozen=True, slots=True)
class PlacedSlot:
    """A place of a text whose slot is known before PHI is searched for."""

    start: int
    end: int
    slot: TemplateSlot


@dataclass(slots=True)
class _Builder:
    parts: list[str] = field(default_factory=list[str])
    held: list[PlacedSlot] = field(default_factory=list[PlacedSlot])
    length: int = 0

    def add(self, text: str, slot: str = "") -> None:
        if slot:
            (place,) = template(slot)
            assert isinstance(place, TemplateSlot)  # noqa: S101
            self.held.append(PlacedSlot(self.length, self.length + len(text), place))
        self.parts.append(text)
        self.length += len(text)


def lines_of(transcribed: str) -> str:
    """Restore line breaks, which the collection has turned into commas without a space."""
    text = _COLON.sub(": ", transcribed)
    text = _ITEM.sub(r"\n\1", _BREAK.sub(r"\n\1", text))
    rows = (" ".join(row.split()) for row in text.split("\n"))
    return "\n".join(row for row in rows if row).strip(" ,")


def replace_placeholders(text: str) -> tuple[str, tuple[PlacedSlot, ...]]:
    """Write a name, hospital, date or age for each placeholder, and return the places."""
    built, done = _Builder(), 0
    for match in _PLACEHOLDER.finditer(text):
        built.add(text[done : match.start()])
        _write_stand_in(match.lastgroup or "", str(match.group()), match.groupdict(), built)
        done = match.end()
    built.add(text[done:])
    return "".join(built.parts), tuple(built.held)


def _write_stand_in(kind: str, found: str, groups: dict[str, str | None], built: _Builder) -> None:
    if kind in ("doctor", "patient"):
        label = "DOCTOR" if kind == "doctor" else "PATIENT"
        built.add(f"{groups[kind]} ")
        built.add("Abernathy", f"{{{label}{_which(label, found[-1])}.titled}}")
    elif kind == "hospital":
        built.add("Thornbury Hospital", "{HOSPITAL}")
    elif kind == "date":
        built.add("03/14/2016", "{DATE.full}")
    else:
        built.add("47", "{AGE.number}")
        built.add(found[len(groups[kind] or "") :])


def _which(label: str, letter: str) -> str:
    """Keep two doctors of one note, who differ by their letter, apart."""
    return ":2" if label == "DOCTOR" and letter in "BY" else ""
