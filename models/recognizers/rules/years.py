"""Find dates that have no day: years, decades, seasons, and holidays by their names."""

import re2

from deidstream.models.phi.dates.date_patterns import YEAR
from deidstream.models.recognizers.rules.rule import REFUSED, Candidate, Rule, keep_whole
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

_HOLIDAYS = (
    r"Christmas(?:[ ](?:Eve|Day))?|Xmas(?:[ ](?:Eve|Day))?"
    r"|New[ ]Year(?:['`\xe2\x80\x99]{0,3}s)?(?:[ ](?:Eve|Day))?|Thanksgiving(?:[ ]Day)?"
    r"|Easter(?:[ ](?:Sunday|Monday|Saturday))?|Good[ ]Friday|Palm[ ]Sunday|Ash[ ]Wednesday"
    r"|Maundy[ ]Thursday|Holy[ ](?:Thursday|Week|Saturday)|Pentecost|Whitsun(?:day)?|Advent"
    r"|Epiphany|Three[ ]Kings['\xe2\x80\x99]{0,3}[ ]Day"
    r"|Candlemas|Michaelmas|Martinmas|Lammas|Hogmanay|Corpus[ ]Christi|All[ ](?:Saints"
    r"|Souls)['\xe2\x80\x99]{0,3}(?:[ ]Day)?|Halloween|Hallowe'en|Labou?r[ ]Day|Memorial[ ]Day"
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
        lambda c: REFUSED if int(c.text) in range(13) else keep_whole(c),
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
    Rule(
        "date.feast",
        PhiLabel.DATE,
        rf"\b((?i:{_HOLIDAYS})(?:,?[ ](?:of[ ])?{YEAR})?)\b",
        0.8,
        (
            "by [[Labor Day]], then",
            "since [[Christmas Eve]].",
            "[[Halloween 2024]]",
            "over [[Advent]] showed",
            "on [[the Fourth of July]]",
        ),
        ("lentil soup", "eider down"),
    ),
    Rule(
        "date.season_of_year",
        PhiLabel.DATE,
        r"\b((?i:(?:early|mid|late)[ -])?(?i:spring|summer|autumn|fall|winter"
        rf"|rainy[ ]season)[ ](?:(?i:of)[ ])?{YEAR})\b",
        0.9,
        ("in [[autumn of 2019]]", "[[Fall 2024]] term"),
        ("fall 3 days ago",),
    ),
    Rule(
        "date.season",
        PhiLabel.DATE,
        r"\b(?i:in|in[ ]the|the|this|last|next|by|until|since|early|late|mid|every|each|all"
        r"|over[ ]the|during|from|through)[ -](?:(?i:the)[ ])?(?:(?i:early|late"
        r"|mid)[ -])?((?i:spring|summer|autumn|winter|harmattan))\b(?:$|[^- A-Za-z]|[ ](?:[^tb]"
        r"|to))",
        0.8,
        ("in the [[spring]].", "last [[winter]] she", "since [[summer]]"),
        ("the spring-loaded", "spring water"),
    ),
    Rule(
        "date.fall",
        PhiLabel.DATE,
        r"\b(?i:last|this|next|each|every|in[ ]early|in[ ]late|by)[ ]((?i:fall))\b(?:[.,;)]|$"
        r"|[ ](?i:and|at|when|she|he|term|semester|for|with|\()|\n)",
        0.6,
        ("since last [[fall]].", "school this [[fall]], and"),
        ("a fall at home", "last fall 3/4 onto hip", "this fall was"),
    ),
)
