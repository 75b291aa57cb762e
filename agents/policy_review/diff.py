"""Compare two policies on a sample: the two outcomes of each note, span by span."""

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import islice
from pathlib import Path

from deidstream.agents.note_files.note_source import NoteSource
from deidstream.agents.runtime.compose import Runtime, build_service, compose, recompose
from deidstream.agents.runtime.policy_files import TenantPipelines
from deidstream.agents.runtime.progress_bar import progress
from deidstream.agents.runtime.root_keys import fresh_key
from deidstream.agents.runtime.service import Service
from deidstream.agents.settings import Settings
from deidstream.models.messages.read_message import read_message
from deidstream.models.neural.model_turn import take_text_turn
from deidstream.schemas.errors import MissingArtefact, Rejected
from deidstream.schemas.label import PhiLabel, sort_names
from deidstream.schemas.note import NoteStatus, RawNote
from deidstream.schemas.outcome import Anonymized, Failed, Outcome, Retracted
from deidstream.schemas.policy import Policy
from deidstream.schemas.span import Replacement
from deidstream.stream.lanes.lane import Lane
from deidstream.stream.observing.health import Health
from deidstream.stream.redis.memory_store import MemorySurrogateStore


class Change(StrEnum):
    """How the second policy treats a span differently from the first."""

    GONE = "gone"
    """Only the first replaces it: under the second the original stays."""
    NEW = "new"
    """Only the second replaces it."""
    BOUNDS = "bounds"
    """Both replace something here, but not from the same place to the same place."""
    LABEL = "label"
    OPERATOR = "operator"
    """Same label, other operator."""
    TEXT = "text"
    """Same label and operator, other text: another scope, or other options of the operator."""


@dataclass(frozen=True, slots=True)
class SpanChange:
    """One span that is treated differently. Its texts are PHI and are in no ``repr``."""

    change: Change
    start: int
    end: int
    labels: tuple[str | None, str | None]
    """Their names under the first and the second policy."""
    texts: tuple[str | None, str | None] = field(repr=False)
    """The text at this place under the first and the second policy; ``None``: the original."""

    @property
    def label(self) -> str:
        """The label it is counted under: that of the first policy where it has one."""
        first, second = self.labels
        return first or second or PhiLabel.IDNUM


@dataclass(frozen=True, slots=True)
class Ending:
    """How a note ended under one policy."""

    emitted: bool
    detail: str
    """Its risk level, or the reason why it was quarantined."""


@dataclass(frozen=True, slots=True)
class NoteChange:
    """One note under both policies."""

    endings: tuple[Ending, Ending]
    spans: tuple[SpanChange, ...]
    """Spans treated differently; empty where a policy emits no text to compare."""
    texts_differ: bool
    """Both policies emit the note, with different texts."""

    @property
    def changes(self) -> bool:
        """Whether anything about the note changes."""
        return self.endings[0] != self.endings[1] or self.texts_differ or bool(self.spans)


@dataclass(slots=True)
class Totals:
    """Sums over all notes of a sample; changes are counted for notes that both policies emit."""

    notes: int = 0
    changed: int = 0
    endings: tuple[Counter[Ending], Counter[Ending]] = field(
        default_factory=lambda: (Counter[Ending](), Counter[Ending]())
    )
    compared: int = 0
    """Notes that both emit."""
    texts_differ: int = 0
    one_emits: int = 0
    levels_differ: int = 0
    spans: tuple[Counter[str], Counter[str]] = field(
        default_factory=lambda: (Counter[str](), Counter[str]())
    )
    """Spans by label under each policy, of all notes that it emits."""
    changes: Counter[tuple[str, Change]] = field(default_factory=Counter[tuple[str, Change]])

    def add(self, change: NoteChange, outcomes: tuple[Outcome, Outcome]) -> None:
        """Count one note."""
        first, second = change.endings
        both = first.emitted and second.emitted
        self.notes += 1
        self.changed += change.changes
        self.compared += both
        self.texts_differ += change.texts_differ
        self.one_emits += first.emitted != second.emitted
        self.levels_differ += both and first != second
        self.changes.update((span.label, span.change) for span in change.spans)
        for side, outcome in enumerate(outcomes):
            self.endings[side][change.endings[side]] += 1
            self.spans[side].update(r.span.name for r in _replacements_of(outcome))

    @property
    def labels(self) -> list[str]:
        """The labels of which either policy replaces a span: of the 28, then of the site's own."""
        first, second = self.spans
        return sort_names(first + second)


def compare(first: Outcome, second: Outcome) -> NoteChange:
    """Compare the outcomes of one note under two policies."""
    endings = _ending(first), _ending(second)
    if not (isinstance(first, Anonymized) and isinstance(second, Anonymized)):
        return NoteChange(endings, (), texts_differ=False)
    spans = tuple(
        sorted(_changes(_replacements_of(first), _replacements_of(second)), key=lambda s: s.start)
    )
    return NoteChange(endings, spans, texts_differ=first.note.text != second.note.text)


