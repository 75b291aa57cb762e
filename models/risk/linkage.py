"""Linkage: the probability that one who holds the originals finds the note's own by its wording.

The output is attacked as in ``references.own_attack``: is its own original nearer to it than every
reference note, and by how much? Margins differ from one set of candidates to another; a logistic
regression over those of both attacks says in how many cases the own original was the nearest of
``linkage.json``'s number of candidates. ``benchmarks/risk/fit_linkage.py`` fits it over outputs of
several techniques.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Final, Self

import numpy as np
import orjson
from numpy.typing import NDArray

from deidstream.models.keyring import Keyring
from deidstream.models.records import Substituted, remaining
from deidstream.models.references.own_attack import NoteTrace, OwnAttack, attack_output
from deidstream.models.references.reference_notes import mean_vector
from deidstream.models.release_ids import donors_of
from deidstream.models.risk.measured import Measured
from deidstream.models.risk.reference_set import ReferenceSet
from deidstream.models.text.sentences import split_sentences
from deidstream.models.text.word_files import read_data
from deidstream.models.time_budget import within_time
from deidstream.schemas.note import RawNote
from deidstream.schemas.ports import Embedder

FILE: Final = "risk/linkage.json"
_DIGITS: Final = 4
_NEAREST, _NEAR, _FAR = "OWN_ORIGINAL_NEAREST", "OWN_ORIGINAL_NEAR", "OWN_ORIGINAL_HIDDEN"
_FEW: Final = 5
"""Rank up to which the own original is said to be near."""


@dataclass(frozen=True, slots=True)
class LinkageTable:
    """What turns margins into a probability."""

    weights: Mapping[str, float]
    """Log odds by figure of the attack; none is negative but that of ``always``."""
    candidates: int
    """Originals among which the own one was looked for."""

    @classmethod
    def parse(cls, content: Mapping[str, Any]) -> Self:
        """Read the content of the file."""
        return cls(dict(content["weights"]), int(content["candidates"]))

    def probability(self, attack: OwnAttack) -> float:
        """Return the probability that the own original is found, rounded."""
        odds = sum(self.weights[name] * value for name, value in describe(attack).items())
        return round(1 / (1 + math.exp(-odds)), _DIGITS)


@cache
def read_linkage_table() -> LinkageTable:
    """Read the table that comes with the package."""
    return LinkageTable.parse(orjson.loads(read_data(FILE)))


def describe(attack: OwnAttack) -> Mapping[str, float]:
    """Return the figures of an attack by name; the higher, the surer it is."""
    return {
        "always": 1.0,
        "jaccard": attack.jaccard.margin,
        "dense": attack.dense.margin,
        "clearest": max(attack.jaccard.margin, attack.dense.margin),
    }


@dataclass(frozen=True, slots=True)
class OwnDonors:
    """The names under which the patient of a note may be a donor, under one key."""

    root: bytes = field(repr=False)
    key_version: int
    releases: tuple[str, ...]
    """Those from which the index has donors."""

    def list_names(self, note: RawNote) -> frozenset[str]:
        """Return the names that the patient of a note may have."""
        keyring = Keyring(self.root, self.key_version, note.tenant)
        return donors_of(keyring, note.patient_id, self.releases)


@dataclass(frozen=True, slots=True)
class LinkageRisk:
    """Linkage against one set of reference notes."""

    references: ReferenceSet = field(repr=False)
    embedder: Embedder
    table: LinkageTable
    own_donors: OwnDonors
    """Under what names a note's patient may be a donor of reference notes."""

    def measure(self, items: Sequence[Substituted]) -> list[Measured]:
        """Measure each note as it would be emitted; all pieces are embedded in one call."""
        return [self._judge(attack) for attack in self.attack(items)]

    def attack(self, items: Sequence[Substituted]) -> list[OwnAttack]:
        """Attack each output; reference notes of the note's own patient do not count."""
        originals = [cut_pieces(one.planned.note.text, _ranges_of_note(one)) for one in items]
        outputs = [cut_pieces(one.text, _ranges_of_output(one)) for one in items]
        vectors = self._embed(sorted({piece for note in (*originals, *outputs) for piece in note}))
        attacks: list[OwnAttack] = []
        for item, original, output in zip(within_time(items), originals, outputs, strict=True):
            own = self.references.find_notes_of(self.own_donors.list_names(item.planned.note))
            traces = [self._trace(pieces, vectors) for pieces in (original, output)]
            attacks.append(attack_output(traces[0], traces[1], self.references.compared, own))
        return attacks

    def _embed(self, pieces: Sequence[str]) -> Mapping[str, NDArray[np.float32]]:
        if not pieces:
            return {}
        return dict(zip(pieces, self.embedder.embed(pieces), strict=True))

    def _trace(
        self, pieces: Sequence[str], vectors: Mapping[str, NDArray[np.float32]]
    ) -> NoteTrace:
        rows = [vectors[piece] for piece in pieces]
        dimension = self.embedder.dimension
        together = np.stack(rows) if rows else np.zeros((0, dimension), np.float32)
        words = self.references.compared.notes.sketch("\n".join(pieces))
        return NoteTrace(words, mean_vector(together))

    def _judge(self, attack: OwnAttack) -> Measured:
        rank = attack.rank
        code = _NEAREST if rank == 1 else _NEAR if rank <= _FEW else _FAR
        return Measured(self.table.probability(attack), (code,))


Labelled = Sequence[tuple[int, int, str]]


def _ranges_of_note(item: Substituted) -> Labelled:
    return [(one.span.start, one.span.end, one.span.label) for one in item.replacements]


def _ranges_of_output(item: Substituted) -> Labelled:
    return [(one.out_start, one.out_end, one.span.label) for one in remaining(item.replacements)]


def cut_pieces(text: str, ranges: Labelled) -> tuple[str, ...]:
    """Cut a text as reference notes are cut: each piece on one line, labels in place of PHI.

    Args:
        text: Of a note or of an output.
        ranges: What is PHI or stands in its place, in order and disjoint, with its label.
    """
    parts: list[str] = []
    begin = 0
    for start, end, label in ranges:
        parts += [text[begin:start], label]
        begin = end
    plain = "".join((*parts, text[begin:]))
    pieces = (plain[piece.start : piece.end] for piece in split_sentences(plain))
    return tuple(" ".join(piece.split()) for piece in pieces)
