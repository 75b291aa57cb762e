"""Rules for ages in figures and in words."""

from deidstream.models.recognizers.rules.ages_beside import (
    keep_age,
    keep_before_sex,
    keep_beside_name,
    keep_infant_age,
)
from deidstream.models.recognizers.rules.rule import REFUSED, Rule
from deidstream.models.text.patterns import APOSTROPHE, DASH, NAME
from deidstream.schemas.label import PhiLabel

_AGE = r"(?:1[01][0-9]|[1-9]?[0-9])"
_SMALL = r"(?i:months?|mos?|weeks?|wks?|days?|m/o|hours)"
_L = PhiLabel.AGE

RULES = (
    Rule(
        "age.years_old",
        _L,
        rf"(?:^|[^0-9A-Za-z./-])({_AGE}(?:[ ]?1/2)?)[ ]?-?[ ]{{0,3}}(?:(?i:years?|yrs?|yr|yeat"
        r"|you)[ -]{0,3}(?i:olds?|o[1lI]d|of[ ]age|young|man\b|woman\b|male\b|female\b|m\b"
        r"|f\b)|(?i:y/o|y\.o\.?|yo|yom|yof|y o|yr[ ]?o|yowf|yowm|yobm|yobf)\b|[ ](?i:year)[ ])",
        1.0,
        (
            "a [[67]]-year-old man",
            "[[67]] y/o M",
            "[[67]]yo",
            "[[57]] year old driver",
            "[[44]] y.o.",
            "[[19]]yom",
        ),
        ("for 12 years", "10 yr survival", "12 yoga"),
        keep_age,
        joined=True,
    ),
    Rule(
        "age.small_old",
        _L,
        r"(?:^|[^0-9A-Za-z./-])([0-9]{1,3}[ -](?i:months?|mos?|weeks?|wks?|days?)"
        r"|[0-9]{1,2}/(?:12|52|7))[ -](?i:old|of[ ]age)\b",
        0.95,
        ("a [[15-month]]-old girl", "[[3 wk]] old", "[[8 days]] old", "[[13/12]] old"),
        ("38 weeks gestation", "2 week course"),
    ),
    Rule(
        "age.sexed",
        _L,
        r"(?:^|[^0-9A-Za-z./+-])(1[01][0-9]|[1-9]?[0-9])(?:[ ]?(?:[MF]|[mf])(?:[ ,.;:)/\]?]|$"
        r"|\n)|[ ]?/[ ]?[MF]\b|[ ](?:Male|Female|MALE|FEMALE|male|female|man|woman|nb|nonbinary"
        r"|WF|WM|BF|AAF|AAM|HF|HM)\b|(?:WF|WM|BF|AAF|AAM)\b)",
        0.9,
        (
            "[[67]]F with CHF",
            "ASHBY [[52]] f s/p",
            "[[91]] F;",
            "[[68]] M TO CCU",
            "(69) [[62]]f, cand",
        ),
        ("stay 7 m, no", "Temperature 94 F within", "size 12 Fr", "Had 3 BM."),
        keep_before_sex,
        joined=True,
    ),
    Rule(
        "age.behind_sex",
        _L,
        rf"(?:^|[^0-9A-Za-z./&+-])[MF][ ]?/[ ]?({_AGE})(?:$|[^0-9A-Za-z./%:-]|\.[^0-9]|\.$|[yY])",
        0.9,
        ("F/ [[38]] NPO", "M/[[62]], fall", "CHAN F / [[71]]"),
        ("G/F 38", "M/ 12/5", "I/M 40 mg"),
        joined=True,
    ),
    Rule(
        "age.said",
        _L,
        rf"\b(?i:he|she|who)(?:{APOSTROPHE}s|[ ](?:is|was))[ ](?i:only[ ]|now[ ]|just[ ])?({_AGE})"
        r"(?:$|[,;:)?!\n]|\.[^0-9]|\.$|[ ](?:\xe2\x86\x92|->|so\b|and\b|but\b|not\b|now\b))",
        0.8,
        ("no he's [[69]] \u2192 300", "she is [[81]], not", "who was [[34]] and well"),
        ("she is 38 weeks", "he's 2 days post", "she is 5 cm", "he's 14/15"),
        joined=True,
    ),
    Rule(
        "age.labelled",
        _L,
        r"\b(?i:ages?|aged|age/sex|age[ ]?\(?(?:yrs?|years?)\)?)\b(?i:[ ]?(?:is|was|of|at"
        r"|[:=/-]|\t)[ ]?)?[ ]{0,16}(?:(?i:about|around|approx\.?|under|over|at|of"
        rf"|only)[ ])?({_AGE}(?:[ ]?{_SMALL}\b(?:[ ](?:and[ ])?[0-9]{{1,2}}[ ]{_SMALL})?"
        r"|/(?:12|52|7)|[ ]?y[ ]?[0-9]{1,2}[ ]?m(?:[ ][0-9][ ]?d)?|s)?)(?:\b|(?i:yrs?))",
        0.95,
        (
            "Age: [[49]]",
            "AGE   [[63]]    ROOM",
            "aged [[26]]. ",
            "age: [[18 months]]",
            "ages [[8]] and",
            "aged [[18/12]], walks",
        ),
        ("agent 47", "stage 3", "coverage 80", "gestational age 34", "age 0.16"),
        lambda c: REFUSED if c.after.startswith(".") and c.after[1:2].isdigit() else keep_age(c),
        joined=True,
    ),
    Rule(
        "age.beside_name",
        _L,
        rf"{NAME}(?:,[ ]|[ ]?\((?:[^()0-9\n]{{0,30}}[ ,])?|[ ]{{1,4}}(?:{DASH}|/|\||;)[ ]{{0,4}}"
        rf"|[ ]{{2,8}}|[ ]?[|;][ ]?)({_AGE}(?:[ ](?:months?|mos?|days?|weeks?|wks?|m|d"
        r"|w)\b)?)(?:$|[^0-9A-Za-z./%:-]|\.[^0-9]|\.$|[mMfFyY]|-[^0-9])",
        0.7,
        (
            "Hideo Marsh, [[66]], is",
            "Joaquín ([[14]]) at",
            "Colt, [[20]], is",
            "Coralie (surf shop, [[12]])",
        ),
        ("Ward, 12 beds", "Ward 5, 3 units", "CY-BOCS (12).", "MELD 19."),
        keep_beside_name,
        joined=True,
    ),
    Rule(
        "age.short_units",
        _L,
        r"(?:^|[^0-9A-Za-z./-])([0-9]{1,2}[ ]?(?:y|yr|yrs"
        r"|years)[, ]{1,2}(?:and[ ])?[0-9]{1,2}[ ]?(?:m|mo|months)(?:[ ][0-9]{1,2}[ ]?d)?"
        r"|[0-9]{1,2}/12|[0-9]{1,2}[ ]?m[ ][0-9]{1,2}[ ]?d|[0-9]{1,2}y[ ]?[0-9]{1,2}m)\b",
        0.85,
        ("DOB 30/04/2021 ([[3y 9m]])", "Today, [[3 y 7 m]]: wt", "Siphosethu N., [[14/12]], cub"),
        ("in 3/52", "review 6/12"),
        keep_infant_age,
    ),
)
