"""Processor time of every stage on pathological texts, beside that of ordinary notes.

    python benchmarks/hostile.py [--policy P ...] [--lengths N ...] [--texts NAME ...] [--json FILE]

Each text goes through the real pipeline alone, at growing lengths in bytes. *Share* is the time of
as many bytes of ordinary notes, measured on all sample notes in one text; *own share* compares all
but the networks. *Growth* is the exponent between the two greatest lengths: 1 is linear, 2
quadratic. A text passes that a worker refuses as it comes, for its word pieces, or that takes no
longer than ``--seconds``, or twice its share. Stages under 0.1 s are left out.

With ``--count-networks`` the networks are counted and not run (``hostile_networks.py``).
What the verifier sees as a leak is assessed all the same, as its time counts too.
"""

import argparse
import json
import math
import sys
import time
from collections import defaultdict
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

import torch
from hostile_networks import Networks
from hostile_texts import TEXTS, note_with_known
from rich.console import Console
from rich.table import Table

from deidstream.agents.demo.demo import sample_notes
from deidstream.agents.runtime.compose import compose
from deidstream.agents.runtime.guards.note_limits import NoteLimits
from deidstream.agents.settings import Settings, read_settings
from deidstream.models.pipeline import Pipeline
from deidstream.models.surrogates.allocation import allocate_without_store
from deidstream.schemas.errors import Rejected, TooSlow
from deidstream.schemas.note import RawNote
from deidstream.schemas.outcome import Anonymized, Failed
from deidstream.schemas.ports import TokenCounter
from deidstream.schemas.wire import decode, encode_anonymized, encode_note, encode_risk

ORDINARY = "ordinary notes"
KNOWN = "a long known block"
BESIDE = "known beside "
KNOWN_TEXTS = (KNOWN, *(BESIDE + name for name in ("numbers", "names", "dates", "one long word")))
LENGTHS = (62_500, 125_000, 250_000, 500_000, 1_000_000)
LIMIT = 10**8
LIMITS = NoteLimits.read(Settings().worker)
EMITTED = "emitted"
REFUSED = "refused: TOO_SLOW"
SHOWN = 0.1
"""Seconds of a stage from which it is printed."""


@dataclass(slots=True)
class Clock:
    """Adds up the processor time of stages; of nested ones each counts without the inner."""

    seconds: defaultdict[str, float] = field(default_factory=lambda: defaultdict(float))
    _inner: list[float] = field(default_factory=lambda: [0.0])

    @contextmanager
    def stage(self, name: str) -> Generator[None]:
        self._inner.append(0.0)
        begin = time.process_time()
        try:
            yield
        finally:
            taken = time.process_time() - begin
            self.seconds[name] += taken - self._inner.pop()
            self._inner[-1] += taken


@dataclass(frozen=True, slots=True)
class TimedRecognizer:
    """A recognizer whose time is counted for itself."""

    inner: Any
    clock: Clock

    @property
    def name(self) -> str:
        return str(self.inner.name)

    def recognize(self, notes: Sequence[RawNote]) -> Any:  # noqa: ANN401
        with self.clock.stage(f"recognize: {self.name}"):
            return self.inner.recognize(notes)


@dataclass(frozen=True, slots=True)
class Run:
    """One text at one length."""

    text: str
    length: int
    policy: str
    outcome: str
    seconds: dict[str, float]

    @property
    def total(self) -> float:
        return sum(self.seconds.values())

    @property
    def own(self) -> float:
        """All but the networks, which are counted."""
        return sum(v for k, v in self.seconds.items() if not k.startswith("network"))

    @property
    def as_run(self) -> float:
        """Seconds in a worker, which refuses some texts as soon as their pieces are counted."""
        if self.outcome == REFUSED:
            return self.seconds["decode"] + self.seconds["count"]
        return self.total


def run_note(
    pipeline: Pipeline, counter: TokenCounter, note: RawNote, networks: Networks | None = None
) -> tuple[str, dict[str, float]]:
    """Bring a note through every stage; return its outcome, and the seconds of each stage."""
    clock = Clock()
    timed = tuple(TimedRecognizer(each, clock) for each in pipeline.detector.recognizers)
    pipeline = replace(pipeline, detector=replace(pipeline.detector, recognizers=timed))
    value = encode_note(note)
    outcome = EMITTED
    try:
        with clock.stage("decode"):
            note = decode(value, limit_bytes=LIMIT)
        with clock.stage("count"):
            pieces = counter.count([note.text])[0]
        if networks is not None:
            with clock.stage("tagger, the rest"):
                networks.tagger.score([note.text])
        outcome = run_stages(pipeline, note, clock)
        LIMITS.refuse_dense(note.text, pieces)
    except TooSlow:
        outcome = REFUSED
    except Rejected as rejected:
        outcome = str(rejected.reason)
    return outcome, dict(clock.seconds) | (networks.take_seconds() if networks else {})


