"""Decide whether words of real prose may be PHI that has no label.

A capitalised word is safe where many notes, or the word lists, show that it is not a name.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from string import punctuation
from typing import Self

import re2

from deidstream.models.phi.dates.calendar import month_words
from deidstream.models.phi.gazetteers import Kind, gazetteers
from deidstream.models.phi.not_phi import clinical_terms, common_words, eponyms
from deidstream.models.text.folding import EDGE, fold_short
from deidstream.models.text.word_files import lines

# Everything but letters and apostrophes separates words.
_APART = dict.fromkeys(map(ord, "0123456789" + punctuation.replace("'", "")), " ") | {0x2019: "'"}
_SEEN_LOWER = 2
_SEEN_CAPITAL = 4
_SEEN_SURNAME = 7
_ACRONYM = 4


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The words of many notes, with how many notes write each in lower case and otherwise."""

    lower: frozenset[str] = field(repr=False)
    """Words that ordinary prose writes in lower case."""
    capital: Counter[str] = field(repr=False)
    """Number of notes that write each word with a capital."""

    @classmethod
    def of(cls, texts: Iterable[str]) -> Self:
        """Count the words of ``texts``."""
        lower, capital = Counter[str](), Counter[str]()
        for text in texts:
            words = {word.strip("'") for word in text.translate(_APART).split()} - {""}
            lower.update(map(fold_word, filter(str.islower, words)))
            capital.update({fold_word(word) for word in words if not word.islower()})
        often = {word for word, notes in lower.items() if notes >= _SEEN_LOWER}
        return cls(frozenset(often | common_words()), capital)

    def is_safe(self, word: str, *, begins: bool) -> bool:
        """Return whether ``word`` is certainly not a name, although it has a capital.

        Args:
            word: One word, as written in the text.
            begins: Whether a sentence begins with it.
        """
        form = fold_word(word)
        kinds = gazetteer().get(form, 0)
        if len(form) == 1 or form in clinical_terms():
            return True
        if form in self.lower:
            return begins or not word.istitle() or not kinds & (Kind.GIVEN | Kind.COUNTRY)
        if word.isupper() and len(word) <= _ACRONYM:
            return not kinds & Kind.GIVEN
        return self._is_brand(form, kinds)

    def _is_brand(self, form: str, kinds: int) -> bool:
        """Return whether a word is in so many notes that it is a drug, a device or an eponym."""
        if kinds & (Kind.GIVEN | Kind.CITY | Kind.STATE | Kind.COUNTRY):
            return False
        return self.capital[form] >= (_SEEN_SURNAME if kinds & Kind.SURNAME else _SEEN_CAPITAL)


@lru_cache(maxsize=200_000)
def fold_word(word: str) -> str:
    """Return the form under which words are compared."""
    return fold_short(word).removesuffix("'s")


@lru_cache(maxsize=1)
def gazetteer() -> dict[str, int]:
    """Return the kinds that each listed word may have, by its folded form."""
    return {key.replace(EDGE, ""): kind for key, kind in gazetteers().items()}


