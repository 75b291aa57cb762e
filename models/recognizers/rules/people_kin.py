"""Find names of people by a word for a child: within the name, or before that of the mother."""

import re

import re2

from deidstream.models.phi.names.kept_words import ABBREVIATED
from deidstream.models.phi.names.stops import ends_name, strip_word
from deidstream.models.phi.not_phi import abbreviations, clinical_letters, common_words
from deidstream.models.recognizers.rules.name_fits import keep_name_forward
from deidstream.models.recognizers.rules.rule import REFUSED, Candidate, Rule
from deidstream.models.text.patterns import APART, NAME, SPACE, WORD
from deidstream.models.text.titles import BEFORE_NAME
from deidstream.schemas.label import PhiLabel

_CHILD_OF = r"(?:(?i:bin(?:ti)?|bte?\.?|a/[lp])|b\.)"
"""Son or daughter of, as it is written within Malay names and those of Tamils in Malaysia."""
_WITHIN = re2.compile(rf"[ \t]{{1,3}}{_CHILD_OF}[ \t]{{1,3}}")
_WORD = re.compile(r"[^ \t]+")


def _keep_around(candidate: Candidate) -> tuple[int, int]:
    """Keep the words of a name on both sides of the word for a child, one at least on each."""
    text = candidate.text
    within = _WITHIN.search(text)
    start = end = 0
    if within is not None:
        start, end = within.start(), within.end()
        for word in reversed(list(_WORD.finditer(text, 0, start))):
            if not _may_be_name(word[0]):
                break
            start = word.start()
        for word in _WORD.finditer(text, within.end()):
            if not _may_be_name(word[0]):
                break
            end = word.end()
    whole = within is not None and start < within.start() and within.end() < end
    return (start, end) if whole else REFUSED


def _may_be_name(word: str) -> bool:
    """Return whether a word may be of such a name: ``MD`` is Mohammed in it, and no degree."""
    form = strip_word(word)
    listed = ends_name(word) or form in common_words() or form in abbreviations()
    return form in ABBREVIATED or not listed


def _keep_mother(candidate: Candidate) -> tuple[int, int]:
    """Keep a name; refuse any other word, as ``B/O`` is ``because of`` too."""
    start, end = keep_name_forward(candidate)
    words = candidate.text[start:end].split()
    good = all(_may_be_name(word) and strip_word(word) not in clinical_letters() for word in words)
    return (start, end) if good else REFUSED


RULES = (
    Rule(
        "name.child_of",
        PhiLabel.PATIENT,
        rf"{APART}((?:{WORD}{SPACE}){{1,4}}{_CHILD_OF}{SPACE}{WORD}(?:{SPACE}{WORD}){{0,2}})",
        0.97,
        (
            "Suami: [[Mohd Hafizi b. Zulkarnain]], driver",
            "DR [[NURUL IZZATI BT MD SAAD]]|",
            "husband [[Thinesh a/l Kumar]] rang",
            "Mother [[Rohayu bt Kassim]] BP 120",
        ),
        ("Chest b. Abdomen", "TEMP BT NORMAL", "Yellow bin Ward", "Lim bin full"),
        _keep_around,
    ),
    Rule(
        "name.newborn",
        PhiLabel.PATIENT,
        rf"{APART}B/[Oo]\.?{SPACE}(?:{BEFORE_NAME}\.?[ ])?({NAME})",
        1.0,
        ("M0414  B/o [[Pym]] 21/40", "| B/O [[SALAMATU]]  | NULL", "B/o Mrs [[Achieng]], boy"),
        ("B/O PAIN", "b/o pain", "B/O: Chest", "HELD B/O BP"),
        _keep_mother,
    ),
)
