"""Sift the sentences of a de-identified note: what may enter a pool, and why the rest stays out.

A leaked sentence of the pool would be emitted again and again. So PHI that recognizers find becomes
a slot only where all of them are about the same stretch and nothing is left beside it; a sentence
with any other sign of a person stays out.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cache
from typing import Final

import re2

from deidstream.models.kneo.slots import find_slots
from deidstream.models.kneo.unit_kinds import UnitKind
from deidstream.models.kneo.units import Unit, cut_units, write_labels
from deidstream.models.phi.names.name_lists import census
from deidstream.models.phi.not_phi import common_words
from deidstream.models.text.eponyms import EPONYMS
from deidstream.models.text.folding import fold_all, words_of
from deidstream.models.text.sentences import split_sentences
from deidstream.schemas.span import POSSIBLE, Replacement, Span

MIN_WORDS: Final = 4
MAX_WORDS: Final = 60


class DropReason(StrEnum):
    """Why a sentence stays out of a pool; the first that applies, in this order."""

    FORM = "form"
    """A short line, a cell, a row of medication, a list of values, or about allergies."""
    FOUND = "found"
    """Recognizers find PHI whose borders or label they do not agree on."""
    POSSIBLE = "possible"
    """The tagger holds something for possibly PHI."""
    LENGTH = "length"
    """Longer than ``MAX_WORDS``, or without a letter."""
    PLACEHOLDER = "placeholder"
    """Something else than a label stands where PHI was."""
    ADDRESS = "address"
    """An address of the web or of mail."""
    NUMBER = "number"
    """Five digits in a row, but for marks between them."""
    NAME = "name"
    """A word with a capital that is no ordinary word."""
    ECHO = "echo"
    """It holds what was found elsewhere in its note."""
    ALONE = "alone"
    """A recognizer finds PHI when it reads the sentence alone."""
    FEW_DONORS = "few donors"
    """It comes from fewer patients than asked for."""


@dataclass(frozen=True, slots=True)
class Sifted:
    """What a note gives to a pool."""

    sentences: tuple[str, ...] = field(repr=False)
    """Each on one line, with slots, in reading order."""
    dropped: Counter[DropReason]


@dataclass(frozen=True, slots=True)
class Marked:
    """``[start, end)`` that recognizers found, or a label that stood there."""

    span: Span
    agreed: bool
    """Whether everything found there is about exactly this stretch, with this label."""
    found_by: frozenset[str]
    """The recognizers that found it; empty where the tagger alone holds it for possible."""

    @property
    def possible(self) -> bool:
        """Whether the tagger alone holds it for possible."""
        return not self.found_by

    @property
    def evident(self) -> bool:
        """Whether a slot may stand here: by agreement, and by a rule, a label or two recognizers.

        A tagger or a list alone also takes drugs and makers of instruments for names.
        """
        sure = len(self.found_by) > 1 or not self.found_by.isdisjoint(_SURE)
        return self.agreed and sure


_DIGITS: Final = re2.compile(r"(?:\p{N}[\p{Z}./\-]?){4}\p{N}")
_ADDRESS: Final = re2.compile(r"@|://|www\.|(?i:http)")
_BLOOD_PRESSURE: Final = re2.compile(r"\b\p{N}{2,3}/\p{N}{2,3}\b")
_PLACEHOLDER: Final = re.compile(
    r"XXX|\*{2,}|_{2,}|#{3,}|\[\.\.\.\]|\[\*|<[A-Z][A-Z_ ]*>|\[[A-Z][A-Z_ ]{2,}\]"
)
_WORD: Final = re.compile(r"[^\W\d_]+(?:['\u2019][^\W\d_]+)?")
_ECHO_LETTERS: Final = 3
_LABEL, _SURE = "label", frozenset({"label", "rules", "known"})


def mark_spans(text: str, spans: Iterable[Span]) -> list[Marked]:
    """Join overlapping spans and labels of a text to disjoint stretches, in order.

    Args:
        text: A de-identified note.
        spans: What all recognizers found in it, in any order, with what the tagger holds for
            possible. What lies within a label in brackets is about the label and does not count.
    """
    labels = [Span(slot.start, slot.end, slot.label, 1.0, _LABEL) for slot in find_slots(text)]
    inside = _mark_places(len(text), labels)
    outside = [span for span in spans if not inside[span.start] or not inside[span.end - 1]]
    marked: list[Marked] = []
    for span in sorted([*labels, *outside], key=lambda s: (s.start, -s.end, s.source == POSSIBLE)):
        if marked and span.start < marked[-1].span.end:
            marked[-1] = _join(marked[-1], span)
        else:
            marked.append(Marked(span, agreed=True, found_by=_name_recognizer(span)))
    return [_refuse_two_pieces(text, mark) for mark in marked]


def _mark_places(length: int, spans: Sequence[Span]) -> bytearray:
    places = bytearray(length)
    for span in spans:
        places[span.start : span.end] = b"\1" * (span.end - span.start)
    return places


def _join(mark: Marked, span: Span) -> Marked:
    old = mark.span
    same = (old.start, old.end, old.label) == (span.start, span.end, span.label)
    possible = span.source == POSSIBLE
    # What the tagger holds for possible agrees with whatever covers it.
    agreed = mark.agreed and (same or (possible and span.end <= old.end and not mark.possible))
    wide = replace(old, end=max(old.end, span.end))
    return Marked(wide, agreed, mark.found_by | _name_recognizer(span))


def _name_recognizer(span: Span) -> frozenset[str]:
    return frozenset() if span.source == POSSIBLE else frozenset({span.source.partition(":")[0]})


def _refuse_two_pieces(text: str, mark: Marked) -> Marked:
    """Hold a stretch that reaches over the end of a sentence for not agreed."""
    found = text[mark.span.start : mark.span.end]
    if "\n" in found or len(split_sentences(found)) > 1:
        return replace(mark, agreed=False)
    return mark


def sift_note(text: str, marked: Sequence[Marked]) -> Sifted:
    """Sift the sentences of a note.

    Args:
        text: De-identified.
        marked: What ``mark_spans`` made of it.
    """
    landed = [
        Replacement(m.span, "", "slot", out_start=m.span.start, out_end=m.span.end) for m in marked
    ]
    marks = {m.span.start: m for m in marked}
    echoes = _Echoes.read(text, marked)
    sentences: list[str] = []
    dropped = Counter[DropReason]()
    for unit in cut_units(text, landed, MIN_WORDS):
        if unit.kind is UnitKind.HEADING:
            continue
        sentence = " ".join(write_labels(text, (unit.start, unit.end), unit.inside, "[{}]").split())
        reason = _refuse_unit(unit, marks) or refuse_text(sentence) or echoes.refuse(sentence)
        if reason:
            dropped[reason] += 1
        else:
            sentences.append(sentence)
    return Sifted(tuple(sentences), dropped)


def _refuse_unit(unit: Unit, marks: dict[int, Marked]) -> DropReason | None:
    if not unit.open:
        return DropReason.FORM
    held = [marks[each.span.start] for each in unit.inside]
    if any(not mark.evident and not mark.possible for mark in held):
        return DropReason.FOUND
    return DropReason.POSSIBLE if any(mark.possible for mark in held) else None


def refuse_text(sentence: str) -> DropReason | None:
    """Return why a sentence stays out for its own words; ``None``: they say nothing against it."""
    for slot in reversed(find_slots(sentence)):
        sentence = sentence[: slot.start] + "it" + sentence[slot.end :]
    words = sentence.split()
    if not MIN_WORDS <= len(words) <= MAX_WORDS or not any(map(str.isalpha, sentence)):
        return DropReason.LENGTH
    if _PLACEHOLDER.search(sentence):
        return DropReason.PLACEHOLDER
    if _ADDRESS.search(sentence):
        return DropReason.ADDRESS
    if _DIGITS.search(_BLOOD_PRESSURE.sub(" ", sentence)):
        return DropReason.NUMBER
    return DropReason.NAME if any(_list_names(sentence)) else None


def _list_names(sentence: str) -> Iterator[str]:
    """Yield the words with a capital that are no ordinary words.

    The first word of a sentence, or behind a colon, counts only if it is a given name.
    """
    ordinary = _ordinary_words()
    for match in _WORD.finditer(sentence):
        word = match[0]
        if not (word[0].isupper() and word[1:].islower()) or words_of(word)[0] in ordinary:
            continue
        before = sentence[: match.start()].rstrip(" \"'(\u201c\u2018")
        begins = not before or before[-1] in ".!?:;"
        if not begins or words_of(word)[0] in _given_names():
            yield word


@cache
def _ordinary_words() -> frozenset[str]:
    eponyms = {word for term in fold_all(EPONYMS) for word in words_of(term)}
    return common_words() | eponyms


@cache
def _given_names() -> frozenset[str]:
    lists = census()
    return frozenset(lists.female) | frozenset(lists.male) | frozenset(lists.other_given)


@dataclass(frozen=True, slots=True)
class _Echoes:
    """What was found in a note, to be found again where recognizers overlooked it."""

    texts: frozenset[str] = field(repr=False)
    longest: int
    """Words of the longest."""

    @classmethod
    def read(cls, text: str, marked: Collection[Marked]) -> "_Echoes":
        slots = {(slot.start, slot.end) for slot in find_slots(text)}
        found = (
            " ".join(text[m.span.start : m.span.end].split())
            for m in marked
            if not m.possible and (m.span.start, m.span.end) not in slots
        )
        telling = frozenset(one for one in found if _is_telling(one))
        return cls(telling, max((len(_WORD_OR_NUMBER.findall(one)) for one in telling), default=0))

    def refuse(self, sentence: str) -> DropReason | None:
        """Return the reason if a sentence holds one of the texts as whole words."""
        if not self.texts:
            return None
        places = [match.span() for match in _WORD_OR_NUMBER.finditer(sentence)]
        for first, (start, _) in enumerate(places):
            for _, end in places[first : first + self.longest]:
                if sentence[start:end] in self.texts:
                    return DropReason.ECHO
        return None


_WORD_OR_NUMBER: Final = re.compile(r"\w+")


def _is_telling(found: str) -> bool:
    """Return whether a found text is worth looking for: a name or code, not "today" or "45"."""
    if sum(map(str.isalnum, found)) < _ECHO_LETTERS or found.isdigit():
        return False
    return not _ordinary_words().issuperset(words_of(found))