def run_stages(pipeline: Pipeline, note: RawNote, clock: Clock) -> str:
    """Bring a note from its text to its records, and return its outcome."""
    with clock.stage("detect, the rest"):
        detected = pipeline.detect([note])
    with clock.stage("plan"):
        planned = pipeline.plan(detected)
    with clock.stage("choose"):
        allocated = allocate_without_store(pipeline.allocate(planned))
    with clock.stage("substitute"):
        substituted = pipeline.substitute(planned, allocated)
    with clock.stage("kneo"):
        (rewritten,) = pipeline.rewrite(substituted)
    with clock.stage("verify"):
        verdict: Any = pipeline.verify(rewritten)
    with clock.stage("assess"):
        (risk,) = pipeline.assess([rewritten])
    if isinstance(verdict, Failed):
        return str(verdict.reason)
    with clock.stage("encode"):
        made = pipeline.record_builder.build_record(rewritten, verdict)
        encode_anonymized(made)
        encode_risk(Anonymized(made, risk))
    return EMITTED


def ordinary_note() -> RawNote:
    """Return every sample note once in one text: repeated text would cost less than its share."""
    text = "\n\n".join(note.text for note in sample_notes())
    return RawNote("note-4471", "P-1903-7724", text)


def make_note(text: str, length: int) -> RawNote:
    if text == ORDINARY:
        return ordinary_note()
    if text.startswith(BESIDE):
        return note_with_known(length, beside=TEXTS[text.removeprefix(BESIDE)])
    return note_with_known(length) if text == KNOWN else TEXTS[text].note(length)


def growth(runs: Sequence[Run]) -> float:
    """Return the exponent between the last two lengths."""
    if len(runs) < 2 or not runs[-2].total:  # noqa: PLR2004
        return math.nan
    return math.log(runs[-1].total / runs[-2].total) / math.log(runs[-1].length / runs[-2].length)


def longest_share(runs: Sequence[Run], ordinary: Run, seconds: float) -> tuple[float, float, bool]:
    """Return the greatest ratios to the ordinary time, and whether every run is within its limit.

    The first ratio is that of the whole, the second that of all but the networks.
    """
    sizes = [run.length / ordinary.length for run in runs]
    kept = [
        run.as_run <= max(seconds, 2 * ordinary.total * size)
        for run, size in zip(runs, sizes, strict=True)
    ]
    pairs = list(zip(runs, sizes, strict=True))
    whole = max(run.total / size for run, size in pairs) / ordinary.total
    return whole, max(run.own / size for run, size in pairs) / ordinary.own, all(kept)


def print_table(found: dict[tuple[str, str], list[Run]], seconds: float) -> bool:
    table = Table(
        "policy", "text", "bytes", "seconds", "x share", "x own", "growth", "outcome", "stages"
    )
    every = True
    for (policy, text), runs in found.items():
        ratio, own, kept = longest_share(runs, found[policy, ORDINARY][0], seconds)
        every &= kept
        last = runs[-1]
        stages = sorted(last.seconds.items(), key=lambda item: -item[1])
        shown = ", ".join(f"{name} {taken:.1f}" for name, taken in stages if taken >= SHOWN)
        table.add_row(
            policy,
            text,
            f"{last.length:,}",
            f"{last.total:.1f}",
            f"{ratio:.2f}" + ("" if kept else " !"),
            f"{own:.2f}",
            f"{growth(runs):.2f}",
            last.outcome,
            shown,
        )
    Console(width=200).print(table)
    return every


def read_arguments() -> argparse.Namespace:
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--policy", nargs="+", default=["surrogate"])
    arguments.add_argument("--lengths", nargs="+", type=int, default=LENGTHS)
    arguments.add_argument("--texts", nargs="+", default=[*KNOWN_TEXTS, *TEXTS])
    arguments.add_argument("--seconds", type=float, default=5.0)
    arguments.add_argument("--stop", type=float, default=60.0, help="no longer text after so long")
    arguments.add_argument("--count-networks", action="store_true")
    arguments.add_argument("--json", type=Path)
    return arguments.parse_args()


def main() -> None:
    given = read_arguments()
    torch.set_num_threads(1)
    found: dict[tuple[str, str], list[Run]] = {}
    for name in given.policy:
        runtime = compose(read_settings({"DEIDSTREAM_POLICY": name}), root=bytes(32))
        pipeline, networks = runtime.pipeline, None
        if given.count_networks:
            networks = Networks.of_runtime(runtime)
            networks.measure_rates(ordinary_note().text)
            pipeline = networks.installed_in(pipeline)
        run = partial(run_note, pipeline, runtime.counter, networks=networks)
        run(ordinary_note())
        for text in (ORDINARY, *given.texts):
            runs = found.setdefault((name, text), [])
            for length in sorted(given.lengths) if text != ORDINARY else (0,):
                note = make_note(text, length)
                outcome, seconds = run(note)
                runs.append(Run(text, len(note.text.encode()), name, outcome, seconds))
                if runs[-1].total > given.stop:
                    break
            stages = {k: round(v, 1) for k, v in runs[-1].seconds.items() if v >= SHOWN}
            print(f"{name}: {text}: {runs[-1].total:.1f} s {stages}", file=sys.stderr, flush=True)
    every = print_table(found, given.seconds)
    if given.json:
        rows = [
            {
                "policy": r.policy,
                "text": r.text,
                "length": r.length,
                "outcome": r.outcome,
                "total": r.total,
                "stages": r.seconds,
            }
            for runs in found.values()
            for r in runs
        ]
        given.json.write_text(json.dumps(rows, indent=1))
    sys.exit(not every)


if __name__ == "__main__":
    main()
