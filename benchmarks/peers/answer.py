"""Answer turns of notes with one tool that is made ready once; it needs nothing but Python 3.10.

    python answer.py TOOL

``run_TOOL.py`` makes it ready. The first line of the output is ``{what, python}``. After that each
line of the input is a list of texts, and its answer ``{spans, seconds, cpu_seconds, memory_mb}``:
``[start, end, label]`` by text, the time of the tool alone, and the most memory until then. What a
tool prints itself goes to stderr.
"""

from __future__ import annotations

import json
import os
import resource
import sys
import time
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

sys.path.append(str(Path(__file__).parents[1] / "recognition"))

from exchange import ending_at_failure, sorted_spans

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import TextIO

    from exchange import Found, Runner


def main() -> None:
    answers = take_output()
    with ending_at_failure():
        runner: Runner = import_module(f"run_{sys.argv[1]}").prepare()
        write_line(answers, {"what": runner.what, "python": sys.version.split()[0]})
        for line in sys.stdin:
            write_line(answers, take_turn(runner, json.loads(line)))


def take_output() -> TextIO:
    """Return this process's output, and let everything else that writes there write to stderr."""
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    return answers


def take_turn(runner: Runner, texts: Sequence[str]) -> dict[str, object]:
    begun, begun_cpu = time.perf_counter(), time.process_time()
    found = runner.find(texts)
    seconds, cpu_seconds = time.perf_counter() - begun, time.process_time() - begun_cpu
    spans: list[Sequence[Found]] = []
    for text, each in zip(texts, found, strict=True):
        spans.append(sorted_spans(text, each))
    memory_mb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return {
        "spans": spans,
        "seconds": seconds,
        "cpu_seconds": cpu_seconds,
        "memory_mb": memory_mb,
    }


def write_line(answers: TextIO, said: dict[str, object]) -> None:
    answers.write(json.dumps(said) + "\n")
    answers.flush()


if __name__ == "__main__":
    main()
