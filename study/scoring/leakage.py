"""Simulate how many documents let a reader recognise a leaked original, under each scope.

No recognizer finds everything, and what it overlooks leaves as it is. Among surrogates such an
original may still go unnoticed: it hides in plain sight (Carrell et al., JAMIA 26(12), 2019, 1536
and 27(9), 2020, 1374). Consistent surrogates give it away: where a name that occurs four times is
found three times, the reader sees one stand-in three times and another name once, and that one is
real. Surrogates drawn for each mention give it away only when two mentions are overlooked: then one
name recurs where none should. Osborne et al. (Electronics 14(19), 2025, 3945) measured this for
consistent, random and Markov surrogates; here it is measured for the scopes of a policy.

The model. Each labelled mention is overlooked at random, at one rate, by itself. A mention rests on
*identities*: the words of a person's name, otherwise what is written, without case and signs. The
surrogate of an identity is the same within one *cell* of the scope: one mention, one document, one
patient's documents, or all. The reader sees one document, one patient's documents or all of them
(the *reading*) and can recognise an overlooked identity when, within the reading,

- a found mention of it is in the same cell: the original is beside its own surrogate; or
- it is overlooked in another cell too: it recurs, as no surrogate does beyond its cell.

This overstates what a reader can do: he must notice, two surrogates may be alike by chance, and
beside a surrogate that occurs once he knows only that one of two names is real. It understates it
where mentions are overlooked together, as hard contexts and rare names are. With ``sweep`` an
identity that is found once in a document counts as replaced throughout it, as this system does.
"""

import random
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from deidstream.models.keyring import canonical
from deidstream.schemas.label import PERSONS, TIMES, PhiLabel, sort_names
from deidstream.schemas.labelled import LabelledNote
from deidstream.schemas.policy import Scope
from deidstream.study.scoring.cells import wilson

SCOPES = (Scope.MENTION, Scope.DOCUMENT, Scope.PATIENT, Scope.TENANT)
"""From the narrowest to the widest: each cell of one lies within a cell of the next."""
READINGS = SCOPES[1:]

_Units = tuple[int, ...]
"""Number of the mention, document, patient and tenant, as in :data:`SCOPES`."""


@dataclass(frozen=True, slots=True)
class PlacedMention:
    """The place of a labelled mention, and its identities."""

    label: str
    units: _Units
    identities: frozenset[int]


@dataclass(frozen=True, slots=True)
class Corpus:
    """The mentions of labelled notes, without their text."""

    documents: int
    patients: int
    mentions: tuple[PlacedMention, ...] = field(repr=False)
    documents_by_label: Mapping[str, int]
    """Documents with a mention of each label."""


@dataclass(frozen=True, slots=True)
class Trial:
    """The parameters of a simulation."""

    misses: tuple[float, ...] = (0.005, 0.01, 0.02, 0.05)
    """Shares of mentions that are overlooked, each in ``[0, 1]``."""
    rounds: int = 50
    """Times the mentions are drawn; figures are their mean."""
    seed: int = 0


@dataclass(frozen=True, slots=True, order=True)
class Setup:
    """The coordinates of one figure."""

    sweep: bool
    miss: float
    reading: Scope | None
    """``None``: documents with a leak, whether it can be recognised or not."""
    scope: Scope | None
    label: str | None
    """``None``: all together."""


@dataclass(frozen=True, slots=True)
class Share:
    """Documents in which a leak can be recognised, of all that could hold one."""

    mean: float
    """Mean over the rounds."""
    documents: int

    @property
    def share(self) -> float:
        """In ``[0, 1]``; 0 where there are no documents."""
        return self.mean / self.documents if self.documents else 0.0

    @property
    def interval(self) -> tuple[float, float] | None:
        """Wilson 95 % interval for documents as these; more rounds do not make it narrower."""
        return wilson(round(self.mean), self.documents)


def gather(notes: Iterable[LabelledNote], labels: Collection[PhiLabel] | None = None) -> Corpus:
    """Gather the mentions of labelled notes.

    Args:
        notes: Read once. A note without a patient is a patient of its own.
        labels: Those that count; when not given, all except ``TIMES``: dates are moved rather than
            replaced, so that one which recurs does not show that it was missed.
    """
    wanted = frozenset(labels if labels is not None else set(PhiLabel) - TIMES)
    patients, identities = _Numbers(), _Numbers()
    mentions: list[PlacedMention] = []
    documents = 0
    for document, labelled in enumerate(notes):
        documents += 1
        patient = patients.of(labelled.note.patient_id or f"\0{document}")
        for span in labelled.spans:
            if span.label in wanted:
                text = labelled.note.text[span.start : span.end]
                names = frozenset(map(identities.of, _identities(text, span.label)))
                units = len(mentions), document, patient, 0
                mentions.append(PlacedMention(span.name, units, names))
    held = {(mention.label, mention.units[1]) for mention in mentions}
    by_label = Counter(label for label, _ in held)
    return Corpus(documents, len(patients.known), tuple(mentions), by_label)


