"""Look at the lines of an input file for what a sender may not have meant, and count it.

Hints hold counts and names of our own fields: a value, and the name of an unknown field too, may be
PHI. A hint changes no outcome.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import cast

import orjson

from deidstream.models.mention import NoteFacts
from deidstream.models.phi.dates.read_date import read_date_and_time
from deidstream.schemas.errors import NoteField
from deidstream.schemas.outcome import Failed

_FORMS = (
    (b"\xff\xfe", "looks like UTF-16; notes must be UTF-8"),
    (b"\xfe\xff", "looks like UTF-16; notes must be UTF-8"),
    (b"[", "begins with a list (--format json reads it)"),
    (b"PAR1", "is Parquet (--format parquet reads it)"),
)
"""What the first bytes show, and how it is said."""
_TOP = frozenset(name for name in NoteField if "." not in name)
_KNOWN = frozenset(name.partition(".")[2] for name in NoteField if "." in name)


class Hint(StrEnum):
    """What is counted, in the words in which it is said."""

    UNKNOWN_FIELD = "notes with unknown fields, which are ignored"
    UNKNOWN_KNOWN = (
        "notes with unknown fields in known; it may have names, identifiers, dates, phones, "
        "addresses and staff"
    )
    BAD_KNOWN_DATE = "notes with something in known.dates that is not a date"
    BAD_AUTHORED = "notes with an authored_at that is not an ISO 8601 time"
    SAME_ID = "notes with the note_id of an earlier note of their tenant"


@dataclass(slots=True)
class InputHints:
    """Counts of what was seen in the lines of one file."""

    counts: Counter[Hint] = field(default_factory=Counter[Hint])
    lines: int = 0
    _form: str = ""
    """What the first line looks like, if it is no note."""
    _ids: set[int] = field(default_factory=set[int])
    """Hashes of the note ids with their tenants."""

    def look(self, value: bytes | Failed) -> None:
        """Look at one message, or at why there is none."""
        self.lines += 1
        if isinstance(value, Failed):
            return
        try:
            parsed: object = orjson.loads(value.removeprefix(b"\xef\xbb\xbf"))
        except ValueError:
            parsed = None
        if isinstance(parsed, dict):
            for hint in _hints(cast("Mapping[str, object]", parsed)):
                self.counts[hint] += 1
            self._compare_id(cast("Mapping[str, object]", parsed))
        elif self.lines == 1:
            self._form = _describe_form(value)

    def say(self) -> Iterator[str]:
        """Yield each hint as a line."""
        if not self.lines:
            yield "the input holds no notes"
        if self._form:
            yield f"the input {self._form}; notes.raw is one JSON object a line"
        for hint, count in sorted(self.counts.items()):
            yield f"hint: {count} x {hint}"

    def _compare_id(self, fields: Mapping[str, object]) -> None:
        if isinstance(fields.get("note_id"), str):
            own = hash((fields.get("tenant") or "default", fields["note_id"]))
            self.counts.update([Hint.SAME_ID] if own in self._ids else ())
            self._ids.add(own)


def _hints(fields: Mapping[str, object]) -> Iterator[Hint]:
    if "resourceType" not in fields and fields.keys() - _TOP:
        yield Hint.UNKNOWN_FIELD
    authored = fields.get("authored_at")
    if isinstance(authored, str) and not _is_time(authored):
        yield Hint.BAD_AUTHORED
    if isinstance(fields.get("known"), dict):
        known = cast("Mapping[str, object]", fields["known"])
        if known.keys() - _KNOWN:
            yield Hint.UNKNOWN_KNOWN
        dates = known.get("dates")
        listed = cast("list[object]", dates) if isinstance(dates, list) else []
        if not all(_is_date(each) for each in listed if isinstance(each, str)):
            yield Hint.BAD_KNOWN_DATE


def _is_time(text: str) -> bool:
    try:
        datetime.fromisoformat(text.strip())
    except ValueError:
        return False
    return True


def _is_date(text: str) -> bool:
    return _is_time(text) or read_date_and_time(text.strip(), NoteFacts()) is not None


def _describe_form(first: bytes) -> str:
    if first.strip() == b"{":
        return "looks like JSON over several lines (jq -c . writes each note as one)"
    for begins, form in _FORMS:
        if first.startswith(begins):
            return form
    if b"{" not in first:
        for delimiter, name in ((b"\t", "tsv"), (b",", "csv"), (b";", "csv")):
            if delimiter in first:
                return f"looks like {name.upper()} (--format {name} reads it)"
    return ""
