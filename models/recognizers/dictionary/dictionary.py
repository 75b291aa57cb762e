"""The recognizer of listed terms: names, places, and what the site denies."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import ahocorasick
import numpy as np

from deidstream.models.phi.gazetteers import gazetteers
from deidstream.models.recognizers.dictionary.person_names import find_people
from deidstream.models.recognizers.dictionary.place_names import find_places
from deidstream.models.text.folding import EDGE, add_word_edges, fold, fold_to_keys
from deidstream.models.time_budget import within_time
from deidstream.schemas.label import PhiLabel
from deidstream.schemas.note import RawNote
from deidstream.schemas.span import Span

_CHECKED = 64
"""Terms between two looks at the clock."""
_Entry = tuple[int, int, PhiLabel | None]
"""Length of the marked key, its kinds, and the label under which the site denies it."""


@dataclass(frozen=True, slots=True)
class DictionaryRecognizer:
    """Finds the terms of the gazetteers and of a policy's deny lists in one Aho-Corasick pass."""

    automaton: Any = field(repr=False)

    @classmethod
    def build(cls, deny: Mapping[PhiLabel, tuple[str, ...]]) -> "DictionaryRecognizer":
        """Build the automaton, which takes an eighth of a second; to read one from a file, twice.

        A term of ``deny`` is PHI of its label wherever it occurs as words of its own, in whatever
        case; if it is listed under two labels, the last counts.
        """
        denied = {
            key: label
            for label, terms in deny.items()
            for key in fold_to_keys(terms)
            if key.strip(EDGE)
        }
        known = gazetteers()
        automaton = ahocorasick.Automaton()
        for key, kinds in known.items():
            automaton.add_word(key, (len(key), kinds, None))
        for key, label in denied.items():
            automaton.add_word(key, (len(key), known.get(key, 0), label))
        automaton.make_automaton()
        return cls(automaton)

    @property
    def name(self) -> str:
        """``dictionary``."""
        return "dictionary"

    def recognize(self, notes: Sequence[RawNote]) -> list[tuple[Span, ...]]:
        """Find the listed terms of each note whose context meets their condition."""
        return [tuple(self._spans(note.text)) for note in notes]

    def _spans(self, text: str) -> Iterator[Span]:
        kinds: dict[tuple[int, int], int] = defaultdict(int)
        for place, kind, denied in self._terms(text):
            kinds[place] |= kind
            if denied is not None:
                yield Span(*place, denied, 1.0, "dictionary:deny")
        yield from find_people(text, kinds)
        yield from find_places(text, kinds)

    def _terms(self, text: str) -> Iterator[tuple[tuple[int, int], int, PhiLabel | None]]:
        folded = fold(text)
        lane = add_word_edges(folded.text)
        found = list(within_time(self.automaton.iter(lane.text), every=_CHECKED))
        if not found:
            return
        last = np.array([end for end, _ in found])
        first = last + 1 - np.array([entry[0] for _, entry in found])
        # An edge has no place; the character inside it has.
        first += lane.places[first] < 0
        last -= lane.places[last] < 0
        starts = folded.starts[lane.places[first]].tolist()
        ends = folded.ends[lane.places[last]].tolist()
        for start, end, (_, (_, kind, denied)) in zip(starts, ends, found, strict=True):
            yield (start, end), kind, denied
