"""Count the planted misses that are left in what a pipeline lets out."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum

from deidstream.models.kneo.rewriter import Rewriter
from deidstream.models.pipeline import Pipeline
from deidstream.models.surrogates.allocation import allocate_without_store
from deidstream.models.text.folding import words_of
from deidstream.schemas.label import PhiLabel
from deidstream.schemas.outcome import Failed
from deidstream.schemas.ports import Embedder
from deidstream.study.scoring.cells import wilson
from deidstream.study.survival.planted_misses import (
    PlantedMiss,
    PlantedRecognizer,
    telling_words,
)


class Fate(StrEnum):
    """What becomes of an identifier that recognition overlooked."""

    WHOLE = "whole"
    """All its words stand in the output, in a row."""
    PART = "part"
    """Some word of it that is no ordinary one stands in the output."""
    GONE = "gone"
    """The output has no such word of it."""
    FOUND = "found"
    """A step of detection after the recognizers found it again: it was no miss."""


@dataclass(frozen=True, slots=True)
class MissFound:
    """What became of one planted miss."""

    label: PhiLabel
    fate: Fate
    held: bool = False
    """Whether the verifier holds the note back. A real miss is one that its rules overlook too, so
    the fate is that of the text which the verifier was shown."""


@dataclass(frozen=True, slots=True)
class Survival:
    """The fates of planted misses under one policy."""

    policy: str
    fates: Mapping[PhiLabel, Counter[Fate]]
    held: int
    """Misses that are left in some part, and for which the verifier holds the note back."""

    @property
    def total(self) -> Counter[Fate]:
        """The fates of all labels together."""
        return sum(self.fates.values(), Counter[Fate]())

    @property
    def missed(self) -> int:
        """Misses that stayed misses."""
        return self.total.total() - self.total[Fate.FOUND]

    def share_of(self, *fates: Fate) -> tuple[float, float, float]:
        """Return the share of misses with any of these fates, and its Wilson 95 % interval."""
        count = sum(self.total[fate] for fate in fates)
        low, high = wilson(count, self.missed) or (0.0, 1.0)
        return count / max(1, self.missed), low, high


def with_embedder(pipeline: Pipeline, embedder: Embedder) -> Pipeline:
    """Return the pipeline with another embedder for KNEO; one without KNEO is returned as it is."""
    rewriter = pipeline.rewriter
    if not isinstance(rewriter, Rewriter):
        return pipeline
    kneo = replace(rewriter.kneo, embedder=embedder)
    return replace(pipeline, rewriter=replace(rewriter, kneo=kneo))


def find_fates(pipeline: Pipeline, misses: Iterable[PlantedMiss]) -> Iterator[MissFound]:
    """Run each planted miss through a pipeline, as one note by itself.

    The spans come from the plants; sweep, operators, surrogates, KNEO and verifier are the
    pipeline's own. The store of surrogates is empty and thrown away.

    Yields:
        What became of each overlooked identifier, in the order of ``misses``.
    """
    for miss in misses:
        yield _find_fate(pipeline, miss)


def _find_fate(pipeline: Pipeline, miss: PlantedMiss) -> MissFound:
    planned = _with_planted(pipeline, miss).prepare([miss.note])
    spans = planned[0].detected.spans
    place = miss.overlooked
    if any(span.start < place.end and place.start < span.end for span in spans):
        return MissFound(place.label, Fate.FOUND)
    allocated = allocate_without_store(pipeline.allocate(planned))
    (written,) = pipeline.rewrite(pipeline.substitute(planned, allocated))
    fate = tell_fate(miss.identifier, written.text)
    held = fate is not Fate.GONE and isinstance(pipeline.verify(written), Failed)
    return MissFound(place.label, fate, held)


def _with_planted(pipeline: Pipeline, miss: PlantedMiss) -> Pipeline:
    """Return the pipeline with recognizers of the same names that report the plants."""
    names = sorted(pipeline.policy.recognizers)
    found = [{miss.note.text: miss.found}, *({} for _ in names[1:])]
    planted = tuple(
        PlantedRecognizer(name, spans) for name, spans in zip(names, found, strict=True)
    )
    detector = replace(pipeline.detector, recognizers=planted, calibration=None)
    return replace(pipeline, detector=detector)


def tell_fate(identifier: str, output: str) -> Fate:
    """Tell what is left of an identifier in a text, whatever its case and punctuation.

    >>> tell_fate("Ada Quill-Marsh", "Seen with ADA QUILL MARSH."), tell_fate("Ada Quill", "Quill.")
    (<Fate.WHOLE: 'whole'>, <Fate.PART: 'part'>)
    """
    own, theirs = words_of(identifier), words_of(output)
    count = len(own)
    if any(theirs[at : at + count] == own for at in range(len(theirs) - count + 1)):
        return Fate.WHOLE
    return Fate.GONE if telling_words(frozenset(own)).isdisjoint(theirs) else Fate.PART


def count_fates(policy: str, found: Iterable[MissFound]) -> Survival:
    """Count fates by label."""
    fates: dict[PhiLabel, Counter[Fate]] = {}
    held = 0
    for one in found:
        fates.setdefault(one.label, Counter())[one.fate] += 1
        held += one.held
    return Survival(policy, fates, held)
