"""What the operators are told of each span of a note."""

from collections import Counter
from collections.abc import Sequence
from datetime import date

from deidstream.models.mention import Mention, NoteFacts
from deidstream.models.phi.dates.age_limit import note_years
from deidstream.models.phi.dates.meaning import meant
from deidstream.models.phi.dates.order import day_first, unpadded
from deidstream.models.phi.dates.ranges import JOINT, read_ends
from deidstream.schemas.label import PhiLabel
from deidstream.schemas.note import RawNote
from deidstream.schemas.span import Span

_PLACED = (PhiLabel.ZIP, PhiLabel.PHONE, PhiLabel.FAX)
"""Labels whose form tells the country."""
_LONGEST_JOINT = 12
_AHEAD = 12
"""Characters after an age that an operator sees."""
_LONE_DAY = 5
"""Most characters of a day alone, such as ``22nd``."""


def mentions(note: RawNote, spans: Sequence[Span]) -> tuple[Mention, ...]:
    """Cut the spans out of a note, with what the note as a whole tells of them.

    Args:
        note: The note.
        spans: Disjoint, in order.
    """
    texts = [note.text[span.start : span.end] for span in spans]
    facts = _facts(note, spans, texts)
    befores, afters = _befores(note.text, spans, texts), _afters(note.text, spans, texts)
    return tuple(
        Mention(text, span.label, facts, before, after)
        for span, text, before, after in zip(spans, texts, befores, afters, strict=True)
    )


def _facts(note: RawNote, spans: Sequence[Span], texts: Sequence[str]) -> NoteFacts:
    of = {
        label: [text for span, text in zip(spans, texts, strict=True) if span.label is label]
        for label in (PhiLabel.DATE, PhiLabel.AGE, *_PLACED)
    }
    dates = of[PhiLabel.DATE]
    numbers = [text for label in _PLACED for text in of[label]]
    facts = NoteFacts(day_first(dates, note.language, numbers), note.language)
    return NoteFacts(
        facts.day_first,
        facts.language,
        note_years(note.authored_at, dates, of[PhiLabel.AGE]),
        noted((note.authored_at or "").strip(), dates, facts),
        unpadded(dates),
    )


def noted(authored_at: str, dates: Sequence[str], facts: NoteFacts) -> date | None:
    """Find the note's own date: that of its metadata, or the first of the year it speaks of most.

    Of years named alike often the latest counts.
    """
    own = _full_dates(authored_at, facts)
    if own:
        return own[0]
    told = [day for text in dates for day in _full_dates(text, facts)]
    counts = Counter(day.year for day in told)
    if not counts:
        return None
    year = max(counts, key=lambda one: (counts[one], one))
    return next(day for day in told if day.year == year)


def _full_dates(text: str, facts: NoteFacts) -> list[date]:
    found: list[date] = []
    for end in read_ends(Mention(text, PhiLabel.DATE, facts)) or []:
        try:
            day = meant(end.fields, end.near, day_first=facts.day_first)
        except (ValueError, OverflowError):
            continue
        if day.whole:
            found.append(day.day)
    return found


def _befores(text: str, spans: Sequence[Span], texts: Sequence[str]) -> list[str]:
    """Of each date the text of the one joined to it; a lone day passes on what stands before it."""
    found = [""] * len(spans)
    for place in range(1, len(spans)):
        if _are_joined(text, spans[place - 1], spans[place]):
            lone = len(texts[place - 1]) < _LONE_DAY and found[place - 1]
            found[place] = found[place - 1] if lone else texts[place - 1]
    return found


def _afters(text: str, spans: Sequence[Span], texts: Sequence[str]) -> list[str]:
    found = [""] * len(spans)
    for place in range(len(spans) - 2, -1, -1):
        if _are_joined(text, spans[place], spans[place + 1]):
            lone = len(texts[place + 1]) < _LONE_DAY and found[place + 1]
            found[place] = found[place + 1] if lone else texts[place + 1]
    for place, span in enumerate(spans):
        if span.label is PhiLabel.AGE:
            found[place] = text[span.end : span.end + _AHEAD]
    return found


def _are_joined(text: str, first: Span, second: Span) -> bool:
    dates = first.label is second.label is PhiLabel.DATE
    if not dates or second.start - first.end > _LONGEST_JOINT:
        return False
    return JOINT.fullmatch(text[first.end : second.start]) is not None
