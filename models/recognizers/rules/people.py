"""Find names of people beside a word for their rank: a title, a trade, a specialty or a degree.

The rank is right before the name (``Dr. Lal``, ``nurse Kim``) or right after it (``Lal, MD``). The
ranks that are names of fields, as in ``Attending: Lal``, are in ``people_fields``.
"""

import re2

from deidstream.models.phi.names.name_cues import (
    DEGREE,
    STAFF,
    STAFF_SHORT,
)
from deidstream.models.recognizers.rules.name_fits import (
    keep_lower_name,
    keep_name_after_cue,
    keep_name_backward,
    keep_name_forward,
    keep_person_in_text,
)
from deidstream.models.recognizers.rules.rule import REFUSED, Candidate, Rule
from deidstream.models.text.patterns import APART, LOWER_NAME, NAME, NAME_PIECE, SPACE, WORD
from deidstream.models.text.titles import BEFORE_NAME, PERSONAL, PHYSICIANS, TYPED
from deidstream.schemas.label import PhiLabel

_GAP = r"(?:[ ]{1,3}|[ ]?\n[ ]{0,2})"
_TITLE = rf"(?:{BEFORE_NAME}\.?[ ])"
_PHYSICIAN = "|".join(sorted(PHYSICIANS))
_PHYSICIAN_TYPED = "|".join(sorted(PHYSICIANS & TYPED))
_TYPED = "|".join(sorted(TYPED - PHYSICIANS))
_ENDS_LOW = re2.compile(r"[a-z]$")


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


def _keep_after_short_trade(candidate: Candidate) -> tuple[int, int]:
    # An abbreviation of a trade before capitals is mostly a heading.
    good = _ENDS_LOW.search(candidate.text) or candidate.text[1:2] == "."
    return keep_name_after_cue(candidate) if good else REFUSED


def _keep_lower_after_initial(candidate: Candidate) -> tuple[int, int]:
    return keep_lower_name(candidate) if candidate.text[1:2] == "." else REFUSED


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
        "name.doctor_lower",
        PhiLabel.DOCTOR,
        rf"\b(?:{_PHYSICIAN_TYPED})\b\.?[ ]({LOWER_NAME})\b",
        0.8,
        ("per dr [[voss]] -- no", "dr. [[amin]]."),
        ("doctor said", "dr to call"),
        keep_lower_name,
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
        "name.titled_lower",
        PhiLabel.PATIENT,
        rf"\b(?:{_TYPED})\b\.?[ ]({LOWER_NAME})\b",
        0.8,
        ("mr [[ncube]] ward 9", "w/ pastor [[frost]]"),
        ("miss the dose", "ms in the"),
        keep_lower_name,
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
        "name.staff_short",
        PhiLabel.DOCTOR,
        rf"{APART}{STAFF_SHORT}[ ]{{1,2}}({NAME})",
        0.75,
        ("CNA [[Ikenna]] on rounds", "RN [[S. Penhallurick]] NMC", "rn [[Imani]]; me"),
        ("RN to bedside", "PT Evaluation", "GI Clinic", "MD CAQ"),
        _keep_after_short_trade,
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
    Rule(
        "name.degreed_lower",
        PhiLabel.DOCTOR,
        rf"(?:^|[^0-9A-Za-z'.-])((?:[a-z]\.[ ])?{LOWER_NAME}(?:[ ]{LOWER_NAME})?)(?:,[ ]?"
        r"|[ ]{1,2})(?:rn|md|np|pa-c|lpn|agacnp|rrt|crna|pharmd|lcsw|do|fnp|aprn|rmn)\b",
        0.6,
        ("[[t. holloway]], agacnp", "[[q. ballard]] rn, ph"),
        ("told the rn", "ask md", "consult pharmd", "they do not"),
        _keep_lower_after_initial,
    ),
    Rule(
        "name.specialty",
        PhiLabel.DOCTOR,
        r"\b(?i:cardiology|neurology|nephrology|renal|hepatology|oncology|hematology"
        r"|haematology|pulmonary|pulm|surgery|ortho|neurosurgery|nsgy|psychiatry|psych"
        r"|endocrine|endo|rheumatology|rheum|dermatology|derm|urology|uro|ophtho|ophthalmology"
        r"|ent|gyn|ob|peds|anesthesia|radiology|ir|ep|ccm|icu|picu|nicu|hospitalist|geriatrics"
        r"|palliative|vascular|plastics|trauma|genetics|infectious[ ]disease|id|vad[ ]doc"
        r"|on[ ]call|pharmacy|anticoag)(?:[ ](?:clinic|team|attending|on[ ]call|fellow"
        rf"|resident))?(?:[ ]\(|:[ ]|[ ])({WORD}(?:[ ]{NAME_PIECE}){{0,2}})(?:\)|[,.;:]"
        r"|[ ](?:has|will|saw|seen|agrees|aware|paged|notified|obs|to)\b|$|\n)",
        0.6,
        (
            "(ophtho [[Lantos]]). B",
            "hematology ([[Ng]]), x",
            "NSGY [[Sylvie Amadi]], x",
            "GI; ID ([[April Okonma]]). C",
        ),
        ("cardiology Clinic,", "surgery Monday,", "ID Consult."),
        keep_person_in_text,
    ),
)
