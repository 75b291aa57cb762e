"""Rules for hospitals and organisations, by the noun at the end of their names."""

import re

from deidstream.models.phi.names.stops import FUNCTION_WORDS, ends_name
from deidstream.models.phi.places.institution_words import CARE, GENERIC, ORGANISED
from deidstream.models.recognizers.rules.name_fits import (
    WRAPPED_AT,
    begins_with_eponym,
    is_abbreviation,
)
from deidstream.models.recognizers.rules.rule import REFUSED, Candidate, Rule, keep_whole
from deidstream.models.text.patterns import APART, APART_AFTER, WORD, word_set
from deidstream.schemas.label import PhiLabel

_JOIN = r"(?:of|the|and|&|for|de|del|la|du|at|in|on|y)"
_PIECE = rf"(?:{WORD}|St\.|ST\.|Mt\.|Sra\.|U\.S\.|[A-Z]\.|[0-9]{{1,3}}(?:st|nd|rd|th))"
_STEM = rf"(?:{_PIECE}(?:[ ]|[ ]?\n[ ]{{0,4}}|-)(?:{_JOIN}[ ]){{0,2}})"
_DIRECTION = r"(?:North|South|East|West|Central|Tower|Main|NORTH|SOUTH|EAST|WEST|TOWER)"
_WING = (
    rf"(?:,?[ ](?:Ward[ ][0-9A-Z]{{1,4}}|[0-9]{{1,2}}[ ]?{_DIRECTION}|[0-9]{{1,2}}[A-Z]{{1,2}}"
    r"|(?:[A-Z][a-z]+[ ]){1,2}(?:Ward|Wing|Unit|Building|Pavilion|Campus)"
    r"|Station[ ][0-9A-Z]{1,3}|Maternity[ ][A-Z]|Level[ ][0-9]{1,2}|Floor[ ][0-9]{1,2}"
    r"|Unit[ ][A-Z0-9]))"
)
_FULL = (" Inc.", " Co.", " Ltd.", " Corp.", " Univ.", " Hosp.")
_WORDS = re.compile(r"[^\t\n\f\r ]+")
_LABELS = word_set("""
carrier school pharmacy lab laboratory insurer payer facility employer station referral exam site
service insurance plan church hospital clinic unit agency company client
""")
_JOINS = word_set("of the and & for at in on to from by with or a an")
_CUTS = FUNCTION_WORDS - word_set("""
family social home work service plan day days care unit clinic ward hospital surgery general time
team and of for the in at all on up best morning order street center weekend next under over may
group member race employer
""")
"""Words that the name of an institution never holds."""
_LOWER_GENERIC = word_set("""
another nearest nearby retail usual mail order specialty small large big free private walk
anticoag follow up street high same nice night late
""")
_PROGRAMMES = word_set("""
medicare medicaid nhs wic tricare none self uninsured private yes no auto commercial same unknown
n/a nka nkda chapter line continue
""")


def _keep_institution(candidate: Candidate) -> tuple[int, int]:
    """Drop leading words that are not part of the name; refuse a head noun that is left alone."""
    text, begin = candidate.text, _wrap(candidate)
    words = [match.span() for match in _WORDS.finditer(text) if match.start() >= begin]
    for start, end in words[:-1]:
        if text[start:end].strip(",.:").lower() in _CUTS:
            begin = end
    left = [text[s:e] for s, e in words if s >= begin]
    while left and (left[0].lower() in _JOINS or (left[2:] and left[0].lower() in _LABELS)):
        begin = text.index(left[0], begin) + len(left.pop(0))
    begin = next((s for s, _ in words if s >= begin), begin)
    named = [w for w in left if w.strip(",.").lower() not in GENERIC and not ends_name(w)]
    stop = text.endswith(".") and not text.endswith(_FULL)
    return (begin, len(text) - stop) if len(left) > 1 and named else REFUSED


def _wrap(candidate: Candidate) -> int:
    """Return where the name begins: after a line end, unless a long line was wrapped there."""
    at = candidate.text.rfind("\n")
    if at < 0:
        return 0
    line = (candidate.before + candidate.text[:at]).rsplit("\n", 1)[-1]
    return 0 if len(line) >= WRAPPED_AT else at + 1


