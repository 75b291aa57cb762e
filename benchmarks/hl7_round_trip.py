"""Count what becomes of generated HL7 v2 messages: whether they parse again, and what is left.

python benchmarks/hl7_round_trip.py --messages 10000 [--policy NAME] [--second-parser 10]
    [--faults FILE]

FILE has a line for each message that was not emitted, with its reason, and for each that has
something left; the counts go to standard error as they grow, so that a run that is ended early has
said what it found. The seed of a line makes its message again.
"""

import argparse
import json
import os
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

from deidstream.agents.deidentifier import Deidentifier, Result
from deidstream.models.messages.hl7.make_notes import MessageSource, make_notes
from deidstream.models.messages.hl7.message import read_message
from deidstream.schemas.note import RawNote
from deidstream.schemas.outcome import Failed, Retracted
from deidstream.schemas.span import Replacement

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
from support.hl7_generator import GeneratedMessage, generate
from support.hl7_messages import named_fields, shape

BATCH = 64
_BLANK = " x "
"""A letter, so that the digits on both sides of a surrogate do not look like one number."""


@dataclass(frozen=True, slots=True)
class Sent:
    """A message and its note."""

    seed: int
    message: GeneratedMessage
    note: RawNote

    @classmethod
    def make(cls, seed: int) -> "Sent":
        message = generate(seed)
        (note,) = make_notes(read_message(message.text), MessageSource("default"))
        return cls(seed, message, note)


@dataclass(slots=True)
class RoundTrip:
    """Counts of outcomes."""

    second_parser: int
    """hl7apy, which is slow, reads one output in so many."""
    faults: IO[str] | None = None
    """Where each message that is not emitted, or of which something is left, is written."""
    counts: Counter[str] = field(default_factory=Counter[str])
    reasons: Counter[str] = field(default_factory=Counter[str])
    """Why messages were not emitted."""
    leaking: list[int] = field(default_factory=list[int])
    """Seeds of messages of which something is left."""
    colliding: list[int] = field(default_factory=list[int])
    """Seeds of those in which what replaced one value is by chance another true one."""

    def add(self, sent: Sent, result: Result) -> None:
        """Count the outcome of one message."""
        self.counts["messages"] += 1
        if isinstance(result, Failed | Retracted):
            self.counts["not emitted"] += 1
            reason = _say_why(result)
            self.reasons[reason] += 1
            self._write(sent.seed, "not emitted", reason)
            return
        text = result.text
        as_sent = shape("\r".join(sent.message.text.splitlines()))
        self.counts["emitted, and of the sender's shape (hl7)"] += shape(text) == as_sent
        if sent.seed % self.second_parser == 0:
            self.counts["also read by hl7apy"] += 1
            same = named_fields(text) == named_fields(sent.note.text)
            self.counts["of these, with the same filled fields"] += same
        if not sent.message.left_in(text):
            return
        if sent.message.left_in(blank_surrogates(sent.note.text, text, result.replacements)):
            self.leaking.append(sent.seed)
            self._write(sent.seed, "left", "")
        else:
            self.colliding.append(sent.seed)
            self._write(sent.seed, "chance collision", "")

    def _write(self, seed: int, what: str, reason: str) -> None:
        if self.faults is not None:
            line = {"seed": seed, "what": what, "reason": reason}
            print(json.dumps(line), file=self.faults, flush=True)

    def say(self) -> str:
        """Return the counts so far in one line."""
        why = ", ".join(f"{count} {reason}" for reason, count in self.reasons.most_common())
        parts = [
            f"{self.counts['messages']:,} messages",
            f"{len(self.leaking)} with something left",
        ]
        parts += [f"{len(self.colliding)} chance collisions"] if self.colliding else []
        return "; ".join([*parts, *([f"not emitted: {why}"] if why else [])])


def _say_why(result: Failed | Retracted) -> str:
    if isinstance(result, Retracted):
        return "RETRACTED"
    stated = (result.reason, result.stage, result.leak)
    return " ".join(str(one) for one in stated if one is not None)


def blank_surrogates(given: str, made: str, replacements: Sequence[Replacement]) -> str:
    """Return an output without what replaced something else: what is left in that is a leak.

    A surrogate may be by chance another true value of the message: a birth date moved by five days
    is then the spouse's. That tells nobody anything, for no one can say which of the two it is.
    """
    kept, position = [], 0
    for one in replacements:
        if one.text.casefold() != given[one.span.start : one.span.end].casefold():
            kept += [made[position : one.out_start], _BLANK]
            position = one.out_end
    return "".join([*kept, made[position:]])


def run_round_trip(
    deidentifier: Deidentifier,
    messages: int,
    *,
    first: int = 0,
    second_parser: int = 10,
    faults: IO[str] | None = None,
) -> RoundTrip:
    """De-identify generated messages and count what becomes of them."""
    made = RoundTrip(second_parser, faults)
    for batch in _batches(first, messages):
        results = deidentifier.deidentify([sent.note for sent in batch])
        for sent, result in zip(batch, results, strict=True):
            made.add(sent, result)
        print(made.say(), file=sys.stderr, flush=True)
    return made


def _batches(first: int, messages: int) -> Iterator[list[Sent]]:
    last = first + messages
    for start in range(first, last, BATCH):
        yield [Sent.make(seed) for seed in range(start, min(start + BATCH, last))]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--messages", type=int, default=10_000)
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    parser.add_argument("--policy", default="surrogate")
    parser.add_argument("--second-parser", type=int, default=10)
    parser.add_argument(
        "--faults", type=Path, default=Path(os.devnull), help="file for a line for each fault"
    )
    given = parser.parse_args()
    start = time.monotonic()
    with (
        Deidentifier.load(given.policy, key=bytes(range(32))) as deidentifier,
        given.faults.open("w", encoding="utf-8") as faults,
    ):
        made = run_round_trip(
            deidentifier,
            given.messages,
            first=given.first,
            second_parser=given.second_parser,
            faults=faults,
        )
    for name, count in made.counts.items():
        print(f"{count:8,} {name}")
    for reason, count in made.reasons.items():
        print(f"{count:8,} not emitted: {reason}")
    print(f"{len(made.leaking):8,} with something left: seeds {made.leaking[:20]}")
    print(f"{len(made.colliding):8,} with a chance collision: seeds {made.colliding[:20]}")
    print(f"{time.monotonic() - start:8,.0f} seconds")


if __name__ == "__main__":
    main()
