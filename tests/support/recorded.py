"""A recorded input, and the digest of every record that comes out of it.

The input is the notes that the project ships: the sample notes, the second set and the notes for
training, with the optional fields filled in for some of them, and messages that are not notes. It
goes through ``agents.files.deidentify`` under several policies and in both modes of the mapping.
"""

import asyncio
import hashlib
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from importlib.resources import files as resources
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import numpy as np
import orjson

from deidstream.agents.compose import Runtime
from deidstream.agents.files import Files, deidentify
from deidstream.agents.lines import say
from deidstream.agents.policy_choice import choose_policies
from deidstream.agents.settings_reader import read_settings
from deidstream.models.neural.sentence_embedder import SentenceEmbedder, Vectors
from deidstream.models.recognizers.rules.recognizer import RulesRecognizer
from deidstream.models.recognizers.tagger import Tagger
from deidstream.models.training.marked import read_folder
from deidstream.schemas.label import PhiLabel
from deidstream.schemas.labelled import LabelledNote
from deidstream.schemas.note import KnownIdentifiers, RawNote
from deidstream.schemas.span import Span
from deidstream.schemas.wire import decode, encode_note
from deidstream.stream.mapping import MemorySurrogateStore

if TYPE_CHECKING:
    from deidstream.schemas.ports import Recognizer

ROOT = Path(__file__).parents[2]
KEY = hashlib.sha256(b"the recorded input").hexdigest()
HERE = ROOT / "tests" / "golden"
DIGESTS = HERE / "digests.txt"
KINDS = ("anonymized", "risk", "audit", "quarantine")
DIGEST_CHARACTERS = 20  # of the SHA-256 of a record, in hexadecimal digits

_NAMES = frozenset({PhiLabel.PATIENT, PhiLabel.DOCTOR})
_KNOWN: Mapping[PhiLabel, str] = {
    PhiLabel.PATIENT: "names",
    PhiLabel.MEDICALRECORD: "identifiers",
    PhiLabel.DATE: "dates",
    PhiLabel.PHONE: "phones",
    PhiLabel.STREET: "addresses",
}
_LANGUAGES = (None, "en-US", "en-GB", "de", None, "fr")


@dataclass(frozen=True, slots=True)
class Run:
    """One way to put notes through the pipeline."""

    name: str
    policy: str
    every: int
    """Of how many notes one is taken."""
    mode: str = "prf"
    tenants: str = ""
    """A TOML file that gives tenants policies of their own."""


RUNS = (
    Run("surrogate", "surrogate", 1),
    Run("random", "surrogate", 4, mode="random"),
    Run("safe-harbor", "safe-harbor", 3),
    Run("redact", "redact", 6),
    Run("deidclinic", "deidclinic", 4),
    Run("kneo", "kneo", 5),
    Run("mixed", str(HERE / "policies" / "mixed.toml"), 3),
    Run("tenants", "surrogate", 5, tenants=str(HERE / "policies" / "tenants.toml")),
)


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


def notes() -> list[LabelledNote]:
    """Return every note that the project ships, in a fixed order."""
    sample = resources("deidstream.agents").joinpath("data", "sample_notes.jsonl").read_bytes()
    labelled = [LabelledNote(decode(line), ()) for line in sample.splitlines()]
    labelled += read_folder(ROOT / "benchmarks" / "recognition" / "second_set")
    labelled += read_folder(ROOT / "training" / "notes")
    return [_dressed(note, number) for number, note in enumerate(labelled)]


def _dressed(labelled: LabelledNote, number: int) -> LabelledNote:
    """Fill in the optional fields of some notes."""
    note = labelled.note
    note = replace(note, tenant=("default", "mercy", "st.anne", "harbour", "unlisted")[number % 5])
    if number % 2:
        note = replace(note, language=_LANGUAGES[number % len(_LANGUAGES)])
    if number % 3 == 0:
        day = f"20{10 + number % 15}-{1 + number % 12:02}-{1 + number % 28:02}"
        note = replace(note, authored_at=day if number % 2 else f"{day}T08:{number % 60:02}:00Z")
    if number % 4 == 0:
        note = replace(note, known=_known(labelled))
    return replace(labelled, note=note)


def _known(labelled: LabelledNote) -> KnownIdentifiers:
    found: dict[str, list[str]] = {name: [] for name in _KNOWN.values()}
    for span in labelled.spans:
        if span.label in _KNOWN:
            found[_KNOWN[span.label]].append(labelled.note.text[span.start : span.end])
    return KnownIdentifiers(**{name: tuple(texts[:2]) for name, texts in found.items()})


