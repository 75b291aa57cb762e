"""Fuzz what reads any bytes, by coverage: ``make fuzz``, for ``FUZZ_SECONDS``.

The first byte of an input chooses the law (``support.hostile_laws``), the rest is what it is
given. An input that breaks a law or takes longer than ten seconds is written to ``build/fuzz``;
mend it and keep it in ``tests/hostile/corpus``, which every run of the tests reads.
"""

import sys
from importlib import import_module
from pathlib import Path
from typing import Any

atheris: Any = import_module("atheris")

with atheris.instrument_imports(include=["deidstream"]):
    from support.hostile_laws import LABELS, LAWS, any_span_can_be_replaced

CORPUS = Path(__file__).parent / "corpus"


def run_law(data: bytes) -> None:
    """Run one law on one input."""
    if data:
        LAWS[data[0] % len(LAWS)](data[1:])


if __name__ == "__main__":
    # Lists that are read once would count against the first input that needs them.
    for law in LAWS:
        for path in sorted(CORPUS.iterdir()):
            law(path.read_bytes())
    for label in range(len(LABELS)):
        any_span_can_be_replaced(bytes([label, 0]) + b"Ann Fenn, 3/4/2024, 4471")
    atheris.Setup(sys.argv, run_law)
    atheris.Fuzz()
