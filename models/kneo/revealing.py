"""Weigh the units of a draft by how much each gives its original away.

What counts is the margin: by how much the output is nearer to its original than to the reference
notes nearest to it. A unit weighs what the margin loses without it, under both attacks.
"""

from dataclasses import dataclass, field
from typing import Final

import numpy as np
from numpy.typing import NDArray

from deidstream.models.kneo.drafts import NoteDraft
from deidstream.models.references.number_lists import Numbers
from deidstream.models.references.own_attack import ComparedNotes, NoteTrace, OwnAttack
from deidstream.models.references.reference_notes import Vectors, mean_vector

Weights = NDArray[np.float64]

_TARGETS: Final = 20
"""Nearest reference notes that the original is compared with."""
_DIGITS: Final = 6


@dataclass(frozen=True, slots=True)
class TracePart:
    """What one unit of a draft gives to the trace of the output."""

    words: Numbers = field(repr=False)
    vector: Vectors = field(repr=False)
    """Zeros where nothing stands."""

    @classmethod
    def nothing(cls, dimension: int) -> "TracePart":
        """Return what a dropped unit gives."""
        return cls(np.zeros(0, np.uint32), np.zeros(dimension, np.float32))


@dataclass(slots=True)
class TracedDraft:
    """A draft with what an attacker sees of it, while it is changed."""

    draft: NoteDraft
    original: NoteTrace
    left_out: frozenset[int]
    """Reference notes that do not count whatever is drawn: the note itself, and the patient's."""
    parts: list[TracePart]
    redraws: list[int]
    """How often another sentence was drawn for each unit."""
    dropped: int = 0
    """Units dropped for the sake of deniability."""

    def output(self) -> NoteTrace:
        """Return the trace of the draft as it is."""
        words = np.unique(np.concatenate([np.zeros(0, np.uint32), *(p.words for p in self.parts)]))
        standing = [part.vector for part in self.parts if part.vector.any()]
        shape = (len(standing), len(self.original.vector))
        return NoteTrace(words, mean_vector(np.array(standing, np.float32).reshape(shape)))


def weigh_units(
    traced: TracedDraft, attack: OwnAttack, compared: ComparedNotes, kept: NDArray[np.bool_]
) -> list[float]:
    """Weigh each unit; the attack that finds the original better counts the more.

    Args:
        traced: The draft.
        attack: What the attacks find of it.
        compared: The reference notes.
        kept: Which of them count.

    Returns:
        One weight a unit, to six digits; negative for a unit that hides the original.
    """
    output = traced.output()
    by_words = _nearest(compared.compare_words(output.words), kept)
    by_vector = _nearest(compared.compare_vector(output.vector), kept)
    word_lists = [compared.notes.words.of(int(compared.chosen[place])) for place in by_words]
    words = _weigh_words(traced, [traced.original.words, *word_lists])
    targets = np.concatenate([traced.original.vector[None], compared.vectors[by_vector]])
    vectors = _weigh_vectors(traced, targets.astype(np.float64))
    weights = words / attack.jaccard.rank + vectors / attack.dense.rank
    return [float(weight) for weight in np.round(weights, _DIGITS)]


def _nearest(similarities: Weights, kept: NDArray[np.bool_]) -> NDArray[np.int64]:
    order = np.lexsort((np.arange(len(kept)), -similarities))
    nearest: NDArray[np.int64] = order[kept[order]][:_TARGETS]
    return nearest


def _weigh_words(traced: TracedDraft, targets: list[Numbers]) -> Weights:
    """Return what the margin by words loses without each unit; the first target is the original."""
    held = np.concatenate([np.zeros(0, np.uint32), *(part.words for part in traced.parts)])
    count = len(traced.parts)
    owners = np.repeat(np.arange(count), [len(part.words) for part in traced.parts])
    words, places, counts = np.unique(held, return_inverse=True, return_counts=True)
    alone = counts[places] == 1
    alone_owners, alone_places = owners[alone], places[alone]
    fewer = len(words) - np.bincount(alone_owners, minlength=count)
    wholes, lefts = np.zeros(len(targets)), np.zeros((count, len(targets)))
    for number, target in enumerate(targets):
        hit = np.isin(words, target, assume_unique=True)
        lost = np.bincount(alone_owners, weights=hit[alone_places], minlength=count)
        shared = float(hit.sum())
        wholes[number] = shared / max(len(target) + len(words) - shared, 1)
        left = shared - lost
        lefts[:, number] = left / np.maximum(len(target) + fewer - left, 1)
    weights: Weights = _margin(wholes) - np.array([_margin(one) for one in lefts])
    return weights


def _weigh_vectors(traced: TracedDraft, targets: Weights) -> Weights:
    """Return what the margin by vectors loses without each unit."""
    rows = np.array([part.vector for part in traced.parts], np.float64)
    total = rows.sum(axis=0)
    whole = _margin(targets @ _unit(total[None])[0])
    left = _unit(total - rows) @ targets.T
    margins = np.array([_margin(one) for one in left])
    weights: Weights = whole - margins
    return weights


def _unit(rows: Weights) -> Weights:
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    units: Weights = rows / np.where(lengths > 0, lengths, 1.0)
    return units


def _margin(similarities: Weights) -> float:
    """Return by how much the first similarity exceeds the mean of the others."""
    others = similarities[1:]
    return float(similarities[0] - (others.mean() if len(others) else 0.0))
