"""Find names of people in running text, with no word for a rank or a role beside them.

The form of the name itself is the evidence (a double-barrelled name, an initial), or the words that
follow it (a verb whose subject is a person, an age in brackets). Names that must be on a line of
their own, or beside a sex, are in ``people_lines``.
"""

import re2

from deidstream.models.phi.names.stops import NOT_SIGNED, ends_name
from deidstream.models.recognizers.rules.name_fits import (
    NOT_PERSONS,
    begins_with_eponym,
    keep_name_after_cue,
    keep_person_in_text,
    trim_name,
)
from deidstream.models.recognizers.rules.rule import REFUSED, Candidate, Rule
from deidstream.models.text.context import next_word
from deidstream.models.text.eponyms import DOUBLE_EPONYMS, HEADS
from deidstream.models.text.patterns import UPPER, any_of, word_set
from deidstream.schemas.label import PhiLabel

_P, _D = PhiLabel.PATIENT, PhiLabel.DOCTOR
_TITLE_WORD = rf"(?:{UPPER}[a-z\x80-\xff]{{2,18}}(?:['-]{UPPER}[a-z\x80-\xff]{{1,18}})?)"
_DOES = any_of("""
says, said, slept, drives, called, rang, rated, cried, laughed, agreed, has seen, asked, told
thinks, feels, lives, works, came, brought, helped, denies, reports, finishes, posted, turned
wants, knows, notified, paged, was admitted, was born, presented, presents, was referred, woke
attends, attended, returned, declined, states, is a, is an, is here, is now, was seen, will call
was brought, is doing, has been, had a, remains, walked, wrote, described, became, lost, married
grew, smiled, worries, hopes, loves, enjoys, takes, comes, visits
""")
_PLAIN_DOUBLES = word_set("""
all-cause follow-up check-in walk-in drop-in well-being self-care pre-op post-op non-smoker t-cell
carboxy-hb african-caribbean plasma-lyte second-level t-scores
""")
"""Words with a hyphen that are neither eponyms nor names."""
_PREFIXES = word_set("""
anti non post pre mid african afro anglo ultra multi micro plasma carboxy self well follow check
walk drop semi co ex half long short high low full part first second third two three four five six
seven eight nine ten all over under out in on off up down self-care intra inter trans peri sub
super hyper hypo extra right left vaginal once twice solu depo steri accu angio asian mexican
american native perma porta duo neo pro toprol bi uni
""")
_GENERA = word_set("""
coli aureus pylori difficile pneumoniae jejuni influenzae albicans marcescens vaginalis
trachomatis faecalis
""")


def _precedes_head(candidate: Candidate) -> bool:
    """Return whether the next word on the line is a noun such as ``syndrome`` or ``forceps``."""
    line = candidate.after.split("\n", 1)[0]
    return next_word(line, 0) in HEADS


def _keep_double_name(candidate: Candidate) -> tuple[int, int]:
    """Keep a double-barrelled name and the given names before it."""
    double = candidate.text.split(" ")[-1].lower().removesuffix("'s")
    parts = double.split("-")
    medical = double in DOUBLE_EPONYMS or _precedes_head(candidate)
    plain = double in _PLAIN_DOUBLES or parts[0] in _PREFIXES
    plain = plain or any(ends_name(p) or p in NOT_SIGNED or not p[2:] for p in parts)
    if medical or plain or begins_with_eponym(candidate, (0, len(candidate.text))):
        return REFUSED
    words, begin = candidate.text.split(" "), 0
    for n, word in enumerate(words[:-1]):
        if ends_name(word) or word.lower() in NOT_SIGNED:
            begin = len(" ".join(words[: n + 1])) + 1
    return trim_name(candidate.text, begin, len(candidate.text))


def _keep_after_initial(candidate: Candidate) -> tuple[int, int]:
    last = candidate.text.split(" ")[-1]
    listed = _LISTED.search(candidate.before) and candidate.after.startswith(" ")
    bad = listed or ends_name(last) or last.lower() in NOT_SIGNED or last.lower() in _GENERA
    return (
        REFUSED
        if bad or _precedes_head(candidate)
        else trim_name(candidate.text, 0, len(candidate.text))
    )


_LISTED = re2.compile(r"(?:[0-9/] ?|\n|\n[ ]+|influenza |[Hh]epatitis |[Rr]oom [0-9]+ |[a-z]/)$")


