"""Rules for codes, dates and years that were dictated word by word."""

import re
from itertools import pairwise

import re2

from deidstream.models.phi.codes.spoken_codes import (
    DIGIT_WORDS,
    FILLERS,
    PAIR_WORDS,
    SIGN_WORDS,
    SPELLING_WORDS,
)
from deidstream.models.phi.spelled_numbers import TIMES_WORDS
from deidstream.models.recognizers.rules.rule import REFUSED, Candidate, Rule, keep_whole
from deidstream.models.text.patterns import any_of
from deidstream.schemas.label import PhiLabel

_CODE_WORDS = sorted(
    {*DIGIT_WORDS, *PAIR_WORDS, *TIMES_WORDS, *SPELLING_WORDS, *SIGN_WORDS, *FILLERS},
    key=lambda word: (-len(word), word),
)
_ITEM = rf"(?:(?:{'|'.join(_CODE_WORDS)}|[a-z])\b(?:[ ,]{{1,2}}as[ ]in[ ][a-z]{{2,12}})?)"
_NEXT = r"(?:[ ]?[ ,.-][ ]?|[ ,]?\n[ ]?)"
_CODE = rf"(?i:\b({_ITEM}(?:{_NEXT}{_ITEM}){{2,}}))"
_WORD = re.compile(r"[A-Za-z]+(?:-[A-Za-z]+)*")
_SINGLE = frozenset({*DIGIT_WORDS, *TIMES_WORDS})
_EDGE = frozenset({*FILLERS, "a", "i", "dash", "stroke", "bar", "forward"})
"""Words that neither begin nor end a code."""
_ENOUGH, _ENOUGH_WITH_CUE = 5, 3
"""Words for single digits that make a code, and that do so after a cue."""
_CUE = re2.compile(
    r"(?i)\b(?:number|no|m ?r n|u ?r|n ?h ?i|n ?h ?s|u ?h ?i ?d|i ?p|i ?d|c ?h ?i|record|chart|ref"
    r"|reference|case|file|code|member|policy|account|licen[cs]e|council|extension|ext|pager|bleep"
    r"|serial|accession|request|postcode|postal|zip|ohip|medicare|invoice|bag|unit number|enrol+ee"
    r"|card|room number|badge|phone|fax|cell|mobile|call|callback|line|last four)[ ,:]{1,2}"
    r"(?:(?:is|was|it's|that's|uh|um|here|there|number|code|last four|line)[ ,]{1,2}){0,3}$"
)
_MEASURE = re2.compile(
    r"(?i)^[ -](?:mg|milli|micro|mils?\b|ml|grams?|units?|percent|degrees|centi|beats|over|weeks?"
    r"|days?|months?|years?|hours?|minutes?|times|tablets?|vision|kilos?|kg"
    r"|litres?|liters?|mm|out of|point)"
)
_LONGEST = 400
"""Characters from which a run is kept without reading its words one by one."""
_DIGIT_WORD = re2.compile(rf"(?i)\b(?:{'|'.join(DIGIT_WORDS)})\b")


def _keep_code(candidate: Candidate) -> tuple[int, int]:
    """Keep a run of single digits and letters; counts, readings and doses have fewer of them."""
    if len(candidate.text) > _LONGEST:
        return keep_whole(candidate) if _DIGIT_WORD.search(candidate.text) else REFUSED
    words = list(_WORD.finditer(candidate.text))
    while words and words[0][0].casefold() in _EDGE:
        words.pop(0)
    while words and words[-1][0].casefold() in _EDGE:
        words.pop()
    if not words:
        return REFUSED
    start, end = words[0].start(), words[-1].end()
    before = candidate.before + candidate.text[:start]
    after = candidate.text[end:] + candidate.after
    singles = [word[0].casefold() for word in words if word[0].casefold() in _SINGLE]
    enough = _ENOUGH_WITH_CUE if _CUE.search(before) else _ENOUGH
    if len(singles) < enough or _is_count(singles) or _MEASURE.search(after):
        return REFUSED
    return start, end


def _is_count(words: list[str]) -> bool:
    values = [int(DIGIT_WORDS.get(word, "0")) for word in words]
    return all(later - earlier == 1 for earlier, later in pairwise(values))


