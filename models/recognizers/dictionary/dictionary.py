"""The recognizer of listed terms: names, places, and what the site denies."""

import unicodedata
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

import ahocorasick
import numpy as np

from deidstream.models.phi.gazetteers import gazetteers
from deidstream.models.recognizers.dictionary.person_names import find_people
from deidstream.models.recognizers.dictionary.place_names import find_places
from deidstream.models.text.folding import EDGE, add_word_edges, fold, fold_to_keys
from deidstream.models.time_budget import within_time
from deidstream.schemas.label import OF_I2B2, PhiLabel, own_name
from deidstream.schemas.note import RawNote
from deidstream.schemas.site_list import ListedTerms, Spelling
from deidstream.schemas.span import BY_LIST, DENIED, Span

_CHECKED = 64
"""Terms between two looks at the clock."""
_NO_LISTS: Mapping[str, ListedTerms] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class _Stated:
    """What the site states of the terms of one key."""

    name: str
    """Of the label."""
    source: str
    spelling: Spelling = Spelling.FOLD
    spelled: frozenset[str] = field(default=frozenset(), repr=False)
    """The terms as the spelling compares them."""

    def holds(self, text: str) -> bool:
        """Return whether a text with this key is one of the terms."""
        return self.spelling is Spelling.FOLD or _spell(text, self.spelling) in self.spelled


_Entry = tuple[int, int, tuple[_Stated, ...]]
"""Length of the marked key, its kinds, and what the site states of it."""


@dataclass(frozen=True, slots=True)
class DictionaryRecognizer:
    """Finds the terms of the gazetteers and of a policy's lists in one Aho-Corasick pass."""

    automaton: Any = field(repr=False)
    labels: Mapping[str, PhiLabel] = field(repr=False, default_factory=lambda: OF_I2B2)

    @classmethod
    def build(
        cls,
        deny: Mapping[str, tuple[str, ...]],
        lists: Mapping[str, ListedTerms] = _NO_LISTS,
        labels: Mapping[str, PhiLabel] = OF_I2B2,
    ) -> "DictionaryRecognizer":
        """Build the automaton, which takes an eighth of a second; to read one from a file, twice.

        A term of ``deny`` is PHI of its label wherever it occurs as words of its own, in whatever
        case; if it is listed under two labels, the last counts. A term of ``lists`` is too, if it
        is spelled as its list says. ``labels`` are those of the policy, by name.
        """
        stated = defaultdict[str, list[_Stated]](list)
        for name, terms in deny.items():
            for key in fold_to_keys(terms):
                stated[key] = [_Stated(name, DENIED)]
        for name, listed in lists.items():
            for key, spelled in _spellings_of(listed).items():
                source = f"{BY_LIST}:{name}"
                stated[key].append(
                    _Stated(listed.label, source, listed.spelling, frozenset(spelled))
                )
        known = gazetteers()
        automaton = ahocorasick.Automaton()
        for key, kinds in known.items():
            automaton.add_word(key, (len(key), kinds, ()))
        for key, of_key in stated.items():
            if key.strip(EDGE):
                automaton.add_word(key, (len(key), known.get(key, 0), tuple(of_key)))
        automaton.make_automaton()
        return cls(automaton, labels)

    @property
    def name(self) -> str:
        """``dictionary``."""
        return "dictionary"

    def recognize(self, notes: Sequence[RawNote]) -> list[tuple[Span, ...]]:
        """Find the listed terms of each note whose context meets their condition."""
        return [tuple(self._spans(note.text)) for note in notes]

    def _spans(self, text: str) -> Iterator[Span]:
        kinds: dict[tuple[int, int], int] = defaultdict(int)
        for place, kind, stated in self._terms(text):
            kinds[place] |= kind
            for one in stated:
                if one.holds(text[slice(*place)]):
                    label, own = self.labels[one.name], own_name(one.name)
                    yield Span(*place, label, 1.0, one.source, own)
        yield from find_people(text, kinds)
        yield from find_places(text, kinds)

    def _terms(self, text: str) -> Iterator[tuple[tuple[int, int], int, tuple[_Stated, ...]]]:
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
        for start, end, (_, (_, kind, stated)) in zip(starts, ends, found, strict=True):
            yield (start, end), kind, stated


def _spellings_of(listed: ListedTerms) -> Mapping[str, set[str]]:
    """Return the terms of a list as its spelling compares them, by the key that finds them."""
    spellings = defaultdict[str, set[str]](set)
    for key, term in zip(fold_to_keys(listed.terms), listed.terms, strict=True):
        spellings[key].add(_spell(term, listed.spelling))
    return spellings


def _spell(text: str, spelling: Spelling) -> str:
    """Return a text without the differences that do not count; white space never does."""
    written = unicodedata.normalize("NFC", " ".join(text.split()))
    return written if spelling is Spelling.EXACT else written.casefold()
