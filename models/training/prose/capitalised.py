"""Tell which capitalised words of real prose can be no name."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from string import punctuation
from typing import Self

from deidstream.models.phi.gazetteers import Kind, gazetteers
from deidstream.models.phi.not_phi import clinical, common_words
from deidstream.models.text.folding import EDGE, fold_short

# All but letters and apostrophes parts words.
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
    """In how many notes each word stands with a capital."""

    @classmethod
    def of(cls, texts: Iterable[str]) -> Self:
        """Count the words of ``texts``."""
        lower, capital = Counter[str](), Counter[str]()
        for text in texts:
            words = {word.strip("'") for word in text.translate(_APART).split()} - {""}
            lower.update(map(plain, filter(str.islower, words)))
            capital.update({plain(word) for word in words if not word.islower()})
        often = {word for word, notes in lower.items() if notes >= _SEEN_LOWER}
        return cls(frozenset(often | common_words()), capital)

    def is_safe(self, word: str, *, begins: bool) -> bool:
        """Tell whether ``word`` is surely no name, though it has a capital.

        Args:
            word: One word, as it stands in the text.
            begins: Whether a sentence begins with it.
        """
        form = plain(word)
        kinds = gazetteer().get(form, 0)
        if len(form) == 1 or form in clinical():
            return True
        if form in self.lower:
            return begins or not word.istitle() or not kinds & (Kind.GIVEN | Kind.COUNTRY)
        if word.isupper() and len(word) <= _ACRONYM:
            return not kinds & Kind.GIVEN
        return self._is_brand(form, kinds)

    def _is_brand(self, form: str, kinds: int) -> bool:
        """A word that many notes hold is a drug, a device or an eponym."""
        if kinds & (Kind.GIVEN | Kind.CITY | Kind.STATE | Kind.COUNTRY):
            return False
        return self.capital[form] >= (_SEEN_SURNAME if kinds & Kind.SURNAME else _SEEN_CAPITAL)


@lru_cache(maxsize=200_000)
def plain(word: str) -> str:
    """Return the form under which words are compared."""
    return fold_short(word).removesuffix("'s")


@lru_cache(maxsize=1)
def gazetteer() -> dict[str, int]:
    """Return what each listed word may be, by its folded form."""
    return {key.replace(EDGE, ""): kind for key, kind in gazetteers().items()}
