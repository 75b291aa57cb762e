"""Make the word vectors that come with deidstream, from texts of this project alone.

    python benchmarks/build_vectors.py GOLD.jsonl ... --out models/data/vectors

The texts are the notes of ``training``, the labelled notes GOLD, and the pool of sentences.
"""

import argparse
import json
import lzma
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from deidstream.agents.cli.main import main

ROOT = Path(__file__).resolve().parents[1]
FOLDERS = (ROOT / "training" / "notes", ROOT / "training" / "styles")
POOL = ROOT / "models" / "data" / "pool" / "sentences.jsonl.xz"
FLAGS = (
    *("--kind", "fasttext", "--preset", "abdalla", "--skip-gram"),
    *("--min-count", "3", "--epochs", "20", "--ngrams", "20000"),
)


def write_pool(path: Path) -> None:
    """Write the sentences of the pool as records; one of no patient is a patient of its own."""
    with lzma.open(POOL) as lines, path.open("w") as out:
        for line in lines:
            text, donor = json.loads(line)
            record = {"note_id": "", "patient_id": donor or text[:40], "text": text}
            out.write(json.dumps(record) + "\n")


def build_vectors(gold: list[Path], out: Path) -> int:
    with TemporaryDirectory() as folder:
        pool = Path(folder) / "pool.jsonl"
        write_pool(pool)
        sources = [*FOLDERS, *gold, pool]
        return main(["vectors", "train", *map(str, sources), "--out", str(out), *FLAGS])


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("gold", type=Path, nargs="*")
    parser.add_argument("--out", type=Path, required=True)
    arguments = parser.parse_args()
    sys.exit(build_vectors(arguments.gold, arguments.out))
