"""Calibrate: from what supports a span to the probability that it touches PHI.

The scores of recognizers are no probabilities: a tagger is too sure of itself, the score of a rule
was set by hand, and where two agree both count. A logistic regression over the evidence gives one
number that means the same for every span: of the spans that score 0.9, nine in ten touch PHI. Its
weights are fitted on notes that no recognizer learnt from (``deidstream calibrate``, ADR 32).
"""

import math
from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Protocol, Self

import orjson

from deidstream.models.detection.reconcile import SCORE_DIGITS, is_confirmed
from deidstream.models.detection.word_evidence import describe_words
from deidstream.models.neural.weights import shipped_tagger
from deidstream.models.phi.dates.read_date import names_calendar
from deidstream.models.time_budget import within_time
from deidstream.schemas.errors import MissingArtefact
from deidstream.schemas.label import LABELS, LabelGroup, PhiLabel
from deidstream.schemas.span import Span

CALIBRATION = "calibration.json"
"""File beside a checkpoint that holds the weights fitted with it."""
SCHEMA = 1
BENDS = (0.5, 0.9, 0.99)
"""Scores of the tagger from which on a further point of it weighs differently."""
_LEAST = 0.0005
"""Half of the smallest difference between two scores of the tagger: 0 and 1 have no log odds."""
_CONFIRMED = 0.95
"""Least probability of what counts without the tagger."""
_SURELY_WORDED = 0.985
"""Score of the tagger from which on a date in words of the calendar counts as such. Alone in a
table or list (``LASIK 2003``) it is never surer of one; of 45 in twelve sets four were no dates."""
_ONE, _ODDS = 0, 1
"""Places of the amounts of a feature: 1, and the log odds of the tagger."""
_MOST_KINDS = 4096
"""Kinds of evidence whose features are kept."""
_OFTEN = 64
"""Reports between two looks at the clock."""
_KNOWN, _TAGGER = "known", "tagger"

_Kind = tuple[LabelGroup, frozenset[str], bool, tuple[str, ...]]
"""What decides which features a span has: the group of its label, the sources of its evidence but
the tagger, whether the sweep found it, and what its words are where the tagger is alone."""
Features = Mapping[str, float]
"""The evidence for a span: a value by name."""


class Calibrator(Protocol):
    """Turns the scores of recognizers into probabilities."""

    def calibrate(
        self, text: str, spans: Sequence[Span], reports: Sequence[Span]
    ) -> tuple[Span, ...]:
        """Give each span the probability that it touches PHI as its score.

        Args:
            text: The note.
            spans: Disjoint, in order.
            reports: What recognizers reported on the note, with what is possible to the tagger.
        """
        ...


@dataclass(frozen=True, slots=True)
class Calibration:
    """The weights of the evidence, as log odds."""

    weights: Mapping[str, float] = field(repr=False)
    """By feature; evidence that is not named weighs nothing."""
    _of_kind: dict[_Kind, list[tuple[float, int]]] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )
    """The weights of features that were asked for, each with the place of its amount."""

    @classmethod
    def read(cls, folder: Path) -> Self:
        """Read the weights beside a checkpoint; those of the shipped one where it has none.

        Raises:
            MissingArtefact: They cannot be read.
        """
        path = (folder if is_calibrated(folder) else shipped_tagger()) / CALIBRATION
        try:
            content = orjson.loads(path.read_bytes())
            return cls({str(name): float(value) for name, value in content["weights"].items()})
        except (OSError, ValueError, TypeError, KeyError, AttributeError) as error:
            msg = f"{path.name} of the tagger cannot be read: {type(error).__name__}"
            raise MissingArtefact(msg) from None

    def calibrate(
        self, text: str, spans: Sequence[Span], reports: Sequence[Span]
    ) -> tuple[Span, ...]:
        """Give each span its probability as its score, rounded.

        What the sender or the site states keeps the score that it came with; a pattern of the site
        that is not certain has a higher one if the other evidence says so.
        """
        evidence = gather_evidence(spans, reports)
        return tuple(
            span.scored(self._judge(text, span, own))
            for span, own in zip(spans, evidence, strict=True)
        )

    def _judge(self, text: str, span: Span, evidence: Iterable[Span]) -> float:
        if span.source.startswith(_KNOWN) or (span.of_site and span.score == 1):
            return span.score
        weighed = self._weigh(text, span, evidence)
        if is_confirmed(span) or _is_surely_worded(text, span, evidence):
            return max(_CONFIRMED, weighed)
        return max(span.score, weighed) if span.of_site else weighed

    def probability(self, features: Features) -> float:
        """Return the probability that a span with this evidence touches PHI."""
        return _round_probability(
            sum([self.weights.get(name, 0.0) * value for name, value in features.items()])
        )

    def _weigh(self, text: str, span: Span, evidence: Iterable[Span]) -> float:
        """Return the probability by the features of a span, without naming them each time."""
        phi, kind = _read_support(text, span, evidence)
        weights = self._of_kind.get(kind)
        if weights is None:
            named = [(self.weights.get(name, 0.0), place) for name, place in _name_features(kind)]
            weights = [(weight, place) for weight, place in named if weight]
            if len(self._of_kind) < _MOST_KINDS:
                self._of_kind[kind] = weights
        amounts = _amounts_of(phi)
        return _round_probability(sum([weight * amounts[place] for weight, place in weights]))


