"""Processor time of every stage on pathological texts, beside that of ordinary notes.

    python benchmarks/hostile.py [--policy P ...] [--lengths N ...] [--texts NAME ...] [--json FILE]

Each text goes through the real pipeline alone, at growing lengths. *Share* is the time of ordinary
notes of the same length in the same run, one note after another in one text. *Growth* is the
exponent between the two greatest lengths: 1 is linear, 2 quadratic. A text passes that takes no
longer than ``--seconds``, or twice its share. Stages that took less than 0.1 s are left out.
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
from itertools import cycle
from pathlib import Path
from typing import Any

import torch
from hostile_texts import TEXTS, note_with_known
from rich.console import Console
from rich.table import Table

from deidstream.agents.compose import compose
from deidstream.agents.demo.demo import sample_notes
from deidstream.agents.settings_reader import read_settings
from deidstream.models.pipeline import Pipeline
from deidstream.models.surrogates.allocation import allocate_without_store
from deidstream.schemas.errors import Rejected
from deidstream.schemas.note import RawNote
from deidstream.schemas.outcome import Anonymized, Failed
from deidstream.schemas.policy import RecognizerName
from deidstream.schemas.ports import TokenCounter
from deidstream.schemas.wire import decode, encode_anonymized, encode_note, encode_risk

ORDINARY = "ordinary notes"
KNOWN = "a long known block"
LENGTHS = (62_500, 125_000, 250_000, 500_000, 1_000_000)
LIMIT = 10**8
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


def run_note(
    pipeline: Pipeline, counter: TokenCounter, note: RawNote
) -> tuple[str, dict[str, float]]:
    """Bring a note through every stage; return its outcome, and the seconds of each stage."""
    clock = Clock()
    timed = tuple(TimedRecognizer(each, clock) for each in pipeline.detector.recognizers)
    pipeline = replace(pipeline, detector=replace(pipeline.detector, recognizers=timed))
    value = encode_note(note)
    try:
        with clock.stage("decode"):
            note = decode(value, limit_bytes=LIMIT)
        with clock.stage("count"):
            counter.count([note.text])
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
            permit = pipeline.verify(rewritten)
        if isinstance(permit, Failed):
            return str(permit.reason), dict(clock.seconds)
        with clock.stage("assess"):
            (risk,) = pipeline.assess([permit])
        with clock.stage("encode"):
            made = pipeline.record_builder.build_record(rewritten, permit)
            encode_anonymized(made), encode_risk(Anonymized(made, risk))
    except Rejected as rejected:
        return str(rejected.reason), dict(clock.seconds)
    return "emitted", dict(clock.seconds)


def ordinary_note(length: int) -> RawNote:
    """Sample notes one after another."""
    parts: list[str] = []
    for note in cycle(sample_notes()):
        parts.append(note.text)
        if sum(map(len, parts)) >= length:
            break
    return RawNote("note-4471", "P-1903-7724", "\n\n".join(parts)[:length])


def make_note(text: str, length: int) -> RawNote:
    if text == ORDINARY:
        return ordinary_note(length)
    return note_with_known(length) if text == KNOWN else TEXTS[text].note(length)


def growth(runs: Sequence[Run]) -> float:
    """Return the exponent between the last two lengths."""
    if len(runs) < 2 or not runs[-2].total:  # noqa: PLR2004
        return math.nan
    return math.log(runs[-1].total / runs[-2].total) / math.log(runs[-1].length / runs[-2].length)


def longest_share(
    runs: Sequence[Run], share: dict[tuple[str, int], float], seconds: float
) -> tuple[float, bool]:
    """Return the greatest ratio to the ordinary time, and whether every run is within its limit."""
    ratios = [run.total / share[run.policy, run.length] for run in runs]
    kept = [run.total <= max(seconds, 2 * share[run.policy, run.length] + 0.05) for run in runs]
    return max(ratios), all(kept)


def print_table(found: dict[tuple[str, str], list[Run]], seconds: float) -> bool:
    share = {
        (policy, run.length): run.total
        for (policy, text), runs in found.items()
        for run in runs
        if text == ORDINARY
    }
    table = Table("policy", "text", "length", "seconds", "x share", "growth", "outcome", "stages")
    every = True
    for (policy, text), runs in found.items():
        ratio, kept = longest_share(runs, share, seconds)
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
            f"{growth(runs):.2f}",
            last.outcome,
            shown,
        )
    Console(width=200).print(table)
    return every


def main() -> None:
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--policy", nargs="+", default=["surrogate"])
    arguments.add_argument("--lengths", nargs="+", type=int, default=LENGTHS)
    arguments.add_argument("--texts", nargs="+", default=[KNOWN, *TEXTS])
    arguments.add_argument("--seconds", type=float, default=5.0)
    arguments.add_argument("--stop", type=float, default=60.0, help="no longer text after so long")
    arguments.add_argument("--no-tagger", action="store_true")
    arguments.add_argument("--json", type=Path)
    given = arguments.parse_args()
    torch.set_num_threads(1)
    found: dict[tuple[str, str], list[Run]] = {}
    for name in given.policy:
        runtime = compose(read_settings({"DEIDSTREAM_POLICY": name}), root=bytes(32))
        pipeline = without_tagger(runtime.pipeline) if given.no_tagger else runtime.pipeline
        run = partial(run_note, pipeline, runtime.counter)
        run(ordinary_note(5_000))
        for text in (ORDINARY, *given.texts):
            runs = found.setdefault((name, text), [])
            for length in sorted(given.lengths):
                outcome, seconds = run(make_note(text, length))
                runs.append(Run(text, length, name, outcome, seconds))
                if text != ORDINARY and runs[-1].total > given.stop:
                    break
            print(f"{name}: {text}: {runs[-1].total:.1f} s", file=sys.stderr, flush=True)
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


def without_tagger(pipeline: Pipeline) -> Pipeline:
    """Take the tagger out: it reads windows of one size, and its time hides that of the rest."""
    kept = tuple(each for each in pipeline.detector.recognizers if each.name != "tagger")
    names = frozenset(RecognizerName(each.name) for each in kept)
    policy = replace(pipeline.policy, recognizers=names)
    detector = replace(pipeline.detector, recognizers=kept, policy=policy)
    return replace(pipeline, detector=detector, policy=policy)


if __name__ == "__main__":
    main()
