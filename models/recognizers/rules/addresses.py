"""Rules for streets and boxes, by the form of an address."""

import re2

from deidstream.models.phi.places.place_cues import (
    BOX,
    HOUSE,
    KIND,
    LEAD,
    NUMBER,
    PIECE,
    PLAIN_KIND,
    UNIT,
)
from deidstream.models.recognizers.rules.rule import REFUSED, Candidate, Rule, keep_whole
from deidstream.models.text.patterns import APART_AFTER, word_set
from deidstream.schemas.label import PhiLabel

_DOSES = word_set("mg mcg ml units days weeks x at of the by in and point main view")
_CUT = re2.compile(
    r"(?i)[ ]{2}|;|\.(?:[ ]|$)|,? (?:phone|tel|ph|dob|city|zip|behind|mail|with|and|gate|key)\b"
)
_LIVED_IN = re2.compile(r"[0-9]|(?i:house|cottage|farm|lodge|road|street|way|villa)")
_L = PhiLabel.STREET


def _street(candidate: Candidate) -> tuple[int, int]:
    words = [w.lower().strip(",.") for w in candidate.text.split()]
    return REFUSED if words[1] in _DOSES or "/" in words[0][:3] else keep_whole(candidate)


def _box(candidate: Candidate) -> tuple[int, int]:
    text = candidate.text.lower()
    return keep_whole(candidate) if "ox" in text or "bag" in text else REFUSED


def _line(candidate: Candidate) -> tuple[int, int]:
    """Keep a line after ``Address:`` up to the end of the address."""
    cut = _CUT.search(candidate.text)
    end = int(cut.start()) if cut else len(candidate.text)
    kept = candidate.text[:end].rstrip(" ,(")
    return (0, len(kept)) if _LIVED_IN.search(kept) and len(kept) > len("Home") else REFUSED


RULES = (
    Rule(
        "address.street",
        _L,
        rf"(?:^|[^0-9A-Za-z.,/-])((?:{LEAD}|{HOUSE}){{0,2}}{NUMBER},?[ ]"
        rf"(?:{PIECE}[ \n][ ]{{0,3}}){{1,4}}(?:{KIND}\b|{PLAIN_KIND}\b)\.?(?:[ ][NSEW][EW]?\b"
        rf"|[ ][0-9]{{1,4}}\b)?{UNIT}{{0,2}}){APART_AFTER}",
        0.9,
        (
            "at [[88 Fenwick Alley, Floor 2]], Rutland",
            "home [[44 Birch Hollow Rd]], Concord",
            "lives at [[1406 Larkspur Ct, Unit B]], Med",
            "HOME [[3 Sugarhouse Ln]]   Upper",
            "of [[Flat 6, 40 Corn Exchange Street]], Kirk",
            "\n[[Level 2, Tern House, 14 Estuary Road]]\n",
        ),
        ("5 mg Drive", "2 Point gait", "5 in the way", "0515 dr Carrasco", "8 at Fallow Street"),
        _street,
    ),
    Rule(
        "address.box",
        _L,
        rf"\b((?i:{BOX}[ ]?#?[ ]?(?:[A-Z]{{1,2}}[ ])?[0-9]{{1,6}}[A-Z]?"
        rf"(?:,?[ ]{BOX}[ ]?[0-9]{{1,6}}[A-Z]?)?))\b",
        0.85,
        (
            "[[P.O. Box 31]], Dayton",
            "mail to [[PSC 000, Box 417]], APO",
            "[[RR 2 BOX 61]]  MUSTANG",
            "[[Route 4 Box 19]], Needmore",
        ),
        ("RR 18", "rr 20", "RD 40", "route 4"),
        _box,
    ),
    Rule(
        "address.line",
        _L,
        r"\b(?i:(?:home[ ]|mailing[ ]|current[ ]|base[ ])?address(?:[ ]chg[ ]{1,3}to)?|addr"
        r"|residence|live[ ]at)(?:[ ]?:[ ]{0,12}|[ ]{1,3}"
        r"|[ ]is[ ])((?:[0-9A-Z\xc3-\xe1\"])[^\n\t|]{4,70})",
        0.7,
        (
            "Address: [[Puthen House, Kumbazha]]; tel",
            "addr [[RR#3, 1120 Concession 9]]\n",
            "We live at: [[1290 Mulberry]]  city",
        ),
        ("address Safety plan", "Address: see above"),
        _line,
    ),
)
