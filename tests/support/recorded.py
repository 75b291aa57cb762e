"""The digest of every record that comes out of the recorded input.

The input goes through ``agents.note_files.files.deidentify`` under several policies, in both modes
of the mapping, for one tenant and for several.
"""

import asyncio
import hashlib
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, fields, replace
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from deidstream.agents.note_files.files import Files, deidentify
from deidstream.agents.runtime.compose import Runtime
from deidstream.agents.runtime.policy_choice import PolicyChoice, choose_policies
from deidstream.agents.runtime.terminal import say
from deidstream.agents.settings import read_settings
from deidstream.models.kneo.rewriter import Rewriter
from deidstream.models.neural.sentence_embedder import SentenceEmbedder, Vectors
from deidstream.models.recognizers.rules.recognizer import RulesRecognizer
from deidstream.models.recognizers.tagger import Tagger
from deidstream.schemas.labelled import LabelledNote
from deidstream.schemas.note import RawNote
from deidstream.schemas.span import Span
from deidstream.schemas.wire import encode_note
from deidstream.stream.redis.memory_store import MemorySurrogateStore
from support.recorded_input import ROOT, bad_messages, notes

if TYPE_CHECKING:
    from deidstream.schemas.ports import Recognizer

KEY = hashlib.sha256(b"the recorded input").hexdigest()
HERE = ROOT / "tests" / "golden"
DIGESTS = HERE / "digests.txt"
MIXED = str(HERE / "policies" / "mixed.toml")
KINDS = ("anonymized", "risk", "audit", "quarantine")
DIGEST_CHARACTERS = 20
"""Length of a digest: the first hexadecimal digits of the SHA-256 of a record."""


@dataclass(frozen=True, slots=True)
class Run:
    """One way to put notes through the pipeline."""

    name: str
    policy: str
    every: int
    """Use one note in so many."""
    mode: str = "prf"
    tenants: str = ""
    """A TOML file that gives tenants policies of their own."""


RUNS = (
    Run("surrogate", "surrogate", 6),
    Run("random", "surrogate", 6, mode="random"),
    Run("safe-harbor", "safe-harbor", 6),
    Run("redact", "redact", 6),
    Run("deidclinic", "deidclinic", 6),
    Run("kneo", "kneo", 6),
    Run("kneo-words", "kneo-words", 6),
    Run("mixed", MIXED, 6),
    Run("tenants", "surrogate", 6, tenants=str(HERE / "policies" / "tenants.toml")),
)
"""They share the notes that the tagger reads, one in six: most of the time is its own."""
WHOLE_RUNS = (
    Run("whole", "surrogate", 1),
    Run("safe-harbor-third", "safe-harbor", 3),
    Run("mixed-third", MIXED, 3),
)
"""What a nightly run adds."""


@dataclass(frozen=True, slots=True)
class Record:
    """One output record, by its digest."""

    run: str
    kind: str
    number: int
    """Its place in the output of its run."""
    digest: str

    def line(self) -> str:
        """Return the record as a line of ``digests.txt``."""
        return f"{self.run} {self.kind} {self.number} {self.digest}"


@dataclass(frozen=True, slots=True)
class _Tagger(Tagger):
    """The shipped tagger, which remembers the texts it has read."""

    seen: dict[str, tuple[Span, ...]] = field(default_factory=dict[str, tuple[Span, ...]])

    def recognize(self, notes: Sequence[RawNote]) -> list[tuple[Span, ...]]:
        new = {note.text: note for note in notes if note.text not in self.seen}
        found = Tagger.recognize(self, list(new.values()))
        self.seen.update(zip(new, found, strict=True))
        return [self.seen[note.text] for note in notes]


@dataclass(frozen=True, slots=True)
class _Embedder(SentenceEmbedder):
    """The shipped embedder, which remembers the texts it has read."""

    seen: dict[str, Vectors] = field(default_factory=dict[str, Vectors])

    def embed(self, texts: Sequence[str]) -> Vectors:
        new = list(dict.fromkeys(text for text in texts if text not in self.seen))
        rows = SentenceEmbedder.embed(self, new)
        self.seen.update(zip(new, rows, strict=True))
        return np.stack([self.seen[text] for text in texts]) if len(texts) else rows


@dataclass(frozen=True, slots=True)
class _Rules(RulesRecognizer):
    """The shipped rules, which remember the texts they have read."""

    seen: dict[str, tuple[Span, ...]] = field(default_factory=dict[str, tuple[Span, ...]])

    def recognize(self, notes: Sequence[RawNote]) -> list[tuple[Span, ...]]:
        new = {note.text: note for note in notes if note.text not in self.seen}
        self.seen.update(zip(new, RulesRecognizer.recognize(self, list(new.values())), strict=True))
        return [self.seen[note.text] for note in notes]


