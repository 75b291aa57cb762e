"""Measures the detector on styles that its tagger was trained without, as Markdown.

    python benchmarks/recognition/left_out_styles.py STYLES --start TAGGER --replay CORPUS.jsonl \\
        --out FOLDER

A folder of STYLES is a style. The styles are dealt into parts; for each part the tagger of
``--start``, which must not have seen any of the styles (the second pass of the shipped one), is
trained on with the other styles and on a sample of the corpus that it was made from
(``deidstream corpus``), and the policy's detector finds the PHI of the styles left out, with each
profile. A part takes some twenty minutes on two cores; one that is in FOLDER already is measured
again only.
"""

import argparse
import json
import os
import random
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from deidstream.agents.runtime import load_models
from deidstream.agents.runtime.policy_files import find_policy
from deidstream.agents.settings import read_settings
from deidstream.models.detection.detector import Detector
from deidstream.models.neural.tokenizer import Pieces
from deidstream.models.neural.weights import DIGEST, digest, shipped_tagger
from deidstream.schemas.labelled import LabelledNote, decode_labelled
from deidstream.schemas.policy import DetectionPolicy, Profile
from deidstream.study.corpus.fillers.fill import Filler, read_lists
from deidstream.study.corpus.marked import read_folder
from deidstream.study.corpus.vary import vary
from deidstream.study.scoring.match import prepare_reference
from deidstream.study.scoring.score import score
from deidstream.study.scoring.totals import headline, total
from deidstream.study.tagger.examples import examples
from deidstream.study.tagger.fit import FitPlan, fit
from deidstream.study.tagger.start import save, set_thresholds, start

SEED = 7
WINDOW = 256
PROFILES = (Profile.BALANCED, Profile.STRICT)
COLUMNS = ("recall", "of direct", "precision", "notes without leak")
PLAN = FitPlan(epochs=2, learning_rate=2e-4, batch_pieces=4096, average=0.995, seed=SEED, bf16=True)


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure on styles that were left out.")
    parser.add_argument("styles", metavar="STYLES", type=Path)
    parser.add_argument("--start", metavar="TAGGER", type=Path, required=True)
    parser.add_argument(
        "--also", metavar="FOLDER", type=Path, nargs="*", default=[], help="more to learn"
    )
    parser.add_argument("--replay", metavar="CORPUS.jsonl", type=Path, required=True)
    parser.add_argument("--out", metavar="FOLDER", type=Path, required=True)
    parser.add_argument("--parts", type=int, default=4)
    parser.add_argument("--replayed", type=int, default=900, help="notes of the corpus: 900")
    parser.add_argument("--copies", type=int, default=2, help="copies with other PHI: 2")
    arguments = parser.parse_args()
    notes = list(read_folder(arguments.styles))
    styles = sorted({style_of(labelled) for labelled in notes})
    print("| style | notes |" + f" {' | '.join(COLUMNS)} |" * len(PROFILES))
    print("|---|--:|" + "--:|" * len(COLUMNS) * len(PROFILES), flush=True)
    recalls: list[list[float]] = []
    for part in range(arguments.parts):
        left_out = styles[part :: arguments.parts]
        folder = arguments.out / f"part{part}"
        if not (folder / DIGEST).exists():
            learn_without(left_out, notes, folder, arguments)
        detectors = [load_detector(folder, profile) for profile in PROFILES]
        recalls += [measure(style, notes, detectors) for style in left_out]
    for profile, of_profile in zip(PROFILES, zip(*recalls, strict=True), strict=True):
        mean = sum(of_profile) / len(of_profile)
        print(f"\nMean recall of {len(of_profile)} styles, {profile}: {mean:.4f}")


def style_of(labelled: LabelledNote) -> str:
    return labelled.note.note_id.partition("/")[0]


def learn_without(
    left_out: Sequence[str],
    notes: Sequence[LabelledNote],
    folder: Path,
    arguments: argparse.Namespace,
) -> None:
    rng = random.Random(SEED)
    filler = Filler(rng, read_lists(None))
    learnt = [labelled for labelled in notes if style_of(labelled) not in left_out]
    copies = [vary(labelled, rng, filler) for _ in range(arguments.copies) for labelled in learnt]
    corpus = [decode_labelled(line) for line in arguments.replay.read_bytes().splitlines()]
    replayed = rng.sample(corpus, min(arguments.replayed, len(corpus)))
    also = [labelled for other in arguments.also for labelled in read_folder(other)]
    encoder = arguments.start
    pieces = Pieces.load(encoder).separate_symbols()
    texts = (*learnt, *copies, *also, *replayed)
    windows = list(examples(texts, pieces, window=WINDOW, overlap=WINDOW // 4))
    model = start(encoder, seed=SEED, shapes=True)
    model.config.symbols_apart = pieces.symbols_apart
    folder.mkdir(parents=True, exist_ok=True)
    for step in fit(model, windows, PLAN, pad_id=pieces.pad_id, state=folder / "training.pt"):
        if step.number % 50 == 0:
            print(f"{folder.name}: step {step.number} of {step.of}", file=sys.stderr, flush=True)
    save(model, encoder, folder)
    (folder / "training.pt").unlink()
    shipped = json.loads((shipped_tagger() / "config.json").read_bytes())
    set_thresholds(folder, shipped["phi_thresholds"])
    (folder / DIGEST).write_text(digest(folder) + "\n", encoding="ascii")


def load_detector(folder: Path, profile: Profile) -> Detector:
    settings = read_settings(os.environ | {"DEIDSTREAM_TAGGER_PATH": str(folder)})
    policy = find_policy(settings.policy)
    policy = replace(policy, detection=DetectionPolicy(profile))
    detector, _ = load_models.load_detector(settings, policy)
    return detector


def measure(
    style: str, notes: Sequence[LabelledNote], detectors: Sequence[Detector]
) -> list[float]:
    """Print the row of a style; its recall by each detector."""
    texts = [labelled for labelled in notes if style_of(labelled) == style]
    recalls: list[float] = []
    cells: list[float | None] = []
    for detector in detectors:
        found = detector.detect([labelled.note for labelled in texts])
        scores = [
            score(prepare_reference(labelled), note.spans)
            for labelled, note in zip(texts, found, strict=True)
        ]
        figures = headline(total(scores))
        recalls.append(figures.redact_recall or 0.0)
        cells += [
            figures.redact_recall,
            figures.direct_recall,
            figures.redact_precision,
            figures.leak_free_notes,
        ]
    shown = " | ".join("-" if cell is None else f"{cell:.3f}" for cell in cells)
    print(f"| {style} | {len(texts)} | {shown} |", flush=True)
    return recalls


if __name__ == "__main__":
    main()
