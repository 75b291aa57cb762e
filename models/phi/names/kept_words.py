"""Find the words of a person's mention that are not a name and may stay as they are."""

from collections.abc import Sequence

from deidstream.models.keyring import canonical
from deidstream.models.phi.names.credentials import CAPITAL_CREDENTIALS, KEPT_CREDENTIALS
from deidstream.models.phi.names.name_lists import family_people, given_people, is_known
from deidstream.models.phi.names.spellings import to_plain_letters
from deidstream.models.text.titles import EVIDENT, KEPT, NEVER_NAMES
from deidstream.models.text.word_files import sections, split_list

_FILE = "names.beside.txt"
SUFFIXES = frozenset(sections(_FILE)["suffixes"])
LINKS = frozenset(split_list("née nee né geb geboren aka fka formerly vda"))
"""Words between two names of one person."""
PARTICLES = frozenset(sections(_FILE)["particles"])
ARTICLES = frozenset(split_list("al el ad ar as ash an at az abu"))
"""Before an Arabic name these are part of it, also with a capital and a hyphen."""
HYPHENED = frozenset(split_list("al el"))
"""With a hyphen behind they are articles whatever follows."""
ALSO_NAMES = frozenset(split_list("van al del le la st mac san e i y abu el"))
CLIPPED = frozenset(split_list("t s"))
"""Clipped Dutch articles: ``van 't Hof``, ``'s Jongers``."""
FILIAL = frozenset(split_list("s/o d/o w/o h/o c/o a/l a/p"))
"""Son, daughter, wife of: between two names."""
CHILD_OF = frozenset(split_list("bin binti bint bte bt ibn"))
"""Son or daughter of, in Malay and Arabic names."""
MIDDLES = {"th\u1ecb": "thi", "thi": "thi", "v\u0103n": "van", "van": "van"}
"""Vietnamese middle names, which show the gender and no more."""
COMMON = frozenset(sections(_FILE)["common"])
"""Words of the sentence around a name that a span may hold; never in title case."""
NEWBORN = frozenset(split_list("baby boy girl male female infant newborn twin triplet"))
"""Next to each other they stand for a given name: ``Baby Girl Smith``."""
SURELY_NEWBORN = frozenset(split_list("infant newborn twin triplet babyboy babygirl bboy bgirl"))
"""Also alone."""
DOTTED = frozenset(split_list("M.D R.N D.O N.P Ph.D"))
"""Credentials behind a name."""
NEWBORN_LETTERS = frozenset(split_list("BG BB BBG BBB B/G B/B"))
ABBREVIATED = {
    "wm": "william", "edw": "edward", "chas": "charles", "thos": "thomas", "geo": "george",
    "jas": "james", "jos": "joseph", "benj": "benjamin", "robt": "robert", "ma": "maria",
    "md": "mohammed", "mohd": "mohammed", "muhd": "mohammed",
}  # fmt: skip
"""With a point behind they are given names."""
DOTLESS = frozenset(split_list("mohd muhd"))
"""Those that are also without one."""


_NO_NAMES = EVIDENT | NEVER_NAMES
"""Titles but those that are as often a name, such as ``Baby``."""
_LAST_TITLE = 6
"""Place of the last token that may still be a title, and of those that show a name's case."""
_LAST_FIELD = 12
"""Place of the last token that may be a title behind a name, ``SMITH^JOHN^^^DR``."""
_FIELDS = 2
_LONGEST_LINK = 3
_APOSTROPHES = "'\u2019"


def may_stay(tokens: Sequence[str], place: int) -> bool:
    """Return whether a token with letters or digits may stay; looks at a few tokens around alone.

    Args:
        tokens: The mention, cut into words and the text between them, in turns.
        place: Index of the token.
    """
    word = canonical(tokens[place])
    if word in SUFFIXES or _is_credential(tokens, place):
        return bool(_word_before(tokens, place)) or (word in KEPT and _is_title(tokens, place))
    if word in KEPT and (_is_title(tokens, place) or _is_field(tokens, place)):
        return True
    if word in LINKS:
        return place + 2 < len(tokens)
    if word in PARTICLES and _leads_name(tokens, place):
        return True
    reasons = _OTHER_REASONS if word in _TELLING else _REASONS_OF_ANY
    return any(tell(tokens, place) for tell in reasons)


def stays_at_edge(tokens: Sequence[str], place: int) -> bool:
    """Return whether a title before a name, or a degree behind one, may stay; no name suffix."""
    word = canonical(tokens[place])
    if word in KEPT and word in _NO_NAMES and _is_title(tokens, place):
        return True
    if word == "and" and _word_before(tokens, place) in KEPT:
        return True
    return _is_credential(tokens, place) and bool(_word_before(tokens, place))


def _word_before(tokens: Sequence[str], place: int) -> str:
    """Return the word before, in normal form; empty for the first."""
    return canonical(tokens[place - 2]) if place > 1 else ""


def _word_behind(tokens: Sequence[str], place: int, between: str) -> str:
    """Return the word behind if only characters of ``between`` separate the two."""
    if place + 2 >= len(tokens) or not set(tokens[place + 1]) <= set(between):
        return ""
    return canonical(tokens[place + 2])


def _is_credential(tokens: Sequence[str], place: int) -> bool:
    """Return whether a word is a degree; behind ``bt`` or ``bin`` MD is Mohammed."""
    word = canonical(tokens[place])
    if word in ABBREVIATED and _word_before(tokens, place) in CHILD_OF:
        return False
    return word in KEPT_CREDENTIALS or _is_capital_credential(tokens, place)


