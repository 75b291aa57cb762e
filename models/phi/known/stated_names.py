"""The names that a sender states, as an index of the words by which they are found."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from functools import lru_cache
from itertools import chain

from deidstream.models.phi.known.person_set import PersonSet
from deidstream.models.phi.names import credentials
from deidstream.models.phi.names.kept_words import PARTICLES, SUFFIXES
from deidstream.models.phi.names.spellings import nicknames
from deidstream.models.phi.not_phi import abbreviations, common_words, eponyms
from deidstream.models.text import titles
from deidstream.models.text.folding import words_of
from deidstream.schemas.label import PhiLabel

SHORTEST_NAME = 3
SHORTEST_MISSPELLED = 5
SHORTEST_JOINED = 5
LONGEST_WORD = 24
"""Letters of a word that may be misspelled or be a user name: longer ones take too much time."""
_MOST_INITIALS = 4
_LEFT_OUT = frozenset(
    [
        "baby",
        "boy",
        "girl",
        "and",
        "the",
        "for",
        "aka",
        "nee",
        "named",
        "male",
        "female",
        "infant",
        "newborn",
        "twin",
        "unknown",
    ]
)
_NOT_FIRST = titles.NEVER_NAMES | _LEFT_OUT
_NOT_LATER = _NOT_FIRST | credentials.NEVER_NAMES | SUFFIXES
_PARTS = PARTICLES | _NOT_LATER
_PET_NAMES = frozenset(["baby", "boy", "girl"])
"""Left out beside a name; alone they are what a grown-up may be called."""


class WordSort(IntEnum):
    """How far a word of a stated name identifies its person."""

    PART = 0
    """Beside another word of the name alone: ``de``, ``Jr``, ``Li``."""
    ORDINARY = 1
    """Where it is written as a name: ``Rose``, ``Long``, ``Will``."""
    SIMILAR = 2
    """By itself, though the sender states another form: ``Bill`` of a William."""
    OWN = 3
    """By itself, in whatever case."""


@dataclass(frozen=True, slots=True)
class StatedWord:
    """A word of one or more names."""

    sort: WordSort
    persons: PersonSet


@dataclass(frozen=True, slots=True)
class StatedNames:
    """The stated persons, by the words of their names."""

    labels: tuple[PhiLabel, ...]
    """Label of each person."""
    words: dict[str, StatedWord] = field(repr=False)
    letters: dict[str, PersonSet] = field(repr=False)
    """Persons that have an initial."""
    initials: dict[str, PersonSet] = field(repr=False)
    """Persons by their initials, two letters or more."""
    logins: dict[str, PersonSet] = field(repr=False)
    """Persons by the user names that are made of their names."""
    shortened: dict[str, tuple[str, ...]] = field(repr=False)
    """Words by what is left of them without one letter."""

    @classmethod
    def of_names(cls, named: Iterable[tuple[PhiLabel, str]]) -> "StatedNames":
        """Index names with their labels, those of the patient first."""
        index = _Indexing()
        for label, name in named:
            given, family = read_stated_name(name)
            words = words_of(name)
            if given or family:
                index.add(label, given, family, [word for word in words[1:] if word in SUFFIXES])
            elif len(words) == 1 and words[0] in _PET_NAMES:
                index.add_pet_name(label, words[0])
        return index.finish()

    def label_of(self, persons: PersonSet) -> PhiLabel:
        """Return the label of the first of some persons."""
        return self.labels[persons.first]


def read_stated_name(name: str) -> tuple[list[str], list[str]]:
    """Return the folded words of the given names and those of the surname.

    >>> read_stated_name("Dr. van Rose, Mary-Ann"), read_stated_name("J. Smith")
    ((['mary', 'ann'], ['van', 'rose']), (['j'], ['smith']))
    """
    head, comma, rest = name.partition(",")
    if comma:
        return _name_words(rest), _name_words(head)
    # A hyphen ties: Smith-Jones is one surname.
    kept = set(_name_words(name))
    tied = [own for part in name.split() if (own := [w for w in words_of(part) if w in kept])]
    first = len(tied) - 1
    while first > 1 and all(word in PARTICLES for word in tied[first - 1]):
        first -= 1
    given = [word for words in tied[:first] for word in words] if first > 0 else []
    return given, [word for words in tied[max(first, 0) :] for word in words]


def _name_words(text: str) -> list[str]:
    """Cut a part of a name; ``Pa`` and ``Do`` are credentials only behind another word."""
    kept: list[str] = []
    for word in words_of(text):
        if word not in (_NOT_LATER if kept else _NOT_FIRST) and not word.isdigit():
            kept.append(word)
    return kept


@dataclass(slots=True)
class _Indexing:
    labels: list[PhiLabel] = field(default_factory=list[PhiLabel])
    words: dict[str, StatedWord] = field(default_factory=dict[str, StatedWord])
    letters: dict[str, PersonSet] = field(default_factory=dict[str, PersonSet])
    initials: dict[str, PersonSet] = field(default_factory=dict[str, PersonSet])
    logins: dict[str, PersonSet] = field(default_factory=dict[str, PersonSet])

    def add(
        self,
        label: PhiLabel,
        given: Sequence[str],
        family: Sequence[str],
        suffixes: Sequence[str] = (),
    ) -> None:
        person = self._add_person(label)
        self._put_words(person, given, family)
        for suffix in suffixes:
            self._put(suffix, person, WordSort.PART)
        for other in chain.from_iterable(map(_nicknames_of, given)):
            if (sort := sort_of(other)) is not WordSort.PART:
                self._put(other, person, min(sort, WordSort.SIMILAR))
        for form in _forms_of_initials(given, family):
            _enter(self.initials, form, person)
        for login in _compose_logins(given, family):
            _enter(self.logins, login, person)

    def add_pet_name(self, label: PhiLabel, word: str) -> None:
        self._put(word, self._add_person(label), WordSort.ORDINARY)

    def _add_person(self, label: PhiLabel) -> PersonSet:
        self.labels.append(label)
        return PersonSet.of_person(len(self.labels) - 1)

    def _put_words(self, person: PersonSet, given: Sequence[str], family: Sequence[str]) -> None:
        for word in (*given, *family):
            if len(word) > 1:
                self._put(word, person, sort_of(word))
            _enter(self.letters, word[0], person)
        for joined in (*_join_neighbours(given), *_join_neighbours(family)):
            self._put(joined, person, WordSort.OWN)

    def _put(self, word: str, person: PersonSet, sort: WordSort) -> None:
        persons = person
        if word in self.words:
            had = self.words[word]
            sort, persons = max(sort, had.sort), person | had.persons
        elif len(word) >= SHORTEST_JOINED and sort is WordSort.OWN and is_ordinary(word):
            sort = WordSort.ORDINARY
        self.words[word] = StatedWord(sort, persons)

    def finish(self) -> StatedNames:
        shortened: dict[str, tuple[str, ...]] = {}
        for word, stated in self.words.items():
            if stated.sort is WordSort.OWN and SHORTEST_MISSPELLED <= len(word) <= LONGEST_WORD:
                for short in {word, *drop_one_letter(word)}:
                    shortened[short] = (*shortened.get(short, ()), word)
        labels = tuple(self.labels)
        return StatedNames(labels, self.words, self.letters, self.initials, self.logins, shortened)


def sort_of(word: str) -> WordSort:
    """Return how far a folded word identifies the person whose name holds it."""
    if len(word) < SHORTEST_NAME or word in _PARTS or not word.isalpha():
        return WordSort.PART
    return WordSort.ORDINARY if is_ordinary(word) else WordSort.OWN


def is_short_name(word: str) -> bool:
    """Return whether a folded word is a name of two letters, such as ``Bo`` and ``Ng``."""
    return len(word) == SHORTEST_NAME - 1 and word.isalpha() and word not in _PARTS


def is_ordinary(word: str) -> bool:
    """Return whether a folded word is also one of clinical English, or an eponym."""
    return word in ordinary_words()


@lru_cache(maxsize=1)
def ordinary_words() -> frozenset[str]:
    """Return the folded words of clinical English, its abbreviations and eponyms."""
    return common_words() | abbreviations() | eponyms()


def drop_one_letter(word: str) -> list[str]:
    """Return what is left of a word without each of its letters."""
    return [word[:index] + word[index + 1 :] for index in range(len(word))]


def _enter(table: dict[str, PersonSet], key: str, person: PersonSet) -> None:
    """Add a person to those that a table has for a key."""
    had = table.setdefault(key, person)
    if had is not person:
        table[key] = had | person


def _join_neighbours(words: Sequence[str]) -> Iterator[str]:
    for first in range(len(words) - 1):
        for last in range(first + 2, min(len(words), first + 4) + 1):
            joined = "".join(words[first:last])
            between_initials = len(words[first]) == len(words[last - 1]) == 1
            if len(joined) >= SHORTEST_JOINED and not between_initials:
                yield joined


def _nicknames_of(given: str) -> Iterator[str]:
    listed = nicknames()
    head = listed.heads.get(given)
    if head is not None:
        yield from (form for form in listed.forms[head] if form != given)


def _forms_of_initials(given: Sequence[str], family: Sequence[str]) -> Iterator[str]:
    """Yield the initials in capitals and small letters alike: ``mas``, ``ms`` and ``sma``."""
    if not (given and family):
        return
    names = [word for word in family if word not in PARTICLES] or list(family)
    firsts, lasts = [word[0] for word in given], [word[0] for word in names]
    every = [word[0] for word in family]
    for last in (lasts, lasts[:1], lasts[-1:], every):
        for first in (firsts, firsts[:1]):
            form = "".join((*first, *last))
            if len(form) <= _MOST_INITIALS:
                yield form
                yield "".join((*last, *first))


def _compose_logins(given: Sequence[str], family: Sequence[str]) -> Iterator[str]:
    """Yield user names made of a name: ``jsmith``, ``jasmith``, ``smithj``, ``johns``."""
    if not (given and family):
        return
    first, initials = given[0], "".join(word[0] for word in given)
    for last in {"".join(family), family[-1]}:
        if not SHORTEST_NAME <= len(last) <= LONGEST_WORD:
            continue
        heads = {first[0], initials[:2], initials}
        yield from (f"{head}{last}" for head in heads)
        yield from (f"{last}{head}" for head in heads)
        yield f"{first}{last}"
        yield f"{last}{first}"
        yield f"{first}{last[0]}"
        yield from (f"{first[0]}{last[:length]}" for length in range(4, len(last)))
