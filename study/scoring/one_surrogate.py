"""Count the mentions of a note whose surrogates show that they are one person or one thing.

``Jane Hollis``, ``HOLLIS, Jane``, ``Ms Hollis`` and ``JH`` are one person to the reader of a note;
their surrogates should be one person to the reader of the output. Two mentions that must be of one
original are compared: of the same words, the initials of the other's, a part or a slip of a word of
it, a user name made of it, a number within a longer one. What only may be one is not compared. That
two originals which surely differ share a surrogate is counted too.

Mentions are those of the labelled spans, and what stands in their place is read from the output, so
that a mention which was overlooked, or became a label, counts as well.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import combinations

import re2

from deidstream.models.phi.names.identity import is_listed
from deidstream.models.phi.names.spellings import nicknames, to_plain_letters
from deidstream.models.phi.unlike import is_one_letter_off
from deidstream.schemas.label import (
    HANDLES,
    INSTITUTIONS,
    NUMBERS,
    PERSONS,
    LabelGroup,
    PhiLabel,
    labels_of,
)
from deidstream.schemas.labelled import LabelledNote
from deidstream.schemas.span import Replacement
from deidstream.study.scoring.written_words import Writing, WrittenWord, write_words

_PLACES = INSTITUTIONS | labels_of(LabelGroup.PLACE, LabelGroup.STREET) | {PhiLabel.CITY}
_SHORTEST, _SHORTEST_OWNER, _SHORTEST_SLIP, _SHORTEST_NUMBER = 3, 4, 6, 5
"""Characters of a word of a name; of one in a user name; of a misspelt one; of a number."""
_MOST_WORDS = 5
"""Of a name whose initials are looked for."""
_INITIALS = re2.compile(r"\p{Lu}(?:[. -]{0,2}\p{Lu}){1,3}\.?")
_ACRONYM = re2.compile(r"[A-Z]{2,6}")
_SMALL = frozenset(["and", "at", "de", "for", "la", "of", "the"])
_LONGER = 2
"""Letters by which a name is longer than what it may be cut to."""


class Relation(StrEnum):
    """Why two mentions are of one original."""

    NAME = "same word of a name"
    INITIALS = "initials of a name"
    SHORT_FORM = "short form of a name"
    SLIP = "misspelt name"
    HANDLE = "user name or address"
    PLACE = "same word of a place"
    ACRONYM = "acronym of a place"
    NUMBER = "same number"
    NUMBER_PART = "part of a number"
    APART = "two originals apart"
    """They are of two, and must not have one surrogate."""


class Agreement(StrEnum):
    """Whether the surrogates of two mentions show it."""

    AGREES = "agree"
    DIFFERS = "differ"
    LABEL = "label"
    """One has a surrogate, and the other became a label."""
    LEFT = "left"
    """One has a surrogate, and the other stayed as it was."""


@dataclass(frozen=True, slots=True)
class WrittenMention:
    """A mention, and what stands in its place."""

    start: int
    end: int
    written: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two mentions that were compared."""

    relation: Relation
    agreement: Agreement
    mention: WrittenMention
    other: WrittenMention
    """The one that counts as right: of the most frequent surrogate, or the fuller one."""


RelationCounts = Mapping[Relation, Counter[Agreement]]


def count_agreements(compared: Iterable[Comparison]) -> RelationCounts:
    """Count comparisons by relation and outcome."""
    counts: dict[Relation, Counter[Agreement]] = {}
    for one in compared:
        counts.setdefault(one.relation, Counter())[one.agreement] += 1
    return counts


