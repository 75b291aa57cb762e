"""Find names of people after a word for the role of the person in the note.

The word is the name of a field (``Patient:``), an act with its agent (``dictated by``, ``per``), a
word such as ``called``, or a word of kinship (``wife``).
"""

from deidstream.models.phi.names.name_cues import (
    ACT,
    AGENT,
    DOCTOR_FIELD,
    KIN,
    PATIENT_FIELD,
    WEAK_AGENT,
)
from deidstream.models.phi.names.stops import ends_name
from deidstream.models.recognizers.rules.name_fits import (
    begins_with_eponym,
    keep_lower_name,
    keep_name_after_cue,
    keep_several_words,
)
from deidstream.models.recognizers.rules.rule import REFUSED, Candidate, Rule
from deidstream.models.text.patterns import (
    APART,
    DASH,
    LAST_FIRST,
    LOWER_NAME,
    NAME,
    NAME_PIECE,
    SPACE,
    WORD,
    word_set,
)
from deidstream.models.text.titles import BEFORE_NAME, TYPED
from deidstream.schemas.label import PhiLabel

_TITLES = rf"(?:(?:A/Prof|{BEFORE_NAME})\.?[ ]){{0,2}}"
_TYPED = "|".join(sorted(TYPED))
_NOTED = r"(?:[ ]?\([A-Za-z ]{1,20}\))?"
_P, _D = PhiLabel.PATIENT, PhiLabel.DOCTOR
_PLACES = word_set("""
Hospital Clinic Center Centre Street Road Unit Ward School Pharmacy University College Surgery
Department Insurance Health Valley County Church Services
""")


def _keep_person(candidate: Candidate) -> tuple[int, int]:
    place = any(word in _PLACES for word in candidate.text.split())
    kept = keep_name_after_cue(candidate)
    return REFUSED if place else kept


def _keep_several_mixed_words(candidate: Candidate) -> tuple[int, int]:
    kept = keep_several_words(candidate)
    text = candidate.text[kept[0] : kept[1]]
    return REFUSED if text.isupper() or begins_with_eponym(candidate, kept) else kept


def _keep_last_first(candidate: Candidate) -> tuple[int, int]:
    """Keep a name behind a field; the word after the comma may be a degree, not a first name."""
    start, end = keep_name_after_cue(candidate)
    text = candidate.text[start:end]
    last, comma, first = text.partition(",")
    return (
        (start, start + len(last)) if comma and ends_name(first.strip() or "md") else (start, end)
    )


