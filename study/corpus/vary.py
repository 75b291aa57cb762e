"""Replace the people, places, dates and numbers of a labelled note; other words stay."""

import random
from collections.abc import Iterator
from dataclasses import replace

from deidstream.models.phi.dates.order import day_first
from deidstream.schemas.label import HANDLES, PERSONS, PhiLabel
from deidstream.schemas.labelled import LabelledNote
from deidstream.schemas.note import KnownIdentifiers
from deidstream.schemas.span import Span
from deidstream.study.corpus.fillers.fill import Filler
from deidstream.study.corpus.fillers.word_lists import Pen, Site

_NEAR = 24
"""How many characters around a span are looked at."""
_SHOUTED = 4
"""Capitals for each small letter from which on a note counts as written in capitals."""
_FITTING_TRIES = 20
_AN = ("8", "11", "18", "80", "81", "82", "83", "84", "85", "86", "87", "88", "89")
_A = ("uni", "eu", "one", "ubi", "use", "uti")
_SAME_AGAIN = 0.97
"""Share of mentions that are written as the same mention was before."""


def vary(labelled: LabelledNote, rng: random.Random, fillers: Filler) -> LabelledNote:
    """Rewrite the note with a new value in each span.

    The same text of the same label mostly becomes the same new text; the parts of a name agree,
    and all dates move by the same number of days. A span that no filler can imitate keeps its
    text. The note's known identifiers, which would no longer be its own, are left out.

    Args:
        labelled: The note; it is not changed.
        rng: The only source of chance.
        fillers: Whose lists and share of other forms to use; its own ``rng`` is not touched.
    """
    pen = Pen(rng, fillers.lists)
    text = labelled.note.text
    dates = [text[s.start : s.end] for s in labelled.spans if s.label is PhiLabel.DATE]
    facts = day_first(dates, labelled.note.language)
    written: dict[Span, str] = {}
    for span in _in_order(labelled):
        site = _site(labelled, span, facts)
        new = _write_value(pen, site, fillers)
        written[span] = _fit_text(text[span.start : span.end], new, site)
    return _rebuild(labelled, written)


def _in_order(labelled: LabelledNote) -> Iterator[Span]:
    """Sort whole names first, as parts and initials follow them; logins, made of names, last."""

    def rank(span: Span) -> int:
        words = len(labelled.note.text[span.start : span.end].split())
        if span.label in PERSONS:
            return 0 if words > 1 else 1
        return 3 if span.label in HANDLES else 2

    yield from sorted(labelled.spans, key=lambda span: (rank(span), span.start))


def _site(labelled: LabelledNote, span: Span, day_leads: bool) -> Site:  # noqa: FBT001
    text = labelled.note.text
    return Site(
        span.label,
        " ".join(text[span.start : span.end].split()),
        text[max(span.start - _NEAR, 0) : span.start],
        text[span.end : span.end + _NEAR],
        day_leads,
    )


def _write_value(pen: Pen, site: Site, fillers: Filler) -> str:
    """Write the new value of a mention; mostly the same for the same mention."""
    kind = f"again {'name' if site.label in PERSONS else site.label} {site.touches_letter}"
    if not site.text:
        return ""
    if not pen.chance(_SAME_AGAIN):
        return _draw_text(pen, site, fillers)
    return pen.recall(kind, site.text, lambda: _draw_text(pen, site, fillers))


def _draw_text(pen: Pen, site: Site, fillers: Filler) -> str:
    """Draw until the article before fits or tries run out; keep the text if none can be drawn."""
    new = None
    for _ in range(_FITTING_TRIES):
        new = fillers.refill(pen, site)
        if new is None or _fits_article(site.before, new):
            break
    return (new or "").strip() or site.text


def _fits_article(before: str, new: str) -> bool:
    article = before.split(" ")[-2:-1]
    if before[-1:] != " " or not article or article[0].casefold() not in {"a", "an"}:
        return True
    word = new.casefold()
    vowel = word.startswith(_AN) or (word[:1] in "aeiou" and not word.startswith(_A))
    return vowel == (article[0].casefold() == "an")


def _fit_text(old: str, new: str, site: Site) -> str:
    """Break the line of the new text where the old one had a break; never write two full stops."""
    gaps = list(_gaps(old)) if "\n" in old else []
    broken = next((place for place, gap in enumerate(gaps, start=1) if "\n" in gap), 0)
    if broken:
        words = new.split(" ")
        place = min(broken, len(words) - 1)
        parts = (" ".join(words[:place]), " ".join(words[place:]))
        new = gaps[broken - 1].join(part for part in parts if part)
    if new.endswith(".") and not old.endswith(".") and site.after.startswith("."):
        new = new[:-1]
    return new or old


def _gaps(text: str) -> Iterator[str]:
    """Yield the runs of white space."""
    held = ""
    for char in text:
        if char.isspace():
            held += char
        elif held:
            yield held
            held = ""


def _rebuild(labelled: LabelledNote, written: dict[Span, str]) -> LabelledNote:
    text, pieces, spans, at, length = labelled.note.text, list[str](), list[Span](), 0, 0
    shouted = _is_shouted(text)
    for span in labelled.spans:
        old = text[span.start : span.end]
        new = written[span]
        if shouted and new != old and not any(map(str.islower, old)):
            new = new.upper()
        pieces += (text[at : span.start], new)
        start = length + span.start - at
        length, at = start + len(new), span.end
        spans.append(Span(start, length, span.label, span.score, span.source))
    pieces.append(text[at:])
    note = replace(labelled.note, text="".join(pieces), known=KnownIdentifiers())
    return LabelledNote(note, tuple(spans))


def _is_shouted(text: str) -> bool:
    return sum(map(str.isupper, text)) > _SHOUTED * sum(map(str.islower, text))
