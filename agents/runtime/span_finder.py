"""Find the PHI of messages, several of them together, and replace nothing."""

import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Self

from deidstream.agents.runtime.long_notes import is_long
from deidstream.agents.runtime.service import (
    UNKNOWN_TENANT,
    UNSUPPORTED_LANGUAGE,
    DecodedNote,
    Service,
    watch,
)
from deidstream.models.pipeline import Pipeline
from deidstream.models.records import Detected
from deidstream.schemas.errors import Rejected, Stage, TooSlow
from deidstream.schemas.note import RawNote
from deidstream.schemas.span import Span
from deidstream.stream.lanes.batching import choose_budget, cut_batches, halve
from deidstream.stream.lanes.lane import BATCHES_IN_WORK, Lane, LimitedLane

FoundPhi = tuple[Span, ...] | Rejected
"""The PHI of a message in the order of its text, or why nothing is known of it."""
MOST_TOGETHER = 64


@dataclass(frozen=True, slots=True)
class _AskedNote:
    """A message that can be read, and where its spans go."""

    place: int
    decoded: DecodedNote
    pipeline: Pipeline


@dataclass(frozen=True, slots=True)
class FindingLane:
    """A lane, and who may use it at a time."""

    lane: Lane
    turns: asyncio.Semaphore
    """Limits the batches in work; callers that share it take turns by batches."""


@dataclass(frozen=True, slots=True)
class SpanFinder:
    """Finds PHI by the policies of a service, under the limits of a worker's notes."""

    service: Service
    short: FindingLane
    """Of batches without a long note."""
    long: FindingLane
    batch_notes: int = MOST_TOGETHER

    @classmethod
    def of_service(cls, service: Service, batch_notes: int = MOST_TOGETHER) -> Self:
        """Find on the lane of the service, whatever the length of the notes."""
        lane = FindingLane(service.lane, asyncio.Semaphore(BATCHES_IN_WORK))
        return cls(service, lane, lane, batch_notes)

    async def find(self, values: Sequence[bytes]) -> list[FoundPhi]:
        """Find the PHI of messages; one that is wrong does not affect the others.

        As in a worker, a note is only refused for its time at the second attempt.

        Returns:
            In the order of the messages; a message that is no note, of a tenant or in a language
            without a policy, or on which a recognizer did not finish, has its reason.
        """
        read = await asyncio.to_thread(self._read_all, values)
        found: dict[int, FoundPhi] = {}
        asked: dict[int, list[_AskedNote]] = {}
        for place, item in enumerate(read):
            chosen = item if isinstance(item, Rejected) else self._choose(place, item)
            if isinstance(chosen, Rejected):
                found[place] = chosen
            else:
                asked.setdefault(id(chosen.pipeline), []).append(chosen)
        for notes in asked.values():
            for batch in self._cut(notes):
                long = any(is_long(values[one.place]) for one in batch)
                finding = self.long if long else self.short
                notes_of_batch = [one.decoded.note for one in batch]
                async with finding.turns:
                    spans = await self._find_or_halve(finding.lane, notes_of_batch, batch[0])
                found.update(zip((one.place for one in batch), spans, strict=True))
        return [found[place] for place in range(len(values))]

    async def find_one(self, value: bytes) -> tuple[Span, ...]:
        """Find the PHI of one message.

        Raises:
            Rejected: Nothing is known of it.
        """
        (found,) = await self.find([value])
        if isinstance(found, Rejected):
            raise found
        return found

    def _read_all(self, values: Sequence[bytes]) -> list[DecodedNote | Rejected]:
        return [self._read(value) for value in values]

    def _read(self, value: bytes) -> DecodedNote | Rejected:
        try:
            return self.service.read(value)
        except Rejected as rejected:
            return rejected

    def _choose(self, place: int, decoded: DecodedNote) -> _AskedNote | Rejected:
        service = self.service
        own = service.tenant_pipelines.choose(decoded.note.tenant, service.pipeline)
        if own is None:
            return Rejected(UNKNOWN_TENANT.reason, UNKNOWN_TENANT.stage)
        pipeline = own.choose_by_language(decoded.language)
        if pipeline is None:
            return Rejected(UNSUPPORTED_LANGUAGE.reason, UNSUPPORTED_LANGUAGE.stage)
        return _AskedNote(place, decoded, pipeline)

    def _cut(self, asked: Sequence[_AskedNote]) -> Iterator[Sequence[_AskedNote]]:
        tokens = [one.decoded.tokens for one in asked]
        for batch in cut_batches(tokens, choose_budget(tokens, self.service.budget_tokens)):
            for start in range(0, len(batch), self.batch_notes):
                yield [asked[place] for place in batch[start : start + self.batch_notes]]

    async def _find_or_halve(
        self, lane: Lane, notes: Sequence[RawNote], asked: _AskedNote, attempt: int = 1
    ) -> list[FoundPhi]:
        """Find in notes together; if that fails, in each half, down to the note at fault.

        If their time is used up, each note is read alone.
        """
        try:
            return [each.spans for each in await self._detect(lane, asked.pipeline, notes)]
        except Rejected as rejected:
            late = isinstance(rejected, TooSlow)
            if len(notes) == 1 and not (late and attempt == 1):
                return [rejected]
        found: list[FoundPhi] = []
        for part in [[note] for note in notes] if late else halve(notes):
            found += await self._find_or_halve(lane, part, asked, attempt + 1)
        return found

    async def _detect(
        self, lane: Lane, pipeline: Pipeline, notes: Sequence[RawNote]
    ) -> Sequence[Detected]:
        def detect() -> Sequence[Detected]:
            with watch(Stage.DETECT):
                return pipeline.detect(notes)

        budget = self.service.limits.make_budget(notes)
        return await LimitedLane(lane, budget).run(detect)
