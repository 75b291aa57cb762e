"""Decide by the text around a number whether it is an age."""

import re2

from deidstream.models.phi.names.stops import ends_name
from deidstream.models.recognizers.rules.rule import REFUSED, Candidate, keep_whole
from deidstream.models.text.patterns import any_of, word_set

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
_SPAN = re2.compile(
    r"^ ?(?i:yrs?|years|y) (?:ago|hx|history|prior|later|post|survival|left|interval|total)"
)
_VITAL = any_of("""
hr, rr, bp, map, sats?, spo2, o2, wbc, hgb, hb, plt, glucose, bg, fsbs, cr, k, na, inr, gcs, ef
lvef, rate, temp, score, bmi, saturation, creatinine, sodium, potassium, lactate, ferritin, psa
tsh, pef, flow, pressure, count, weight, goal, phq, gad, wt, qtc, egfr, crp, esr, bun, ph, alt
ast, bilirubin, gfr, index, titer, cpap, peep, fio2, pain, platelets, hemoglobin, moca, mmse, mcv
pulse, a1c, dose, level, setting, paced?, set, gradient, area, volume, temperature, angle, flexion
extension, rom, line, feeds, pinch, rpr, epds, mac, cm, ecmo, compliance, apap, ymrs, ammonia
waking, rhythm, item, fundus, pfa, stim, speed, hz, ma, amp, mg, ml
""")
_VITALS = re2.compile(rf"(?i)\b{_VITAL}\b[^.;\n]{{0,24}}$")
_LIFE = re2.compile(
    r"(?i)\b(?:died|dead|death|diagnos|dx|quit|stopped|started|began|onset|menarche|menopause"
    r"|married|first|drink|smok|retired|cancer|stroke|mi|cabg|suddenly|brother|sister|sibling"
    r"|mother|father|uncle|aunt|school|drowned|shot|killed|left|care|surgery|release|baptis"
    r"|blind|episode|seizure|enlisted|rash|tubes|son|daughter|found|playing|shop|college|cbt"
    r"|fracture|mother's|suicide|overdose|walks|words|since|lost|heart|cirrhosis|hepatitis"
    r"|lymphoma|migraine|asthma|diabetes|t1dm|pregnan|born|hx|menses|puberty|dementia|sober"
    r"|prison|came|arrived|moved|running|development|repaired|attempt|recheck)[^.;\n]{0,40}$"
)
_LIVING = re2.compile(
    r"(?:\b(?i:he|she|who|i|im|i'm|he's|she's)|\p{Lu}\p{Ll}+(?:,? who)?)(?: (?:is|was|turns"
    r"|turned))?(?: (?:now|then|nearly|almost))? $"
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


def is_time_span(candidate: Candidate) -> bool:
    """Return whether a number of years is a span of time rather than an age."""
    return bool(_SPAN.search(candidate.after))


def keep_age_at_event(candidate: Candidate) -> tuple[int, int]:
    """Keep a number after ``at`` amid events of a life, unless a vital sign precedes it."""
    number = candidate.text.split(" ")[0]
    sane = not number.isdigit() or int(number) in range(2, 110)
    living = _LIVING.search(candidate.before)
    eventful = (living or _LIFE.search(candidate.before)) and not _VITALS.search(candidate.before)
    return keep_whole(candidate) if eventful and sane else REFUSED


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


def keep_decade(candidate: Candidate) -> tuple[int, int]:
    """Keep a decade unless it is in figures and may be a range of measurements."""
    before = candidate.before.lower()
    figures = candidate.text[0].isdigit()
    return (
        REFUSED
        if figures and before.endswith(("in the ", "low ", "to ", "of "))
        else keep_whole(candidate)
    )


def keep_infant_age(candidate: Candidate) -> tuple[int, int]:
    """Keep months and days, and twelfths of a year only within a list."""
    listed = candidate.before.endswith((", ", "; "))
    return REFUSED if candidate.text.endswith("/12") and not listed else keep_whole(candidate)
