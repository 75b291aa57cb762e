"""Makes the figures on recognition of docs/evaluation.md, as Markdown.

    python benchmarks/recognition/figures.py DEV.jsonl [--data FOLDER] [--out FILE.json]

Measures the default policy on the development notes, on the second set beside this file, and with
``--data`` on prose into which another generator than the training one put PHI.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from deidstream.agents.runtime.load_models import load_detector, load_tagger
from deidstream.agents.runtime.policy_files import find_policy
from deidstream.agents.settings import read_settings
from deidstream.models.neural.weights import shipped_tagger
from deidstream.schemas.labelled import decode_labelled, encode_labelled
from deidstream.study.corpus.marked import read_folder
from deidstream.study.evaluation.evaluation import Evaluation, evaluate
from deidstream.study.scoring.clinical_content import Fate
from deidstream.study.scoring.per_recognizer import detect_separately
from deidstream.study.scoring.totals import headline

HERE = Path(__file__).parent
COLUMNS = {
    "recall": "redact_recall",
    "of direct": "direct_recall",
    "precision": "redact_precision",
    "F1 of spans": "overlap_f1",
    "F1, i2b2 relaxed": "relaxed_f1",
    "notes without leak": "leak_free_notes",
}
ROWS = ("rules", "dictionary", "tagger", "union")
INJECTED = 200


def main() -> None:
    parser = argparse.ArgumentParser(
        description="Make the figures on recognition of docs/evaluation.md."
    )
    parser.add_argument("dev", metavar="DEV.jsonl", type=Path)
    parser.add_argument("--data", metavar="FOLDER", type=Path, help="prose to inject into")
    parser.add_argument("--out", metavar="FILE.json", type=Path)
    arguments = parser.parse_args()
    settings = read_settings(os.environ)
    policy = find_policy(settings.policy)
    detector, _ = load_detector(settings, policy)
    find = partial(detect_separately, detector)
    kept: dict[str, object] = {}
    with tempfile.TemporaryDirectory() as folder:
        for name, path in sets(arguments, Path(folder)):
            # What becomes of clinical content is not shown here.
            evaluation = evaluate(path, find, fate_of=lambda _: Fate.DESTROYED)
            kept[name] = shown(name, evaluation)
    kept["speed"] = speed(arguments.dev)
    if arguments.out:
        arguments.out.write_text(json.dumps(kept, indent=2) + "\n")


def sets(arguments: argparse.Namespace, folder: Path) -> Iterator[tuple[str, Path]]:
    yield "development notes", arguments.dev
    second = folder / "second.jsonl"
    notes = read_folder(HERE / "second_set")
    second.write_bytes(b"".join(encode_labelled(labelled) + b"\n" for labelled in notes))
    yield "second set", second
    if arguments.data:
        injected = folder / "injected.jsonl"
        script = [sys.executable, str(HERE / "other_injection.py"), str(arguments.data)]
        flags = ["--out", str(injected), "--notes", str(INJECTED), "--seed", "7"]
        subprocess.run([*script, *flags], check=True)  # noqa: S603 - the script beside this one
        yield "injected by another generator", injected


def shown(name: str, evaluation: Evaluation) -> dict[str, dict[str, float | None]]:
    figures = {
        row: {key: getattr(headline(evaluation.scores[row]), key) for key in COLUMNS.values()}
        for row in ROWS
        if row in evaluation.scores
    }
    print(f"\n| {name} | {' | '.join(COLUMNS)} |\n|---|{'---|' * len(COLUMNS)}")
    for row, values in figures.items():
        cells = ["-" if value is None else f"{value:.3f}" for value in values.values()]
        print(f"| {row} | {' | '.join(cells)} |")
    kinds = {str(kind): 0 for kind, *_ in evaluation.scores["union"].mistakes}
    for (kind, *_), count in evaluation.scores["union"].mistakes.items():
        kinds[str(kind)] += count
    spans = evaluation.scores["union"].leaks.spans
    print(f"\n{spans} spans; errors of the union: {kinds}; not scored: {dict(evaluation.unscored)}")
    return figures


def speed(dev: Path) -> dict[str, float]:
    settings = read_settings(os.environ)
    began = time.perf_counter()
    tagger = load_tagger(settings)
    loaded = time.perf_counter() - began
    texts = [decode_labelled(line).note.text for line in dev.read_bytes().splitlines()]
    tagger.score(texts[:8])
    began = time.perf_counter()
    encodings, _ = tagger.score(texts)
    seconds = time.perf_counter() - began
    pieces = sum(len(encoding.ids) for encoding in encodings)
    size = sum(path.stat().st_size for path in shipped_tagger().iterdir()) / 1e6
    print(
        f"\nTagger: {size:.1f} MB, loads in {loaded:.2f} s, {pieces / seconds:,.0f} word pieces/s "
        f"({tagger.choice.engine}, {tagger.precision})"
    )
    return {"megabytes": size, "load_seconds": loaded, "pieces_per_second": pieces / seconds}


if __name__ == "__main__":
    main()
