"""Find which words of a sentence are negated, by cues and their scope.

After NegEx (Chapman et al., J Biomed Inform 2001): a cue negates what follows it, or what precedes
it, up to a word that ends its scope. A cue such as ``not`` negates its clause in both directions,
since ``was not seen`` has its subject before it.
"""

from collections.abc import Collection, Iterator, Sequence
from typing import Final

from deidstream.models.text.patterns import word_set

_FORWARD: Final = word_set("no without denies denied deny denying nor neither never non lacks free")
"""Negate the words after them. ``free`` does so before ``of`` only."""
_BACKWARD: Final = word_set("unlikely")
_BOTH: Final = word_set(
    "not cannot ruled absent absence negative none nothing declined declines refused"
)
_CUES: Final = _FORWARD | _BACKWARD | _BOTH
_ENDS: Final = word_set(
    ". ; : but however although though except besides despite while whereas yet because which who"
)
_JOINTS: Final = word_set(", and")
"""They end a scope where a new clause begins behind them."""
_CLAUSES: Final = word_set(
    "he she they it patient pt the has have had is was are were does did will with reports states "
    "complains admits endorses positive"
)
_BLOOD_GROUPS: Final = word_set("o a b ab rh rhesus gram")
"""Before ``negative``, they make it a name."""
_SILENT: Final = word_set(
    "the and for any was were are has have had been being his her this that these those with from "
    "patient pt all there other did does who will would can she they him into onto than then "
    "evidence sign signs history known"
)
"""Words that say nothing about what is negated."""
_SHORTEST: Final = 3


def find_cues(tokens: Sequence[str]) -> frozenset[int]:
    """Return the places of the words that negate, of a sentence in small letters.

    >>> sorted(find_cues("gram negative rods were not seen at no . 5".split()))
    [4]
    """
    if _CUES.isdisjoint(tokens) and not any(word.endswith("n't") for word in tokens):
        return frozenset()
    return frozenset(place for place in range(len(tokens)) if _is_cue(tokens, place))


def split_by_negation(tokens: Sequence[str], cues: Collection[int]) -> tuple[set[str], set[str]]:
    """Return the negated words of a sentence and the others, each without words that say nothing.

    Args:
        tokens: The sentence, in small letters.
        cues: Their places, as ``find_cues`` returns them.

    >>> tokens = "no fever , but has cough ; effusion was not seen".split()
    >>> [sorted(words) for words in split_by_negation(tokens, find_cues(tokens))]
    [['effusion', 'fever', 'seen'], ['cough']]
    """
    negated, others = set[str](), set[str]()
    for begin, end in _cut_clauses(tokens) if cues else [(0, len(tokens))]:
        inside = _find_scope(tokens, begin, end, cues)
        for place in range(begin, end):
            if place not in cues:
                (negated if place in inside else others).add(tokens[place])
    return _without_silent(negated), _without_silent(others)


def _without_silent(words: set[str]) -> set[str]:
    return {word for word in words - _SILENT if len(word) >= _SHORTEST}


def _cut_clauses(tokens: Sequence[str]) -> Iterator[tuple[int, int]]:
    begin = 0
    for place, word in enumerate(tokens):
        if word in _ENDS or (word in _JOINTS and _begins_clause(tokens, place + 1)):
            yield begin, place
            begin = place + 1
    yield begin, len(tokens)


def _begins_clause(tokens: Sequence[str], place: int) -> bool:
    return place < len(tokens) and tokens[place] in _CLAUSES


def _find_scope(tokens: Sequence[str], begin: int, end: int, cues: Collection[int]) -> range:
    """Return the places of a clause that its first cue negates."""
    first = next((place for place in range(begin, end) if place in cues), None)
    if first is None:
        return range(0)
    if tokens[first] in _FORWARD:
        return range(first, end)
    return range(begin, first) if tokens[first] in _BACKWARD else range(begin, end)


def _is_cue(tokens: Sequence[str], place: int) -> bool:
    word = tokens[place]
    following = tokens[place + 1] if place + 1 < len(tokens) else ""
    before = tokens[place - 1] if place else ""
    if word == "no":
        return not following[:1].isdigit() and following != "."
    if word == "not":
        return following != "only"
    if word == "free":
        return following == "of"
    if word == "negative":
        return before not in _BLOOD_GROUPS
    if word == "ruled":
        return following == "out"
    return word in _CUES or word.endswith("n't")