def _keep_plain(candidate: Candidate) -> tuple[int, int]:
    words = candidate.text.split(" ")[:-1]
    bad = any(w in FUNCTION_WORDS or w in GENERIC or w in _LOWER_GENERIC for w in words)
    return REFUSED if bad or ends_name(words[0]) else keep_whole(candidate)


def _keep_run(candidate: Candidate) -> tuple[int, int]:
    """Keep a run of capitalised words after a cue, up to the first that names nothing."""
    words, kept = candidate.text.split(" "), 0
    for n, word in enumerate(words):
        if (ends_name(word) and word not in {"of", "the", "and"}) or (
            not n and word.lower() in _PROGRAMMES
        ):
            break
        kept = n + 1
    while kept and words[kept - 1] in {"of", "the", "and", "&"}:
        kept -= 1
    text = " ".join(words[:kept])
    bad = (
        not kept
        or is_abbreviation(text, candidate)
        or all(w.lower() in GENERIC for w in words[:kept])
    )
    return REFUSED if bad else (0, len(text))


def _keep_after_heading(candidate: Candidate) -> tuple[int, int]:
    words = candidate.text.split()[1:]
    bad = any(w.lower() in _AFTER_HOSPITAL or ends_name(w) for w in words)
    return REFUSED if bad else keep_whole(candidate)


_AFTER_HOSPITAL = word_set("""
course day problem stay acquired admission discharge bed number no record chart pharmacy policy
security staff based follow account
""")


def _keep_after_at(candidate: Candidate) -> tuple[int, int]:
    """Keep two or more capitalised words after ``at`` that name nothing medical."""
    start, end = _keep_run(candidate)
    text = candidate.text[start:end]
    plain = text.isupper() or " " not in text or begins_with_eponym(candidate, (start, end))
    return REFUSED if plain else (start, end)


_H, _O = PhiLabel.HOSPITAL, PhiLabel.ORGANIZATION

