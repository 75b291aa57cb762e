"""Dates with the month in letters, and weekdays."""

import re2

from deidstream.models.phi.dates.date_patterns import (
    AMBIGUOUS_MONTH,
    DAY,
    ENGLISH_MONTH,
    FULL_WEEKDAY,
    MONTH,
    ORDINAL_DAY,
    PLAIN_FOREIGN_WEEKDAY,
    PLAIN_MONTH,
    ROUGHLY,
    SHORT_FOREIGN_MONTH,
    SHORT_YEAR,
    WEEKDAY_BEFORE,
    YEAR,
)
from deidstream.models.recognizers.rules.rule import REFUSED, Candidate, Rule, keep_whole
from deidstream.models.text.patterns import BEGIN, END, any_of
from deidstream.schemas.label import PhiLabel

_DOSE = re2.compile(r"^ ?(?i:mg|mcg|ml|g|units?|tabs?|l|mm|cm|x)\b|^ ?%")
_LISTED = re2.compile(r"^,? ?[0-9]")
_NOT_SATURDAY = re2.compile(
    r"^[ :=~>]{0,3}(?:[0-9]{2,3}(?:[^0-9/.:-]|$)|(?i:up|down|on|at|tray|drop|monitor|probe|bath"
    r"|phone)\b|%|[<>])"
)
_NEXT_SENTENCE = re2.compile(r"^(?:$|\s*\n|[ ]{1,2}[A-Z])")
_VERB_MAY = re2.compile(
    r"^ (?i:be|have|not|need|go|come|give|take|try|stay|help|also|cause|use|benefit|return|still"
    r"|resume)\b"
)
_BEFORE_MONTH = any_of("""
in, by, since, until, till, til, from, next, last, this, of, through, thru, early, late, mid
end of, start of, between, during, for, to, again, every, booked, due, f/u, clinic, transfusion
miss
""")


def _keep_date(candidate: Candidate) -> tuple[int, int]:
    # "4. August 5, 2002" is the fourth of a list, not of August.
    listed = ". " in candidate.text and _LISTED.search(candidate.after)
    return REFUSED if listed or _DOSE.search(candidate.after) else keep_whole(candidate)


def _dot(candidate: Candidate) -> tuple[int, int]:
    """Leave a full stop out where it ends the sentence."""
    stop = candidate.text.endswith(".") and _NEXT_SENTENCE.search(candidate.after)
    return 0, len(candidate.text) - bool(stop)


def _month(candidate: Candidate) -> tuple[int, int]:
    verb = candidate.text.lower() in {"may", "march"} and _VERB_MAY.search(candidate.after)
    return REFUSED if verb else _dot(candidate)


def _weekday(candidate: Candidate) -> tuple[int, int]:
    saturday = candidate.text[:3].lower() in {"sat", "sun"}
    return REFUSED if saturday and _NOT_SATURDAY.search(candidate.after) else _dot(candidate)


_D = PhiLabel.DATE

