"""Rules for numbered and named wards and units."""

import re2

from deidstream.models.recognizers.rules.rule import REFUSED, Candidate, Rule, keep_whole
from deidstream.models.text.patterns import WORD, any_of
from deidstream.schemas.label import PhiLabel

_DIRECTION = r"(?:North|South|East|West|NORTH|SOUTH|EAST|WEST|Tower|TOWER)"
_PLACED = re2.compile(
    r"(?i)(?:\b(?:to|on|from|unit|adc|floor|in|at|location|loc)[ :]{1,2}|, |\n|\t"
    r"|(?:\x{2192}|->) ?|^)$"
)
_WALK = re2.compile(r"^ ?(?i:miles?|blocks?|x\b|mg|ft|feet|rm[^a-z]?x)")
_BESIDE_BED = frozenset({"  ", " |"})
_L = PhiLabel.HOSPITAL
_SPECIALTY = any_of("""
Ortho(?:pa?edics)?, ORTHO, Gyna?e(?:cology)?, GYNA?E, Obs & Gyna?e?, Tele(?:metry)?, TELE, Pa?eds
PA?EDS, Onc(?:ology)?, ONC, Med[-/]Surg, MED[-/]SURG, Stepdown, Postpartum, Postnatal, Antenatal
Mother-Baby, Palliative, Maternity, Geri(?:atrics)?, Ha?em(?:atology)?, Cardiology
Neurology, Urology
Wd, Wad, Avd, WD
""")
"""What has wards, and is counted in nothing else: ``Neuro 5`` is a score, ``Med 3`` a form."""
_ACUTE = any_of("AMU, MAU, SAU, ASU, CDU, EPU, MSU, SDU, PICU, NICU, MICU, SICU, CCU, Surg, Cardio")
"""Units whose parts have a letter. A number behind one is a bed, or counts something."""
_BED = r"(?:-[0-9]{1,2}(?:$|[^0-9A-Za-z/-])|$|[^0-9A-Za-z/%-])"
"""Behind a ward: nothing, or the number of a bed, as in ``Ortho 5-03``."""
_COUNTED = re2.compile(
    r"^ ?(?:(?i:days?|weeks?|wks?|months?|mths?|years?|yrs?|hours?|hrs?|mins?|times|x|d|h|mg|pts?"
    rf"|patients?|cases?|visits?|of)\b|[.]?[0-9]|[.,;/|]? ?{_SPECIALTY} [0-9])"
)
"""What is counted, or the next of several counts: ``Ortho 2, Gynae 3``."""
_COUNTED_BEFORE = re2.compile(rf"{_SPECIALTY} [0-9]{{1,2}}[.,;/|]? ?$")

_STAFFED = re2.compile(r"^ (?:[SF]?HO|MO|NIC|SN|RN|CN|[Ss]taff|[Nn]urses?|[Ss]ister|[Cc]harge)\b")
_STAFF_OF = re2.compile(r"\b(?:Dr|[SF]?HO|MO|SN|RN|CN|Sr|Sister|Nurse)\b[^(\n]{1,30}\($")


def _keep_ward(candidate: Candidate) -> tuple[int, int]:
    """Refuse a count, and the number of the next item of a list: ``1. Ortho 2. Pain``."""
    behind, number = candidate.after, candidate.text.split()[-1]
    item = number.isdigit() and behind[:1] in {".", ")"} and behind[1:].strip() != ""
    counted = _COUNTED.search(behind) or _COUNTED_BEFORE.search(candidate.before)
    if counted or (item and f"{int(number) - 1}{behind[0]}" in candidate.before):
        return REFUSED
    return keep_whole(candidate)


def _keep_after_place(candidate: Candidate) -> tuple[int, int]:
    """Refuse the number of a bed, which begins a row of a board: ``2B   empty``."""
    begins = candidate.before[-1:] in {"", "\n"}
    bed = begins and candidate.text[-1] in "ABCD" and candidate.after[:2] in _BESIDE_BED
    good = _PLACED.search(candidate.before) and not (bed or _WALK.search(candidate.after))
    return keep_whole(candidate) if good else REFUSED


def _keep_staffed(candidate: Candidate) -> tuple[int, int]:
    """Keep the number of a ward that has a bed behind it, or somebody who works there beside it."""
    bed = candidate.text[0].isdigit()
    staffed = _STAFFED.search(candidate.after) or _STAFF_OF.search(candidate.before)
    return keep_whole(candidate) if bed or staffed else REFUSED


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
        "hospital.numbered",
        _L,
        rf"(?:^|[^0-9A-Za-z/.-])({_SPECIALTY}[ ](?:[0-9]{{1,2}}[A-Z]?|[A-Z])|{_ACUTE}[ -]"
        rf"[A-Z]){_BED}",
        1.0,
        (
            "then [[Ortho 5]]. TTWB",
            "[[Gynae 2]]  lap salpingectomy",
            "1930  [[Ortho 5]]-03 Bell",
            "obs -> [[Tele 4]] bed ready",
            "effusion in [[AMU B]]? pH",
            "on loan\nWard: [[Surg C]] x3",
        ),
        (
            "1. Tele 2. Ortho 3. diet",
            "tonight Ortho 2, Gynae 3",
            "Onc 2 days ago",
            "Peds 10/10",
            "CCU 4",
            "ASU 3",
        ),
        _keep_ward,
    ),
    Rule(
        "hospital.storey",
        _L,
        r"(?:^|[^0-9A-Za-z/.=-])(?:([0-9]{1,2}[NSEW])-[0-9]{2}|(W[0-9]{1,2}))(?:$|[^0-9A-Za-z/%-])",
        1.0,
        ("0505  [[3W]]-09 Mrs", "clusters 11 h -> [[W6]] SHO", "HO Dr Haziq ([[W6]]) by"),
        ("from W2 to W6", "(W6) of treatment", "4W of pain"),
        _keep_staffed,
    ),
    Rule(
        "hospital.unit",
        _L,
        rf"(?:^|[^0-9A-Za-z/.-])([0-9]{{1,2}}[ ]{_DIRECTION}|[0-9]{{1,2}}[A-D]\b"
        r"|[0-9]{1,2}[NSEW]\b)(?:$|[^0-9A-Za-z/%-])",
        0.65,
        ("on [[4 West]]", "LOCATION [[5 EAST]]    CALLED", "[[4W]]\t12", "to [[5C]]."),
        ("walked 4 West miles", "saline 2 N x", "grade 3B", "2A   Wu\n2B   empty", "6C | NBM"),
        _keep_after_place,
    ),
)