def simulate(corpus: Corpus, trial: Trial) -> dict[Setup, Share]:
    """Overlook mentions at random and count the documents in which a leak can be recognised.

    A mention that is overlooked at one rate is overlooked at every higher one of the same round.
    The same corpus and trial always give the same.
    """
    rng, counts = random.Random(trial.seed), Counter[Setup]()
    totals = _count_by_unit(corpus.mentions)
    worst = max(trial.misses, default=0.0)
    for _ in range(trial.rounds):
        drawn = [(rng.random(), mention) for mention in corpus.mentions]
        low = [(number, mention) for number, mention in drawn if number < worst]
        for miss in trial.misses:
            missed = [mention for number, mention in low if number < miss]
            for sweep in (False, True):
                counts.update(
                    _count_recognised(
                        _remaining_leaks(missed, totals, sweep=sweep), totals, (sweep, miss)
                    )
                )
    return {
        setup: Share(counts[setup] / trial.rounds, _documents(corpus, setup.label))
        for setup in _setups(corpus, trial)
    }


@dataclass(slots=True)
class _Numbers:
    known: dict[str, int] = field(default_factory=dict[str, int], repr=False)

    def of(self, name: str) -> int:
        return self.known.setdefault(name, len(self.known))


_Counts = tuple[Counter[tuple[int, int]], ...]
"""For each scope, how many mentions of an identity are in a unit."""


def _identities(text: str, label: PhiLabel) -> Iterator[str]:
    plain = "".join(c if c.isalnum() else " " for c in canonical(text))
    words = [word for word in plain.split() if len(word) > 1]
    whole = ["".join(plain.split()) or text]
    # "Dr. J. Smith" and "Smith, Jane" rest on one word both.
    for name in words if label in PERSONS and words else whole:
        yield f"{label}:{name}"


def _count_by_unit(mentions: Iterable[PlacedMention]) -> _Counts:
    counts: _Counts = tuple(Counter() for _ in SCOPES)
    for mention in mentions:
        for level, unit in enumerate(mention.units):
            counts[level].update((identity, unit) for identity in mention.identities)
    return counts


def _remaining_leaks(
    missed: Sequence[PlacedMention], totals: _Counts, *, sweep: bool
) -> list[PlacedMention]:
    """Return what is left of overlooked mentions; the sweep replaces what is found elsewhere."""
    if not sweep:
        return list(missed)
    overlooked = _count_by_unit(missed)[1]
    left: list[PlacedMention] = []
    for mention in missed:
        document = mention.units[1]
        wholly = {
            identity
            for identity in mention.identities
            if overlooked[identity, document] == totals[1][identity, document]
        }
        if wholly:
            left.append(PlacedMention(mention.label, mention.units, frozenset(wholly)))
    return left


def _count_recognised(
    leaked: Sequence[PlacedMention], totals: _Counts, about: tuple[bool, float]
) -> Counter[Setup]:
    counts = _count_by_unit(leaked)
    documents: defaultdict[Setup, set[int]] = defaultdict(set)
    for mention in leaked:
        document = mention.units[1]
        for reading, scope in _recognisable(mention, counts, totals):
            for label in (None, mention.label):
                documents[Setup(*about, reading, scope, label)].add(document)
    return Counter({setup: len(found) for setup, found in documents.items()})


def _recognisable(
    mention: PlacedMention, leaked: _Counts, totals: _Counts
) -> Iterator[tuple[Scope | None, Scope | None]]:
    yield None, None
    for reading in range(1, len(SCOPES)):
        for scope in range(len(SCOPES)):
            cell = min(scope, reading)
            places = [
                ((identity, mention.units[cell]), (identity, mention.units[reading]))
                for identity in mention.identities
            ]
            beside = any(totals[cell][own] > leaked[cell][own] for own, _ in places)
            again = any(leaked[reading][wide] > leaked[cell][own] for own, wide in places)
            if beside or again:
                yield SCOPES[reading], SCOPES[scope]


def _setups(corpus: Corpus, trial: Trial) -> Iterator[Setup]:
    pairs = [(None, None), *((reading, scope) for reading in READINGS for scope in SCOPES)]
    labels = [None, *sort_names(corpus.documents_by_label)]
    for sweep in (False, True):
        for miss in trial.misses:
            for reading, scope in pairs:
                yield from (Setup(sweep, miss, reading, scope, label) for label in labels)


def _documents(corpus: Corpus, label: str | None) -> int:
    return corpus.documents if label is None else corpus.documents_by_label[label]