RULES = (
    Rule(
        "date.day_month",
        _D,
        rf"{BEGIN}({WEEKDAY_BEFORE}{ORDINAL_DAY}(?:\.?[ \n]{{1,3}}|[ ]of[ ]"
        rf"|[ ]de[ ])(?:mid-)?{MONTH}\.?(?:,?[ \n]{{1,3}}(?:of[ ]|del?[ ])?(?:{YEAR}"
        rf"|{SHORT_YEAR}))?|{WEEKDAY_BEFORE}{ORDINAL_DAY}(?:\.?[ ]{{1,3}}"
        rf"|[ ]de[ ]){AMBIGUOUS_MONTH}\.?,?[ \n]{{1,3}}(?:del?[ ])?{YEAR}){END}",
        0.95,
        (
            "seen [[29 September 2030]].",
            "vu le [[lundi 3 déc. 2029]],",
            "op [[3 januari 2024]] gezien",
            "el [[2 ago 2024]].",
            "em [[5 de set. de 2024]]",
            "on [[5th April]] and",
            "[[Tuesday 10 April 2024]] 14:00",
            "[[20 may]] \u2013 do I",
            "[[15hb Mac 2024]]",
            "[[9 de marzo]], then",
            "on [[30 Jan]] 12:30",
        ),
        (
            "2 marks",
            "10 Marlboro",
            "4. August 5, 2002",
            "3 days ago 2024 was",
            "set 3 2024",
            "4 out 250 mL",
            "3 set 2000 mL",
            "size 23 AVR 2019",
            "2 DIC",
            "8 set, 10 ago",
        ),
        _keep_date,
    ),
    Rule(
        "date.month_day",
        _D,
        rf"\b({WEEKDAY_BEFORE}{ROUGHLY}{ENGLISH_MONTH}\.?[ \n]{{1,3}}(?:the[ ])?{ORDINAL_DAY}"
        rf"(?:,?[ \n]{{1,3}}{YEAR}|,?[ ]'[0-9]{{2}}|,[ ][0-9]{{2}})?"
        rf"|{MONTH}\.?[ ]{ORDINAL_DAY},?[ ]{{1,2}}{YEAR}){END}",
        0.95,
        (
            "until [[September 8]].",
            "[[Sunday, January 8, 2033]]",
            "[[OCTOBER 3RD, 2024]]",
            "[[Feb. 14, 2024]] visit",
            "[[Mar 5 2024]]",
            "[[May 10th]]",
            "[[Wednesday May 14th]]",
            "el [[mayo 9, 2024]]",
        ),
        ("may 5 mg", "Mar 10 mg"),
        _keep_date,
    ),
    Rule(
        "date.short_month",
        _D,
        rf"(?:\b({SHORT_FOREIGN_MONTH}\.[ ]{DAY}|{DAY}[ ]{AMBIGUOUS_MONTH}\.[ ](?:de[ ])?{YEAR})"
        rf"|(?:^|\n)[ ]{{0,4}}({AMBIGUOUS_MONTH}\.[ ]{DAY})){END}",
        1.0,
        ("14\n[[Set. 3]], umulan", "[[Okt. 2]] follow up", "[[Dez. 24]]:", "Cita: [[3 set. 2025]]"),
        ("Okt. 3 mg", "a set. 3", "Mag. 2.1", "Set. 33"),
        lambda c: REFUSED if _DOSE.search(c.after) else keep_whole(c),
    ),
    Rule(
        "date.month_of_year",
        _D,
        rf"\b({ROUGHLY}{MONTH}\.?,?[ \n]{{1,3}}(?:(?:of|del?)[ ])?(?:{YEAR}|'[0-9]{{2}}"
        rf"|\xe2\x80\x99[0-9]{{2}}|[12][0-9O]{{3}})){END}",
        0.95,
        (
            "in [[Jan. 2024]],",
            "[[May of 2019]]",
            "[[mid-March 2024]]",
            "[[Jan '24]]",
            "[[mayo de 2024]]",
        ),
        ("may 2 times", "set 2024", "out 2024"),
    ),
    Rule(
        "date.month",
        _D,
        rf"(?:\b((?:(?i:early|mid|late)[ -])?{PLAIN_MONTH}|(?i:early|mid"
        rf"|late)[ -](?:(?i:the)[ ])?{ENGLISH_MONTH})\b"
        rf"|\b(?i:{_BEFORE_MONTH})[ ]({ENGLISH_MONTH}\.?)(?:$|[^0-9A-Za-z'.-]))",
        0.8,
        (
            "last week of [[July]] while",
            "since [[march]], worse",
            "in [[May]].",
            "[[mid-February]]",
            "due in [[Dec]]",
        ),
        ("she may go", "may be", "march fracture", "in mar-a", "In May-Thurner", "and may give"),
        _month,
    ),
    Rule(
        "date.weekday",
        _D,
        rf"\b({FULL_WEEKDAY}(?:[ ](?:the[ ])?{DAY}(?:st|nd|rd|th))?)\b",
        0.9,
        ("home [[Friday]].", "every [[wednesdays]]", "[[Monday 23rd]]", "[[SUNDAY]] AND"),
        ("Sundown",),
    ),
    Rule(
        "date.weekday_foreign",
        _D,
        rf"\b({PLAIN_FOREIGN_WEEKDAY})\b",
        1.0,
        ("ang sched, [[Huwebes]].", "terug [[woensdag]]", "rudi [[Jumatatu]]", "klinik [[ISNIN]]"),
        ("isang linggo", "Mr Khamis", "la quinta"),
    ),
    Rule(
        "date.weekday_short",
        _D,
        r"(?:^|[^0-9A-Za-z'-])((?:Mon|Tue|Tues|Wed|Weds|Thu|Thur|Thurs|Fri|Sat|Sun|MON|TUES?"
        r"|WEDS?|THURS?|THU|FRI|tues|weds|thurs|thur)\.?)(?:$|[^0-9A-Za-z'-])",
        0.8,
        ("RTC [[Mon]].", "[[Tues]] at 9", "leaves [[thurs]], no", "[[Fri]] 102/60"),
        ("Sat 98%", "Sat: 94", "SATS"),
        _weekday,
    ),
    Rule(
        "date.weekday_pattern",
        _D,
        r"\b((?i:MWF)|T[TR]S|TTh?S|TThSa?t?|M/W/F|M/W|T/Th(?:/S(?:at?)?)?|Tu/Th/Sat?|MTWThF|M-F"
        r"|Mon-Fri|TuTh)\b",
        0.8,
        ("HD [[MWF]] at", "dialysis [[TTS]]", "[[M/W/F]] pool"),
        ("MWFR",),
    ),
)