def _is_surely_worded(text: str, span: Span, evidence: Iterable[Span]) -> bool:
    """Return whether the tagger is sure of a date with a year or with words of the calendar."""
    if span.label is not PhiLabel.DATE or not names_calendar(text[span.start : span.end]):
        return False
    sure = max((one.score for one in evidence if one.source == _TAGGER), default=0.0)
    return sure >= _SURELY_WORDED


def _round_probability(odds: float) -> float:
    # Rounded, so that the last bit of another machine's exp decides nothing.
    return round(1 / (1 + math.exp(-odds)), SCORE_DIGITS)


def is_calibrated(folder: Path) -> bool:
    """Return whether a checkpoint has weights of its own."""
    return (folder / CALIBRATION).exists()


class Bounded(Protocol):
    """``[start, end)`` of a text, in code points."""

    @property
    def start(self) -> int:
        """Where it begins."""
        ...

    @property
    def end(self) -> int:
        """Where it ends."""
        ...


def gather_evidence(places: Sequence[Bounded], reports: Iterable[Span]) -> list[list[Span]]:
    """Return for each of some disjoint places, in order, the reports that overlap it."""
    gathered: list[list[Span]] = [[] for _ in places]
    if not gathered:
        return gathered
    ends = [each.end for each in places]
    for report in within_time(reports, every=_OFTEN):
        place = bisect_right(ends, report.start)
        while place < len(places) and places[place].start < report.end:
            gathered[place].append(report)
            place += 1
    return gathered


def features_of(text: str, span: Span, evidence: Iterable[Span]) -> Features:
    """Describe what supports a span.

    The tagger counts with its highest score in the span, by the group of the label; a rule with
    itself, its module and the mere fact that there is one; likewise the dictionary. Where it is the
    tagger alone, so do the words of the span (``detection.word_evidence``).
    """
    phi, kind = _read_support(text, span, evidence)
    amounts = _amounts_of(phi)
    return {name: amounts[amount] for name, amount in _name_features(kind)}


def _read_support(text: str, span: Span, evidence: Iterable[Span]) -> tuple[float, _Kind]:
    """Return the highest score of the tagger in a span, and what else decides its features."""
    sources: set[str] = set()
    phi = 0.0
    for each in evidence:
        if each.source.startswith("tagger"):
            # To call max for every report takes as long as the rest of the loop.
            if each.score > phi:  # noqa: PLR1730
                phi = each.score
        else:
            sources.add(each.source)
    swept = span.source == "sweep"
    words = () if sources or swept else tuple(describe_words(text, span))
    return phi, (LABELS[span.label].group, frozenset(sources), swept, words)


@lru_cache(maxsize=_MOST_KINDS)
def _amounts_of(phi: float) -> tuple[float, ...]:
    """Return 1, the log odds of the tagger's score, and by how much they exceed each bend.

    The tagger says whole thousandths, so the same ones are asked for again and again.
    """
    odds = log_odds(phi)
    return (1.0, odds, *[max(0.0, odds - bend) for bend in _BENT_ODDS])


@lru_cache(maxsize=_MOST_KINDS)
def _name_features(kind: _Kind) -> tuple[tuple[str, int], ...]:
    """Return the names of the features of a span, each with its place among the amounts.

    The names of sources are few, so the same ones are asked for again and again.
    """
    group, sources, swept, words = kind
    features = {"always": _ONE, "tagger": _ODDS, f"{group}": _ONE, f"{group}.tagger": _ODDS}
    features |= {f"tagger.{bend}": _ODDS + place for place, bend in enumerate(BENDS, 1)}
    kinds = {source.partition(":")[0] for source in sources}
    if swept:
        kinds.add("sweep")
    for name in sorted(kinds):
        features |= {name: _ONE, f"{name}.tagger": _ODDS}
    if len(kinds) > 1:
        features["several"] = _ONE
    modules = {source.partition(".")[0] for source in sources if "." in source}
    features |= dict.fromkeys((*sorted(modules | sources), *words), _ONE)
    return tuple(features.items())


def log_odds(score: float) -> float:
    """Return the log odds of a score; of 0 and 1 those of the nearest that the tagger can say."""
    bounded = min(max(score, _LEAST), 1 - _LEAST)
    return math.log(bounded / (1 - bounded))


def write_calibration(
    folder: Path, weights: Mapping[str, float], fitted: Mapping[str, int]
) -> None:
    """Write weights beside a checkpoint, with the number of notes and spans they were fitted on.

    Raises:
        MissingArtefact: The folder cannot be written.
    """
    content = {"schema": SCHEMA, **fitted, "weights": dict(sorted(weights.items()))}
    try:
        (folder / CALIBRATION).write_bytes(
            orjson.dumps(content, option=orjson.OPT_INDENT_2) + b"\n"
        )
    except OSError as error:
        msg = f"{folder}: cannot be written: {type(error).__name__}"
        raise MissingArtefact(msg) from None


_BENT_ODDS = tuple(map(log_odds, BENDS))