_SHARED: tuple[tuple[type, type], ...] = (
    (Tagger, _Tagger),
    (RulesRecognizer, _Rules),
    (SentenceEmbedder, _Embedder),
)


@dataclass(slots=True)
class Memory:
    """What the models have read already, shared by the runs."""

    seen: dict[str, dict[str, Any]] = field(default_factory=dict[str, dict[str, Any]])

    def remembering(self, model: object) -> Any:
        """Return a model that looks here first."""
        for kind, remembering in _SHARED:
            if type(model) is kind:
                own = {item.name: getattr(model, item.name) for item in fields(cast("Any", model))}
                return remembering(**own, seen=self.seen.setdefault(kind.__name__, {}))
        return model


def records(
    runs: Sequence[Run] = RUNS, memory: Memory | None = None, every: int = 1
) -> Iterator[Record]:
    """Put the recorded input through each run and yield the digest of each output record.

    Args:
        runs: Which ways to go.
        memory: What the models have read already.
        every: Of how many notes of a run one is taken; more than 1 gives other records than
            ``digests.txt`` has.
    """
    memory = memory or Memory()
    shipped = notes()
    for run in runs:
        with tempfile.TemporaryDirectory() as folder:
            yield from _records(run, shipped[:: run.every * every], memory, Path(folder))


def _records(
    run: Run, labelled: Sequence[LabelledNote], memory: Memory, folder: Path
) -> Iterator[Record]:
    values = [encode_note(each.note) for each in labelled] + bad_messages()
    (folder / "in.jsonl").write_bytes(b"\n".join(values) + b"\n")
    choice = choose(run, memory, folder)
    places = {kind: folder / f"{kind}.jsonl" for kind in KINDS}
    paths = Files(folder / "in.jsonl", *places.values())
    own = choice.tenant_pipelines()
    asyncio.run(deidentify(paths, choice.settings, choice.default, MemorySurrogateStore(), own))
    for kind, path in places.items():
        for number, line in enumerate(path.read_bytes().splitlines()):
            digest = hashlib.sha256(line).hexdigest()[:DIGEST_CHARACTERS]
            yield Record(run.name, kind, number, digest)


def choose(run: Run, memory: Memory, folder: Path) -> PolicyChoice:
    """Load the policies of a run around models that remember; its key lies in ``folder``."""
    (folder / "key").write_text(KEY)
    (folder / "key").chmod(0o600)
    settings = read_settings(
        {
            "DEIDSTREAM_POLICY": run.policy,
            "DEIDSTREAM_POLICIES_FILE": run.tenants,
            "DEIDSTREAM_REDIS_MODE": run.mode,
            "DEIDSTREAM_REDIS_STATE": str(folder),
            "DEIDSTREAM_KEY_FILE": str(folder / "key"),
            "DEIDSTREAM_MODEL_DTYPE": "fp32",
            "DEIDSTREAM_MODEL_ENGINE": "torch",
        }
    )
    choice = choose_policies(settings)
    choice.runtimes = {name: _remembering(parts, memory) for name, parts in choice.runtimes.items()}
    return choice


def _remembering(parts: Runtime, memory: Memory) -> Runtime:
    """Put remembering models into a pipeline, and seeds that are drawn alike each time."""
    pipeline = parts.pipeline
    recognizers = tuple(
        cast("Recognizer", memory.remembering(each)) for each in pipeline.detector.recognizers
    )
    made = replace(
        pipeline,
        detector=replace(pipeline.detector, recognizers=recognizers),
    )
    uniqueness = pipeline.assessor.uniqueness
    if uniqueness:
        uniqueness = replace(uniqueness, embedder=memory.remembering(uniqueness.embedder))
        made = replace(made, assessor=replace(made.assessor, uniqueness=uniqueness))
    if made.replacer.fresh_seed:
        made = replace(made, replacer=replace(made.replacer, fresh_seed=_counted_seeds()))
    if isinstance(made.rewriter, Rewriter):
        kneo = made.rewriter.kneo
        kneo = replace(kneo, embedder=memory.remembering(kneo.embedder))
        made = replace(made, rewriter=replace(made.rewriter, kneo=kneo))
    return replace(parts, pipeline=made)


def _counted_seeds() -> Callable[[], bytes]:
    numbers = count()
    return lambda: hashlib.sha256(f"seed {next(numbers)}".encode()).digest()


def record() -> None:
    """Write ``digests.txt``, and print how many of its records differ from those it held."""
    before = DIGESTS.read_text().splitlines() if DIGESTS.exists() else []
    now = [each.line() for each in records((*RUNS, *WHOLE_RUNS))]
    DIGESTS.write_text("\n".join(now) + "\n")
    say(f"{len(now)} records, {len(set(now) - set(before))} of them new or other than before")


if __name__ == "__main__":
    record()