def _is_capital_credential(tokens: Sequence[str], place: int) -> bool:
    if not tokens[place].isupper():
        return False
    if list(tokens[max(place - 2, 0) : place + 1]) == ["PA", "-", "C"]:
        return True
    if canonical(tokens[place]) not in CAPITAL_CREDENTIALS:
        return False
    leading = tokens[: min(place, _LAST_TITLE)]
    return not all(token.isupper() for token in leading if len(token) > 1 and token.isalpha())


def _is_title(tokens: Sequence[str], place: int) -> bool:
    """Return whether a title leads a name, or follows another title: ``Mr. and Mrs. Smith``."""
    joined = _word_behind(tokens, place, " .&/")
    if not (joined in KEPT or joined == "and" or _word_behind(tokens, place, " .\n\t'\u2019")):
        return False
    if _word_before(tokens, place) == "and" or "&" in tokens[max(place - 1, 0)]:
        return True
    if place > _LAST_TITLE:
        return False
    words = (canonical(token) for token in tokens[:place] if any(map(str.isalnum, token)))
    return all(word in KEPT for word in words)


def _is_field(tokens: Sequence[str], place: int) -> bool:
    """Return whether a title is a field of its own behind a name, as HL7 has it."""
    behind = 0 < place <= _LAST_FIELD and "^" in tokens[place - 1]
    return behind and "".join(tokens[:place]).count("^") >= _FIELDS


def _leads_name(tokens: Sequence[str], place: int) -> bool:
    """Return whether a particle precedes a name, and cannot be a name itself."""
    word, particle = tokens[place], canonical(tokens[place])
    if _word_behind(tokens, place, " " + _APOSTROPHES) in CLIPPED:
        return True
    following = _word_behind(tokens, place, " -.\n\t")
    if len(following) < 2 or following in SUFFIXES:  # noqa: PLR2004
        return False
    if particle not in ALSO_NAMES or word.islower():
        return True
    if tokens[place + 1] == "-":
        return particle in HYPHENED or _is_arabic(particle, following)
    inside = bool(_word_before(tokens, place)) and len(word) > 1
    is_particle = following in PARTICLES or inside or particle == "st"
    return is_particle or _is_arabic(particle, following)


def _is_arabic(article: str, following: str) -> bool:
    name = to_plain_letters(following)
    return article in ARTICLES and "arabic" in {family_people(name), given_people(name)}


def _is_common(tokens: Sequence[str], place: int) -> bool:
    word = canonical(tokens[place])
    leads = place == 0 and word == "the" and len(tokens) > 1
    return word in COMMON and (leads or not tokens[place].istitle())


def _is_newborn(tokens: Sequence[str], place: int) -> bool:
    """Return whether words replace the given name of a child that has none yet."""
    word = canonical(tokens[place])
    if word in SURELY_NEWBORN or _is_lettered(tokens, place):
        return True
    beside = {canonical(token) for token in tokens[max(place - 2, 0) : place + 3]} - {word}
    return word in NEWBORN and not beside.isdisjoint(NEWBORN)


def _is_lettered(tokens: Sequence[str], place: int) -> bool:
    """Return whether ``BG`` before or after a surname abbreviates ``Baby Girl``."""
    head = "".join(tokens[:3]) if tokens[1:2] == ["/"] else tokens[0]
    last = 2 if "/" in head else 0
    if head in NEWBORN_LETTERS and place <= last:
        return len(_word_behind(tokens, last, " ")) > 1
    return place == len(tokens) - 1 > 0 and tokens[place] in NEWBORN_LETTERS


def _is_filial(tokens: Sequence[str], place: int) -> bool:
    starts = (start for start in (place - 2, place) if start >= 0 and start + 4 < len(tokens))
    return any("".join(tokens[start : start + 3]).casefold() in FILIAL for start in starts)


def _is_dotted(tokens: Sequence[str], place: int) -> bool:
    starts = (start for start in (place - 2, place) if start > 1 and start + 5 > len(tokens))
    return any("".join(tokens[start : start + 3]) in DOTTED for start in starts)


def _is_clipped(tokens: Sequence[str], place: int) -> bool:
    """Return whether a token is cut off by an apostrophe, or needs what is cut off."""
    word, behind = tokens[place], tokens[place + 1] if place + 1 < len(tokens) else ""
    if canonical(word) == "o":
        return behind in {mark + " " for mark in _APOSTROPHES}
    if canonical(word) in MIDDLES and _word_before(tokens, place) and behind == " ":
        return _is_middle(tokens, place)
    return word in CLIPPED and behind in {" ", "-"} and tokens[place - 1][-1:] in _APOSTROPHES


def _is_middle(tokens: Sequence[str], place: int) -> bool:
    accented = not canonical(tokens[place]).isascii()
    return accented or (place == 2 and family_people(to_plain_letters(tokens[0])) == "vietnamese")  # noqa: PLR2004


def _is_link(tokens: Sequence[str], place: int) -> bool:
    """Return whether a short word in small letters joins two names: ``Rio-aux-Pins``."""
    word = tokens[place]
    inside = 1 < place < len(tokens) - 2 and tokens[place - 2][:1].isupper()
    return inside and word.islower() and 1 < len(word) <= _LONGEST_LINK and not is_known(word)


_OTHER_REASONS = (_is_common, _is_newborn, _is_filial, _is_clipped, _is_dotted, _is_link)
_REASONS_OF_ANY = (_is_lettered, _is_filial, _is_dotted, _is_link)
"""The reasons that may hold for a word of no list."""
_TELLING = COMMON | NEWBORN | SURELY_NEWBORN | CLIPPED | MIDDLES.keys() | {"o"}
