"""Draw recall over precision for many thresholds of the tagger, with the profiles on it.

    python benchmarks/recognition/curve.py GOLD... [--svg FILE.svg] [--out FILE.json]

Each GOLD is a file of labelled notes or a folder of marked ones. The models run once on each text;
with every flat threshold, and with every profile, the notes are then detected anew. The diagram is
of the first GOLD. With ``--reliability FILE.svg`` the reliability of the scores of all GOLD
together is drawn too.
"""

import argparse
import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, cast

from known_identifiers import RememberedReports

from deidstream.agents.runtime.load_models import POSSIBLE_PHI, load_detector
from deidstream.agents.runtime.policy_files import find_policy
from deidstream.agents.settings import read_settings
from deidstream.models.detection.detector import Detector
from deidstream.models.recognizers.label_scores import (
    WHOLE,
)
from deidstream.models.recognizers.profiles import BOUNDS, ProfileBounds
from deidstream.models.recognizers.tagger import Tagger
from deidstream.models.recognizers.word_spans import (
    Thresholds,
    Words,
    possible_spans,
    read_spans,
)
from deidstream.schemas.labelled import LabelledNote
from deidstream.schemas.note import RawNote
from deidstream.schemas.policy import Profile, RecognizerName
from deidstream.schemas.span import Span
from deidstream.study.corpus.read_notes import read_labelled_notes, read_marked_notes
from deidstream.study.evaluation.diagram import AFTER, BEFORE, Axis, Series, draw, draw_reliability
from deidstream.study.evaluation.evaluation import ScoreCheck
from deidstream.study.scoring.match import extents, prepare_reference
from deidstream.study.scoring.reliability import judge_scores, measure_reliability
from deidstream.study.scoring.score import score
from deidstream.study.scoring.totals import Headline, headline, total

FLAT = (20, 50, 100, 150, 200, 300, 400, 500, 600, 700, 800, 900)
"""Thresholds of all labels, in thousandths."""
CHUNK = 16


@dataclass(slots=True)
class RememberedTagger:
    """A tagger that runs its model once on each text, whatever its thresholds then are."""

    tagger: Tagger
    bounds: ProfileBounds
    answers: dict[str, Any] = field(default_factory=dict[str, Any])
    name: str = "tagger"

    def recognize(self, notes: Sequence[RawNote]) -> list[tuple[Span, ...]]:
        new = list({note.text: None for note in notes if note.text not in self.answers})
        encodings, scores = self.tagger.score(new)
        self.answers |= dict(zip(new, zip(encodings, scores, strict=True), strict=True))
        return [tuple(self._read(note.text)) for note in notes]

    def _read(self, text: str) -> list[Span]:
        encoding, scores = self.answers[text]
        if not len(scores):
            return []
        own = self.tagger.own_thresholds.clip(self.bounds.lowest, self.bounds.highest)
        least = round(POSSIBLE_PHI * WHOLE)
        words = Words.of(text, encoding)
        best = words.take_largest(scores)
        found = read_spans(text, words, best, Thresholds(own, self.bounds.beside))
        return sorted([*found, *possible_spans(words, best, least)])


def main() -> None:
    parser = argparse.ArgumentParser(description="Draw recall over precision by threshold.")
    parser.add_argument("gold", metavar="GOLD", type=Path, nargs="+")
    parser.add_argument("--policy", metavar="NAME")
    parser.add_argument("--svg", metavar="FILE.svg", type=Path)
    parser.add_argument("--reliability", metavar="FILE.svg", type=Path)
    parser.add_argument("--out", metavar="FILE.json", type=Path)
    arguments = parser.parse_args()
    settings = read_settings(os.environ, {"policy": arguments.policy})
    loaded, _ = load_detector(settings, find_policy(settings.policy))
    tagger = RememberedTagger(cast("Tagger", _tagger_of(loaded)), ProfileBounds(0, WHOLE, WHOLE))
    others = [
        RememberedReports(each) for each in loaded.recognizers if each.name != RecognizerName.TAGGER
    ]
    detector = replace(loaded, recognizers=(*others, tagger))
    kept: dict[str, dict[str, Headline]] = {}
    every: list[LabelledNote] = []
    for gold in arguments.gold:
        notes = read_marked_notes(gold) if gold.is_dir() else read_labelled_notes(gold)
        every += notes
        kept[gold.name] = _sweep(detector, tagger, notes)
        _show(gold.name, kept[gold.name])
    if arguments.svg:
        arguments.svg.write_text(_draw(next(iter(kept.values()))))
    if arguments.reliability:
        tagger.bounds = BOUNDS[loaded.policy.detection.profile]
        arguments.reliability.write_text(draw_reliability(_check(detector, every)))
    if arguments.out:
        rows = {gold: {row: asdict(one) for row, one in of.items()} for gold, of in kept.items()}
        arguments.out.write_text(json.dumps(rows, indent=2) + "\n")


