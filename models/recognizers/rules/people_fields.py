"""Find names of people after a word for the role of the person in the note.

The word is the name of a field (``Patient:``), or an act that somebody was party to (``per``).
"""

from deidstream.models.phi.names.name_cues import AGENT, DOCTOR_FIELD, PATIENT_FIELD
from deidstream.models.phi.names.stops import ends_name
from deidstream.models.recognizers.rules.name_fits import keep_name_after_cue
from deidstream.models.recognizers.rules.rule import REFUSED, Candidate, Rule
from deidstream.models.text.patterns import APART, LAST_FIRST, NAME, word_set
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
        "name.agent",
        _D,
        rf"{APART}(?i:{AGENT})[ ](?:(?i:{_TYPED}|rn|np|charge)\.?[ ]|{_TITLES})"
        rf"({NAME})(?:[ ]and[ ]({NAME}))?",
        0.65,
        ("per [[Odessa Stanhope]].", "spoke with [[Marta]] at", "d/w [[Rao]]"),
        ("per PT", "told Monday", "per ID"),
        _keep_person,
    ),
)
