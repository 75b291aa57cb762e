"""Rules for cities, states, postal codes and other places, by the words beside them."""

import re2

from deidstream.models.phi.names.stops import ends_name
from deidstream.models.phi.places.institution_words import CARE
from deidstream.models.phi.places.place_cues import (
    KIND,
    LANDMARK,
    LIVING,
    PIECE,
    REGION,
    SHIRE,
    STATE,
    STATE_CODE,
    STATE_NAME,
    TOWN,
    UNIT,
)
from deidstream.models.phi.written_numbers import CANADA_CODE, EIRE_CODE, UK_CODE
from deidstream.models.recognizers.rules.name_fits import is_abbreviation
from deidstream.models.recognizers.rules.rule import REFUSED, Candidate, Rule, keep_whole
from deidstream.models.text.patterns import APART, APART_AFTER, WORD, word_set
from deidstream.schemas.label import PhiLabel

_NO_PLACE = word_set("""
spanish english french german arabic hindi mandarin cantonese chinese somali portuguese russian
polish vietnamese korean japanese urdu tagalog tigrinya amharic swahili creole asl american
african asian hispanic caucasian medicare medicaid section group assisted phase cycle god jesus
christ bangla punjabi thai kinyarwanda kreyòl hmong igbo yoruba pashto dari farsi bengali tamil
nepali burmese team officer
""")
_DEGREES = word_set("MD PA DO MA ND OD DC MS OT PT SA NS ON PR CT SD IN ID OR AC AL VA")
_L = PhiLabel


def _town(candidate: Candidate) -> tuple[int, int]:
    words = candidate.text.replace("\n", " ").split()
    bad = any(ends_name(w) or w.lower() in _NO_PLACE for w in words[:1] + words[-1:])
    # The state of an Australian or American town may have run into its name.
    state = len(words) > 1 and not candidate.text.isupper() and _STATE_TAIL.search(candidate.text)
    end = int(state.start()) if state else len(candidate.text)
    return REFUSED if bad or not candidate.text[2:] else (0, end)


def _living(candidate: Candidate) -> tuple[int, int]:
    return REFUSED if is_abbreviation(candidate.text, candidate) else _town(candidate)


def _city_before_state(candidate: Candidate) -> tuple[int, int]:
    code = candidate.after.lstrip(", (")[:3].rstrip(" ,.;)\n")
    return REFUSED if code in _DEGREES or candidate.text.isupper() else _town(candidate)


def _state(candidate: Candidate) -> tuple[int, int]:
    return REFUSED if candidate.text in _DEGREES else keep_whole(candidate)


def _state_before_zip(candidate: Candidate) -> tuple[int, int]:
    long_enough = _FIVE_DIGITS.search(candidate.after)
    short = candidate.text.isupper() and not candidate.text[2:]
    risky = candidate.text in {"ID", "MD", "PR"}
    return (
        REFUSED
        if risky or (short and not long_enough and not _AUSTRALIA.search(candidate.text))
        else keep_whole(candidate)
    )


_STATE_TAIL = re2.compile(" [A-Z]{2,3}$")
_FIVE_DIGITS = re2.compile(r"^[) ,]*[0-9O]{5}")
_AUSTRALIA = re2.compile("^(?:WA|SA|NT)$")


def _postcode(candidate: Candidate) -> tuple[int, int]:
    # "T12 L4" and "C5 6RT" are levels of the spine, not postcodes.
    spine = candidate.text[0] in "TLCS" and candidate.text[1].isdigit() and not candidate.text[6:]
    return REFUSED if spine else keep_whole(candidate)


def _landmark(candidate: Candidate) -> tuple[int, int]:
    words, begin = candidate.text.split(), 0
    while len(words) > 1 and (ends_name(words[0]) or words[0].lower() in _NO_PLACE):
        begin += len(words.pop(0)) + 1
    alone = len(words) == 1 and (begin or not _ALONE.search(words[0]))
    return REFUSED if alone else (begin, len(candidate.text))


_ALONE = re2.compile(
    r"shire$|^(?:Kent|Essex|Surrey|Norfolk|Suffolk|Cornwall|Devon|Cumbria|Moray|Fife)$"
)
_CODES = rf"(?:[0-9O][0-9lIO]{{3,5}}(?:-[0-9]{{4}})?|{CANADA_CODE})"

