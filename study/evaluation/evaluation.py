"""Score recognizers, or spans from another system, against labelled notes."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from types import MappingProxyType

from deidstream.agents.runtime.progress_bar import progress
from deidstream.agents.runtime.service import watch
from deidstream.schemas.errors import InvalidNote, Refused, Rejected, Stage
from deidstream.schemas.label import OF_I2B2, PhiLabel
from deidstream.schemas.labelled import InvalidLabelled, LabelledNote
from deidstream.schemas.note import RawNote
from deidstream.schemas.span import Replacement, Span
from deidstream.stream.lanes.batching import halve
from deidstream.study.corpus.note_lines import NoteLines
from deidstream.study.evaluation.read_gold import Artefact, identify, read_gold
from deidstream.study.scoring.clinical_content import (
    ContentCounts,
    FateOf,
    count_content,
)
from deidstream.study.scoring.error_kinds import Mistake, find_mistakes
from deidstream.study.scoring.match import Reference, extents, prepare_reference
from deidstream.study.scoring.one_surrogate import (
    Agreement,
    Comparison,
    Relation,
    compare_mentions,
    count_agreements,
)
from deidstream.study.scoring.per_recognizer import RAW, UNION
from deidstream.study.scoring.reliability import (
    JudgedScore,
    Reliability,
    judge_scores,
    measure_reliability,
)
from deidstream.study.scoring.score import score
from deidstream.study.scoring.totals import Score, total

CHUNK = 64
_NOWHERE: Mapping[str, str] = MappingProxyType({})

Found = Mapping[str, Sequence[tuple[Span, ...]]]
"""By recognizer, the spans of each note, in the order of the notes."""
Find = Callable[[Sequence[RawNote]], Found]
ReplaceSpans = Callable[[RawNote, Sequence[Span]], Sequence[Replacement]]
"""Returns what stands in the output of a note in the place of its spans."""


@dataclass(frozen=True, slots=True)
class NoteMistake:
    """A mistake, and the note it was made in."""

    note: RawNote
    mistake: Mistake


@dataclass(frozen=True, slots=True)
class NoteComparison:
    """Two mentions of one original whose surrogates do not show it, and their note."""

    note: RawNote
    compared: Comparison


@dataclass(frozen=True, slots=True)
class ScoreCheck:
    """Whether the scores of the union are the probabilities that they claim to be."""

    before: Reliability
    """Error of the recognizers' scores, before calibration."""
    after: Reliability


@dataclass(frozen=True, slots=True)
class Evaluation:
    """The result of an evaluation."""

    gold: Artefact
    scores: Mapping[str, Score]
    """By recognizer, in the order they ran, the union last."""
    unscored: Mapping[str, int]
    """Notes that could not be read or detected, by reason; they count in no score."""
    first: Mapping[str, str]
    """Where the first line of a reason is, and what is wrong in it."""
    note_ids: Mapping[str, int] = field(repr=False)
    """How often each id occurs among the scored notes."""
    mistakes: Sequence[NoteMistake] = field(repr=False)
    """Those of the recognizer whose mistakes were asked for."""
    score_check: ScoreCheck | None = None
    """Where scores were calibrated."""
    content: Mapping[str, ContentCounts] = field(default_factory=dict[str, ContentCounts])
    """By kind, what becomes of the clinical content beside the PHI, by the last recognizer."""
    agreements: Mapping[Relation, Counter[Agreement]] = field(
        default_factory=dict[Relation, Counter[Agreement]]
    )
    """By relation, whether surrogates of one original agree, where the policy has surrogates."""
    disagreements: Sequence[NoteComparison] = field(repr=False, default=())
    """Those that do not; kept where mistakes were asked for."""


def evaluate(
    gold: Path,
    find: Find,
    *,
    fate_of: FateOf,
    replace_spans: ReplaceSpans | None = None,
    mistakes_of: str | None = None,
    labels: Mapping[str, PhiLabel] = OF_I2B2,
) -> Evaluation:
    """Score what ``find`` finds in labelled notes.

    Args:
        gold: Lines that ``schemas.labelled`` reads, or a table with such rows.
        find: Called once for each note; may raise ``Rejected``, which costs only the note at fault.
        fate_of: What becomes of clinical content that a span touches.
        replace_spans: Writes surrogates, of which is measured whether they agree.
        mistakes_of: Whose mistakes are listed; they keep the text of their notes in memory.
        labels: Those that gold may have, by name; one of a site's own counts as what it is like.

    Raises:
        MissingArtefact: The file cannot be read.
        Refused: No note could be scored, or a table lacks a column.
    """
    run, labelled = (
        _Scoring(find, fate_of, replace_spans, mistakes_of, labels),
        NoteLines.open(gold, labelled=True),
    )
    with progress() as bar:
        task = bar.add_task("evaluate", total=labelled.count())
        lines = labelled.read()
        while chunk := list(islice(lines, CHUNK)):
            run.take(chunk)
            bar.advance(task, len(chunk))
    if not run.scores:
        msg = f"{gold}: no note could be scored: {write_reasons(run.unscored, run.first)}"
        raise Refused(msg)
    return Evaluation(
        identify(gold),
        run.scores,
        run.unscored,
        run.first,
        run.note_ids,
        run.mistakes,
        run.check_scores(),
        run.content,
        run.agreements,
        run.disagreements,
    )


