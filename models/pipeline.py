"""Run the pure stages of a note in order: detect, plan, allocate, substitute, verify, assess."""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Protocol

from deidstream.models.detection.detector import Detector
from deidstream.models.output_record import RecordBuilder
from deidstream.models.patients.patient_log import PatientKey
from deidstream.models.records import Detected, Planned, Substituted
from deidstream.models.risk.assessor import Assessor
from deidstream.models.surrogates.allocation import AllocatedSurrogates, Allocation
from deidstream.models.surrogates.replacer import Replacer
from deidstream.models.verification.verifier import verify
from deidstream.schemas.errors import NoteField, Reason, Rejected, Stage
from deidstream.schemas.kneo_policy import OnUndeniable
from deidstream.schemas.languages import is_other_language
from deidstream.schemas.note import RawNote
from deidstream.schemas.outcome import Anonymized, Failed, Outcome, RiskLevel, RiskReport
from deidstream.schemas.permit import EmitPermit
from deidstream.schemas.policy import OtherLanguage, Policy, Technique
from deidstream.schemas.risk_policy import RedAction

Watch = Callable[[Stage], AbstractContextManager[None]]
"""Wraps each stage of a batch: times it, and names it when it raises."""


class NoteRewriter(Protocol):
    """Rewrites notes whose PHI has been replaced."""

    def rewrite(self, batch: Sequence[Substituted]) -> list[Substituted]:
        """Rewrite each note, in order. What becomes of one never depends on the others."""
        ...


