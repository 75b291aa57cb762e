"""Give documents the risk levels of DeIDClinic, section 3.3.4, as its formula has them.

    python benchmarks/risk/deidclinic_levels.py NOTES.jsonl [--together N ...]

Each note is replaced by the policy of DeIDClinic. A context is the five words on either side of a
replaced span; it is unique if it resembles no context of the other documents of its batch by .5 or
more (cosine, MiniLM in the place of BERT). A document has ``unique / all unique contexts of the
batch`` percent: green below 25, yellow up to 50, red above. So a level depends on how many
documents are in the batch; --together says how many.
"""

import argparse
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from deidstream.agents.deidentifier import DeidentifiedNote, Deidentifier
from deidstream.agents.runtime.load_embedder import load_embedder
from deidstream.agents.settings import read_settings
from deidstream.models.risk.contexts import Highlighted, take_contexts
from deidstream.study.survival.run_survival import read_notes

POLICY = Path(__file__).parents[2] / "study" / "techniques" / "data" / "deidclinic-replace.toml"
AROUND, ALIKE = 5, 0.5
GREEN, YELLOW = 25, 50
_AT_ONCE = 256


@dataclass(frozen=True, slots=True)
class Document:
    vectors: NDArray[np.float32] = field(repr=False)
    """A row for each context; shape ``(contexts, dimension)``."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("notes", metavar="NOTES.jsonl", type=Path)
    parser.add_argument("--together", metavar="N", type=int, nargs="+", default=[1, 5, 25, 1000])
    given = parser.parse_args()
    documents = read_documents(given.notes)
    print("| documents in a batch | contexts | unique | green | yellow | red |")
    print("|---|---|---|---|---|---|")
    for size in sorted({min(size, len(documents)) for size in given.together}):
        counts = [
            count_unique(documents[start : start + size])
            for start in range(0, len(documents) - size + 1, size)
        ]
        every = sum(len(one.vectors) for one in documents[: size * len(counts)])
        unique = sum(map(sum, counts)) / every
        levels = Counter(level for batch in counts for level in tell_levels(batch))
        shares = (f"{levels[name]:,}" for name in ("green", "yellow", "red"))
        print(f"| {size} | {every:,} | {unique:.3f} | " + " | ".join(shares) + " |")


def read_documents(path: Path) -> list[Document]:
    notes, _ = read_notes(path)
    embedder = load_embedder(read_settings({}))
    with Deidentifier.load(POLICY, key=bytes(range(32))) as deidentifier:
        results = deidentifier.deidentify([one.note for one in notes])
    made = list[Document]()
    for result in results:
        if isinstance(result, DeidentifiedNote):
            contexts = [one for one in list_contexts(result) if one]
            rows = [embedder.embed(part) for part in cut_parts(contexts)]
            made.append(Document(np.concatenate(rows) if rows else np.zeros((0, 1), np.float32)))
    return [one for one in made if len(one.vectors)]


def list_contexts(result: DeidentifiedNote) -> list[str]:
    landed = [
        Highlighted(one.out_start, one.out_end, str(one.span.label)) for one in result.replacements
    ]
    return take_contexts(result.text, landed, AROUND)


def cut_parts(texts: Sequence[str]) -> Iterator[Sequence[str]]:
    for start in range(0, len(texts), _AT_ONCE):
        yield texts[start : start + _AT_ONCE]


def count_unique(batch: Sequence[Document]) -> list[int]:
    counts = list[int]()
    for number, one in enumerate(batch):
        others = [other.vectors for place, other in enumerate(batch) if place != number]
        if not others:
            counts.append(len(one.vectors))
            continue
        nearest = (one.vectors @ np.concatenate(others).T).max(axis=1)
        counts.append(int(np.sum(nearest < ALIKE)))
    return counts


def tell_levels(counts: Sequence[int]) -> Iterator[str]:
    every = max(1, sum(counts))
    for count in counts:
        percent = 100 * count / every
        yield "green" if percent < GREEN else "yellow" if percent <= YELLOW else "red"


if __name__ == "__main__":
    main()
