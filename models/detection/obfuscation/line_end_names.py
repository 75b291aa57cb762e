"""Decide whether a name or a word is torn at a line end; parameters as in ``line_end_rules``."""

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


def cuts_word(line: str, next_line: str) -> bool:
    """Return whether a capitalised word was cut in two without a hyphen: ``Quil`` / ``lon``.

    Two of three must hold: the first half is neither a word nor a name, the second is neither, and
    both together are a name.
    """
    if not next_line[0].islower() and not (line[-1].isupper() and next_line[0].isupper()):
        return False
    last_word, first_word = _match(_TAIL, line), _match(_HEAD, next_line)
    alike = first_word.islower() or (
        last_word.isupper() and first_word.isupper() and len(last_word) > 1
    )
    if not (alike and last_word[:1].isupper()):
        return False
    listed = _is_listed(last_word + first_word)
    unknown = (not _is_word(last_word)) + (not _is_word(first_word))
    return listed + unknown > 1 and (listed or first_word.islower())


def continues_name(line: str, next_line: str) -> bool:
    """Return whether a person's name continues: ``Dr. Ann`` or ``Patient: Ann``, then ``Fenn``."""
    word = _match(_BEGIN, next_line) if next_line[0].isupper() else ""
    if not word or next_line[len(word) : len(word) + 1] == ":" or stops(word):
        return False
    if _ends_in_given_name(line) and bool(_kind(word) & _NAME):
        return True
    headed = bool(_LONE.search(next_line) and _HEADED.search(line))
    return _is_name(word) and (headed or ends_in_titled_name(line) or bool(_INITIAL.search(line)))


def continues_double_name(line: str, next_line: str) -> bool:
    """Return whether a double name is torn before its hyphen: ``Fenn`` / ``-Okafor``."""
    last_word, first_word = _match(_LAST, line), _match(_BEGIN, next_line[1:])
    return bool(last_word and first_word) and _is_name(last_word) and _is_name(first_word)


def continues_institution(line: str, next_line: str) -> bool:
    """Return whether the name of an institution continues: ``St. Mary`` / ``Hospital``.

    The noun that ends it must follow soon. A name that begins in the second line is whole there, so
    the first word of that line must be an ordinary one.
    """
    last_word, care = _match(_LAST, line), _CARE.search(next_line)
    if (
        not (last_word and care)
        or stops(last_word)
        or last_word.isupper() != str(care.group()).isupper()
    ):
        return False
    words = str(care.group(1)).split()
    if not words:
        return not _HEADED_BY.search(next_line)
    return _is_name(last_word) and fold_short(words[0]) in common_words()


def ends_in_titled_name(line: str) -> bool:
    """Return whether a line ends in a name after a title or a field's name: ``Dr. Ann Fenn``."""
    return bool(_TITLED.search(line) or _FIELD.search(line))


def _ends_in_given_name(line: str) -> bool:
    word = _match(_LAST, line)
    return bool(_kind(word) & Kind.GIVEN) and _is_name(word)


def _match(pattern: Any, text: str) -> str:  # noqa: ANN401  re2 has no types
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
