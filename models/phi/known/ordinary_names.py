"""Decide whether an ordinary word that a sender states as a name is that name where it stands.

A patient may be called Rose, Long, Will or May. With a capital amid a sentence the word is the
name. Where a capital says nothing - where a sentence begins, in capitals, in a note in small
letters - a title or a word such as ``patient`` before it, or a verb whose subject is a person
behind it, says so.
"""

import re
from collections.abc import Iterable

from deidstream.models.phi.known.written_words import WrittenText
from deidstream.models.phi.not_phi import abbreviations, common_words, fold_term
from deidstream.models.text.context import (
    SPEECH,
    begins_sentence,
    follows_title,
    is_in_hyphenated_word,
    next_word,
)
from deidstream.models.text.eponyms import EVIDENT_HEADS
from deidstream.models.text.word_files import split_list

_PERSON_VERBS = SPEECH | frozenset(
    split_list(
        """
    is was has had does did lives lived feels felt takes took came comes went goes wants wanted
    needs needed seems seemed looks looked appears appeared wishes wished understands understood
    attended attends returned returns arrived arrives became remains remained tolerated tolerates
    slept ate thinks thought knows knew got gets gave gives missed misses phoned phones rang rings
    texted emailed smokes smoked drinks drank walks walked sat sits denied will would can could
    cannot won't didn't doesn't wasn't isn't hasn't
"""
    )
)
_CUES = frozenset(
    split_list(
        """
    patient pt pt's name named names called client resident mother father mom mum dad wife husband
    spouse partner son daughter brother sister aunt uncle cousin niece nephew friend caregiver carer
    guardian baby surname lastname firstname forename given first last family preferred known with
    told asked saw met miss dear hi hello thanks signed per by mr mrs ms dr
"""
    )
)
_SURE_CUES = _CUES - frozenset(split_list("first last family with by per known given saw met"))
"""Those that a small letter or the beginning of a field needs."""
_MODALS = frozenset({"will", "may"})
"""After a noun these are verbs."""
_SPOKEN_TITLES = frozenset(split_list("mr mrs ms mister missus doctor dr"))
_SEPARATORS = (";", "|", "\t", '"', "^")
_BEGINNERS = frozenset(split_list("long short good best new old high strong sharp early little"))
"""Adjectives with which lines of a note begin."""
_FIELD_VALUES = frozenset(split_list("white black brown may april june august young small large"))
"""What a field may hold that is no name: a colour, a month, a size."""
_DETERMINERS = frozenset(
    split_list(
        "a an the this that these those his her their its our my your any no each every some"
    )
)
_FIELD = re.compile(r"([\w']+)[\"'*_ \t]{0,3}(?:[:=|,<\t]|\)[ \t]|[ \t])[\"'*_< \t]{0,4}$")
_POSSESSIVE = ("'s", "\u2019s", "'S", "\u2019S")
_BACK = 32


def is_name_here(written: WrittenText, start: int, end: int) -> bool:
    """Return whether the ordinary word at ``[start, end)`` is the stated name."""
    text, word = written.text, written.text[start:end]
    small, following = word.casefold(), next_word(text, end)
    if follows_title(text, start) or _word_before(text, start) in _SPOKEN_TITLES:
        return word[0].isupper() or small not in _MODALS
    if following in EVIDENT_HEADS or is_in_hyphenated_word(text, start, end):
        return False
    if word[0].isupper() and _is_field(text, start, end) and small not in _FIELD_VALUES:
        return True
    if not _says_capital(written, start, end):
        # An eponym is no other word: without its head it is the name.
        ordinary = fold_term(word) in common_words() or fold_term(word) in abbreviations()
        allowed = written.lower or word[0].isupper()
        subject = not ordinary or _is_subject_or_cued(text, start, end, following)
        return allowed and subject and not following[:1].isdigit()
    if word.isupper() and small in abbreviations():
        return False
    return not _is_in_phrase(text, start, end, following)


def settle_names(written: WrittenText, named: Iterable[int]) -> set[int]:
    """Return the indexes of ordinary words that are names because the same word is one elsewhere.

    Each such word has a capital everywhere, none has capitals throughout, and the word is no verb
    that begins sentences, such as ``Will``. So ``Dot`` may begin a line of a diary.

    Args:
        written: The text.
        named: Indexes of words that are names where they stand.
    """
    forms = {written.words[index].form for index in named}
    forms -= _MODALS | _FIELD_VALUES | _BEGINNERS
    indexes: dict[str, list[int]] = {form: [] for form in forms}
    for index, word in enumerate(written.words):
        if word.form in indexes:
            indexes[word.form].append(index)
    settled: set[int] = set()
    for every in indexes.values():
        if all(written.written(index).istitle() for index in every):
            settled |= {index for index in every if not _is_before_head(written, index)}
    return settled


def _is_before_head(written: WrittenText, index: int) -> bool:
    """Return whether a word is part of a term, as in ``Long line`` and ``Crow-Fukase``."""
    word = written.words[index]
    following = next_word(written.text, word.end)
    hyphenated = is_in_hyphenated_word(written.text, word.start, word.end)
    return following in EVIDENT_HEADS or following[:1].isdigit() or hyphenated


def _says_capital(written: WrittenText, start: int, end: int) -> bool:
    """Return whether a word has a capital that it would not have for another reason."""
    word = written.text[start:end]
    if not word[0].isupper() or begins_sentence(written.text, start):
        return False
    return not (len(word) > 1 and word.isupper() and written.is_upper(start, end))


def _is_field(text: str, start: int, end: int) -> bool:
    """Return whether a word is alone between two separators of fields: ``;Crow;``."""
    return text[start - 1 : start] in _SEPARATORS and text[end : end + 1] in _SEPARATORS


def _is_subject_or_cued(text: str, start: int, end: int, following: str) -> bool:
    before = _word_before(text, start)
    if before in _SURE_CUES and text[start:end].casefold() not in _MODALS:
        return True
    if before in _DETERMINERS:
        return False
    return text.startswith(_POSSESSIVE, end) or (following in _PERSON_VERBS and text[end] == " ")


def _word_before(text: str, start: int) -> str:
    found = _FIELD.search(text, max(0, start - _BACK), start)
    return found[1].casefold() if found else ""


def _is_in_phrase(text: str, start: int, end: int, following: str) -> bool:
    """Return whether a capital is that of a heading or a term: ``Long Term Care``."""
    after = text[end : end + 2]
    if len(after) == 2 and after[0] == " " and after[1].isupper():  # noqa: PLR2004
        return following in common_words() and following not in _PERSON_VERBS
    before = _word_before(text, start)
    written = text[start - len(before) - 1 : start - 1]
    return written.istitle() and before in common_words() and before not in _CUES