def bad_messages() -> list[bytes]:
    """Return messages that are not notes, and notes that are hard to read."""
    whole = {"note_id": "b", "patient_id": "p", "text": "Seen by Dr. Okafor on 3/4/24."}
    hidden = (
        "Seen by Dr. Oka\u200bfor on 03/0\u00ad4/2024. "
        "Mr. J\u043ehn Sm\u0456th-\nson. Tel 555-\n0142."
    )
    return [
        b"",
        b"[]",
        b'{"text": "Okafor',
        b'{"text": "Okafor\xff"}',
        orjson.dumps(whole | {"text": " "}),
        orjson.dumps(whole | {"text": "Okafor\0"}),
        orjson.dumps(whole | {"schema": 99}),
        orjson.dumps(whole | {"known": "Okafor"}),
        orjson.dumps(whole | {"note_type": 3}),
        orjson.dumps({"note_id": "b"}),
        orjson.dumps(whole | {"text": hidden}),
        orjson.dumps(whole | {"note_type": "letter to Okafor"}),
        orjson.dumps(whole | {"text": "No PHI here.", "unknown": 1}),
        orjson.dumps(whole | {"text": "word " * 3_000}),
    ]


@dataclass(frozen=True, slots=True)
class _Tagger(Tagger):
    """The shipped tagger, which reads no text twice."""

    seen: dict[str, tuple[Span, ...]] = field(default_factory=dict[str, tuple[Span, ...]])

    def recognize(self, notes: Sequence[RawNote]) -> list[tuple[Span, ...]]:
        new = {note.text: note for note in notes if note.text not in self.seen}
        found = Tagger.recognize(self, list(new.values()))
        self.seen.update(zip(new, found, strict=True))
        return [self.seen[note.text] for note in notes]


@dataclass(frozen=True, slots=True)
class _Embedder(SentenceEmbedder):
    """The shipped embedder, which reads no text twice."""

    seen: dict[str, Vectors] = field(default_factory=dict[str, Vectors])

    def embed(self, texts: Sequence[str]) -> Vectors:
        new = list(dict.fromkeys(text for text in texts if text not in self.seen))
        rows = SentenceEmbedder.embed(self, new)
        self.seen.update(zip(new, rows, strict=True))
        return np.stack([self.seen[text] for text in texts]) if len(texts) else rows


@dataclass(frozen=True, slots=True)
class _Rules(RulesRecognizer):
    """The shipped rules, which read no text twice."""

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
    (folder / "key").write_text(KEY)
    (folder / "key").chmod(0o600)
    values = [encode_note(each.note) for each in labelled] + bad_messages()
    (folder / "in.jsonl").write_bytes(b"\n".join(values) + b"\n")
    settings = read_settings(
        {
            "DEIDSTREAM_POLICY": run.policy,
            "DEIDSTREAM_POLICIES_FILE": run.tenants,
            "DEIDSTREAM_REDIS_MODE": run.mode,
            "DEIDSTREAM_REDIS_STATE": str(folder),
            "DEIDSTREAM_KEY_FILE": str(folder / "key"),
            "DEIDSTREAM_MODEL_DTYPE": "fp32",
        }
    )
    choice = choose_policies(settings)
    choice.runtimes = {name: _remembering(parts, memory) for name, parts in choice.runtimes.items()}
    places = {kind: folder / f"{kind}.jsonl" for kind in KINDS}
    paths = Files(folder / "in.jsonl", *places.values())
    asyncio.run(
        deidentify(
            paths, settings, choice.default, MemorySurrogateStore(), choice.tenant_pipelines()
        )
    )
    for kind, path in places.items():
        for number, line in enumerate(path.read_bytes().splitlines()):
            digest = hashlib.sha256(line).hexdigest()[:DIGEST_CHARACTERS]
            yield Record(run.name, kind, number, digest)


def _remembering(parts: Runtime, memory: Memory) -> Runtime:
    """Put remembering models into a pipeline, and seeds that are drawn alike each time."""
    pipeline = parts.pipeline
    recognizers = tuple(
        cast("Recognizer", memory.remembering(each)) for each in pipeline.detector.recognizers
    )
    made = replace(
        pipeline,
        detector=replace(pipeline.detector, recognizers=recognizers),
        assessor=replace(
            pipeline.assessor, embedder=memory.remembering(pipeline.assessor.embedder)
        ),
    )
    if made.replacer.fresh_seed:
        made = replace(made, replacer=replace(made.replacer, fresh_seed=_counted_seeds()))
    if made.rewriter:
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
    now = [each.line() for each in records()]
    DIGESTS.write_text("\n".join(now) + "\n")
    say(f"{len(now)} records, {len(set(now) - set(before))} of them new or other than before")


if __name__ == "__main__":
    record()