_PLACEHOLDER = (
    r"_{2,}|\*{2,}|\bx{2,}\b|\b(?:xyz?|abcd?e?f?|asdf|doe|mm/|yyyy|sample|blank)\b|[@\[\]{}]|www\."
    r"|(?-i:\b[XYZ]\b[,'])"
)
_MONTHS = "|".join(sorted({*month_words("English")} - {"mar", "march", "may"}))
_DATE = (
    r"\b(?:19[1-9]|20[0-4])\d\b|\b[1-9]0'?s\b|\d{1,2}[/-]\d{1,2}[/-]\d{2,4}"
    r"|\b(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b"
    rf"|\b(?:{_MONTHS})\b"
    r"|\b(?:spring|summer|autumn|winter|christmas|easter|thanksgiving|new year'?s?)\b"
    r"|\bin the fall\b"
)
_AGE = (
    r"\b(?:aged?|ages) (?:of )?(?:about |approximately )?\w*\d|\w[- ](?:years?|yr)[- ]old\b"
    r"|\w\s*\by/?o\b|(?:going to be|turn(?:ed|ing|s)?|about to be) \d\d\b"
    r"|\d (?:or|and|to) \. ?-?years?"
    r"|\w[- ](?:month|week|day)s?[- ]old\b|\d (?:months?|weeks?|years?) of age\b"
)
_CODE = (
    r"\d{3}-\d{4}|\d{6,}|#\w*\d{3}"
    r"|\b(?:serial|model|lot|reference|catalog(?:ue)?|account|record) (?:no|num|#)"
)
_INSTITUTION = (
    r"(?-i:[A-Z][A-Za-z'.]* (?:Hospital|Medical|Clinic|Infirmary|Institute|University|College"
    r"|School|Center|Centre|County|Street|Avenue|Road|Company|Inc))"
)
_DOUBTFUL = re2.compile(f"(?i){_PLACEHOLDER}|{_DATE}|{_AGE}|{_CODE}|{_INSTITUTION}")
_SLASHED = re2.compile(r"\b(?:0?[1-9]|1[0-2])/\d\d?\b|\b(?:0?[1-9]|1[0-2])-[0-3]\d\b")
SCALE = re2.compile(
    r"(?i)strength|murmur|motor|reflex|power|grade|pain|scale|pulse|bilateral|systolic|ejection|dtr"
    r"|extremit|muscle|inch|screw|needle|suture|vicryl|sets?\b|times|dose|minutes|hours|weeks|months"
)
"""Words beside which one number over another is a measure, not a date."""
_WORK = re2.compile(
    r"(?i)\b(?:(?:work(?:s|ed|ing)?|employ\w*) (?:as|at|for|in|with|on|the|part|full|days|nights)"
    r"|(?:he|she|currently|still|not) work\w*|occupation\w*|jobs?|retired|career|business|homemaker"
    r"|self-employed|profession\w*|housewife|disabled|student|farm\w*|military|veteran|army|navy)\b"
)
_EMPLOYER = re2.compile(r"\b(?:at|for|with|by|from|of) (?:the )?[A-Z]")
_SOMEWHERE = re2.compile(
    r"\b(?:at|to|from|into|in|near|of) ([A-Z][a-z]+)"
    r"(?: (?:in|on|for|with|and|where|who|after)\b|[.,;])"
)
_NAMED = Kind.SURNAME | Kind.CITY | Kind.GIVEN
EPONYM = re2.compile(
    r"\b[A-Z][A-Za-z'\-]*(?: [A-Z][A-Za-z'\-]*)?(?: [a-z]+)? (?:clamp|retractor"
    r"|catheter|suture|knife|blade|needle|silk|dressing|pouch|plane|space|ligament|procedure|technique"
    r"|stapler|dilator|tube|valve|screw|plate|graft|drain|wire|table|stitch|forceps|scissors|elevator"
    r"|curette|lens|sign|syndrome|disease|classification|maneuver|incision|repair|fracture|test|scale"
    r"|score|fascia|duct|ring|scope|mesh|balloon|stent|sheath|tourniquet|rongeur|speculum|cannula|probe"
    r"|trocar|port|hook|reamer|drill|implant|prosthesis|criteria|index|bag|splint|boot|collar|brace)"
    r"(?:s|es)?\b"
)
"""An instrument, a sign or a disease named after a person."""
_CAPITAL = re2.compile(r"\p{Lu}[\p{L}\p{M}'\x{2019}]*")
_NUMBER = re2.compile(r"\b[1-9]\d\b")
_LETTER = re2.compile(r"\p{L}")
_WORD = re2.compile(r"\p{L}+")
# Last words of occupations that are other things as well.
_NO_OCCUPATION = frozenset(("guide", "cutter", "loader", "historian", "candidate", "speaker"))


def is_clear(words: str, vocabulary: Vocabulary, *, family: bool = False) -> bool:
    """Return whether the rest of a sentence, without its slots, cannot be PHI.

    Args:
        words: The sentence, a full stop in place of each slot.
        vocabulary: The words that are certainly not names.
        family: Whether it is about the family, where a number alone may be an age.
    """
    words = str(EPONYM.sub("that", words))
    if _DOUBTFUL.search(words) or (family and _NUMBER.search(words)):
        return False
    if _SLASHED.search(words) and not SCALE.search(words):
        return False
    begin = _LETTER.search(words)
    first = begin.start() if begin else 0
    capitals = _CAPITAL.finditer(words)
    safe = (
        vocabulary.is_safe(str(each.group()), begins=each.start() == first) for each in capitals
    )
    return not _leads_to_place(words) and all(safe)


def hides_work(words: str, *, labelled: bool) -> bool:
    """Return whether a sentence may name an occupation or employer besides one ``labelled``."""
    if not labelled:
        return bool(_WORK.search(words))
    named = any(word in occupations() for word in _WORD.findall(words.casefold()))
    return named or bool(_EMPLOYER.search(words))


@lru_cache(maxsize=1)
def occupations() -> frozenset[str]:
    """Return the last words of the listed professions that mean nothing else."""
    last = {line.casefold().split()[-1] for line in lines("professions.txt")}
    return frozenset(last - _NO_OCCUPATION)


def _leads_to_place(words: str) -> bool:
    """Return whether a preposition of place precedes an eponym, which is a place then."""
    forms = (fold_word(match.group(1)) for match in _SOMEWHERE.finditer(words))
    return any(form in eponyms() or gazetteer().get(form, 0) & _NAMED for form in forms)
