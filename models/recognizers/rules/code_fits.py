"""Patterns of identifiers after a cue, and checks that refuse numbers of another kind."""

import re

import re2

from deidstream.models.phi.codes.checksums import digits, holds
from deidstream.models.recognizers.rules.rule import REFUSED, Candidate
from deidstream.models.text.patterns import APART, any_of, word_set

NUMBER_WORD = r"(?:[ ]?(?i:number|numbers|num|nos?|nr|id|code|reference|ref)\b\.?)"
LINK = (
    rf"\b\.?{NUMBER_WORD}{{0,2}}[.,]?[ \t]?[:#=]{{0,2}}[ \t]{{0,14}}(?:(?i:is|of"
    r"|on[ ]file)[ ])?(?:#[ ]?)?"
)
"""Text between the name of an identifier and its value: `` no. ``, ``#: ``, `` = ``."""
FILLER = r"\b(?:[ ](?:[A-Za-z]{2,12}|\([A-Za-z ]{2,16}\))){1,2}[:#]?[ ](?:#[ ]?)?"
"""A word or two between the name of an identifier and its value."""
VALUE = (
    r"(?:(?:[A-Z]{1,5}[ ])?[0-9A-Z]{1,6}(?:[ ][0-9]{1,6}){1,4}(?:[-/][0-9A-Z]{1,4})?"
    r"(?:[ ][A-Z]{1,2})?\b|(?:[A-Z]{1,5}[ ])?(?:[A-Za-z][A-Za-z._/-]{0,15})?[0-9]"
    r"[0-9A-Za-z]{0,24}(?:[-/._][0-9A-Za-z]{1,16}){0,6}(?:[ ][0-9]{2}|[ ][A-Z]{2})?\b)"
)
"""An identifier, whole or in groups; the fit checks whether it holds enough digits."""

_DATE = re.compile(
    any_of(
        r"(?:0?[1-9]|1[0-2])[-/.](?:0?[1-9]|[12][0-9]|3[01])[-/.](?:(?:19|20)?[0-9]{2}), "
        r"(?:0?[1-9]|[12][0-9]|3[01])[-/.](?:0?[1-9]|1[0-2])[-/.](?:(?:19|20)?[0-9]{2}), (?:19"
        r"|20)[0-9]{2}[-/.][0-9]{1,2}[-/.][0-9]{1,2}, (?:19|20)[0-9]{6}, (?:19"
        r"|20)[0-9]{10}(?:[0-9]{2})?, [0-9]{1,2}[-/][0-9]{1,2}, [0-9]{1,4}\.[0-9]{1,3}, "
        r"[0-9]{1,2}(?i:am|pm), [0-9]{1,2}-[A-Za-z]{3}-[0-9]{2,4}, [0-9.]+/[0-9./]+"
    )
)
_UNIT = re2.compile(
    r"(?i)^ ?(?:mg|mcg|ml|g|kg|units?|cm|mm|x|hours|hrs?|min|days|weeks|wks|months|yrs?|years|cc"
    r"|meq|mmol|iu|kcal|bpm|rpm|ng|pg|l|lpm|cells|copies|patients|people|times|ft|lbs?|pounds"
    r"|cases|deg|steps|am|pm|ms|hz|lesions)\b|^ ?%|^[:.][0-9]|^/[0-9]"
)
_AGE_AFTER = re2.compile(r"^ ?(?i:m|f|yo|y/o|yrs?|male|female|y)\b")
_NOT_A_PIECE = word_set("""
AN AT BP CAD CT DL DO DOB DR DX ED EX FX HR ID IN IS IV MD MR MS NO NP OD ON OS OU PA PO PT RN RR
RX SEQ SN SSN TO VA X FROM THE AND AL GA KY OF
""")
_VITAL_SIGN = re.compile(r"(?:BP|HR|RR|SPO2|T|P|R)[0-9]{2,3}(?:[/.]|\Z)")
_MODIFIED_CODE = re.compile(r"[0-9]{5}-[0-9A-Z]{2}|[0-9]{3,5}-[0-9]")
_RANGE = re.compile(r"[0-9]{2,4}-[0-9]{2,4}")


def _trim(candidate: Candidate) -> tuple[int, str]:
    """Drop words and ages at the ends that are not part of the identifier."""
    pieces, start = candidate.text.split(" "), 0
    if len(pieces) > 1 and _AGE_AFTER.search(candidate.after):
        pieces = pieces[:-1]
    while len(pieces) > 1 and pieces[-1] in _NOT_A_PIECE:
        pieces = pieces[:-1]
    while len(pieces) > 1 and pieces[0] in _NOT_A_PIECE:
        start += len(pieces.pop(0)) + 1
    return start, " ".join(pieces)


def _identifies(text: str, after: str, at_least: int) -> bool:
    count = len(digits(text))
    return count >= at_least and not _DATE.fullmatch(text) and not _UNIT.search(after)


def keep_code(candidate: Candidate) -> tuple[int, int]:
    """Keep an identifier of three digits or more, after a cue that names its kind."""
    start, text = _trim(candidate)
    return (start, start + len(text)) if _identifies(text, candidate.after, 3) else REFUSED


def keep_formed_code(candidate: Candidate) -> tuple[int, int]:
    """Keep an identifier whose form shows it: after weak cues, or without one."""
    start, text = _trim(candidate)
    mixed = any(c.isalpha() for c in text) or "-" in text or "/" in text
    good = _identifies(text, candidate.after, 3 if mixed else 4) and not _is_year(text)
    return (start, start + len(text)) if good else REFUSED


def keep_uncued_code(candidate: Candidate) -> tuple[int, int]:
    """Keep an identifier without any cue: no range, no procedure code, four digits or more."""
    start, end = keep_formed_code(candidate)
    text = candidate.text[start:end]
    plain = (
        _VITAL_SIGN.match(text)
        or _MODIFIED_CODE.fullmatch(text)
        or _RANGE.fullmatch(text)
        or not holds(text, 4)
    )
    return REFUSED if plain else (start, end)


def _is_year(text: str) -> bool:
    return text.isdigit() and len(text) == len("2024") and text[:2] in {"19", "20"}


def make_cued_pattern(cue: str, link: str = LINK) -> str:
    """Make the pattern of an identifier after one of the words before it."""
    return rf"{APART}(?i:{cue}){link}({VALUE})"
