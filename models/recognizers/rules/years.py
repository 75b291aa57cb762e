"""Years and decades."""

import re2

from deidstream.models.phi.dates.date_patterns import YEAR
from deidstream.models.recognizers.rules.rule import REFUSED, Candidate, Rule, whole
from deidstream.models.text.patterns import DASH, END, any_of
from deidstream.schemas.label import PhiLabel

_AMOUNT = re2.compile(
    r"^[ -]?(?i:mg|mcg|ml|cc|g|kg|units?|u|iu|kcal|cal|calories|steps|cells|copies|h|hrs?|hours"
    r"|mm|cm|m|ft|lbs?|rpm|l|pg|ng|j|k|am|pm|mah|microns?|meters|metres|rads?|gy|cgy|patients"
    r"|pts|people|words|ms|hz)\b|^[-/.:,]?[0-9]|^ ?%|^ (?:to|-|\x{2013}) ?(?:0|1[0-8]"
    r"|2[0-3])[0-9]{2}\b"
)
_CUE = any_of("""
in, since, until, till, til, from, of, by, circa, ca\\.?, c\\., after, before, during, year, early
late, mid, around, about, between, and, to, through, thru, approx, d\\., b\\., born, died, dx
dx'?d, diagnosed, quit, stopped, retired, s/p, implanted, cabg, surgery, pci, stent, repair
replacement, back in, summer, winter, spring, fall, autumn, film, class, last, colonoscopy
hysterectomy, cholecystectomy, appendectomy, appy, chole, tkr, thr, tka, tha, mi, cva, stroke, avr
mvr, tavr, dvt, pe, lumpectomy, mastectomy, prostatectomy, thyroidectomy, section, c-section
divorced, widowed, married, sober, echo, caesarean, sab, closure, cea, lsil, depression, listed
add_month, radioiodine, resected, tube, hit, ablation, fusion, biopsy, episode, vs, turp, migrated
emigrated, arrived, came, menopause, cesarean, transplant, resection, excision, x[1-9], ivf
""")
_TIMED = re2.compile(
    r"(?i)\b(?:at|@|by|until|till|til|from|to|before|after|around|about|and|of|approx)[ ~]{1,2}$"
    r"|(?:[^x0-9][0-9]|[0-9]{2}|/)[ ]$"
)
_EITHER = re2.compile(r"(?i)(?:of|and|from|by|after|before|around|about)[ \n]$")
_D = PhiLabel.DATE


def _year(candidate: Candidate) -> tuple[int, int]:
    return REFUSED if _AMOUNT.search(candidate.after) else whole(candidate)


def _clear_year(candidate: Candidate) -> tuple[int, int]:
    """A year that could be a time of day needs more than a word that suits both."""
    timed = int(candidate.text[2:]) in range(60) and _TIMED.search(candidate.before)
    plain = not _EITHER.search(candidate.before)
    return REFUSED if timed and plain else _year(candidate)


_CLOCKED = (
    "arrived ",
    "called ",
    "given ",
    "seen ",
    "done ",
    "out ",
    "back ",
    "paged ",
    "code ",
    "in ",
    "stop ",
    "start ",
)

RULES = (
    Rule(
        "date.year_cued",
        _D,
        rf"(?:^|[^0-9A-Za-z])(?i:{_CUE})[ \n]({YEAR})\b",
        0.85,
        (
            "since [[2019]] with",
            "born [[1964]].",
            "CABG [[2011]]",
            "in [[2009]]",
            "CABG x3 [[2011]],",
        ),
        ("of 2000 mL", "to 1950 mg", "in 2000 patients", "to 2015 to 2300"),
        _clear_year,
    ),
    Rule(
        "date.year",
        _D,
        rf"(?:^|[^0-9A-Za-z./:$#+~-])(19[6-9][0-9]){END}",
        0.7,
        ("Catania [[1991]].", "divorced, [[1988]]; two"),
        ("1975 mL", "acct 1-1991-22"),
        _year,
    ),
    Rule(
        "date.year_between",
        _D,
        r"[a-z)][ ](20[0-3][0-9]|19[0-5][0-9])(?:[,;)]|\.(?:[ \n]|$)|[ ](?:for|with|showed|after"
        r"|moderate|mild|normal|due)\b)",
        0.55,
        ("thymoma resected [[2019]]. ", "depression [[2019]], so", "echo [[2019]] moderate AS"),
        ("arrived at 2015.", "given 2000 mL"),
        lambda c: REFUSED if _TIMED.search(c.before) or c.before.endswith(_CLOCKED) else _year(c),
    ),
    Rule(
        "date.year_enclosed",
        _D,
        rf"(?:\((?:[^()0-9\n]{{0,40}}[ ,])?({YEAR})[),;]|,[ ]({YEAR})[,);.]|\n({YEAR})[:,]|(?:^"
        rf"|[ ])({YEAR})[ ]-[ ][a-z]|\b(?i:MI|CABG|TKR|TKA|CVA|DVT|PE|stroke|in"
        r"|since)[ ]('[0-9]{2})\b)",
        0.75,
        ("DUI ([[2011]])", "AVR, [[2018]], no", "MI [['09]], CABG", "Previous: [[2019]] - missed"),
        ("(2000 mL)",),
        _year,
    ),
    Rule(
        "date.year_range",
        _D,
        rf"(?:^|[^0-9A-Za-z./:#-])({YEAR})[ ]?(?:{DASH}|/)[ ]?({YEAR}|[0-9]{{2}}){END}",
        0.8,
        ("cutter [[1978]]-[[1991]] at", "([[2019]]\u2013[[21]])"),
        ("2019-221-01", "2019-13-40"),
        lambda c: REFUSED if int(c.text) in range(13) else whole(c),
    ),
    Rule(
        "date.decade",
        _D,
        r"(?:(?:^|[^0-9A-Za-z])((?:19|20)[0-9]0'?s)\b|\b(?i:the|in|early|late|mid"
        r"|since)[ -]('[1-9]0'?s)[^0-9A-Za-z])",
        0.85,
        ("in the [[1980s]]", "smoked in the [['90s]],"),
        ("HR 1980", "in the 90s,"),
    ),
)