RULES = (
    Rule(
        "place.city_state_zip",
        _L.CITY,
        r"(?:[,;\n|)]|[ ]{2}|\b(?:in|of|at|near|from|to)[ ]|[0-9A-Z][,.]?[ ]"
        rf"|^)[ ]{{0,12}}({TOWN})[ ]?(?:,[ ]?|[ ]{{1,3}}|[ ]\(){STATE}\)?[ ,]{{1,4}}{_CODES}\b",
        0.95,
        (
            "Floor 2, [[Rutland]], VT 05799",
            "\n[[Worcester]], Massachusetts 01599",
            ", [[Wonn]] VIC 3999",
        ),
        ("see NH 3",),
        _town,
    ),
    Rule(
        "place.state_zip",
        _L.STATE,
        rf"[ ,(]({STATE})\)?[ ,]{{1,4}}{_CODES}{APART_AFTER}",
        0.9,
        ("Rutland, [[VT]] 05799", "Dayton [[OH]] 45499", "Orrin, [[Mich.]] 48999"),
        ("in 12345", " ID 60914.", "Monday, MD, 2200 Orchard"),
        _state_before_zip,
    ),
    Rule(
        "place.zip",
        _L.ZIP,
        rf"[ ,(](?:{STATE_NAME}|{REGION}|A[KLRZEP]|C[AOT]|D[CE]|FL|G[AU]|HI|I[ALN]|K[SY]|LA"
        r"|M[AEINOST]|N[CDEHJMVY]|O[HKR]|PA|RI|S[CD]|T[NX]|UT|V[AIT]"
        rf"|W[AIVY])\)?[ ,]{{1,4}}([0-9OlI]{{4,6}}(?:-[0-9]{{4}})?|{CANADA_CODE})(?:$"
        r"|[^0-9A-Za-z-])",
        0.95,
        (" VT [[05799]]\n", " VIC [[3999]]", " OH [[45499-0412]]."),
        ("at 05799", " MA 99 mm"),
    ),
    Rule(
        "place.zip_cued",
        _L.ZIP,
        r"(?:\b(?i:zip(?:[ ]code)?|postal(?:[ ]code)?|post[ ]?code|mail|APO|AE)[: ]{1,3}"
        r"|\^[A-Z]{2}\^)([0-9]{5}(?:-[0-9]{4})?)\b",
        0.85,
        ("zip [[40999]]\n", "BITTER LAKE^CO^[[80999]]^US"),
        ("zip 409", "mail 12 pages"),
    ),
    Rule(
        "place.state_after_cue",
        _L.STATE,
        r"\b(?i:plates?|tag|dl|oln|lic\.?:?|licen[cs]e|licensed"
        rf"|towed)[ :]{{1,5}}({STATE_CODE})[ ][0-9A-Z-]{{2}}",
        0.8,
        ("DL [[KY]] T00-791", "plate [[LA]] 000 QRT"),
        ("license to KS", "tag on"),
    ),
    Rule(
        "place.city_state",
        _L.CITY,
        rf"{APART}({TOWN})(?:,[ ]|[ ]\(){STATE}(?:$|[^0-9A-Za-z])",
        0.85,
        ("in [[Moscow]], Idaho, and", "near [[Hay]], NSW, on"),
        ("Smith, MD", "Plan, PA", "Hemothorax, CT 90", "HELLP (Mississippi class"),
        _city_before_state,
    ),
    Rule(
        "place.state",
        _L.STATE,
        rf"[A-Z][a-z]{{2,}}(?:,[ ]|[ ]\()({STATE_NAME}|{REGION}|{STATE_CODE})(?:$|[.,;)\n]"
        r"|[ ]{2}|[ ][a-z(])",
        0.75,
        ("Moscow, [[Idaho]], and", "Uyo, [[NSW]], on", "Bend, [[WA]]. "),
        ("Smith, MD", "Roe, PA", "Rao, DO", "Health, ID PCH"),
        _state,
    ),
    Rule(
        "place.state_cued",
        _L.STATE,
        rf"{APART}({STATE_CODE}|{STATE_NAME}|az|tx|ca|ny|fl)[ ](?i:dl|plates?|tag|license|lic"
        r"|registry|driver)\b",
        0.8,
        ("on scene, [[VT]] plate", "[[az]] tag 0AA", "; [[Minnesota]] DL R-440"),
        ("the tag", "in plate"),
    ),
    Rule(
        "place.state_name",
        _L.STATE,
        r"(?:\b(?:in|from|to|of|near|across|outside|for|rural|northern|southern|eastern|western"
        rf"|upstate)[ ]|[(,|^][ ]?)({STATE_NAME})(?:$|[^0-9A-Za-z' -]|[ ][a-z(])",
        0.8,
        ("moved from [[Louisiana]] in", "rural [[Texas]]."),
        ("in Washington Street", "of Virginia Doe"),
    ),
    Rule(
        "place.postcode",
        _L.ZIP,
        rf"{APART}({UK_CODE}|{CANADA_CODE}|{EIRE_CODE}){APART_AFTER}",
        0.85,
        ("Otterley, [[LS88 4QT]]\n", "Ontario [[P7Z 9Z9]]", "Co. Cork, [[Z99 X4K7]], I"),
        ("T12 L4", "C5 6RT"),
        _postcode,
    ),
    Rule(
        "place.town_postcode",
        _L.CITY,
        rf"[,\n][ ]{{0,8}}({TOWN})(?:,?[ ]{{1,3}}|[ ]-[ ])(?:{UK_CODE}|{CANADA_CODE}|{EIRE_CODE}"
        r"|[0-9]{5,6})\b",
        0.85,
        (", [[Dunreath]], DR9 9ZZ", "\n[[Wyndale]]  WD3 0ZZ", ", [[Mysuru]] 570000"),
        (", SpO2 98",),
        _town,
    ),
    Rule(
        "place.town_number",
        _L.ZIP,
        rf",[ ]{WORD}(?:[ ]{WORD})?(?:,?[ ]{{1,2}}|[ ]-[ ])([0-9]{{5,6}})(?:$|[^0-9A-Za-z/-])",
        0.7,
        (", Mysuru [[570000]]\n", ", Great Neckar [[11099]]."),
        (", x 12345",),
    ),
    Rule(
        "place.after_street",
        _L.CITY,
        rf"[0-9][0-9A-Za-z/-]{{0,5}}[ ](?:{PIECE}[ ]){{0,4}}{KIND}\.?{UNIT}{{0,2}}(?:,[ ]?"
        rf"|[ ]{{2,4}}|[ ]?\n[ ]{{0,4}}|[ ])({TOWN})(?:[,.;\n]|[ ]{{2}}|$)",
        0.75,
        ("12 Drumcarrick Park, [[Dungannon]].", "9 Kings Lane\n[[Thornby-on-Wold]]\n"),
        ("5 Point gait",),
        _town,
    ),
    Rule(
        "place.after_institution",
        _L.CITY,
        rf"[A-Z][a-z]+[ ](?:{CARE}|Practice|Service|Services|Company|Ltd\.?|Laborator(?:y"
        rf"|ies))(?:,[ ]|[ ]?\n)({TOWN})(?:,[ ]|[.;)\n]|$|[ ][A-Z]{{2,3}}\b)",
        0.65,
        (
            "Coral Cay Medical Clinic, [[Nassau]], The",
            "Tui Bay Hospital, [[Nelson]].",
            "Ferry Hospital, [[Hobart]] TAS",
        ),
        ("General Hospital, Ward", "Health Clinic, Dr"),
        _town,
    ),
    Rule(
        "place.lives",
        _L.CITY,
        rf"\b(?i:{LIVING})(?:[ ](?:up|back|down|home|alone|over|out|here|off"
        r"|in[ ]a[ ]camper))?[ ](?i:in|to|from|near|at|of|outside|around"
        rf"|via)[ ]({TOWN})(?:$|[^0-9A-Za-z'])",
        0.65,
        ("lives in [[Port Gamble]] and", "flying to [[Doah]] 20", "born in [[Rzeszów]], deported"),
        ("lives in Assisted", "moved to ICU", "back to Spanish"),
        _living,
    ),
    Rule(
        "place.in_town",
        _L.CITY,
        rf"[a-z,0-9][ ](?:in|near|outside|around)[ ]({TOWN})(?:,[ ]({TOWN}))?(?:$|[,.;)\n]"
        r"|[ ](?:and|with|for|on|by|to|who|where|when|at|in|last|since|is|was|after|before)\b)",
        0.5,
        (
            "a nanny in [[Vevey]], [[Switz]], w",
            "man in [[Keren]], at",
            "a deckhand near [[Karur]], gave",
        ),
        ("seen in ICU.", "in English,", "from PT."),
        _living,
    ),
    Rule(
        "place.county",
        _L.LOCATION_OTHER,
        rf"\b((?:Co\.|County)[ ]{WORD}|(?:{WORD}[ ]){{1,2}}(?:County|COUNTY|Parish)|{SHIRE})\b",
        0.8,
        ("Otterley, [[West Yorkshire]] LS", "in [[Yarrow County]], Ken", "moyle, [[Co. Roscreag]]"),
        ("the county", "shires"),
        _landmark,
    ),
    Rule(
        "place.landmark",
        _L.LOCATION_OTHER,
        rf"(?:^|[^0-9A-Za-z'])((?:(?:{WORD}|St\.|Mt\.)[ ]){{1,3}}{LANDMARK}|(?:Lake|Mount|Loch"
        rf"|Camp|Fort|Pier|Mt\.?|River|Arena)[ ](?:{WORD}(?:[ ]{WORD})?|[0-9]{{1,3}})|(?:Hwy"
        r"|Highway|Interstate|Route|Rte|hwy|highway"
        rf"|county[ ]road)[ -][0-9]{{1,3}}){APART_AFTER}",
        0.65,
        (
            "at [[Otter Brook Reservoir]]. His",
            "camping [[Hemlock Slough]], target",
            "pulled at [[Pier 11]] expl",
            "on [[Lake Tamsett]] over",
        ),
        ("the lake", "Left Bridge", "Pass Medications", "Time Point"),
        _landmark,
    ),
)
