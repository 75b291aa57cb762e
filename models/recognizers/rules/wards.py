"""Rules for numbered and named wards and units."""

import re2

from deidstream.models.recognizers.rules.rule import REFUSED, Candidate, Rule, keep_whole
from deidstream.models.text.patterns import WORD
from deidstream.schemas.label import PhiLabel

_DIRECTION = r"(?:North|South|East|West|NORTH|SOUTH|EAST|WEST|Tower|TOWER)"
_PLACED = re2.compile(
    r"(?i)(?:\b(?:to|on|from|unit|adc|floor|in|at|location|loc|rm)[ :]{1,2}|, |\n|\t|^)$"
)
_WALK = re2.compile(r"^ ?(?i:miles?|blocks?|x\b|mg|ft|feet|rm[^a-z]?x)")
_L = PhiLabel.HOSPITAL


def _keep_after_place(candidate: Candidate) -> tuple[int, int]:
    good = _PLACED.search(candidate.before) and not _WALK.search(candidate.after)
    return keep_whole(candidate) if good else REFUSED


RULES = (
    Rule(
        "hospital.ward",
        _L,
        r"(?:^|[^0-9A-Za-z/.-])((?i:ward)[ ](?:[0-9]{1,3}[A-Z]{0,2}|[A-Z][0-9]{1,3}"
        r"|[A-Z]\b)|(?:Peds|PEDS|Tower|MSU|Male|Female|Men's|Women's)(?:[ ](?:Medical"
        rf"|Surgical))?[ ](?:Ward[ ])?[0-9]{{1,2}}|[0-9]{{1,2}}[ ]Tower(?:[ ]{_DIRECTION})?"
        r"|(?:Birth|Cancer|Surgical)[ ]Pavilion[ ][0-9]|(?:MICU|SICU|CCU|ICU|PICU|NICU"
        rf"|Med-?Surg|Tele|PEDS|Peds)[ ](?:{_DIRECTION}|[0-9]{{1,2}}[ ]{_DIRECTION}"
        rf"|Pod[ ]{WORD})|Pod[ ][A-Z]\b)(?:$|[^0-9A-Za-z/%-])",
        0.75,
        (
            "[[Ward 7B]] night",
            "to [[Peds 2]].",
            "bed in [[Female Medical 2]]",
            "on [[NICU Pod Bluebird]]",
        ),
        ("ward round", "Male 2/52"),
    ),
    Rule(
        "hospital.unit",
        _L,
        rf"(?:^|[^0-9A-Za-z/.-])([0-9]{{1,2}}[ ]{_DIRECTION}|[0-9]{{1,2}}[A-D]\b"
        r"|[0-9]{1,2}[NSEW]\b)(?:$|[^0-9A-Za-z/%-])",
        0.65,
        ("on [[4 West]]", "LOCATION [[5 EAST]]    CALLED", "[[4W]]\t12", "to [[5C]]."),
        ("walked 4 West miles", "saline 2 N x", "grade 3B"),
        _keep_after_place,
    ),
)
