"""Say of each hostile text whether a worker reads it, when that is decided, and how much is read.

    python benchmarks/hostile_admission.py [--length BYTES] [--texts NAME ...]

*Seconds* are of processor time until a note is refused or is known to be read. *Share* is how many
positions the tagger reads of it, against ordinary notes of its length. The network is counted and
not run, so all texts take minutes; ``hostile.py`` runs every stage.
"""

import argparse
import time
from dataclasses import dataclass, replace
from typing import Any, Self

from hostile import KNOWN_TEXTS, LIMIT, LIMITS, make_note, ordinary_note
from hostile_networks import CountedNetwork
from hostile_texts import TEXTS

from deidstream.models.neural.engine_port import EngineOptions
from deidstream.models.neural.weights import shipped_tagger
from deidstream.models.recognizers.tagger import Tagger, TaggerOptions
from deidstream.schemas.errors import Rejected
from deidstream.schemas.note import RawNote
from deidstream.schemas.wire import decode, encode_note

READ = "read"


@dataclass(frozen=True, slots=True)
class Admission:
    """What was decided of a note."""

    outcome: str
    """``READ``, or the reason of its refusal."""
    seconds: float


@dataclass(frozen=True, slots=True)
class CountingTagger:
    """The shipped tagger, with a count in the place of its network."""

    tagger: Tagger
    network: CountedNetwork

    @classmethod
    def load(cls) -> Self:
        """Load it."""
        run = EngineOptions(device="cpu", dtype="fp32")
        options = TaggerOptions(window=256, overlap=16, run=run)
        tagger = Tagger.load(str(shipped_tagger()), settings=options)
        network: Any = CountedNetwork(tagger.model, len(tagger.model.config["id2label"]))
        return cls(replace(tagger, model=network), network)

    def count_positions(self, note: RawNote) -> float:
        """Return how many positions are read of a note, for each byte."""
        self.network.positions = 0
        self.tagger.score([note.text])
        return self.network.positions / len(note.text.encode())

    def admit(self, value: bytes) -> Admission:
        """Decide as a worker does, and time it."""
        begin, outcome = time.process_time(), READ
        try:
            note = decode(value, limit_bytes=LIMIT)
            LIMITS.count_pieces(note.text, self.tagger.pieces)
        except Rejected as rejected:
            outcome = str(rejected.reason)
        return Admission(outcome, time.process_time() - begin)


def main() -> None:
    """Measure and print."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--length", type=int, default=880_000, help="bytes of each text")
    arguments.add_argument("--texts", nargs="+", default=[*KNOWN_TEXTS, *TEXTS])
    given = arguments.parse_args()
    counting = CountingTagger.load()
    ordinary = counting.count_positions(ordinary_note())
    for name in given.texts:
        note = make_note(name, given.length)
        admission = counting.admit(encode_note(note))
        read = counting.count_positions(note) / ordinary if admission.outcome == READ else 0.0
        print(
            f"{name:30} {admission.outcome:12} {admission.seconds:6.2f} s {read:6.2f}", flush=True
        )


if __name__ == "__main__":
    main()
