"""Find the drugs that a sentence names: those of the list, and words with the stem of a drug."""

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Final

from deidstream.models.kneo.guards.tokens import tokens_of
from deidstream.models.text.word_files import lines, split_list

_STEMS: Final = tuple(
    split_list(
        """
    mab pril olol statin azole cillin mycin micin sartan tidine floxacin cycline tinib ciclib
    zepam zolam barbital caine dipine gliptin gliflozin glutide parin xaban gatran setron
    triptan thiazide lukast buterol meterol tropium sone solone onide semide profen oxetine
    traline apine idone azine amide vir cept platin rubicin taxel bicin fenac coxib dronate
    tretin penem bactam morphone
    """
    )
)
"""Most are stems of the WHO's list of nonproprietary names."""
_SHORTEST: Final = 7
"""Letters of the shortest word that is taken for a drug by its stem."""


def find_drugs(tokens: Sequence[str]) -> Iterator[str]:
    """Yield each drug that a sentence names, in small letters, with a space between its words.

    >>> sorted(find_drugs("aspirin , folic acid and zzorimab for the elbow".split()))
    ['aspirin', 'folic acid', 'zzorimab']
    """
    listed = _listed()
    for place, word in enumerate(tokens):
        if word in listed or (len(word) >= _SHORTEST and word.endswith(_STEMS)):
            yield word
        elif place + 1 < len(tokens) and (pair := f"{word} {tokens[place + 1]}") in listed:
            yield pair


@cache
def _listed() -> frozenset[str]:
    return frozenset(" ".join(tokens_of(line)) for line in lines("allow_drugs.txt"))
