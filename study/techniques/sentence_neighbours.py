"""KNEO of sentences: each sentence becomes one of the five nearest of a pool.

Source: Alves et al., "Anonymization Through Substitution: Words vs Sentences", sections 4.4 and
4.5. The pool of a note has the sentences of the other folds, with labels in the place of their
identifiers; in the paper it is of notes with invented names, which then may come back. Nothing is
kept and nothing guarded: the policies ``kneo`` and ``kneo-notes`` say what more the product does.
"""

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np
from numpy.typing import NDArray

from deidstream.study.techniques.sentence_slots import cut_slots
from deidstream.study.techniques.technique import Output, StudyNote

Embed = Callable[[Sequence[str]], NDArray[np.float32]]
"""Returns a unit vector for each sentence."""
ReadEmbedder = Callable[[Sequence[StudyNote], int], Embed]
"""Returns what embeds the sentences of one fold; it may learn from the notes of the others."""

NEAREST: Final = 5
_AT_ONCE: Final = 512


@dataclass(frozen=True, slots=True)
class SentenceNeighbours:
    """Replaces the sentences of each note by neighbours."""

    title: str
    """The embedder's, for the name."""
    read_embedder: ReadEmbedder = field(repr=False)
    seed: int
    family: str = "KNEO sentences"

    @property
    def name(self) -> str:
        """Its embedder."""
        return f"KNEO sentences {self.title}"

    def anonymize(self, notes: Sequence[StudyNote]) -> Iterator[Output]:
        """Yield each note with neighbours in the place of its sentences.

        Raises:
            Refused: The embedder cannot be learnt or read.
        """
        for fold in sorted({note.fold for note in notes}):
            embed = self.read_embedder(notes, fold)
            others = (note.with_labels() for note in notes if note.fold != fold)
            pool = sorted({one for text in others for one in cut_slots(text).sentences})
            own = [number for number, note in enumerate(notes) if note.fold == fold]
            yield from self._replace(notes, own, pool, embed)

    def _replace(
        self, notes: Sequence[StudyNote], numbers: Sequence[int], pool: Sequence[str], embed: Embed
    ) -> Iterator[Output]:
        slots = [cut_slots(notes[number].text) for number in numbers]
        asked = sorted({sentence for one in slots for sentence in one.sentences})
        nearest = dict(zip(asked, find_nearest(asked, pool, embed), strict=True))
        for number, cut in zip(numbers, slots, strict=True):
            rng = random.Random(f"{self.seed} {self.name} {number}")
            drawn = [rng.choice(nearest[one] or ["[...]"]) for one in cut.sentences]
            yield Output(cut.fill(drawn), number)


def find_nearest(asked: Sequence[str], pool: Sequence[str], embed: Embed) -> list[list[str]]:
    """Return the nearest sentences of a pool for each sentence, never itself."""
    if not pool or not asked:
        return [[] for _ in asked]
    rows, found = embed(pool).T, list[list[str]]()
    for start in range(0, len(asked), _AT_ONCE):
        some = asked[start : start + _AT_ONCE]
        for sentence, cosines in zip(some, embed(some) @ rows, strict=True):
            most = min(NEAREST + 1, len(pool))
            places: list[int] = np.argpartition(-cosines, most - 1)[:most].tolist()
            ordered = sorted(places, key=lambda place: (-cosines[place], place))
            found.append([pool[place] for place in ordered if pool[place] != sentence][:NEAREST])
    return found