def write_reasons(reasons: Mapping[str, int], first: Mapping[str, str] = _NOWHERE) -> str:
    """Write counts by reason in one line, with the first place of each where it is known."""
    told = (
        f"{reasons[why]} x {why}" + (f" (first in {first[why]})" if why in first else "")
        for why in sorted(reasons)
    )
    return ", ".join(told) or "it holds none"


@dataclass(slots=True)
class _Scoring:
    find: Find
    fate_of: FateOf
    replace_spans: ReplaceSpans | None
    mistakes_of: str | None
    labels: Mapping[str, PhiLabel]
    scores: dict[str, Score] = field(default_factory=dict[str, Score])
    unscored: Counter[str] = field(default_factory=Counter[str])
    first: dict[str, str] = field(default_factory=dict[str, str])
    note_ids: Counter[str] = field(default_factory=Counter[str])
    mistakes: list[NoteMistake] = field(default_factory=list[NoteMistake])
    judged: dict[str, list[JudgedScore]] = field(default_factory=dict[str, list[JudgedScore]])
    content: dict[str, ContentCounts] = field(default_factory=dict[str, ContentCounts])
    agreements: dict[Relation, Counter[Agreement]] = field(
        default_factory=dict[Relation, Counter[Agreement]]
    )
    disagreements: list[NoteComparison] = field(default_factory=list[NoteComparison])

    def check_scores(self) -> ScoreCheck | None:
        """Measure how reliable the scores of the union are, where they were calibrated."""
        if RAW not in self.judged:
            return None
        return ScoreCheck(
            measure_reliability(self.judged[RAW]), measure_reliability(self.judged[UNION])
        )

    def take(self, lines: Sequence[tuple[int, bytes]]) -> None:
        for notes, found in self._detect(list(self._read_gold_lines(lines))):
            references = [prepare_reference(labelled) for labelled in notes]
            for name, every in found.items():
                if name in {RAW, UNION}:
                    self._judge(name, references, every)
                if name != RAW:
                    self._add(name, references, every)
            self._count_content(notes, [*found.values()][-1])
            self._compare_surrogates(notes, [*found.values()][-1])
            self.note_ids.update(labelled.note.note_id for labelled in notes)
            asked = found.get(self.mistakes_of or "")
            if asked is not None:
                self.mistakes += _note_mistakes(notes, references, asked)

    def _read_gold_lines(self, lines: Iterable[tuple[int, bytes]]) -> Iterator[LabelledNote]:
        for number, line in lines:
            try:
                yield read_gold(line, self.labels)
            except InvalidNote as invalid:
                self.unscored[str(invalid)] += 1
                self.first.setdefault(str(invalid), f"line {number + 1}{_say_why(invalid)}")

    def _detect(
        self, notes: Sequence[LabelledNote]
    ) -> Iterator[tuple[Sequence[LabelledNote], Found]]:
        if not notes:
            return
        try:
            with watch(Stage.DETECT):
                found = self.find([labelled.note for labelled in notes])
        except Rejected as rejected:
            if len(notes) == 1:
                self.unscored[str(rejected)] += 1
                return
            for half in halve(range(len(notes))):
                yield from self._detect([notes[place] for place in half])
        else:
            yield notes, found

    def _judge(
        self, name: str, references: Iterable[Reference], every: Iterable[Iterable[Span]]
    ) -> None:
        judged = self.judged.setdefault(name, [])
        for reference, spans in zip(references, every, strict=True):
            judged += judge_scores(reference.spans, spans)

    def _count_content(
        self, notes: Iterable[LabelledNote], every: Iterable[Sequence[Span]]
    ) -> None:
        for labelled, spans in zip(notes, every, strict=True):
            for kind, counts in count_content(labelled, spans, self.fate_of).items():
                self.content[kind] = self.content.get(kind, ContentCounts()).plus(counts)

    def _compare_surrogates(
        self, notes: Iterable[LabelledNote], every: Iterable[Sequence[Span]]
    ) -> None:
        if self.replace_spans is None:
            return
        for labelled, spans in zip(notes, every, strict=True):
            compared = compare_mentions(labelled, self.replace_spans(labelled.note, spans))
            for relation, counts in count_agreements(compared).items():
                self.agreements.setdefault(relation, Counter()).update(counts)
            if self.mistakes_of is not None:
                apart = (one for one in compared if one.agreement is not Agreement.AGREES)
                self.disagreements += (NoteComparison(labelled.note, one) for one in apart)

    def _add(
        self, name: str, references: Iterable[Reference], every: Iterable[Iterable[Span]]
    ) -> None:
        so_far = [self.scores[name]] if name in self.scores else []
        scored = [score(each, spans) for each, spans in zip(references, every, strict=True)]
        self.scores[name] = total([*so_far, *scored])


def _say_why(invalid: InvalidNote) -> str:
    if isinstance(invalid, InvalidLabelled):
        return f": {invalid.why}"
    return f": {invalid.field}" if invalid.field else ""


def _note_mistakes(
    notes: Iterable[LabelledNote],
    references: Iterable[Reference],
    every: Iterable[Iterable[Span]],
) -> Iterator[NoteMistake]:
    for labelled, reference, spans in zip(notes, references, every, strict=True):
        for mistake in find_mistakes(reference.spans, extents(spans)):
            yield NoteMistake(labelled.note, mistake)
