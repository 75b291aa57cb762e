"""Find words that are never PHI at a site, in notes whose PHI readers have marked.

A word that stays in the text unseen is a leak if it is a name, so it must have been read, again and
again, by people who marked what is PHI. How often it occurs in other notes is no evidence: names of
staff are frequent too.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field

from deidstream.models.phi.gazetteers import gazetteers
from deidstream.models.phi.names.name_lists import births, is_known
from deidstream.models.phi.names.spellings import nicknames
from deidstream.models.phi.not_phi import common_words
from deidstream.models.text.folding import EDGE, fold_text, words_of
from deidstream.schemas.labelled import LabelledNote
from deidstream.schemas.span import Span
from deidstream.study.adaptation.master_data import MasterData, gather_words

FEWEST_PLACES = 3
"""Places in read notes at which a term was let stand."""
FEWEST_PATIENTS = 2
"""Patients in whose read notes it was let stand."""
SHORTEST = 3
LONGEST_WORDS = 4


@dataclass(slots=True)
class _Seen:
    places: int = 0
    patients: set[str] = field(default_factory=set[str])


@dataclass(frozen=True, slots=True)
class SiteWords:
    """What must never be allowed: words of names, of master files and of marks; in lower case."""

    words: AbstractSet[str] = field(repr=False)

    @classmethod
    def gather(cls, master: MasterData, read: Iterable[LabelledNote]) -> "SiteWords":
        """Gather the words of master files and of what readers marked."""
        people = (f"{one.given} {one.middle} {one.family}" for one in master.people)
        listed = (term for terms in master.terms.values() for term in terms)
        marked = (
            labelled.note.text[span.start : span.end]
            for labelled in read
            for span in labelled.spans
        )
        return cls(gather_words((*people, *listed, *marked)))

    def hold_a_word_of(self, term: str) -> bool:
        """Return whether a word of a term is among them."""
        return not self.words.isdisjoint(gather_words([term]))

    def permit(self, term: str) -> bool:
        """Return whether a term has none of them, nor one on a list of names without company."""
        words = gather_words([term])
        if self.hold_a_word_of(term):
            return False
        if not any(is_listed_name(word) for word in words):
            return True
        return any(word in common_words() and not is_listed_name(word) for word in words)


def is_listed_name(word: str) -> bool:
    """Return whether a word in lower case is on a shipped list of names or places."""
    return (
        is_known(word)
        or word in births()
        or word in nicknames().heads
        or f"{EDGE}{word}{EDGE}" in gazetteers()
    )


def find_allowed(
    read: Sequence[LabelledNote], found: Sequence[Sequence[Span]], never: SiteWords
) -> list[str]:
    """Return terms that the detector takes for PHI and that readers let stand every time.

    A word on a list of names is allowed only together with an ordinary word beside it, as a phrase
    that says nothing of the word elsewhere.

    Args:
        read: Notes in which readers marked all PHI.
        found: What the detector found in each of them.
        never: What must not be allowed.
    """
    candidates = {
        fold_text(term)
        for labelled, spans in zip(read, found, strict=True)
        for span in spans
        for term in _list_terms(labelled, span)
    }
    seen = _count_places(read, candidates)
    sure = {
        term
        for term, one in seen.items()
        if one.places >= FEWEST_PLACES
        and len(one.patients) >= FEWEST_PATIENTS
        and never.permit(term)
    }
    # A phrase is not needed if a word of it is allowed by itself.
    return sorted(term for term in sure if not sure & ({*term.split()} - {term}))


def _list_terms(labelled: LabelledNote, span: Span) -> Iterator[str]:
    """Yield what a false alarm has found, and that with the next word and the word before."""
    text = labelled.note.text
    if any(mark.start < span.end and span.start < mark.end for mark in labelled.spans):
        return
    before = re.search(r"([^\W\d_]+[ ])$", text[: span.start])
    behind = re.match(r"[ ][^\W\d_]+", text[span.end :])
    term = text[span.start : span.end]
    for one in (term, term + behind[0] if behind else "", before[0] + term if before else ""):
        if _is_of_letters(one) and len(one.split()) <= LONGEST_WORDS:
            yield one


def _is_of_letters(term: str) -> bool:
    pieces = term.replace("-", " ").split()
    return len(term) >= SHORTEST and bool(pieces) and all(map(str.isalpha, pieces))


def _count_places(read: Sequence[LabelledNote], candidates: AbstractSet[str]) -> dict[str, _Seen]:
    """Count the places of candidates as whole words."""
    seen = defaultdict[str, _Seen](_Seen)
    for labelled in read:
        text = f" {' '.join(words_of(labelled.note.text))} "
        for term in candidates:
            places = text.count(f" {' '.join(words_of(term))} ")
            if places:
                seen[term].places += places
                seen[term].patients.add(labelled.note.patient_id or labelled.note.note_id)
    return seen
