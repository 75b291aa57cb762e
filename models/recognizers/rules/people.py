"""Find names of people beside a word for their rank: a title, a trade, a specialty or a degree.

The rank is right before the name (``Dr. Lal``, ``nurse Kim``) or right after it (``Lal, MD``). The
ranks that are names of fields, as in ``Attending: Lal``, are in ``people_fields``.
"""

import re2

from deidstream.models.phi.names.name_cues import DEGREE, STAFF
from deidstream.models.recognizers.rules.name_fits import (
    keep_name_after_cue,
    keep_name_backward,
    keep_name_forward,
)
from deidstream.models.recognizers.rules.rule import REFUSED, Candidate, Rule
from deidstream.models.text.patterns import APART, NAME, SPACE
from deidstream.models.text.titles import BEFORE_NAME, PERSONAL, PHYSICIANS
from deidstream.schemas.label import PhiLabel

_GAP = r"(?:[ ]{1,3}|[ ]?\n[ ]{0,2})"
_TITLE = rf"(?:{BEFORE_NAME}\.?[ ])"
_PHYSICIAN = "|".join(sorted(PHYSICIANS))


def _keep_after_title(candidate: Candidate) -> tuple[int, int]:
    # MR is mitral regurgitation, and Fr the gauge of a catheter.
    medical = _CAPITAL_TITLE.search(candidate.before) and not candidate.text.isupper()
    return (
        REFUSED
        if medical or _SENTENCE.search(candidate.before) or _GAUGE.search(candidate.before)
        else keep_name_after_cue(candidate)
    )


_CAPITAL_TITLE = re2.compile(r"\b(?:MR|MS|PC|DO)\.?\s{1,3}$")
_SENTENCE = re2.compile(r"[a-z]{4}\.\s{1,3}$")
_GAUGE = re2.compile(r"[0-9] ?Fr\.? $")


RULES = (
    Rule(
        "name.doctor",
        PhiLabel.DOCTOR,
        rf"\b(?:A/)?(?i:{_PHYSICIAN})\b"
        rf"\.?{_GAP}({NAME})(?:,?[ ](?:and|&|/)[ ]({NAME}))?",
        0.95,
        (
            "Dr. [[Tobias Nurse]], card",
            "Drs. [[Lal]] and [[Hsu-Lindgren]] saw",
            "DR. [[WAKEFIELD CHO]] OF IR",
            "doctor [[Hideo Marchetti]], next",
            "Dr [[Jo van der Zee]].",
            "Dr. [[Farrow]]'s list",
        ),
        ("the doctor said", "Dr. to call"),
        keep_name_forward,
    ),
    Rule(
        "name.titled",
        PhiLabel.PATIENT,
        rf"{APART}{PERSONAL}\.?{_GAP}(?:{_TITLE}|[(]ret\.[)][ ])?({NAME})",
        0.9,
        (
            "Mr. [[Rosenberg-Iyer]] is",
            "Ms [[Moira Skinnider]], home",
            "Pastor [[Elijah Grant]] (803",
            "Baby Girl [[Raghunathan]]   b.",
            "Mrs [[O'Brien]]'s son",
            "Mr. and Mrs. [[Doe]]",
            "MR. [[TREMBLAY-OKAFOR]] WANTS INTUBATION",
        ),
        (
            "Mr. is",
            "Chief Complaint",
            "Sister in law",
            "Ms. The",
            "mild MR. Carotids",
            "19 Fr Blake",
        ),
        _keep_after_title,
    ),
    Rule(
        "name.staff",
        PhiLabel.DOCTOR,
        rf"{APART}(?i:{STAFF})(?:,[ ]|[ ]?[:(][ ]?|{SPACE}(?:(?:is|was|with"
        rf"|-)[ ])?){_TITLE}?({NAME})(?:,?[ ](?:and|&|/)[ ]({NAME}))?",
        0.8,
        (
            "physiotherapist [[Kasia Wrona]];",
            "pharmacist [[Nnamdi]], store",
            "ED attending ([[Kwabena Lister]])",
            "surgeon: [[Lucretia Mbah]] MD",
        ),
        ("attending Physician", "nurse said", "therapist Evaluation"),
        keep_name_after_cue,
    ),
    Rule(
        "name.degreed",
        PhiLabel.DOCTOR,
        rf"(?:^|[^0-9A-Za-z'-])({NAME})(?:,[ ]?|[ ]{{1,3}}|,?[ ]?\n|[ ]?\(){DEGREE}(?:$"
        r"|[^0-9A-Za-z])",
        0.9,
        (
            "[[Sterling Okwuosa-Holt]], MD (PGY-2)",
            "Signed by [[Zuri Palmerston-Gyamfi]], ANP",
            "Handed over to [[Kirsty]] RN.",
            "[[A. Wolfe]] RN",
            "[[GRACE LINDQVIST]], M.D.",
        ),
        ("Attending MD", "Home RN", "swabs, CBC, RN"),
        keep_name_backward,
    ),
)
