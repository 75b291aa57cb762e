"""ShS: the sentences of a note in another order.

Source: Larbi et al., section 3, item 3. What stands between sentences stays where it is, so that
lines remain lines.
"""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from deidstream.study.techniques.sentence_slots import cut_slots
from deidstream.study.techniques.technique import Output, StudyNote


@dataclass(frozen=True, slots=True)
class ShuffleSentences:
    """Shuffles the sentences of each note."""

    seed: int
    name: str = "ShS"
    family: str = "perturbation"

    def anonymize(self, notes: Sequence[StudyNote]) -> Iterator[Output]:
        """Yield each note with its sentences shuffled."""
        for number, note in enumerate(notes):
            rng = random.Random(f"{self.seed} ShS {number}")
            yield Output(shuffle_sentences(note.text, rng), number)


def shuffle_sentences(text: str, rng: random.Random) -> str:
    """Shuffle the sentences of a text."""
    slots = cut_slots(text)
    shuffled = list(slots.sentences)
    rng.shuffle(shuffled)
    return slots.fill(shuffled)
