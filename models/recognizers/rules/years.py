"""Find dates that have no day: years, and holidays by their names."""

import re2

from deidstream.models.phi.dates.date_patterns import YEAR
from deidstream.models.recognizers.rules.rule import REFUSED, Candidate, Rule, keep_whole
from deidstream.models.text.patterns import any_of
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
htn, gdm, t[12]dm, dm[12], copd, ckd, afib, chf, cad, tia, sle, ibs, gord, gerd, asthma, epilepsy
hypertension, diabetes, eclampsia, cancer, ca, tb
""")
_TIMED = re2.compile(
    r"(?i)\b(?:at|@|by|until|till|til|from|to|before|after|around|about|and|of|approx)[ ~]{1,2}$"
    r"|(?:[^x0-9][0-9]|[0-9]{2}|/)[ ]$"
)
_EITHER = re2.compile(r"(?i)(?:of|and|from|by|after|before|around|about)[ \n]$")
_D = PhiLabel.DATE


def _year(candidate: Candidate) -> tuple[int, int]:
    return REFUSED if _AMOUNT.search(candidate.after) else keep_whole(candidate)


def _clear_year(candidate: Candidate) -> tuple[int, int]:
    """A year that could be a time of day needs more than a word that suits both."""
    timed = int(candidate.text[2:]) in range(60) and _TIMED.search(candidate.before)
    plain = not _EITHER.search(candidate.before)
    return REFUSED if timed and plain else _year(candidate)


_HOLIDAYS = (
    r"Christmas(?:[ ](?:Eve|Day))?|Xmas(?:[ ](?:Eve|Day))?"
    r"|New[ ]Year(?:['`\xe2\x80\x99]{0,3}s)?(?:[ ](?:Eve|Day))?"
    r"|(?:Canadian[ ])?Thanksgiving(?:[ ]Day)?"
    r"|Easter(?:[ ](?:Sunday|Monday|Saturday))?|Good[ ]Friday|Palm[ ]Sunday|Ash[ ]Wednesday"
    r"|Maundy[ ]Thursday|Holy[ ](?:Thursday|Week|Saturday)|Pentecost|Whitsun(?:day)?|Advent"
    r"|Epiphany|Three[ ]Kings['\xe2\x80\x99]{0,3}[ ]Day"
    r"|Candlemas|Michaelmas|Martinmas|Lammas|Hogmanay|Corpus[ ]Christi|All[ ](?:Saints"
    r"|Souls)['\xe2\x80\x99]{0,3}(?:[ ]Day)?|Halloween|Hallowe'en|Labou?r[ ]Day|Memorial[ ]Day"
    r"|(?-i:Family[ ]Day)"
    r"|Veterans['\xe2\x80\x99]{0,3}[ ]Day|Columbus[ ]Day|Independence[ ]Day|(?:the[ ])?(?:Fourth"
    r"|4th)[ ]of[ ]July|July[ ](?:Fourth|4th)|Juneteenth|MLK[ ]Day"
    r"|Presidents?['\xe2\x80\x99]{0,3}s?[ ](?:Day|weekend)|Groundhog[ ]Day"
    r"|Valentine['\xe2\x80\x99]{0,3}s?[ ]Day|St\.?[ ]Patrick['\xe2\x80\x99]{0,3}s(?:[ ]Day)?"
    r"|Mother['\xe2\x80\x99]{0,3}s['\xe2\x80\x99]{0,3}[ ]Day"
    r"|Father['\xe2\x80\x99]{0,3}s['\xe2\x80\x99]{0,3}[ ]Day|Mothering[ ]Sunday|Boxing[ ]Day"
    r"|Bonfire[ ]Night|Guy[ ]Fawkes(?:[ ]Night)?|Remembrance[ ](?:Day|Sunday)|Armistice[ ]Day"
    r"|Anzac[ ]Day|ANZAC[ ]Day|Australia[ ]Day|Canada[ ]Day|Waitangi[ ]Day|Victoria[ ]Day"
    r"|Burns[ ]Night|Bastille[ ]Day|Heritage[ ]Day|Ramadan|Ramazan|Eid(?:[ ]al[- ](?:Fitr|Adha)"
    r"|[ ]ul[- ](?:Fitr|Adha))?|Hari[ ]Raya|Diwali|Deepavali|Holi|Navratri|Onam"
    r"|(?:Thai[ ])?Pongal|Vesak"
    r"|Songkran|Obon|Tet|(?:Chinese|Lunar)[ ]New[ ]Year|Mid-Autumn[ ]Festival|Nowruz|Norooz"
    r"|Rosh[ ]Hashanah|Yom[ ]Kippur|Passover|Pesach|Sukkot|Purim|Hanukkah|Chanukah|Shavuot"
    r"|Mardi[ ]Gras(?:[ ]Sunday)?|Shrove[ ]Tuesday|Carnival[ ](?:Saturday|Monday|Tuesday)"
    r"|Kwanzaa|Cinco[ ]de[ ]Mayo|Super[ ]Bowl[ ]Sunday|Lent|Ascension[ ]Day|Black[ ]Friday"
    r"|Golden[ ]Week|Midsummer(?:[ ]Eve|[ ]Day)?|Crop[ ]Over(?:[ ]Monday)?"
    r"|April[ ]Fools?['\xe2\x80\x99]{0,3}s?(?:[ ]Day)?|Lammas|Twelfth[ ]Night"
    r"|Feast[ ]of[ ]St\.?[ ][A-Z][a-z]+"
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
            "PMH: T2DM [[2016]], COPD [[2012]].",
        ),
        ("of 2000 mL", "to 1950 mg", "in 2000 patients", "to 2015 to 2300"),
        _clear_year,
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
        "date.feast",
        PhiLabel.DATE,
        rf"\b((?i:{_HOLIDAYS})(?:[ ](?i:eve))?(?:,?[ ](?:of[ ])?{YEAR})?)\b",
        0.8,
        (
            "by [[Labor Day]], then",
            "since [[Christmas Eve]].",
            "on [[Thanksgiving eve]], with",
            "[[Halloween 2024]]",
            "fell on [[Family Day]].",
            "over [[Advent]] showed",
            "on [[the Fourth of July]]",
        ),
        ("lentil soup", "eider down", "at a family day"),
    ),
)
