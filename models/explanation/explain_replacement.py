"""Explain how the spans of a note were replaced: by which operator, in which pieces, from what."""

from dataclasses import dataclass, field

from deidstream.models.explanation.explained_note import (
    DrawReason,
    ExplainedDraw,
    ExplainedPiece,
    ExplainedReplacement,
)
from deidstream.models.explanation.mention_pieces import MentionPiece, read_pieces
from deidstream.models.explanation.recorded_pipeline import RecordedRun
from deidstream.models.explanation.surrogate_origin import find_origin
from deidstream.models.operators.redact import write_label
from deidstream.models.records import KNEO, ScopedIdentity, ScopedMention
from deidstream.models.surrogates.allocation import PROBES
from deidstream.models.surrogates.collisions import MOST_REDRAWS
from deidstream.models.surrogates.replacer import DrawnSurrogates
from deidstream.schemas.policy import OperatorName
from deidstream.schemas.span import Replacement


def explain_replacements(run: RecordedRun) -> list[ExplainedReplacement]:
    """Explain the replacements of a note, in the order of its spans."""
    planned = run.substituted.planned
    drawing = _Drawing(run, run.replacer.draw(planned, run.allocated))
    mentions, substituted = planned.mentions, run.substituted.replacements
    written = zip(mentions, substituted, run.rewritten.replacements, strict=True)
    return [_explain(drawing, mention, before, after) for mention, before, after in written]


@dataclass(frozen=True, slots=True)
class _Drawing:
    """The surrogates of one note, and how often each identity was drawn."""

    run: RecordedRun
    surrogates: DrawnSurrogates = field(repr=False)

    def explain(self, mention: ScopedMention, piece: MentionPiece) -> ExplainedPiece:
        """Explain a piece of a mention."""
        if piece.identity is None:
            return ExplainedPiece(piece.text, piece.role, None)
        scoped = ScopedIdentity(mention.scope, piece.identity)
        surrogate = self.surrogates.written[scoped]
        number = self._find_number(scoped, surrogate)
        planned, seeds = self.run.substituted.planned, self.run.allocated.seeds
        draws = self.run.replacer.draws_of(planned, scoped, number, seeds)
        draw = ExplainedDraw(
            kind=piece.identity.kind,
            value=piece.identity.value,
            surrogate=surrogate,
            pool=find_origin(piece.identity, surrogate, draws),
            scope=mention.scope.kind,
            number=number,
            reason=self._find_reason(scoped, number),
        )
        return ExplainedPiece(piece.text, piece.role, draw)

    def _find_number(self, scoped: ScopedIdentity, surrogate: str) -> int:
        """Return the number of the draw that gave a surrogate."""
        planned, seeds = self.run.substituted.planned, self.run.allocated.seeds
        for number in range(PROBES + 1 + MOST_REDRAWS):
            if self.run.replacer.derive(planned, scoped, number, seeds) == surrogate:
                return number
        raise AssertionError

    def _find_reason(self, scoped: ScopedIdentity, number: int) -> DrawReason:
        if number == 0:
            return DrawReason.FIRST
        if scoped not in self.run.substituted.planned.exclusive or number > PROBES:
            return DrawReason.REDRAWN
        return DrawReason.SHARED if number == PROBES else DrawReason.NEXT


def _explain(
    drawing: _Drawing, mention: ScopedMention, before: Replacement, after: Replacement
) -> ExplainedReplacement:
    run, span = drawing.run, before.span
    policy, operator = run.replacer.policy, run.replacer.operator_of(span)
    named = policy.operators[span.name]
    label = write_label(span, policy.redact_style)
    return ExplainedReplacement(
        span=span,
        original=mention.mention.text,
        text=before.text,
        operator=before.operator,
        named=named,
        doubtful=policy.is_doubtful(span.name, span.score),
        labelled=before.text == label and before.operator != OperatorName.REDACT,
        pieces=tuple(
            drawing.explain(mention, piece) for piece in read_pieces(operator, mention.mention)
        ),
        exchanged=after.operator == KNEO,
    )
