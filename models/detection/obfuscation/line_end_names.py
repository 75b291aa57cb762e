"""Tell whether a name or a word goes on in the next line."""

from typing import Any

import re2

from deidstream.models.phi.gazetteers import Kind, gazetteers
from deidstream.models.phi.names.stops import stops
from deidstream.models.phi.not_phi import common_words
from deidstream.models.text.folding import EDGE, fold_short

_TITLE = r"\b(?:Drs?|Mrs?|Ms|Miss|Mx|Prof|Professor|Doctor|Nurse|Sra?|DR|MRS?|MS)\b\.?"
_WORD = r"(?:\p{Lu}\.|\p{Lu}[\p{L}\p{M}'\x{2019}-]+)"
_TITLED = re2.compile(rf"{_TITLE} (?:{_WORD} ){{0,2}}{_WORD},?$")
_FIELD = re2.compile(rf"\b(?:[Pp]atient|[Nn]ame|PATIENT|NAME|Pt):? +{_WORD},$")
_HEADED = re2.compile(
    rf"(?:^|[ \t])(?:[Pp]atient|[Nn]ame|PATIENT|NAME):[ \t]+(?:{_WORD} )?{_WORD}$"
)
_LONE = re2.compile(rf"^{_WORD}(?: {_WORD})?[ \t]*$")
_INITIAL = re2.compile(r"(?:^|[\s(/])\p{Lu}\.$")
_CARE = re2.compile(
    rf"^((?:{_WORD} ){{0,3}})(?:Hospitals?|Clinics?|Cent(?:er|re)|Infirmary|Hospice|Sanatorium"
    r"|Polyclinic|Memorial|Health System|HOSPITAL|CLINIC|CENT(?:ER|RE)|INFIRMARY|HOSPICE)"
    r"\b"
)
_HEADED_BY = re2.compile(
    r"^\p{L}+ (?:letter|notes?|course|visit|day|summary|stay|record|number|discharge)\b"
    r"|^[^:]{0,32}:"
)
_LAST = re2.compile(rf"{_WORD}$")
_BEGIN = re2.compile(rf"^{_WORD}")
_NAME = Kind.GIVEN | Kind.SURNAME
_HEAD, _TAIL = re2.compile(r"^\p{L}+"), re2.compile(r"\p{L}+$")


def is_torn_word(left: str, right: str) -> bool:
    """Tell whether a capitalised word was cut in two, without a hyphen, between two lines.

    Two of three must hold: the first half is neither a word nor a name, nor is the second, and both
    together are a name.
    """
    if not right[0].islower() and not (left[-1].isupper() and right[0].isupper()):
        return False
    one, other = _matched(_TAIL, left), _matched(_HEAD, right)
    alike = other.islower() or (one.isupper() and other.isupper() and len(one) > 1)
    if not (alike and one[:1].isupper()):
        return False
    listed = _is_listed(one + other)
    unknown = (not _is_word(one)) + (not _is_word(other))
    return listed + unknown > 1 and (listed or other.islower())


def is_torn_name(left: str, right: str) -> bool:
    """Tell whether a person's name goes on, after a title or a field's name or by itself."""
    word = _matched(_BEGIN, right) if right[0].isupper() else ""
    if not word or right[len(word) : len(word) + 1] == ":" or stops(word):
        return False
    if _is_named(left) and bool(_kind(word) & _NAME):
        return True
    headed = bool(_LONE.search(right) and _HEADED.search(left))
    return _is_name(word) and (headed or is_name_begun(left) or bool(_INITIAL.search(left)))


def is_double_name(left: str, right: str) -> bool:
    """Tell whether a double name is torn before its hyphen: no list item begins with its rest."""
    one, other = _matched(_LAST, left), _matched(_BEGIN, right[1:])
    return bool(one and other) and _is_name(one) and _is_name(other)


def is_torn_institution(left: str, right: str) -> bool:
    """Tell whether the name of an institution goes on: the noun that ends it stands soon.

    A name that begins in the second line is whole there, so its first word must be an ordinary one.
    """
    one, care = _matched(_LAST, left), _CARE.search(right)
    if not (one and care) or stops(one) or one.isupper() != str(care.group()).isupper():
        return False
    words = str(care.group(1)).split()
    if not words:
        return not _HEADED_BY.search(right)
    return _is_name(one) and fold_short(words[0]) in common_words()


def is_name_begun(left: str) -> bool:
    """Tell whether a line ends in a person's name after a title or a field's name."""
    return bool(_TITLED.search(left) or _FIELD.search(left))


def _is_named(left: str) -> bool:
    word = _matched(_LAST, left)
    return bool(_kind(word) & Kind.GIVEN) and _is_name(word)


def _matched(pattern: Any, text: str) -> str:  # noqa: ANN401  re2 has no types
    match = pattern.search(text)
    return str(match.group()) if match else ""


def _is_name(word: str) -> bool:
    return not stops(word) and fold_short(word) not in common_words()


def _is_word(word: str) -> bool:
    return fold_short(word) in common_words() or _is_listed(word)


def _is_listed(word: str) -> bool:
    return bool(_kind(word))


def _kind(word: str) -> int:
    return gazetteers().get(f"{EDGE}{fold_short(word)}{EDGE}", 0)
