"""Cut a run of capitalised words down to the name in it."""

import re

import re2

from deidstream.models.phi.names.stops import LEADING, NOT_SIGNED, VERBS, ends_name, strip_word
from deidstream.models.recognizers.rules.rule import REFUSED, Candidate
from deidstream.models.text.eponyms import LEADING_EPONYMS
from deidstream.models.text.patterns import word_set

_TOKEN = re.compile(r"[^\t\n\f\r ,]+,?")
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
    return [match.span() for match in _TOKEN.finditer(text)]


def trim_name(text: str, start: int, end: int) -> tuple[int, int]:
    """Cut particles, commas and a possessive off the end of a name."""
    kept = text[start:end].rstrip(" ,;:-")
    for tail in ("'s", "\u2019s", "'S", "`s", "'"):
        kept = kept.removesuffix(tail)
    while " " in kept and kept.rsplit(" ", 1)[1] in _PARTICLES:
        kept = kept.rsplit(" ", 1)[0]
    good = any(c.isupper() for c in kept) and sum(c.isalpha() for c in kept) > 1
    return (start, start + len(kept)) if good else REFUSED


def keep_name_forward(candidate: Candidate) -> tuple[int, int]:
    """Keep a run from its first word up to the first that is no part of a name.

    Titles at its start are left out.
    """
    text, begin, end = candidate.text, 0, 0
    for start, stop in _tokens(text):
        word = text[start:stop]
        if begin == start and strip_word(word) in LEADING and stop < len(text):
            begin = stop + len(text[stop:]) - len(text[stop:].lstrip())
            continue
        owned = text[begin:start].rstrip().endswith(("'s", "\u2019s"))
        if ends_name(word) or owned or _separates_columns(candidate, text[end:start]):
            break
        end = stop
    kept = trim_name(text, begin, end) if end > begin else REFUSED
    return REFUSED if strip_word(text[kept[0] : kept[1]]) in LEADING else kept


def _separates_columns(candidate: Candidate, gap: str) -> bool:
    """Return whether a gap is one between columns, or the end of a line that is not wrapped."""
    if "\n" in gap:
        at = candidate.text.index("\n")
        line = (candidate.before + candidate.text[:at]).rsplit("\n", 1)[-1]
        return len(line) < WRAPPED_AT
    return len(gap) > len("  ")


def keep_name_after_cue(candidate: Candidate) -> tuple[int, int]:
    """Keep a run as ``keep_name_forward`` does; refuse abbreviations and trades."""
    start, end = keep_name_forward(candidate)
    kept = candidate.text[start:end]
    trade = " " not in kept and kept.lower().endswith(_TRADES)
    return REFUSED if trade or is_abbreviation(kept, candidate) else (start, end)


def is_abbreviation(kept: str, candidate: Candidate) -> bool:
    """Return whether a text is a short word in capitals amid words in small letters."""
    short = len(kept) <= _SHORT and kept.isupper() and " " not in kept
    return short and bool(_LOWER.search(candidate.before[-40:] + candidate.after[:20]))


def keep_name_backward(candidate: Candidate) -> tuple[int, int]:
    """Keep a run from its last word back to the last that is no part of a name."""
    text, begin = candidate.text, len(candidate.text)
    for start, stop in reversed(_tokens(text)):
        word = text[start:stop]
        if (
            ends_name(word)
            or word.rstrip(",").endswith(("'s", "\u2019s"))
            or _separates_columns(candidate, text[stop:begin])
        ):
            break
        begin = start
    while begin < len(text) and text[begin:].split(" ", 1)[0].lower() in _LINKING:
        begin += len(text[begin:].split(" ", 1)[0]) + 1
    kept = trim_name(text, begin, len(text)) if begin < len(text) else REFUSED
    return REFUSED if is_abbreviation(text[kept[0] : kept[1]], candidate) else kept


def keep_lower_name(candidate: Candidate) -> tuple[int, int]:
    """Keep words without capitals, unless one of them ends a name."""
    text = candidate.text
    words = text.split(" ")
    return REFUSED if any(ends_name(w) or w in VERBS for w in words) else (0, len(text))


def begins_with_eponym(candidate: Candidate, kept: tuple[int, int]) -> bool:
    """Return whether the kept part begins with the name of a disease, a sign or a device."""
    words = candidate.text[kept[0] : kept[1]].split()
    return bool(words) and strip_word(words[0]).removesuffix("'s") in LEADING_EPONYMS


NOT_PERSONS = word_set("""
they we nobody everyone someone anyone family staff team nursing parents parent child baby infant
kids neighbors neighbours people police ems fire ambulance hospital clinic pharmacy insurance
school lab radiology surgery medicine neurology cardiology pain appetite sleep mood speech gait
skin wound rash cough fever vision hearing weight another nothing something everything neither
either both none much many few several he she it this that these those who what caregiver guardian
spouse partner wife husband daughter son brother sister mother father mom dad mum aunt uncle
grandmother grandfather friend friends neighbor neighbour roommate client resident student teacher
boss employer interpreter volunteer chaplain bleeding swelling edema diarrhea constipation nausea
vomiting headache dizziness alcohol tobacco cannabis cocaine work sex diet exercise hx history
""")
"""Words that, before a verb of a person or an age, are no names."""


def keep_person_in_text(candidate: Candidate) -> tuple[int, int]:
    """Keep a name in running text as ``keep_name_forward`` does; refuse other nouns."""
    words = candidate.text.split()
    bad = any(ends_name(w) or w.lower() in NOT_SIGNED or w.lower() in NOT_PERSONS for w in words)
    return (
        REFUSED
        if bad or begins_with_eponym(candidate, (0, len(candidate.text)))
        else keep_name_forward(candidate)
    )