RULES = (
    Rule(
        "name.field",
        _P,
        rf"{APART}(?i:{PATIENT_FIELD})#?{_NOTED}[ ]?[:=][ \t]{{0,18}}{_TITLES}({LAST_FIRST}"
        rf"|{NAME})",
        0.9,
        (
            "Patient: [[Rosenberg-Iyer, Malachi D.]]\nDOB",
            "NAME:            [[COLON, HECTOR A.]]\nMRN:",
            "Pt: [[BELL, CORDELIA]]   #77",
            "RE: [[Rosamund Ames]]   DOB",
            "Mother: [[Rocío Villaseñor]], SSN",
            'Decedent: [[Lamar "Deacon" Whitlow]]\nAge',
        ),
        ("Patient: MRN", "Name: Date", "To: Clinic", "ID: Consult"),
        _keep_last_first,
    ),
    Rule(
        "name.field_spaced",
        _P,
        r"(?:^|\n|[ ]{2,4})(?:Patient|PATIENT|Pt|PT|Name|NAME|pt|Client|Resident|RE|Re"
        r"|Patient[ ]Name|Decedent|pat|Student|Resp[ ]party|GUAR|ATT|ATTENDING|LEADER|RECORDER"
        rf"|Veteran|CREW)[ ]{{1,16}}{_TITLES}({LAST_FIRST}|{NAME})",
        0.8,
        ("Pt [[Olwen Ferris-Iqbal]], 69", "NAME [[WINTER, GORDON]]   AGE"),
        ("Pt reports", "Patient Education", "PT EVAL"),
        _keep_last_first,
    ),
    Rule(
        "name.patient_called",
        _P,
        r"\b(?i:patient|pt|client|named?|called|goes[ ]by|known[ ]as|prefers|nickname|aka"
        r"|veteran|vet|resident|member|child|infant|legal[ ]name|teen|student|camper|claimant"
        rf"|tenant|rider|decedent|alias|f/u|fu)[ ](?:is[ ])?{_TITLES}({LAST_FIRST}|{NAME})",
        0.7,
        ("goes by [[Wren]], they", "patient [[Karl-Heinz Ojeda]] MRN"),
        ("patient Education", "pt. Reports", "PT EVAL"),
        _keep_last_first,
    ),
    Rule(
        "name.staff_field",
        _D,
        rf"{APART}(?i:{DOCTOR_FIELD}){_NOTED}[ ]?[:=][ \t]{{0,18}}{_TITLES}({LAST_FIRST}"
        rf"|{NAME})(?:[ ]?(?:[,;/&]|and)[ ]{_TITLES}({NAME}))?",
        0.9,
        (
            "Attending: [[Xanthe Kowalczyk]] MD",
            "Attending at discharge: [[Antigone Farrow]], MD",
            "Surgeon: [[Rukmini Parekh]] (CPSO",
            "cc: [[Gideon Marsh]]; [[Ada Quill]]",
            "SURGEON:   [[FIORE, ADA]]",
            "ATTENDING: [[GRACE LINDQVIST]], M.D.",
        ),
        ("Reviewed: Labs", "Plan: PT", "Read: Normal", "ANESTHESIA: General"),
        _keep_last_first,
    ),
    Rule(
        "name.acted_by",
        _D,
        rf"\b(?i:{ACT})(?:[ ](?i:electronically|verbally|today))?[ ](?i:by|to):?[ ]"
        rf"(?:(?i:{_TYPED}|rn|np|pa|charge|nurse|resident|fellow)\.?[ ]|{_TITLES})({NAME})",
        0.85,
        (
            "Dictated by [[Sterling Holt]], MD",
            "Read by [[Farouk Al-Nabulsi]], MD",
            "CALLED TO [[JEWEL]] 0522",
            "Draw by [[Ngozi]].",
        ),
        ("seen by Neurology", "called to ED", "done by PT"),
        _keep_person,
    ),
    Rule(
        "name.agent",
        _D,
        rf"{APART}(?i:{AGENT})[ ](?:(?i:{_TYPED}|rn|np|charge)\.?[ ]|{_TITLES})"
        rf"({NAME})(?:[ ]and[ ]({NAME}))?",
        0.65,
        ("per [[Odessa Stanhope]].", "spoke with [[Marta]] at", "d/w [[Rao]]"),
        ("per PT", "told Monday", "per ID"),
        _keep_person,
    ),
    Rule(
        "name.agent_weak",
        _D,
        rf"{APART}(?i:{WEAK_AGENT})[ ]{_TITLES}({NAME})",
        0.5,
        ("by [[Odessa Stanhope]].",),
        ("by Monday", "with Brucella", "via NG"),
        _keep_several_mixed_words,
    ),
    Rule(
        "name.kin",
        _P,
        rf"{APART}(?i:{KIN})(?:,[ ]|[ ]\(|:[ ]|{SPACE}(?:(?:is|was|named|called|and"
        rf"|{DASH})[ ])?){_TITLES}({NAME})(?:(?:,[ ]{NAME_PIECE})?,?[ ](?:and|&|or)[ ]({NAME}))?",
        0.85,
        (
            "His wife [[Anna]] called",
            "daughter [[Ifeoma Nwosu-Grant]] (",
            "son, [[Tom]], is",
            "mother ([[Jane Roe]])",
            "sons [[Ken]] and [[Art]];",
            "Parents [[Beth]] and [[Rowan Cassidy]]",
        ),
        ("mother Denies", "Father MI at 50", "sister had", "Children ED"),
        _keep_person,
    ),
    Rule(
        "name.kin_aged",
        _P,
        rf"{APART}(?i:{KIN}|two|three|four|younger|and"
        rf"|including)(?:[ :,]{{1,3}}){WORD}[ ]\([^()\n]{{1,40}}\)(?:,[ ]"
        rf"({WORD})[ ]\([^()\n]{{1,40}}\))?(?:,[ ]({WORD})[ ]\([^()\n]{{1,40}}\))?,?[ ](?:and"
        rf"|&)[ ](?:[a-z]{{2,8}}[ ])?({WORD})[ ]\(",
        0.8,
        ("Kids Sama (12), [[Yusuf]] (10) and [[Dali]] (4)",),
        (),
        keep_name_after_cue,
    ),
    Rule(
        "name.kin_lower",
        _P,
        rf"{APART}(?:wife|husband|hubby|daughter|dtr|son|mom|mum|dad|brother|sister|nephew|niece"
        r"|partner|gf|bf|nana|cousin|neighbor|uncle|aunt|charge|rn|sw|np|tech|aide"
        rf"|driver)[ ]({LOWER_NAME})[ ](?:called|calls|at|here|w/|aware|updated|says|said"
        r"|reports|notified|is|paged|in|will|taking|drives)\b",
        0.5,
        ("wife [[holly]] called 0225",),
        ("wife not here", "sister died at"),
        keep_lower_name,
    ),
)