@dataclass(frozen=True, slots=True)
class Pipeline:
    """One policy, ready to run. A note's outcome never depends on the notes beside it.

    A batch goes through ``prepare`` (detect, plan), ``allocate``, ``take_answers`` as long as the
    allocation has a question for the store, and ``finish`` (substitute, rewrite, verify, assess).
    """

    policy: Policy
    detector: Detector
    replacer: Replacer
    rewriter: NoteRewriter | None
    """KNEO of sentences or words, where the policy asks for it."""
    assessor: Assessor
    record_builder: RecordBuilder
    watch: Watch
    strict: "Pipeline | None" = None
    """For notes in other languages, where the policy has them redacted strictly."""
    stronger: "Pipeline | None" = None
    """For notes that are red, where the policy has them made again."""
    verifier: Callable[[Substituted, Policy], EmitPermit] = verify

    def choose_by_language(self, code: str) -> "Pipeline | None":
        """Return the pipeline for notes in a language; none where they are quarantined."""
        processed = self.policy.language.other is OtherLanguage.PROCESS
        return self if processed or not is_other_language(code) else self.strict

    def key_of_patient(self, note: RawNote) -> PatientKey:
        """Return the number of a note's patient, with the keys of the tenant."""
        return PatientKey(self.replacer.keyring(note), note.patient_id)

    def prepare(self, notes: Sequence[RawNote]) -> list[Planned]:
        """Detect the PHI of notes, and plan which surrogates they need."""
        with self.watch(Stage.DETECT):
            detected = self.detect(notes)
        with self.watch(Stage.PLAN):
            return self.plan(detected)

    def finish(self, planned: Sequence[Planned], allocated: AllocatedSurrogates) -> list[Outcome]:
        """Bring every note to its outcome, in order; make red ones again where the policy says so.

        What is made again is assessed again under the stronger policy, which also says what is done
        with a note that is still red.
        """
        with self.watch(Stage.SUBSTITUTE):
            substituted = self.substitute(planned, allocated)
        outcomes = self._conclude(substituted)
        if self.stronger is None:
            return outcomes
        red = [place for place, outcome in enumerate(outcomes) if _is_red(outcome)]
        for place, again in zip(
            red, self.stronger.strengthen([substituted[place] for place in red]), strict=True
        ):
            outcomes[place] = again
        return outcomes

    def strengthen(self, items: Sequence[Substituted]) -> list[Outcome]:
        """Bring notes that another policy left red to their outcomes under this one, in order.

        Redaction begins with detection, which is stricter; it asks the store for nothing. Exchange
        of sentences goes on from the surrogates that the notes have.
        """
        if not items or self.policy.technique is not Technique.REDACT:
            return self._conclude(items)
        planned = self.prepare([item.planned.note for item in items])
        return self.finish(planned, self.allocate(planned).result())

    def _conclude(self, substituted: Sequence[Substituted]) -> list[Outcome]:
        """Rewrite, verify and assess: every note ends as one outcome, in order."""
        with self.watch(Stage.KNEO):
            rewritten = self.rewrite(substituted)
        with self.watch(Stage.VERIFY):
            verdicts = [self.verify(item) for item in rewritten]
        permitted = [
            item
            for item, verdict in zip(rewritten, verdicts, strict=True)
            if isinstance(verdict, EmitPermit)
        ]
        with self.watch(Stage.ASSESS):
            reports = iter(self.assess(permitted))
        with self.watch(Stage.ENCODE):
            return [
                verdict
                if isinstance(verdict, Failed)
                else self._outcome(item, verdict, next(reports))
                for item, verdict in zip(rewritten, verdicts, strict=True)
            ]

    def detect(self, notes: Sequence[RawNote]) -> list[Detected]:
        """Find the PHI of notes."""
        return self.detector.detect(notes)

    def plan(self, detected: Sequence[Detected]) -> list[Planned]:
        """Find which surrogates notes need."""
        return [self.replacer.plan(item) for item in detected]

    def allocate(self, planned: Sequence[Planned], *, together: bool = False) -> Allocation:
        """Begin the allocation of surrogates to notes; ``together``: to all of some patients."""
        with self.watch(Stage.CHOOSE):
            return self.replacer.allocate(planned, together=together)

    def take_answers(self, allocation: Allocation, answers: Sequence[bytes | None]) -> None:
        """Continue an allocation with the answers of the store."""
        with self.watch(Stage.CHOOSE):
            allocation.take_answers(answers)

    def substitute(
        self, planned: Sequence[Planned], allocated: AllocatedSurrogates
    ) -> list[Substituted]:
        """Write notes with surrogates for their PHI."""
        return [self.replacer.substitute(item, allocated) for item in planned]

    def rewrite(self, substituted: Sequence[Substituted]) -> list[Substituted]:
        """Replace sentences or words by neighbours, where the policy asks for it."""
        return self.rewriter.rewrite(substituted) if self.rewriter else list(substituted)

    def verify(self, substituted: Substituted) -> EmitPermit | Failed:
        """Permit a note, or return why it must not leave."""
        form = substituted.planned.detected.note.form
        if form is not None and self._rewrites:
            return Failed(Reason.REWRITTEN_RESOURCE, Stage.KNEO, field=NoteField(form.kind))
        if self._is_undeniable(substituted):
            return Failed(Reason.UNDENIABLE, Stage.KNEO)
        try:
            return self.verifier(substituted, self.policy)
        except Rejected as rejected:
            return Failed.by(rejected)

    @property
    def _rewrites(self) -> bool:
        return self.policy.technique not in {Technique.REDACT, Technique.SURROGATE}

    def _is_undeniable(self, item: Substituted) -> bool:
        """Return whether the policy keeps a note back that its original is too near to."""
        quarantined = self.policy.kneo.on_undeniable is OnUndeniable.QUARANTINE
        found = item.kneo.deniability if item.kneo else None
        return quarantined and found is not None and not found.reached

    def assess(self, permitted: Sequence[Substituted]) -> list[RiskReport]:
        """Assess the risk of permitted notes."""
        return self.assessor.assess(permitted)

    def _outcome(self, item: Substituted, permit: EmitPermit, risk: RiskReport) -> Outcome:
        if risk.level is RiskLevel.RED and self.policy.risk.on_red is RedAction.QUARANTINE:
            return Failed(Reason.RISK_TOO_HIGH, Stage.ASSESS)
        note = self.record_builder.build_record(item, permit)
        ranking = self.record_builder.build_ranking(item, note)
        return Anonymized(note, risk, item.displaced, item.unread_dates, ranking=ranking)


def _is_red(outcome: Outcome) -> bool:
    return isinstance(outcome, Anonymized) and outcome.risk.level is RiskLevel.RED
