"""A conditional random field over tokens, with lexical and dictionary features.

Source: the CRF of MASK (Milosevic et al., arXiv 2005.11687, section 2), which DeIDClinic builds on:
word, prefixes, suffixes, shape and neighbours, and whether lists of names and places have the word.
The same model learns diseases and chemicals for the utility tests, without lists.
"""

import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

import pycrfsuite

Lists = Mapping[str, frozenset[str]]
"""Words in small letters, by the name of the list."""
NO_LISTS: Final[Lists] = MappingProxyType({})
_NATIVE: Final[Any] = pycrfsuite
"""It has no types."""
_WINDOW: Final = 2
_LONGEST_AFFIX: Final = 4
_PARAMETERS: Final = MappingProxyType(
    {"c1": 0.05, "c2": 0.01, "max_iterations": 60, "feature.possible_transitions": True}
)


@dataclass(frozen=True, slots=True)
class TaggedTokens:
    """The tokens of a sentence or line, and the tag of each."""

    words: Sequence[str] = field(repr=False)
    tags: Sequence[str] = field(repr=False)


@dataclass(frozen=True, slots=True)
class ConditionalRandomField:
    """A trained model; it tags one sentence at a time."""

    lists: Lists = field(repr=False)
    _tagger: Any = field(repr=False)
    _memory: bytes = field(repr=False)
    """The model, which the tagger reads where it lies: it must not be freed before the tagger."""

    @classmethod
    def train(
        cls, sentences: Sequence[TaggedTokens], lists: Lists = NO_LISTS
    ) -> "ConditionalRandomField":
        """Train by L-BFGS; the same sentences give the same model."""
        trainer = _NATIVE.Trainer(algorithm="lbfgs", verbose=False)
        trainer.set_params(dict(_PARAMETERS))
        for sentence in sentences:
            trainer.append(describe_tokens(sentence.words, lists), list(sentence.tags))
        tagger = _NATIVE.Tagger()
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "model"
            trainer.train(str(path))
            memory = path.read_bytes()
        tagger.open_inmemory(memory)
        return cls(lists, tagger, memory)

    def tag(self, words: Sequence[str]) -> list[str]:
        """Return the tag of each word."""
        return list(self._tagger.tag(describe_tokens(words, self.lists)))


def describe_tokens(words: Sequence[str], lists: Lists = NO_LISTS) -> list[list[str]]:
    """Return the features of each word, those of its neighbours among them."""
    own = [list(_describe_word(word, lists)) for word in words]
    described: list[list[str]] = []
    for place in range(len(words)):
        features = ["bias", *own[place]]
        for step in range(-_WINDOW, _WINDOW + 1):
            if not step:
                continue
            near = place + step
            if 0 <= near < len(words):
                features += [f"{step}:{one}" for one in own[near][:2]]
                features += [f"{step}:{one}" for one in own[near] if one.startswith("list=")]
            else:
                features.append(f"{step}:edge")
        described.append(features)
    return described


def _describe_word(word: str, lists: Lists) -> Iterator[str]:
    """Yield the word itself and its shape first."""
    small = word.lower()
    yield f"word={small}"
    yield f"shape={shape_of(word)}"
    yield f"length={min(len(word), 8)}"
    for size in range(1, min(_LONGEST_AFFIX, len(small)) + 1):
        yield f"begins={small[:size]}"
        yield f"ends={small[-size:]}"
    for name, listed in lists.items():
        if small in listed:
            yield f"list={name}"


def shape_of(word: str) -> str:
    """Write capitals as X, small letters as x and digits as 0; of a run at most three.

    >>> shape_of("McDonald"), shape_of("2024")
    ('XxXxxx', '000')
    """
    signs: list[str] = []
    for c in word:
        sign = "0" if c.isdigit() else "X" if c.isupper() else "x" if c.isalpha() else c
        if signs[-3:] != [sign] * 3:
            signs.append(sign)
    return "".join(signs)