def compare_mentions(
    note: LabelledNote, replacements: Sequence[Replacement]
) -> tuple[Comparison, ...]:
    """Compare the mentions of a note that must be of one original.

    Each mention is compared once for each reason. If neither of two mentions has a surrogate, they
    are not compared.

    Args:
        note: A note with its labelled spans.
        replacements: What stands in its output in the place of what was found; disjoint, in order.
    """
    words = write_words(note.note.text, replacements)
    mentions = [
        _Mention(
            span.label,
            note.note.text[span.start : span.end],
            tuple(one for one in words if one.start < span.end and span.start < one.end),
        )
        for span in note.spans
    ]
    persons = [one for one in mentions if one.label in PERSONS and one.words]
    places = [one for one in mentions if one.label in _PLACES and one.words]
    full = [one for one in persons if not one.is_initials]
    names = _group_words(full)
    firsts = {key: first for key, group in names.items() if (first := _find_first(group))}
    handles = [one for one in mentions if one.label in HANDLES and one.words]
    numbers = [one for one in mentions if one.label in NUMBERS and one.words]
    return (
        *_compare_words(names, Relation.NAME),
        *_compare_initials(full, [one for one in persons if one.is_initials]),
        *_compare_pairs(firsts),
        *_compare_handles(handles, firsts, replacements),
        *_compare_words(_group_proper_words(places), Relation.PLACE),
        *_compare_acronyms(places),
        *_compare_numbers(numbers, replacements),
    )


@dataclass(frozen=True, slots=True)
class _Mention:
    label: PhiLabel
    text: str = field(repr=False)
    words: tuple[WrittenWord, ...]

    @property
    def is_initials(self) -> bool:
        return _INITIALS.fullmatch(self.text) is not None

    @property
    def drawn(self) -> bool:
        return all(word.writing is Writing.DRAWN for word in self.words)

    def as_written(self) -> WrittenMention:
        start, end = self.words[0].start, self.words[-1].end
        return WrittenMention(start, end, " ".join(word.written for word in self.words))


def _plain(text: str) -> str:
    return to_plain_letters(text) or text.casefold()


def _as_mention(word: WrittenWord) -> WrittenMention:
    return WrittenMention(word.start, word.end, word.written)


_Groups = Mapping[str, Sequence[WrittenWord]]


def _group_words(mentions: Iterable[_Mention]) -> dict[str, list[WrittenWord]]:
    groups: defaultdict[str, list[WrittenWord]] = defaultdict(list)
    for word in (word for mention in mentions for word in mention.words):
        key = _plain(word.text)
        if len(key) >= _SHORTEST and key.isalpha() and word.writing is not Writing.MIXED:
            groups[key].append(word)
    return dict(groups)


def _group_proper_words(mentions: Iterable[_Mention]) -> dict[str, list[WrittenWord]]:
    """Group the words of places; not what stays as the word for a kind, nor acronyms."""
    named = [one for one in mentions if _ACRONYM.fullmatch(one.text) is None]
    groups = _group_words(named)
    return {key: group for key, group in groups.items() if not any(map(_stays, group))}


def _stays(word: WrittenWord) -> bool:
    return word.writing is Writing.DRAWN and _plain(word.written) == _plain(word.text)


def _find_first(group: Sequence[WrittenWord]) -> WrittenWord | None:
    """Return the first word with the most frequent surrogate; ``None`` if none has any."""
    drawn = [word for word in group if word.writing is Writing.DRAWN]
    counts = Counter(_plain(word.written) for word in drawn)
    return max(drawn, key=lambda word: counts[_plain(word.written)], default=None)


def _judge(writings: Iterable[Writing], *, agrees: bool) -> Agreement:
    among = set(writings)
    if Writing.LEFT in among:
        return Agreement.LEFT
    if Writing.LABEL in among:
        return Agreement.LABEL
    return Agreement.AGREES if agrees else Agreement.DIFFERS


def _compare_words(groups: _Groups, relation: Relation) -> Iterator[Comparison]:
    for group in groups.values():
        first = _find_first(group)
        if first is None:
            continue
        for word in group:
            if word is not first:
                agrees = _plain(word.written) == _plain(first.written)
                agreement = _judge([word.writing], agrees=agrees)
                yield Comparison(relation, agreement, _as_mention(word), _as_mention(first))


