"""Identify the language of a note by its prose; in doubt it is English.

CLD2, the identifier of Chromium, says which share of the words is in which language. By itself it
takes lists of names and strings of abbreviations for other languages, so that more is needed before
a note counts as not English (ADR 34).
"""

import re
import unicodedata
from collections.abc import Sequence

import pycld2

from deidstream.models.text.word_files import words_in
from deidstream.schemas.languages import ENGLISH, UNDETERMINED

FEWEST_BYTES = 120
"""Prose that tells one language from another: some twenty words."""
FEWEST_BYTES_CAPITALS = 240
"""The same without words in small letters, where prose cannot be told from names and headings."""
LEAST_FOREIGN = 60
"""Percent of the prose in other languages, from which on a note may be of one of them."""
FOREIGN_TO_ENGLISH = 3
"""As many times the percent that is English."""
MOST_CLINICAL = 0.4
"""Share of words of clinical English from which on a note is English, whatever CLD2 says. It is at
most .36 in 750 Spanish notes, and more than .4 in English notes that CLD2 takes for Danish."""
LONGEST_READ = 6_000
"""Characters of a note that are read whole; of a longer one, as many in slices."""

_SLICES = 4
_SMALL = 0.3
"""Share of words in small letters from which on the others are left out: names and headings."""
_LONGEST_WORD = 30
"""A longer run of plain letters is no word: a sequence of DNA, an encoded attachment."""
_WORD = re.compile(r"[^\W\d_]+")
_UNKNOWN = "un"
_TODAY = {"iw": "he", "jw": "jv"}
"""Codes of CLD2 that BCP 47 has replaced."""


def identify_language(text: str) -> str:
    """Return the language in which most prose of a note is written, as a code of BCP 47.

    Another language than English needs strong evidence: enough prose, most of it in that language,
    and few words of clinical English. A note in two languages is English unless the other has three
    times as much of it. The text alone counts, since what a sender states is often the language of
    the patient. The time does not grow with the length of the note.

    Returns:
        ``en``, the code of another language, or ``und`` where there is too little prose to say.
    """
    words, enough = _read_prose(_sample(text))
    prose = " ".join(words).encode()
    if len(prose) < enough:
        return UNDETERMINED
    _, _, found = pycld2.detect(prose, isPlainText=True)
    percents: dict[str, int] = {code: percent for _, code, percent, _ in found if code != _UNKNOWN}
    english = percents.pop(ENGLISH, 0)
    foreign = sum(percents.values())
    if foreign < max(LEAST_FOREIGN, FOREIGN_TO_ENGLISH * english) or _is_clinical_english(words):
        return ENGLISH
    _, code = max((percent, code) for code, percent in percents.items())
    return _TODAY.get(code, code)


def _sample(text: str) -> str:
    """Return a text, or slices from all over a long one."""
    if len(text) <= LONGEST_READ:
        return text
    size = LONGEST_READ // _SLICES
    step = (len(text) - size) // (_SLICES - 1)
    return "\n".join(text[start : start + size] for start in range(0, step * _SLICES, step))


def _read_prose(text: str) -> tuple[Sequence[str], int]:
    """Return the words of a text that are prose, and how many bytes of them are enough."""
    words = [
        word
        for word in _WORD.findall(unicodedata.normalize("NFC", text))
        if len(word) <= _LONGEST_WORD or not word.isascii()
    ]
    small = [word for word in words if not word[0].isupper()]  # Chinese has no capitals
    if len(small) >= _SMALL * len(words):
        return small, FEWEST_BYTES
    return [word.lower() for word in words], FEWEST_BYTES_CAPITALS


def _is_clinical_english(words: Sequence[str]) -> bool:
    clinical = words_in("lexicon.txt")
    return sum(word in clinical for word in words) >= MOST_CLINICAL * len(words)
