"""Rules for hospitals and organisations, by the noun at the end of their names."""

import re
from collections.abc import Sequence

from deidstream.models.phi.names.stops import FUNCTION_WORDS, ends_name
from deidstream.models.phi.not_phi import abbreviations, common_words
from deidstream.models.phi.places.institution_words import (
    AGENCIES,
    CARE,
    GENERIC,
    ORGANISED,
    SHORT,
)
from deidstream.models.recognizers.rules.name_fits import WRAPPED_AT
from deidstream.models.recognizers.rules.rule import REFUSED, Candidate, Rule, keep_whole
from deidstream.models.text.patterns import WORD, word_set
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
_SHORTEST = 3
"""Letters of a word that names a place."""
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


def _keep_kind_and_place(candidate: Candidate) -> tuple[int, int]:
    """Keep the words behind a kind that may be a name; refuse a kind without one."""
    kind, *named = _WORDS.finditer(candidate.text)
    end = kind.end()
    for place, word in enumerate(named):
        if not _may_place(word[0]) or (place and word[0].isupper()):
            break
        end = word.end()
    return (0, end) if end > kind.end() else REFUSED


def _may_place(word: str) -> bool:
    term = word.strip(".,:").lower()
    ordinary = term in common_words() or term in abbreviations() or ends_name(term)
    return not ordinary and len(term) >= _SHORTEST


def _keep_place_and_kind(candidate: Candidate) -> tuple[int, int]:
    """Refuse a kind behind what is no name; the tagger adds the words before it."""
    place = candidate.text.split(" ")[0]
    return keep_whole(candidate) if _may_place(place) and not place.isupper() else REFUSED


def _make_kind_rule(
    name: str, label: PhiLabel, found: Sequence[str], passed: Sequence[str]
) -> Rule:
    kinds = "|".join(SHORT[label])
    pattern = rf"(?:^|[^0-9A-Za-z'./-])((?:{kinds})[ ]{WORD}(?:[ ]{WORD}){{0,2}})"
    return Rule(name, label, pattern, 1.0, tuple(found), tuple(passed), _keep_kind_and_place)


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
    _make_kind_rule(
        "hospital.kind_first",
        _H,
        (
            "seen [[PHC Kinnal]] Dr Shabnam",
            "[[RHU Balangkayan]]: inj",
            "refer [[GOPD Rafin Kuka]]\n",
        ),
        ("PHC Review", "GH Dr Musa", "RS Clear", "the PHC. Seen"),
    ),
    _make_kind_rule(
        "organisation.kind_first",
        _O,
        ("Notifikasi [[PKD Kuala Berang]] hari", "at [[SMK Seri Indah]]."),
        ("SK Stable",),
    ),
    Rule(
        "organisation.agency",
        _O,
        rf"(?:^|[^0-9A-Za-z/_.-])({'|'.join(sorted(AGENCIES))})(?:$|[^0-9A-Za-z/_ -]|[ ][^0-9I])",
        1.0,
        ("[[SAPS]] look for ID", "?[[VCAT]] if", "ambu Salcedo [[MDRRMO]] driver"),
        ("casa notified", "CASA-1 score", "SAPS II 34", "SAPS 3 78"),
    ),
    Rule(
        "hospital.kind_last",
        _H,
        rf"(?:^|[^0-9A-Za-z'./-])({WORD}[ ](?:{'|'.join(SHORT['HOSPITAL behind'])}))"
        r"(?:$|[^0-9A-Za-z/'-])",
        1.0,
        ("1) [[Galway UH]] MRN", "[[Khayaletu CHC]] - ART"),
        ("Head HC 34", "Baby DH", "ICU MC"),
        _keep_place_and_kind,
    ),
    Rule(
        "organisation.kind_last",
        _O,
        rf"(?:^|[^0-9A-Za-z'./-])({WORD}[ ](?:{'|'.join(SHORT['ORGANIZATION behind'])}))"
        r"(?:$|[^0-9A-Za-z/'-])",
        1.0,
        ("Intimated [[Katras PS]]. Wife",),
        ("Mobility PS",),
        _keep_place_and_kind,
    ),
)