RULES = (
    Rule(
        "hospital.named",
        _H,
        rf"(?:^|[^0-9A-Za-z'-])({_STEM}{{1,4}}{CARE}(?:[ \n](?:{CARE}|(?:of|for"
        rf"|at)[ ]{WORD}(?:[ ]{WORD})?)){{0,2}}{_WING}?)(?:$|[^0-9A-Za-z'-]|'s\b)",
        0.85,
        (
            "to [[Pelican Quay General Hospital]], Port",
            "at [[Lilac Court Breast Center]]\n",
            "[[St Osyth's Hospital]], A&E",
            "[[Cascade Road Health Centre]] dressings",
            "From: [[Calder Sound Hospital, 4 South]]  2",
            "WITH A COUGH AND FEVER SHE WENT TO THE TOWN AND AT [[CAPE LORN GENERAL\nHOSPITAL]] W",
            "ADMISSION\n[[Corbin Hill Hospital]]",
        ),
        (
            "the Hospital",
            "Home Health",
            "General Surgery",
            "Discharge Clinic",
            "Outside Hospital",
            "INDEPENDENT MEDICAL EXAMINATION",
            "seen by House Officer in Nephrology",
        ),
        _keep_institution,
    ),
    Rule(
        "hospital.lower",
        _H,
        r"\b(?:to|at|from|@|of|gp)[ ]((?:[a-z]{3,14}[ ]){1,3}(?:hospital|clinic|infirmary"
        r"|hospice|nursing home|medical center|urgent care|health centre))\b",
        0.6,
        ("to [[copper basin hospital]]; called",),
        ("at the hospital", "to outside hospital", "to our clinic", "at dialysis clinic"),
        _keep_plain,
    ),
    Rule(
        "hospital.headed",
        _H,
        r"\b((?:Hospital|Hôpital|Hopital|Clínica|Clinica|Klinik|Klinikum|Centro[ ]Médico|CHU"
        r"|Ospedale|Rumah[ ]Sakit|Clinique|Endocrine)[ ](?:(?:de|del|la|le|du|San|Santa|das|do"
        rf"|of|the)[ ]){{0,2}}{WORD}(?:[ ]{WORD})?{_WING}?)",
        0.75,
        ("at [[Klinikum Ahornfeld, Station E3]], Bol", "[[Clínica del Faro]]"),
        ("Hospital Course", "Hospital Day", "Hospital Problem"),
        _keep_after_heading,
    ),
    Rule(
        "organisation.named",
        _O,
        rf"(?:^|[^0-9A-Za-z'-])({_STEM}{{1,4}}{ORGANISED}\b(?:\.?[ ]{ORGANISED}\b)?(?:[ ](?:of"
        rf"|for)[ ]{WORD}(?:[ ]{WORD})?|[ ]?#[0-9]{{1,4}})?\.?)(?:$|[^0-9A-Za-z'-]|'s\b)",
        0.8,
        (
            "at [[Green Ridge Diagnostics]] (results",
            "employer [[Tri-Notch Land Services]] not",
            "[[Larkmoor Primary School]] should",
            "fill hx [[Birchbark Drug #12]] ph",
            "to [[Pinetree Apothecary]] fax",
            "[[Heron Falls Police Department]].",
            "with [[Bluestem Mutual]]  adj",
        ),
        ("the School", "Social Services", "Blood Bank"),
        _keep_institution,
    ),
    Rule(
        "organisation.lower",
        _O,
        r"\b(?:to|at|from|@|of|with|by|for|via)[ ]((?:[a-z]{3,14}[ ]){1,3}(?:pharmacy"
        r"|credit union|drug|elementary|high school|academy|home care|lab|apothecary|market"
        r"|middle school))\b",
        0.55,
        (
            "to [[tide pharmacy]] on",
            "of [[mesa valley credit union]] acct",
            "rx to [[corner drug]]",
        ),
        ("to the pharmacy", "at our lab", "from outpatient pharmacy"),
        _keep_plain,
    ),
    Rule(
        "organisation.cued",
        _O,
        r"\b(?i:employer|employed[ ](?:at|by|with)|works?[ ](?:at|for)|working[ ](?:at|for)"
        r"|worked[ ](?:at|for)|job[ ]at|insurer|carrier|payer|pharmacy|script[ ]to|laboratory"
        r"|school|church|agency|attends|enrolled[ ]at|studies[ ]at|student[ ]at|employee[ ]of"
        r"|volunteers[ ]at|primary[ ]insurance|congregation|shifts?[ ]at|insurance:|plan:|lab:"
        rf"|service:)(?:[ ]?[:=]?[ ]{{1,16}})(?:the[ ])?((?:{WORD}|[A-Z]\.)(?:[ ](?:{WORD}|&|of"
        r"|the|and|[A-Z]\.)){0,5})",
        0.7,
        (
            "Employer: [[Stone Quarry]]\n",
            "works at [[Second Chance Paws]] and",
            "Payer     [[Prairie Shield]], ID",
            "attends [[Vale Heights]].",
        ),
        (
            "Plan: Continue",
            "school Monday",
            "service: Medicine",
            "Insurance: Medicare",
            "Plan: BPG 1.2 mg",
        ),
        _keep_run,
    ),
    Rule(
        "organisation.at",
        _O,
        rf"[a-z,)][ ](?:at|with|from|for|through|by|via|to|of)[ ](?:the[ ])?((?:{WORD}"
        rf"|St\.)(?:[ ](?:{WORD}|&|of|the|and|at|[A-Z]\.)){{1,5}}){APART_AFTER}",
        0.5,
        ("shut at [[Kingfisher Grange]] (his", "hand for [[Delmarva Blooms]]; her"),
        ("seen at Home Health", "at Acute Care", "treated for Barrett Esophagus"),
        _keep_after_at,
    ),
    Rule(
        "organisation.care_of",
        _O,
        rf"{APART}(?:[Cc]/o|[Aa]ttn:?)[ ]((?:{WORD}[ ]){{1,3}}{ORGANISED}){APART_AFTER}",
        0.7,
        ("c/o [[Moss Roofing]], 2",),
        (),
        _keep_institution,
    ),
)
