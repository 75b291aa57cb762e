"""Cuts a run of capitalised words down to the name in it."""

import re2

from deidstream.models.phi.names.stops import EPONYMS, LEADING, VERBS, bare_word, stops
from deidstream.models.recognizers.rules.rule import REFUSED, Candidate
from deidstream.models.text.patterns import word_set

_TOKEN = re2.compile(r"[^\s,]+,?")
_PARTICLES = word_set("""
van von de der den del della da dos das di du la le el al bin binti bte bint ibn ben ap ab y ter
ten zu af av st. a/l a/p s/o d/o
""")
_LINKING = frozenset({"and", "of", "&", "y", "e"})
_SHORT = 6
WRAPPED_AT = 60
"""A line of at least so many characters may have been wrapped."""
_TRADES = ("ologist", "iatrist", "iatrician", "etist", "therapist", "practitioner")
_LOWER = re2.compile(r"[a-z]{3}")


def _tokens(text: str) -> list[tuple[int, int]]:
    return [(int(m.start()), int(m.end())) for m in _TOKEN.finditer(text)]


def trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    """Leave out particles, commas and a possessive at the end of a name."""
    kept = text[start:end].rstrip(" ,;:-")
    for tail in ("'s", "\u2019s", "'S", "`s", "'"):
        kept = kept.removesuffix(tail)
    while " " in kept and kept.rsplit(" ", 1)[1] in _PARTICLES:
        kept = kept.rsplit(" ", 1)[0]
    good = any(c.isupper() for c in kept) and sum(c.isalpha() for c in kept) > 1
    return (start, start + len(kept)) if good else REFUSED


def forward(candidate: Candidate) -> tuple[int, int]:
    """Keep a run from its first word up to the first that is no part of a name.

    Titles at its head are left out.
    """
    text, begin, end = candidate.text, 0, 0
    for start, stop in _tokens(text):
        word = text[start:stop]
        if begin == start and bare_word(word) in LEADING and stop < len(text):
            begin = stop + len(text[stop:]) - len(text[stop:].lstrip())
            continue
        owned = text[begin:start].rstrip().endswith(("'s", "\u2019s"))
        if stops(word) or owned or _parted(candidate, text[end:start]):
            break
        end = stop
    kept = trimmed(text, begin, end) if end > begin else REFUSED
    return REFUSED if bare_word(text[kept[0] : kept[1]]) in LEADING else kept


def _parted(candidate: Candidate, gap: str) -> bool:
    """Return whether a gap is one between columns, or a line end that wraps nothing."""
    if "\n" in gap:
        at = candidate.text.index("\n")
        line = (candidate.before + candidate.text[:at]).rsplit("\n", 1)[-1]
        return len(line) < WRAPPED_AT
    return len(gap) > len("  ")


def cued(candidate: Candidate) -> tuple[int, int]:
    """Like ``forward``; neither a short word in capitals among small letters nor a trade."""
    start, end = forward(candidate)
    kept = candidate.text[start:end]
    trade = " " not in kept and kept.lower().endswith(_TRADES)
    return REFUSED if trade or shouted(kept, candidate) else (start, end)


def shouted(kept: str, candidate: Candidate) -> bool:
    """Return whether a text is an abbreviation in running text."""
    short = len(kept) <= _SHORT and kept.isupper() and " " not in kept
    return short and bool(_LOWER.search(candidate.before[-40:] + candidate.after[:20]))


def backward(candidate: Candidate) -> tuple[int, int]:
    """Keep a run from its last word back to the last that is no part of a name."""
    text, begin = candidate.text, len(candidate.text)
    for start, stop in reversed(_tokens(text)):
        word = text[start:stop]
        if (
            stops(word)
            or word.rstrip(",").endswith(("'s", "\u2019s"))
            or _parted(candidate, text[stop:begin])
        ):
            break
        begin = start
    while begin < len(text) and text[begin:].split(" ", 1)[0].lower() in _LINKING:
        begin += len(text[begin:].split(" ", 1)[0]) + 1
    kept = trimmed(text, begin, len(text)) if begin < len(text) else REFUSED
    return REFUSED if shouted(text[kept[0] : kept[1]], candidate) else kept


def lower(candidate: Candidate) -> tuple[int, int]:
    """Keep a word without capitals, unless it is one that names nobody."""
    text = candidate.text
    words = text.split(" ")
    return REFUSED if any(stops(w) or w in VERBS for w in words) else (0, len(text))


def several(candidate: Candidate) -> tuple[int, int]:
    """Like ``cued``, and refuse a single word."""
    start, end = cued(candidate)
    kept = candidate.text[start:end]
    return (start, end) if " " in kept or "," in kept else REFUSED


def eponymous(candidate: Candidate, kept: tuple[int, int]) -> bool:
    """Return whether what is kept begins like a disease, a sign or a device."""
    words = candidate.text[kept[0] : kept[1]].split()
    return bool(words) and bare_word(words[0]).removesuffix("'s") in EPONYMS
