"""Dates written in numbers."""

import re

import re2

from deidstream.models.phi.dates.date_patterns import (
    AMBIGUOUS_MONTH_JOINED,
    DAY,
    MONTH,
    ROMAN_MONTH,
    VERSION_MARK,
    WEEKDAY_BEFORE,
    YEAR,
    as_digits,
    is_day_and_month,
)
from deidstream.models.phi.dates.iso_forms import is_iso_form
from deidstream.models.recognizers.rules.dates_beside import follows_date_cue
from deidstream.models.recognizers.rules.rule import REFUSED, Candidate, Rule, keep_whole, when
from deidstream.models.text.patterns import BEGIN, DASH, END
from deidstream.schemas.label import PhiLabel

_MONTHS = 12
_NUMBER = re.compile("[0-9]+")
_PAIR = r"[0-9]{1,2}/[0-9]{1,2}"
_THREE = (
    r"[0-9]{1,2}[ ]?/[ ]?[0-9]{1,2}[ ]?/[ ]?(?:[0-9]{4}|[0-9]{2})"
    r"|[0-9]{1,2}-[0-9]{1,2}-(?:[0-9]{4}|[0-9]{2})|[0-9]{1,2}\.[0-9]{1,2}\.(?:[0-9]{4}|[0-9]{2})"
)
_DAY_AND_YEAR = tuple(
    f"[0-9]{{1,2}}{sign}[0-9]{{1,2}}{sign}{year}"
    for sign in ("/", r"\.", "-")
    for year in ("[0-9]{4}", "[0-9]{2}")
)
_RANGE = "|".join(f"{day}[ ]?-[ ]?{day}" for day in _DAY_AND_YEAR)
"""From one whole date to another one, in one form."""
_VERSION = re2.compile(VERSION_MARK)
_APGAR = re2.compile(r"(?i)apgars?[ :]{0,3}$")


def _numbers(text: str) -> list[str]:
    return _NUMBER.findall(as_digits(text))


def _is_date(text: str) -> bool:
    one, two, three = (*_numbers(text)[-3:], "0", "0")[:3]
    return is_day_and_month(two, three) if len(one) == len("2024") else is_day_and_month(one, two)


def _numeric(candidate: Candidate) -> tuple[int, int]:
    if not _is_date(candidate.text) or _VERSION.match(candidate.after):
        return REFUSED
    scored = "apgar" in candidate.before.lower() and _APGAR.search(candidate.before)
    return REFUSED if scored else keep_whole(candidate)


def _partial(candidate: Candidate) -> tuple[int, int]:
    first, second = _numbers(candidate.text)[-2:]
    if not is_day_and_month(first, second):
        return REFUSED
    ratio = int(first) <= int(second) <= _MONTHS or (first, second) == ("24", "7")
    told = candidate.text[0].isalpha() or follows_date_cue(candidate)
    return REFUSED if ratio and not told else keep_whole(candidate)


def _range_end(candidate: Candidate) -> tuple[int, int]:
    first, second = _numbers(candidate.text)
    return keep_whole(candidate) if is_day_and_month(first, second) else REFUSED


def _is_range(text: str) -> bool:
    numbers = _NUMBER.findall(text)
    return all(is_day_and_month(*numbers[place : place + 2]) for place in (0, 3))


def _is_stamp(text: str) -> bool:
    return int(text[4:6]) in range(1, 13) and int(text[6:8]) in range(1, 32)


