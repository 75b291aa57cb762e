"""Run notes under review through the worker's own pipeline, with the marks of the reviewer."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Self

from deidstream.agents.review.policy_draft import PolicyDraft, ReviewTerms
from deidstream.agents.review.worklist import HeldNote, Worklist
from deidstream.agents.runtime.compose import Runtime, compose, recompose
from deidstream.agents.runtime.load_models import load_calibration
from deidstream.agents.runtime.local_service import local_service
from deidstream.agents.runtime.policy_choice import check_artefacts
from deidstream.agents.runtime.policy_files import TenantPipelines
from deidstream.agents.runtime.root_keys import fresh_key
from deidstream.agents.runtime.service import Service
from deidstream.agents.runtime.span_finder import SpanFinder
from deidstream.agents.settings import Settings
from deidstream.models.detection.review_marks import MarkedNote, ReviewMarks
from deidstream.models.explanation.recorded_pipeline import RunRecord, record_runs
from deidstream.models.neural.model_turn import take_text_turn
from deidstream.models.neural.weights import SHIPPED_TAGGERS
from deidstream.models.pipeline import Pipeline
from deidstream.schemas.errors import Rejected
from deidstream.schemas.outcome import Failed
from deidstream.schemas.policy import RecognizerName
from deidstream.schemas.ports import SurrogateStore
from deidstream.schemas.wire import encode_note
from deidstream.stream.lanes.lane import Lane
from deidstream.stream.redis.memory_store import MemorySurrogateStore

BATCH = 8
"""Notes that are run together; other lists have their turn between two groups."""


@dataclass(slots=True)
class ReviewService:
    """The models, and a pipeline for each work list."""

    settings: Settings
    loaded: Runtime
    store: SurrogateStore = field(default_factory=MemorySurrogateStore)
    lane: Lane = field(default_factory=lambda: Lane(take_text_turn))
    _turn: asyncio.Lock = field(default_factory=asyncio.Lock)

    @classmethod
    def load(cls, settings: Settings, store: SurrogateStore | None = None) -> Self:
        """Load models, policy and key; without a key file, a fresh key that ends with this process.

        Raises:
            Refused: A policy, key, model or index is missing or wrong.
        """
        root = None if settings.key.file else fresh_key()
        return cls(settings, compose(settings, root=root), store or MemorySurrogateStore())

    async def run(self, worklist: Worklist, notes: Sequence[HeldNote]) -> None:
        """Run notes of a list under its policy and its marks, and keep their outcomes.

        Raises:
            InvalidPolicy: The policy of the list is wrong; the notes are as they were.
            Refused: A model that it needs is missing.
        """
        worklist.waiting += len(notes)
        left = len(notes)
        try:
            for start in range(0, len(notes), BATCH):
                if worklist.forgotten:
                    return
                group = notes[start : start + BATCH]
                async with self._turn:
                    await self._run_group(worklist, group)
                worklist.waiting -= len(group)
                left -= len(group)
        finally:
            worklist.waiting -= left

    async def _run_group(self, worklist: Worklist, group: Sequence[HeldNote]) -> None:
        runtime = await asyncio.to_thread(self._runtime, worklist)
        marks = {
            MarkedNote.of(held.note): held.marks for held in group if held.marks != ReviewMarks()
        }
        record = RunRecord()
        recorded = record_runs(_marked(runtime.pipeline, marks), record)
        service = self._service(replace(runtime, pipeline=recorded))
        outcomes = await service.run([encode_note(held.note) for held in group])
        for held, outcome in zip(group, outcomes, strict=True):
            held.outcome, held.run = outcome, record.find(held.note)
            held.runs += 1
            held.found = ()
        failed = [held for held in group if isinstance(held.outcome, Failed)]
        found = await SpanFinder.of_service(service).find(
            [encode_note(held.note) for held in failed]
        )
        for held, spans in zip(failed, found, strict=True):
            held.found = () if isinstance(spans, Rejected) else spans
        for held in group:
            held.reopen_if_changed()

    def _service(self, runtime: Runtime) -> Service:
        service = local_service(self.settings, runtime, self.store, TenantPipelines())
        service.lane.close()
        service.lane = self.lane
        return service

    def _runtime(self, worklist: Worklist) -> Runtime:
        """Return the runtime of a list; made again where its policy or its terms have changed."""
        draft, terms = worklist.draft, worklist.terms
        if worklist.runtime is not None:
            last_draft, last_terms, runtime = worklist.runtime
            if (last_draft, last_terms) == (draft, terms):
                return runtime
        runtime = self.make_runtime(draft, terms)
        worklist.runtime = (draft, terms, runtime)
        return runtime

    def make_runtime(self, draft: PolicyDraft, terms: ReviewTerms) -> Runtime:
        """Wire the policy of a draft around the models; a tagger not yet loaded is loaded.

        Raises:
            InvalidPolicy: The policy is wrong.
            Refused: A model that it needs is missing.
        """
        policy = draft.policy(terms)
        settings, loaded = self._settings_of(draft), self.loaded
        if settings is not self.settings:
            rest = dict(loaded.models.recognizers)
            rest.pop(RecognizerName.TAGGER, None)
            models = replace(
                loaded.models, recognizers=rest, calibration=load_calibration(settings)
            )
            loaded = replace(loaded, models=models)
        return recompose(settings, loaded, policy)

    def _settings_of(self, draft: PolicyDraft) -> Settings:
        """Return the settings with the tagger of a draft, where it is another shipped one."""
        own = self.settings.tagger
        if draft.tagger not in SHIPPED_TAGGERS or draft.tagger == own.model:
            return self.settings
        drafted = replace(own, model=draft.tagger, path="", sha256="", second="", second_sha256="")
        return replace(self.settings, tagger=drafted)

    def check(self, draft: PolicyDraft) -> None:
        """Check that a policy can be run here.

        Raises:
            Refused: A model that it needs is missing.
        """
        check_artefacts(self._settings_of(draft), draft.policy())

    def close(self) -> None:
        """Release the lane."""
        self.lane.close()


def _marked(pipeline: Pipeline, marks: dict[MarkedNote, ReviewMarks]) -> Pipeline:
    """Return a pipeline, and those for special notes, with the marks of a reviewer."""
    if not marks:
        return pipeline
    return replace(
        pipeline,
        detector=replace(pipeline.detector, marks=marks),
        strict=pipeline.strict and _marked(pipeline.strict, marks),
        stronger=pipeline.stronger and _marked(pipeline.stronger, marks),
    )