def _tagger_of(detector: Detector) -> object:
    return next(each for each in detector.recognizers if each.name == RecognizerName.TAGGER)


def _sweep(
    detector: Detector, tagger: RememberedTagger, notes: Sequence[LabelledNote]
) -> dict[str, Headline]:
    rows = {f"{flat / WHOLE:.2f}": ProfileBounds(flat, flat, WHOLE) for flat in FLAT}
    rows |= {str(profile): bounds for profile, bounds in BOUNDS.items()}
    measured: dict[str, Headline] = {}
    for row, bounds in rows.items():
        tagger.bounds = bounds
        scores = [
            score(prepare_reference(one), spans)
            for one, spans in zip(notes, _find(detector, notes), strict=True)
        ]
        measured[row] = headline(total(scores))
    return measured


def _find(detector: Detector, notes: Sequence[LabelledNote]) -> list[tuple[Span, ...]]:
    found: list[tuple[Span, ...]] = []
    for at in range(0, len(notes), CHUNK):
        chunk = [one.note for one in notes[at : at + CHUNK]]
        found += [detected.spans for detected in detector.detect(chunk)]
    return found


def _check(detector: Detector, notes: Sequence[LabelledNote]) -> ScoreCheck:
    sides = (replace(detector, calibration=None), detector)
    before, after = (
        measure_reliability(
            judged
            for one, spans in zip(notes, _find(side, notes), strict=True)
            for judged in judge_scores(extents(one.spans), spans)
        )
        for side in sides
    )
    return ScoreCheck(before, after)


def _show(name: str, rows: Mapping[str, Headline]) -> None:
    print(f"\n| {name} | recall | of direct | precision | leak rate | missed | leak-free |")
    print(f"|---|{'---|' * 6}")
    for row, one in rows.items():
        cells = (
            one.redact_recall,
            one.direct_recall,
            one.redact_precision,
            one.leaking_spans,
            one.missed_spans,
            one.leak_free_notes,
        )
        print(f"| {row} | {' | '.join(f'{cell or 0:.3f}' for cell in cells)} |")


def _draw(rows: Mapping[str, Headline]) -> str:
    flat = [one for row, one in rows.items() if row not in {*Profile}]
    profiles = [rows[profile] for profile in Profile]
    points = [[_point(one) for one in each] for each in (flat, profiles)]
    every = [point for each in points for point in each]
    return draw(
        "Recall over precision, tokens under whatever label",
        Axis("recall", _marks([across for across, _ in every]), 3),
        Axis("precision", _marks([up for _, up in every]), 2),
        (
            Series("one threshold for all words, .02 to .90", points[0], BEFORE),
            Series(
                "profiles",
                points[1],
                AFTER,
                [str(profile) for profile in Profile],
                joined=False,
            ),
        ),
    )


def _point(one: Headline) -> tuple[float, float]:
    return one.redact_recall or 0.0, one.redact_precision or 0.0


def _marks(values: Sequence[float]) -> list[float]:
    """Return round marks that hold all values."""
    spread = max(values) - min(values)
    step = next(step for step in (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1) if spread < 6 * step)
    first, last = int(min(values) / step), int(max(values) / step) + 1
    return [place * step for place in range(first, last + 1)]


if __name__ == "__main__":
    main()