def _ending(outcome: Outcome) -> Ending:
    if isinstance(outcome, Failed):
        return Ending(emitted=False, detail=outcome.reason)
    if isinstance(outcome, Retracted):
        return Ending(emitted=False, detail=NoteStatus.CANCELLED)
    return Ending(emitted=True, detail=outcome.risk.level)


def _replacements_of(outcome: Outcome) -> tuple[Replacement, ...]:
    return outcome.note.permit.replacements if isinstance(outcome, Anonymized) else ()


def _changes(first: Sequence[Replacement], second: Sequence[Replacement]) -> Iterator[SpanChange]:
    unmatched = {_bounds(each): each for each in second}
    for one in first:
        other = unmatched.pop(_bounds(one), None)
        if other is None:
            ended = Change.BOUNDS if _touches(one, second) else Change.GONE
            yield SpanChange(ended, *_bounds(one), (one.span.name, None), (one.text, None))
        elif (change := _change_of(one, other)) is not None:
            labels = one.span.name, other.span.name
            yield SpanChange(change, *_bounds(one), labels, (one.text, other.text))
    for other in unmatched.values():
        # A span whose bounds differ is already reported for the first policy.
        if not _touches(other, first):
            yield SpanChange(
                Change.NEW, *_bounds(other), (None, other.span.name), (None, other.text)
            )


def _change_of(one: Replacement, other: Replacement) -> Change | None:
    if one.span.name != other.span.name:
        return Change.LABEL
    if one.operator != other.operator:
        return Change.OPERATOR
    return Change.TEXT if one.text != other.text else None


def _touches(one: Replacement, others: Sequence[Replacement]) -> bool:
    """Return whether a span overlaps one of others, which are disjoint and in order."""
    last = bisect_right(others, one.span.end - 1, key=lambda r: r.span.start) - 1
    return last >= 0 and others[last].span.end > one.span.start


def _bounds(replacement: Replacement) -> tuple[int, int]:
    return replacement.span.start, replacement.span.end


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the sample, and what changes about it."""

    number: int
    """Counted from 1."""
    note: RawNote | None = field(repr=False)
    """Nothing where the line holds no note."""
    change: NoteChange


@dataclass(frozen=True, slots=True)
class Diff:
    """Two policies on one sample."""

    policies: tuple[Policy, Policy]
    sample: str
    """Name of its file."""
    lines: Sequence[Line]
    totals: Totals


CHUNK = 64


@dataclass(frozen=True, slots=True)
class Sides:
    """A service for each of two policies, on one lane."""

    first: Service
    second: Service

    async def compare_numbered(
        self, numbered: Sequence[tuple[int, bytes]], totals: Totals
    ) -> list[Line]:
        """Compare both policies on some lines, numbered from 0, and add up."""
        values = [value for _, value in numbered]
        outcomes = zip(await self.first.run(values), await self.second.run(values), strict=True)
        lines: list[Line] = []
        for (number, value), pair in zip(numbered, outcomes, strict=True):
            change = compare(*pair)
            totals.add(change, pair)
            lines.append(Line(number + 1, _note(value, self.first.limits.note_bytes), change))
        return lines


async def run_diff(
    settings: Settings, policies: tuple[Policy, Policy], sample: Path, source: NoteSource
) -> Diff:
    """Run both policies over the notes of a file. Nothing is stored and nothing leaves.

    The key is that of the settings, or a fresh one where they name none.

    Raises:
        Refused: A key, model or index is missing or wrong, or the file cannot be read or
            holds no notes.
    """
    total = source.count()
    if total == 0:
        msg = f"{sample}: there are no notes in it"
        raise MissingArtefact(msg)
    parts = compose(settings, root=None if settings.key.file else fresh_key())
    first, second = (recompose(settings, parts, policy) for policy in policies)
    lane = Lane(take_text_turn)
    sides = Sides(_service(settings, first, lane), _service(settings, second, lane))
    try:
        return await compare_lines(sides, sample.name, source, total)
    finally:
        lane.close()


async def compare_lines(sides: Sides, sample: str, source: NoteSource, total: int | None) -> Diff:
    """Compare two services on every note of a sample that can be read.

    Raises:
        MissingArtefact: The file cannot be read.
    """
    lines, totals = list[Line](), Totals()
    with progress() as bar:
        task, remaining = bar.add_task("compare", total=total), source.read()
        while chunk := list(islice(remaining, CHUNK)):
            numbered = [(n.place, n.message) for n in chunk if isinstance(n.message, bytes)]
            lines += await sides.compare_numbered(numbered, totals)
            bar.advance(task, len(chunk))
    policies = sides.first.pipeline.policy, sides.second.pipeline.policy
    return Diff(policies, sample, lines, totals)


def _service(settings: Settings, parts: Runtime, lane: Lane) -> Service:
    return build_service(
        settings,
        parts,
        MemorySurrogateStore(),
        lane=lane,
        health=Health(settings.worker.stall_seconds),
        tenant_pipelines=TenantPipelines(),
    )


def _note(value: bytes, limit_bytes: int) -> RawNote | None:
    try:
        return read_message(value, limit_bytes=limit_bytes)
    except Rejected:
        return None
