"""Rules for ages in words."""

from deidstream.models.recognizers.rules.rule import REFUSED, Rule, whole
from deidstream.schemas.label import PhiLabel

_TENS = r"(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)"
_ONES = r"(?:one|two|three|four|five|six|seven|eight|nine)"
_TEENS = r"(?:ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen)"
_SPELLED = (
    rf"(?i:{_TENS}(?:[ -]{_ONES})?|{_TEENS}|{_ONES}|(?:a|one)[ ]hundred(?:[ ]and)?(?:[ ]{_ONES})?)"
)
_L = PhiLabel.AGE

RULES = (
    Rule(
        "age.spelled",
        _L,
        rf"\b({_SPELLED})(?:[ -]{{1,2}}(?i:years?)[ -]{{1,2}}(?i:old|of[ ]age)\b|[ -](?i:old)\b)",
        0.95,
        ("[[sixty-seven]]-year-old man", "a [[seven]] year old"),
        ("two years ago", "seven day course"),
    ),
    Rule(
        "age.spelled_labelled",
        _L,
        rf"\b(?i:ages?|aged)[ ]({_SPELLED})\b",
        0.95,
        ("at age [[twelve]]", "AGED [[EIGHTY-NINE]]"),
        ("aged care",),
    ),
    Rule(
        "age.spelled_event",
        _L,
        r"\b(?i:is|turned|turns|at|under|only|nearly|almost|then|from|now|be|she's|he's|be"
        rf"|still|to)[ ]({_SPELLED})(?:[.,;)\"]|$|[ ](?i:and[ ](?:in|has|was|came)|on|when"
        r"|years[ ]of|he|she|in[ ]a))",
        0.6,
        ("who is [[seven]]. I", "shot at [[fifteen]] on", "is [[ninety-one]]."),
        ("at one time", "is one of", "transfers of two, n", "one of eleven."),
        lambda c: (
            REFUSED
            if c.text.lower() in {"one", "two", "three"} and not c.before.endswith(("is ", "age "))
            else whole(c)
        ),
    ),
    Rule(
        "age.of_decade",
        _L,
        r"\b((?i:(?:sexa|septua|octo|nona)genarian|(?:super)?centenarian))\b",
        0.9,
        ("a [[nonagenarian]] with", "[[Centenarian]], lives"),
        ("the centenary ward",),
    ),
    Rule(
        "age.birthday",
        _L,
        r"\b([1-9]?[0-9](?:st|nd|rd|th)|1[01][0-9](?:st|nd|rd|th))[ ](?i:birthday|b-?day)\b",
        0.9,
        ("since her [[92nd]] birthday", "before the [[100th]] birthday"),
        ("the 2nd birth",),
    ),
)