def _first_letters(words: Iterable[str]) -> str:
    return "".join(_plain(word)[:1] for word in words)


def _initials_of(mention: _Mention) -> Iterator[tuple[str, str]]:
    """Yield initials that a name may be shortened to, and those of its surrogate."""
    for count in range(2, len(mention.words) + 1):
        for some in combinations(mention.words, count):
            for words in (some, (some[-1], *some[:-1]), (*some[1:], some[0])):
                letters = _first_letters(word.text for word in words)
                yield letters, _first_letters(word.written for word in words)


def _compare_initials(
    full: Iterable[_Mention], initials: Sequence[_Mention]
) -> Iterator[Comparison]:
    expected: defaultdict[str, dict[str, _Mention]] = defaultdict(dict)
    for mention in full:
        if mention.drawn and len(mention.words) <= _MOST_WORDS:
            for letters, written in _initials_of(mention):
                expected[letters].setdefault(written, mention)
    for mention in initials:
        letters = "".join(_plain(word.text) for word in mention.words)
        if letters not in expected:
            continue
        written = "".join(_plain(word.written) for word in mention.words)
        of = expected[letters]
        agreement = _judge([word.writing for word in mention.words], agrees=written in of)
        other = of.get(written) or next(iter(of.values()))
        yield Comparison(Relation.INITIALS, agreement, mention.as_written(), other.as_written())


def _compare_pairs(firsts: Mapping[str, WrittenWord]) -> Iterator[Comparison]:
    """Compare each two words of names: short forms, slips, and what must differ."""
    for short, long in combinations(sorted(firsts, key=lambda key: (len(key), key)), 2):
        own, other = _plain(firsts[short].written), _plain(firsts[long].written)
        relation, agrees = Relation.APART, own != other
        if _is_short_form(short, long):
            relation, agrees = Relation.SHORT_FORM, _may_be_one(own, other)
        elif _is_slip(short, long):
            relation, agrees = Relation.SLIP, own == other or other.startswith(own)
        elif _may_be_one(short, long):
            continue
        yield Comparison(
            relation,
            _judge([], agrees=agrees),
            _as_mention(firsts[short]),
            _as_mention(firsts[long]),
        )


def _head_of(name: str) -> str:
    return nicknames().heads.get(name, name)


def _is_short_form(short: str, long: str) -> bool:
    cut = long.startswith(short) and len(long) - len(short) >= _LONGER and not is_listed(short)
    return cut or _head_of(short) == _head_of(long)


def _is_slip(name: str, other: str) -> bool:
    """Return whether one of two names is surely a slip for the other: not both are names."""
    both = is_listed(name) and is_listed(other)
    return not both and len(name) >= _SHORTEST_SLIP and _is_slightly_off(name, other)


def _may_be_one(name: str, other: str) -> bool:
    cut = name.startswith(other) or other.startswith(name)
    return cut or _head_of(name) == _head_of(other) or _is_slightly_off(name, other)


def _is_slightly_off(name: str, other: str) -> bool:
    """Return whether one letter more, less or changed, or two swapped, make one of the other."""
    at = next((n for n, (a, b) in enumerate(zip(name, other, strict=False)) if a != b), len(name))
    swapped = name[:at] + name[at : at + 2][::-1] + name[at + 2 :]
    return swapped == other or is_one_letter_off(name, other)


def _compare_handles(
    handles: Iterable[_Mention],
    firsts: Mapping[str, WrittenWord],
    replacements: Sequence[Replacement],
) -> Iterator[Comparison]:
    for mention in handles:
        letters = _letters_of_owner(mention.text)
        held = [key for key in firsts if len(key) >= _SHORTEST_OWNER and key in letters]
        one = _find_replacement(mention, replacements)
        written = _letters_of_owner(one.text) if one else ""
        for key in held:
            if any(key != longer and key in longer for longer in held):
                continue
            agrees = _plain(firsts[key].written) in written
            # A label has no letters that could agree by chance.
            writings = [word.writing for word in mention.words if word.writing is not Writing.MIXED]
            place = WrittenMention(
                mention.words[0].start, mention.words[-1].end, one.text if one else ""
            )
            agreement = _judge(writings, agrees=agrees)
            yield Comparison(Relation.HANDLE, agreement, place, _as_mention(firsts[key]))


