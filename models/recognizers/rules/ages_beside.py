"""Decide by the text around a number whether it is an age."""

import re2

from deidstream.models.phi.names.stops import ends_name
from deidstream.models.recognizers.rules.rule import REFUSED, Candidate, keep_whole
from deidstream.models.text.patterns import word_set

_CARE = re2.compile(
    r"(?i)(?:\b(?:gestation|gestational(?: age)?:?|bone age|ga|weeks|for|over|past|x|every|q"
    r"|times|within|bone|pod|hd|day|dol|pma|cga|corrected|level|bed|room|chair|bmi|wt|weight"
    r"|grade|stage|type|zone|no|rt|lt)[ :.]{0,3}$|[0-9][-/.]$)"
)
_MEASURE = re2.compile(
    r"^ ?(?:\.[0-9]|m\b ?(?:away|in|walk|x|quad)|/s|mg|mcg|ml|kg|cm|mm|g\b|%|deg|hours|hrs|h\b"
    r"|Fr\b|French|gauge|min|beats|/|F (?:water|within|today|in)|BM|pack|reps|sets)"
)
_BEFORE_MEASURE = re2.compile(
    r"(?i)(?:temp(?:erature)?|tmax|below|above|t|size|rm|room|bed|hr|rr|bp|wt|ht|x|\xd7|of"
    r"|walked|walk|within|over|approx|had|cv|stay|and|to|in)[ :=~]{0,3}$|[0-9][-\x{2013}/.]$"
)
_SINCE = re2.compile(
    r"^ ?(?i:times|x\b|weeks|wks|months|mos?\b|days|years?|yrs?|y\b|hours|hrs?|h\b|min|of |units"
    r"|mg|visits|pack|cans|beers|drinks)"
)
_AGO = re2.compile(
    r"^.{0,6}(?i:ago|hx|history|since|prior|later|post|survival|pack|interval|left|total)"
)
_AFTER_NAME = re2.compile(
    r"^(?i: ?(?:\)|,|;|\.(?:$|[^0-9])|$|\n| ?(?:[mf]\b|yo|y/o|y\.o|yrs?|years|female|male|man\b"
    r"|woman\b|g[0-9]|and\b|who\b|with\b|w/|is\b|was\b|here\b|has\b|seen\b|presents?\b"
    r"|admitted\b|called\b|dx\b|status\b|s/p\b|wt\b|mr[n ]|acct\b|home:|hosp\b|[0-9]{2} kg"
    r"|room\b|\|)|   ))"
)
_LAST_WORDS = re2.compile(
    r"(\p{Lu}[\p{L}'.-]+)?,?[ ]?(\p{Lu}[\p{L}'-]+)[^\p{L}]*(?:[(][^()]{0,30})?$"
)
_COUNTED = word_set("""
Cycle Ward Floor Suite Room Bed Unit Level Grade Type Stage Factor Scale Score Index Test MELD
Medications Photographs Step Phase Week Weeks Visit Session Line Gravida Version Box Lot Frailty
""")


def keep_age(candidate: Candidate) -> tuple[int, int]:
    """Keep a number unless the text before it counts something else."""
    return REFUSED if _CARE.search(candidate.before) else keep_whole(candidate)


def is_measurement(candidate: Candidate) -> bool:
    """Return whether a number is a measurement."""
    return bool(_MEASURE.search(candidate.after) or _BEFORE_MEASURE.search(candidate.before))


def is_count(candidate: Candidate) -> bool:
    """Return whether a number counts days, packs or times."""
    after = candidate.after
    return bool((_SINCE.search(after) and "old" not in after[:12]) or _AGO.search(after))


def keep_before_sex(candidate: Candidate) -> tuple[int, int]:
    """Keep a number before a sex unless it is a measurement."""
    return REFUSED if is_measurement(candidate) else keep_age(candidate)


def keep_beside_name(candidate: Candidate) -> tuple[int, int]:
    """Keep a number after a name, not one after a test, a score or a room."""
    last = _LAST_WORDS.search(candidate.before)
    words = [str(w) for w in last.groups() if w] if last else []
    named = words and words[-1] not in _COUNTED and not ends_name(words[-1])
    scale = named and words[-1].isupper() and len(words) == 1
    good = named and not scale and words[-1][2:] and _AFTER_NAME.search(candidate.after)
    return keep_whole(candidate) if good and not is_count(candidate) else REFUSED


def keep_infant_age(candidate: Candidate) -> tuple[int, int]:
    """Keep months and days, and twelfths of a year only within a list."""
    listed = candidate.before.endswith((", ", "; "))
    return REFUSED if candidate.text.endswith("/12") and not listed else keep_whole(candidate)
