"""Rules for cities, states, postal codes and other places, by the words beside them."""

import re2

from deidstream.models.phi.codes.code_cues import VEHICLE
from deidstream.models.phi.names.stops import ends_name
from deidstream.models.phi.places.place_cues import (
    REGION,
    SHIRE,
    STATE,
    STATE_CODE,
    STATE_NAME,
    TOWN,
)
from deidstream.models.phi.written_numbers import CANADA_CODE, EIRE_CODE, UK_CODE
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


def _city_before_state(candidate: Candidate) -> tuple[int, int]:
    code = candidate.after.lstrip(", (")[:3].rstrip(" ,.;)\n")
    return REFUSED if code in _DEGREES or candidate.text.isupper() else _town(candidate)


_STATE_TAIL = re2.compile(" [A-Z]{2,3}$")


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
_LICENSED = r"(?i:dl|oln|cdl|(?:plate|tag|drivers?(?: lic(?:en[cs]e)?)?|id card)s?)"
_NUMBER = r"[A-Z]{0,3}[- ]?[0-9]{1,4}[- ]?[0-9A-Z]{2,}"

RULES = (
    Rule(
        "place.licensed_in",
        _L.STATE,
        rf"{APART}(?:({STATE_CODE})[ ]{_LICENSED}[ :#]{{1,3}}{_NUMBER}\b"
        rf"|(?i:{VEHICLE})[ :]{{1,2}}({STATE_CODE})[ ]{_NUMBER}\b)",
        1.0,
        ("her [[TX]] DL 21887043,", "[[NV]] plate 88K-T21", "truck [[TX]] RJB-4471."),
        ("OR plate 3", "CT tags 3-0", "truck IN 2 parts"),
    ),
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
        "place.city_state",
        _L.CITY,
        rf"{APART}({TOWN})(?:,[ ]|[ ]\(){STATE}(?:$|[^0-9A-Za-z])",
        0.85,
        ("in [[Moscow]], Idaho, and", "near [[Hay]], NSW, on"),
        ("Smith, MD", "Plan, PA", "Hemothorax, CT 90", "HELLP (Mississippi class"),
        _city_before_state,
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
        "place.county",
        _L.LOCATION_OTHER,
        rf"\b((?:Co\.|County)[ ]{WORD}|(?:{WORD}[ ]){{1,2}}(?:County|COUNTY|Parish)|{SHIRE})\b",
        0.8,
        ("Otterley, [[West Yorkshire]] LS", "in [[Yarrow County]], Ken", "moyle, [[Co. Roscreag]]"),
        ("the county", "shires"),
        _landmark,
    ),
)