def _letters_of_owner(text: str) -> str:
    owner = text.partition("@")[0]
    return "".join(_plain(part) for part in owner if part.isalpha())


def _find_replacement(mention: _Mention, replacements: Sequence[Replacement]) -> Replacement | None:
    start, end = mention.words[0].start, mention.words[-1].end
    held = (one for one in replacements if one.span.start <= start and end <= one.span.end)
    return next(held, None)


def _compare_acronyms(places: Sequence[_Mention]) -> Iterator[Comparison]:
    expected: defaultdict[str, dict[str, _Mention]] = defaultdict(dict)
    for mention in places:
        if not mention.drawn:
            continue
        large = [word for word in mention.words if word.text.casefold() not in _SMALL]
        for words in (mention.words, large):
            for count in range(2, len(words) + 1):
                letters = _first_letters(word.text for word in words[:count])
                written = _first_letters(word.written for word in words[:count])
                expected[letters].setdefault(written, mention)
    for mention in places:
        letters = mention.text.casefold()
        if _ACRONYM.fullmatch(mention.text) is None or letters not in expected:
            continue
        of, written = expected[letters], _plain(mention.words[0].written)
        agreement = _judge([mention.words[0].writing], agrees=written in of)
        other = of.get(written) or next(iter(of.values()))
        yield Comparison(Relation.ACRONYM, agreement, mention.as_written(), other.as_written())


def _compare_numbers(
    numbers: Iterable[_Mention], replacements: Sequence[Replacement]
) -> Iterator[Comparison]:
    groups: defaultdict[str, list[tuple[_Mention, Replacement]]] = defaultdict(list)
    for mention in numbers:
        value, one = _value_of(mention.text), _find_replacement(mention, replacements)
        digits = sum(map(str.isdigit, value))
        if one is not None and digits >= _SHORTEST_NUMBER and _is_whole(mention, one):
            groups[value].append((mention, one))
    for group in groups.values():
        drawn = [pair for pair in group if not _is_redacted(pair[0])]
        for pair in group:
            if drawn and pair is not drawn[0]:
                yield _compare_two_numbers(Relation.NUMBER, pair, drawn[0])
    for short, long in combinations(sorted(groups, key=len), 2):
        if long.endswith(short) and not _is_redacted(groups[long][0][0]):
            yield _compare_two_numbers(Relation.NUMBER_PART, groups[short][0], groups[long][0])


def _is_redacted(mention: _Mention) -> bool:
    """Return whether a label stands in the place of a mention."""
    return mention.words[0].writing is Writing.LABEL


def _compare_two_numbers(
    relation: Relation, pair: tuple[_Mention, Replacement], other: tuple[_Mention, Replacement]
) -> Comparison:
    (mention, one), (first, right) = pair, other
    own, whole = _value_of(one.text), _value_of(right.text)
    agrees = whole.endswith(own) if relation is Relation.NUMBER_PART else own == whole
    writings = [Writing.LABEL] if _is_redacted(mention) else []
    return Comparison(
        relation,
        _judge(writings, agrees=agrees),
        WrittenMention(mention.words[0].start, mention.words[-1].end, one.text),
        WrittenMention(first.words[0].start, first.words[-1].end, right.text),
    )


def _value_of(text: str) -> str:
    return "".join(filter(str.isalnum, text)).casefold().lstrip("0")


def _is_whole(mention: _Mention, one: Replacement) -> bool:
    """Return whether what was replaced holds nothing else than the mention."""
    length = mention.words[-1].end - mention.words[0].start
    return one.span.end - one.span.start <= length + 1
