"""Tell whether the words of a sentence, beside its slots, may hold PHI that nobody labelled."""

from functools import lru_cache

import re2

from deidstream.models.phi.gazetteers import Kind
from deidstream.models.phi.not_phi import eponyms
from deidstream.models.text.word_files import lines
from deidstream.models.training.prose.capitalised import Vocabulary, gazetteer, plain

_PLACEHOLDER = (
    r"_{2,}|\*{2,}|\bx{2,}\b|\b(?:xyz?|abcd?e?f?|asdf|doe|mm/|yyyy|sample|blank)\b|[@\[\]{}]|www\."
    r"|(?-i:\b[XYZ]\b[,'])"
)
_DATE = (
    r"\b(?:19[1-9]|20[0-4])\d\b|\b[1-9]0'?s\b|\d{1,2}[/-]\d{1,2}[/-]\d{2,4}"
    r"|\b(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b|\b(?:jan|feb|apr|aug|sept?|oct|nov|dec)\b"
    r"|\b(?:january|february|april|june|july|august|september|october|november|december)\b"
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
"""Where one number over another is a measure, not a date."""
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
"""An instrument, a sign or a disease named after somebody."""
_CAPITAL = re2.compile(r"\p{Lu}[\p{L}\p{M}'\x{2019}]*")
_NUMBER = re2.compile(r"\b[1-9]\d\b")
_LETTER = re2.compile(r"\p{L}")
_WORD = re2.compile(r"\p{L}+")
# Last words of occupations that are other things as well.
_NO_OCCUPATION = frozenset(("guide", "cutter", "loader", "historian", "candidate", "speaker"))


def is_clear(words: str, vocabulary: Vocabulary, *, family: bool = False) -> bool:
    """Tell whether what is left of a sentence, without its slots, can be no PHI.

    Args:
        words: The sentence, a full stop in place of each slot.
        vocabulary: The words that are surely no names.
        family: Whether it tells of the family, where a bare number may be an age.
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
    """Tell whether a sentence may name an occupation or employer beside one ``labelled``."""
    if not labelled:
        return bool(_WORK.search(words))
    named = any(word in occupations() for word in _WORD.findall(words.casefold()))
    return named or bool(_EMPLOYER.search(words))


@lru_cache(maxsize=1)
def occupations() -> frozenset[str]:
    """Return the last words of the listed professions that are nothing else."""
    last = {line.casefold().split()[-1] for line in lines("professions.txt")}
    return frozenset(last - _NO_OCCUPATION)


def _leads_to_place(words: str) -> bool:
    """An eponym to which somebody goes is a place."""
    forms = (plain(match.group(1)) for match in _SOMEWHERE.finditer(words))
    return any(form in eponyms() or gazetteer().get(form, 0) & _NAMED for form in forms)