_UNIT = any_of("one, two, three, four, five, six, seven, eight, nine")
_TEEN = any_of("""
ten, eleven, twelve, thirteen, fourteen, fifteen, sixteen, seventeen, eighteen, nineteen
""")
_TENS = any_of("twenty, thirty, forty, fifty, sixty, seventy, eighty, ninety")
_TWO_DIGITS = rf"(?:{_TENS}(?:[ -]{_UNIT})?|{_TEEN}|(?:oh|o)[ -]{_UNIT})"
_FULL_YEAR = (
    rf"(?:(?:eighteen|nineteen)[ -](?:hundred(?:[ ]and)?(?:[ ](?:{_TWO_DIGITS}|{_UNIT}))?"
    rf"|{_TWO_DIGITS})|twenty[ -](?:oh[ -]{_UNIT}|{_TEEN}|(?:twenty|thirty)(?:[ -]{_UNIT})?)"
    rf"|two[ ]thousand(?:[ ]and)?(?:[ ](?:{_TWO_DIGITS}|{_UNIT}))?)"
)
_YEAR_CUE = any_of("""
in, of, since, from, until, till, around, about, circa, early, late, mid, back in, left, year
during, summer, winter, spring, autumn, fall, christmas, before, after, by
""")
_NUMBER = rf"(?:{_TENS}(?:[ -]{_UNIT})?|{_TEEN}|{_UNIT})"


def _keep_year(candidate: Candidate) -> tuple[int, int]:
    return REFUSED if _MEASURE.search(candidate.after) else keep_whole(candidate)


_D = PhiLabel.DATE

_SIGN_SAID = r"(?:dot|underscore|dash|hyphen|minus)"
_MAIL_WORD = rf"(?:[a-z0-9]+(?:[ ]{_SIGN_SAID}[ ][a-z0-9]+){{0,4}}(?:[ ]{_NUMBER}){{0,3}})"
_TOP_LEVEL = any_of("""
com, org, net, edu, gov, mil, int, info, health, example, test, ca, uk, co, au, nz, us, sg, za, ie
in, io, my, ph, ng, ke, gh, hk, jm, tt, eu, me, de, fr, nl
""")
"""The last word of an address, by which a sentence with a dot in it is told from one."""

RULES = (
    Rule(
        "contact.email_spoken",
        PhiLabel.EMAIL,
        rf"(?i:\b({_MAIL_WORD}[ ]at[ ][a-z0-9]+(?:[ ]{_SIGN_SAID}[ ][a-z0-9]+){{0,4}}[ ]dot[ ]"
        rf"{_TOP_LEVEL}))\b",
        1.0,
        (
            "memo to [[claims at goldenanchor dot example dot sg]] full stop",
            "that is [[h dot quill seventy one at palmmail dot com]].",
            "[[R underscore Okafor at st dash annes dot org dot uk]], thanks",
        ),
        ("seen at the clinic dot he left", "arrived at nine dot phrase"),
    ),
    Rule(
        "id.spoken",
        PhiLabel.IDNUM,
        _CODE,
        0.97,
        (
            "number they gave was [[r as in robert five five oh three one]] period",
            "NHS number [[four eight five triple seven oh three double six one]]. To",
            "bag number [[k b b zero six double one]] transfused",
            "hers is [[one four oh nine double two]], I think",
            "pager [[two two seven]].",
        ),
        (
            "we counted one two three four five six times",
            "one two three",
            "pressure one twenty eight over seventy six",
            "took five zero zero five zero milligrams",
            "a b c and d",
        ),
        _keep_code,
    ),
    Rule(
        "date.spoken_year",
        _D,
        rf"(?i:\b{_YEAR_CUE}[ ,]{{1,2}}(?:about[ ]|around[ ])?({_FULL_YEAR})\b)",
        0.9,
        (
            "palsy left [[nineteen ninety-one]] close",
            "unquote in [[two thousand and one]].",
            "since [[twenty nineteen]], worse",
        ),
        ("in twenty twenty vision", "of two thousand units", "since twenty minutes"),
        _keep_year,
    ),
)
