"""A pipeline that keeps what its stages return, so that it can be explained afterwards."""

from collections.abc import Sequence
from dataclasses import dataclass, field, fields
from typing import Any

from deidstream.models.detection.review_marks import MarkedNote
from deidstream.models.pipeline import Pipeline
from deidstream.models.records import Planned, Substituted
from deidstream.models.surrogates.allocation import AllocatedSurrogates
from deidstream.models.surrogates.replacer import Replacer
from deidstream.schemas.note import RawNote
from deidstream.schemas.policy import Policy


@dataclass(frozen=True, slots=True)
class RecordedRun:
    """What a pipeline made of one note before it looked at it a last time."""

    policy: Policy
    replacer: Replacer
    allocated: AllocatedSurrogates = field(repr=False)
    substituted: Substituted = field(repr=False)
    """With surrogates."""
    rewritten: Substituted = field(repr=False)
    """The same after KNEO; equal to ``substituted`` where the policy asks for none."""

    @property
    def note(self) -> RawNote:
        """The note as it came."""
        return self.substituted.planned.note


@dataclass(frozen=True, slots=True)
class _Substitution:
    """Where the surrogates of a note come from."""

    replacer: Replacer
    allocated: AllocatedSurrogates
    substituted: Substituted


@dataclass(slots=True)
class RunRecord:
    """The runs of notes through recorded pipelines, in the order in which they ended.

    A note has several runs if a stronger technique made it again, or a batch was halved: the last
    one counts.
    """

    runs: list[RecordedRun] = field(default_factory=list[RecordedRun], repr=False)
    substitutions: list[_Substitution] = field(default_factory=list[_Substitution], repr=False)

    def find(self, note: RawNote) -> RecordedRun | None:
        """Return the last run of a note; ``None`` if it failed before it had surrogates."""
        wanted = MarkedNote.of(note)
        found = (run for run in reversed(self.runs) if MarkedNote.of(run.note) == wanted)
        return next(found, None)


@dataclass(frozen=True, slots=True)
class RecordedPipeline(Pipeline):
    """A pipeline whose outcomes are those of the one it was made from."""

    record: RunRecord = field(default_factory=RunRecord)

    def substitute(
        self, planned: Sequence[Planned], allocated: AllocatedSurrogates
    ) -> list[Substituted]:
        """Write notes with surrogates, and keep what they were allocated."""
        substituted = Pipeline.substitute(self, planned, allocated)
        self.record.substitutions += [
            _Substitution(self.replacer, allocated, item) for item in substituted
        ]
        return substituted

    def rewrite(self, substituted: Sequence[Substituted]) -> list[Substituted]:
        """Replace sentences or words, and keep both texts."""
        rewritten = Pipeline.rewrite(self, substituted)
        for before, after in zip(substituted, rewritten, strict=True):
            made = next(one for one in self.record.substitutions if one.substituted is before)
            run = RecordedRun(self.policy, made.replacer, made.allocated, before, after)
            self.record.runs.append(run)
        return rewritten


def record_runs(pipeline: Pipeline, record: RunRecord) -> RecordedPipeline:
    """Return a pipeline, and those for special notes, whose runs are kept in ``record``."""
    own: dict[str, Any] = {one.name: getattr(pipeline, one.name) for one in fields(pipeline)}
    own["strict"] = pipeline.strict and record_runs(pipeline.strict, record)
    own["stronger"] = pipeline.stronger and record_runs(pipeline.stronger, record)
    return RecordedPipeline(**own, record=record)
