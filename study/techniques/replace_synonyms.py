"""SyR: a share of the words that are no stop words become synonyms.

Source: Larbi et al., section 3, item 5, and appendix A.2. A word that was chosen and has no synonym
stays. Stop words are those of scikit-learn.
"""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS

from deidstream.models.kneo.words.words_and_numbers import WordOrNumber, cut_words
from deidstream.study.techniques.letter_case import write_in_case
from deidstream.study.techniques.synonyms import Synonyms
from deidstream.study.techniques.technique import Output, StudyNote


@dataclass(frozen=True, slots=True)
class ReplaceSynonyms:
    """Replaces a share of the words of each note by synonyms."""

    percent: int
    seed: int
    synonyms: Synonyms = field(repr=False)
    family: str = "synonyms"

    @property
    def name(self) -> str:
        """Its name and share."""
        return f"SyR {self.percent}"

    def anonymize(self, notes: Sequence[StudyNote]) -> Iterator[Output]:
        """Yield each note with synonyms in it."""
        for number, note in enumerate(notes):
            rng = random.Random(f"{self.seed} {self.name} {number}")
            yield Output(replace_synonyms(note.text, self.percent, self.synonyms, rng), number)


def replace_synonyms(text: str, percent: int, synonyms: Synonyms, rng: random.Random) -> str:
    """Replace a share of the words of a text, rounded, by synonyms."""
    words = [token for token in cut_words(text) if _may_change(token)]
    chosen = rng.sample(words, round(len(words) * percent / 100))
    parts, at = list[str](), 0
    for token in sorted(chosen, key=lambda one: one.start):
        others = synonyms.get(token.text.casefold())
        if others:
            parts += [text[at : token.start], write_in_case(rng.choice(others), token.text)]
            at = token.end
    return "".join([*parts, text[at:]])


def _may_change(token: WordOrNumber) -> bool:
    return not token.is_number and token.text.casefold() not in ENGLISH_STOP_WORDS