RULES = (
    Rule(
        "date.iso",
        PhiLabel.DATE,
        rf"{BEGIN}({YEAR}(?:-[01]?[0-9]-[0-3]?[0-9]|/[01]?[0-9]/[0-3]?[0-9]"
        rf"|\.[01]?[0-9]\.[0-3]?[0-9]))(?:{END}|T[0-9])",
        1.0,
        (
            "at [[2025-11-08]] 14:02",
            "on [[2025/1/8]].",
            "[[2025-1-8]],",
            "x [[2025-11-08]]T14:02:11Z",
            "at [[2025-11-08]]T14:02:11.250+01:00 by",
        ),
        ("ref 2025-13-40", "build 2025-11-08-77"),
        when(_is_date),
        joined=True,
    ),
    Rule(
        "date.iso_week",
        PhiLabel.DATE,
        rf"{BEGIN}({YEAR}-?W[0-5][0-9](?:-?[1-7])?){END}",
        1.0,
        ("seen [[2021-W09-1]].", "week [[2021-W09]]:", "[[2021W091]]"),
        ("2021-W54", "2021-W09-8"),
        when(is_iso_form),
        joined=True,
    ),
    Rule(
        "date.day_of_year",
        PhiLabel.DATE,
        rf"{BEGIN}({YEAR}-[0-3][0-9]{{2}}){END}",
        0.8,
        ("on [[2021-060]],",),
        ("2021-367", "ref 2021-0601", "2021-12"),
        when(is_iso_form),
        joined=True,
    ),
    Rule(
        "date.day_of_year_on",
        PhiLabel.DATE,
        rf"\b(?i:on|seen|dated?|since|until|till|from|before|after|by)[ :]{{1,2}}"
        rf"({YEAR}-[0-3][0-9]{{2}}){END}",
        1.0,
        ("and on [[2021-060]],", "since [[2020-366]]."),
        ("on 2021-367", "lot 2021-060"),
        when(is_iso_form),
        joined=True,
    ),
    Rule(
        "date.numeric_with_century",
        PhiLabel.DATE,
        rf"{BEGIN}((?:{WEEKDAY_BEFORE})(?:[0-9]{{1,2}}[ ]?/[ ]?[0-9]{{1,2}}[ ]?/[ ]?{YEAR}"
        rf"|[0-9]{{1,2}}-[0-9]{{1,2}}-{YEAR}(?:-[0-9]{{1,2}}-[0-9]{{1,2}}-{YEAR})?"
        rf"|[0-9]{{1,2}}\.[0-9]{{1,2}}\.{YEAR})){END}",
        1.0,
        (
            "DOB: [[5/17/1976]] (55)",
            "Pain [[02/25/2017]]\n",
            "[[31-10-2008]], [[6.04.2027]]",
            "stay [[28-01-2025-2-02-2025]].",
            "[[Huwebes 12/09/2024]] bakuna",
        ),
        ("99/40/2012", "node 10.12.2000.77", "13/13/2024", "build 6.11.2025-rc3"),
        _numeric,
    ),
    Rule(
        "date.numeric",
        PhiLabel.DATE,
        rf"{BEGIN}((?:{WEEKDAY_BEFORE})(?:{_THREE})){END}",
        0.95,
        (
            "DOB: [[5/17/1976]] (55)",
            "seen [[06.04.2027]].",
            "[[3-4-24]], then [[11 / 05 / 1938]]",
            "[[Sat 9/7/24]] at noon",
            "D: [[10/07/2028]]  T: [[10/08/2028]]",
        ),
        ("99.40.12", "node 10.12.0.77", "call 555-0199", "Apgar 9-9-10"),
        _numeric,
    ),
    Rule(
        "date.named_month",
        PhiLabel.DATE,
        rf"{BEGIN}((?:{DAY}[-/.]{MONTH}(?:[-/.](?:{YEAR}|[0-9]{{2}}))?"
        rf"|{YEAR}[-/]{MONTH}[-/]{DAY}|{DAY}{MONTH}(?:{YEAR}|[0-9]{{2}})|{MONTH}[-/]{YEAR}"
        rf"|{DAY}[-/.]?{AMBIGUOUS_MONTH_JOINED}[-/.]?{YEAR}|{DAY}[-/]{ROMAN_MONTH}[-/]{YEAR}"
        rf"|{DAY}\.[ ]?{ROMAN_MONTH}\.[ ]?{YEAR})){END}",
        0.95,
        (
            "[[14-Mar-2025]] visit",
            "on [[14-Jul]],",
            "[[02FEB25]]",
            "in [[3.XII.2024]]",
            "[[2024/Mar/17]]",
            "[[3-XII-2024]]",
            "el [[3-DIC-2024]]",
            "[[04/abr/2024]].",
        ),
        ("IL-2", "12-marker", "2-set 2024", "4/DIC"),
    ),
    Rule(
        "date.partial",
        PhiLabel.DATE,
        rf"{BEGIN}((?:{WEEKDAY_BEFORE}){_PAIR}){END}",
        0.75,
        (
            "labs on [[4/6]]",
            "negative [[9/14]] and",
            "[[Mon 11/18]]",
            "SLATE [[WOENSDAG 19/6]]",
            "SLATE [[MAANDAG 7/7]]",
            "since [[8/1]].",
            "bx [[7/30]]: G",
            "INR [[4/17]] [[4/19]] [[4/21]]\n",
            "Check Hb [[5/12]].",
        ),
        (
            "BP 120/80",
            "pain 3/10",
            "scored 9/12",
            "24/26 mg",
            "available 24/7",
            "day 4/5",
        ),
        _partial,
    ),
    Rule(
        "date.whole_range",
        PhiLabel.DATE,
        rf"(?:^|[^0-9A-Za-z./-])({_RANGE}){END}",
        1.0,
        (
            "Inpatient [[5/2/2024-5/8/2024]].",
            "stay [[20/02/08-23/02/08]],",
            "[[7-12-23-22-12-23]]",
            "from [[24.8.2011 - 26.8.2011]]",
        ),
        ("code 09-18-10-44-21-10", "10-20-30-40-50-60"),
        when(_is_range),
    ),
    Rule(
        "date.range",
        PhiLabel.DATE,
        rf"(?:^|[^0-9A-Za-z./:-])({_PAIR})[ ]?(?:{DASH}|to|thru)[ ]?({_PAIR}(?:/(?:{YEAR}"
        rf"|[0-9]{{2}}))?){END}",
        0.85,
        ("inpatient [[3/4]]-[[3/9]]", "[[10/5]]\u2013[[10/9]]"),
        ("leads 40/80-41/90",),
        lambda c: _range_end(c) if c.text.count("/") == 1 else keep_whole(c),
    ),
    Rule(
        "date.month_and_year",
        PhiLabel.DATE,
        rf"{BEGIN}((?:0?[1-9]|1[0-2])/{YEAR}|{YEAR}-(?:0[1-9]|1[0-2])){END}",
        0.85,
        ("since [[12/2025]];", "from [[2019-07]] on"),
        ("13/2025",),
    ),
    Rule(
        "date.stamp",
        PhiLabel.DATE,
        r"(?:[|^]|\b(?i:dob|date|birth|admit(?:ted)?|dos"
        rf"|on)[:= ]{{1,3}})({YEAR}[01][0-9][0-3][0-9])(?:[0-9]{{4}}(?:[0-9]{{2}})?)?"
        r"(?:[^0-9A-Za-z]|$)",
        0.95,
        ("||[[19520811]]|F", "|[[20260122]]1435|", "DOB [[19520811]]"),
        ("|20269922|", "acct 20260122"),
        when(_is_stamp),
        joined=True,
    ),
)