def _keep_alone_before_age(candidate: Candidate) -> tuple[int, int]:
    text = candidate.text
    bad = (
        ends_name(text)
        or text.lower() in NOT_SIGNED
        or text.lower() in NOT_PERSONS
        or text.lower() in _COUNTED
    )
    return (
        REFUSED
        if bad or begins_with_eponym(candidate, (0, len(text)))
        else keep_name_after_cue(candidate)
    )


_COUNTED = word_set("""
medications photographs apgar apgars room rooms ward bed chapter volume page pages figure table
item items question version level stage grade class group arm cohort day week month year cycle
dose step phase visit session line sodium potassium glucose creatinine calcium lactate hemoglobin
platelets troponin ferritin albumin bilirubin compliance pulse temp temperature weight height
score scale total sum age ages gravida para flow rate
""")

_LETTERED = word_set("""
vitamin hepatitis type group stage class factor protein influenza grade level plan phase arm site
unit block pod
""")

RULES = (
    Rule(
        "name.double",
        _P,
        rf"(?:^|[^0-9A-Za-z'-])((?:(?:[A-Z]\.|{_TITLE_WORD})[ ]){{0,3}}{UPPER}"
        rf"[a-z\x80-\xff]{{1,16}}-{UPPER}[a-z\x80-\xff]{{1,16}}"
        rf"(?:-{UPPER}[a-z\x80-\xff]{{1,16}})?)(?:$|[^0-9A-Za-z-])",
        0.6,
        ("then [[Radoslav Greene-Sakamoto]]  |", "told [[Weiss-Amari]] at"),
        ("Guillain-Barre syndrome", "Child-Pugh C", "Rydel-Seiffer fork", "Follow-Up visit"),
        _keep_double_name,
    ),
    Rule(
        "name.initial_and_last",
        _D,
        rf"(?:^|[^0-9A-Za-z'.-])((?:[A-Z]\.[ ]?){{1,2}}{_TITLE_WORD}(?:-{_TITLE_WORD})?)(?:$"
        r"|[^0-9A-Za-z-])",
        0.65,
        ("text [[N. Friel]] called", "([[D. Lemaire]]) no", "[[F. Stavros]]\n"),
        ("E. Coli", "H. Pylori", "A. Right mid", "C. Difficile"),
        _keep_after_initial,
    ),
    Rule(
        "name.first_and_initial",
        _P,
        rf"(?:^|[^0-9A-Za-z'.-])({_TITLE_WORD}[ ][A-Z]\.)(?:[,;:)]|[ ]{{2}}|[ ][a-z]|[ ]\()",
        0.55,
        ("1042   [[Kayleigh D.]]  gr 7", "[[Tamsin R.]], aged"),
        ("Vitamin D. and", "Hepatitis B. was", "Type A. is"),
        lambda c: REFUSED if c.text.split(" ")[0].lower() in _LETTERED else keep_person_in_text(c),
    ),
    Rule(
        "name.acts",
        _P,
        r"(?:^|[^0-9A-Za-z'.-][ ]?|[.?!][ ]{1,2}"
        rf"|\n)({_TITLE_WORD}(?:[ ]{_TITLE_WORD}){{0,2}})[ ](?:{_DOES})\b",
        0.55,
        ('time. [[Signe]] says "the', "\n[[Augustus Nwachukwu]] woke at", "and [[Dale]] said"),
        (
            "Patient says",
            "She said",
            "Mother called",
            "Pain is a",
            "Nobody called",
            "Plan was seen",
        ),
        keep_person_in_text,
    ),
    Rule(
        "name.alone_and_age",
        _P,
        rf"(?:^|[^0-9A-Za-z'.-][ ]?)({_TITLE_WORD})(?:,[ ][1-9][0-9]?(?:,[ ][a-z]|;|\.(?:[ \n]"
        r"|$)|[ ](?:and|is|in|at)\b)|[ ]\([1-9][0-9]?(?:\)|,[ ]))",
        0.55,
        ("and [[Zoya]], 5.", "himself, and [[Inés]], 22, a nanny", "and [[Jude]] (9), have"),
        ("Caprini (4)", "Medications (12)", "Sodium, 134,"),
        _keep_alone_before_age,
    ),
)
