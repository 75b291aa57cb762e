"""What a runner is given and gives back; it needs nothing but Python 3.10.

    python run_NAME.py NOTES.jsonl SPANS.jsonl REPORT.json

Notes come as {note_id, text}. Spans go as {note_id, spans: [{start, end, label}]}, offsets in code
points. The report says what ran and how long it took. Nothing printed holds text of a note.
"""

from __future__ import annotations

import json
import sys
import time
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

ABSENT = 3
"""Exit code of a runner that finds nothing to run; stderr has the reason."""
UNNAMED = "IDNUM"
"""Label of what a peer removes without saying what it is."""

Found = tuple[int, int, str]
"""``start``, ``end``, label."""


class Absent(Exception):
    """What should run is not here."""


@dataclass(frozen=True)
class Runner:
    """A tool made ready."""

    what: str
    """Version, model and settings, for a reader."""
    find: Callable[[Sequence[str]], list[list[Found]]] = field(repr=False)
    """From texts to the spans of each."""


def serve(prepare: Callable[[], Runner]) -> None:
    """Read the notes, find their PHI, write spans and report."""
    notes_path, spans_path, report_path = (Path(path).resolve() for path in sys.argv[1:])
    notes = [json.loads(line) for line in notes_path.read_bytes().splitlines()]
    begun = time.perf_counter()
    with ending_at_failure():
        runner = prepare()
        ready, ready_cpu = time.perf_counter(), time.process_time()
        found = runner.find([note["text"] for note in notes])
    ended, ended_cpu = time.perf_counter(), time.process_time()
    lines = [_line(note, spans) for note, spans in zip(notes, found, strict=True)]
    spans_path.write_text("".join(lines))
    report = {
        "what": runner.what,
        "python": sys.version.split()[0],
        "notes": len(found),
        "start_seconds": round(ready - begun, 3),
        "seconds": round(ended - ready, 3),
        "cpu_seconds": round(ended_cpu - ready_cpu, 3),
    }
    report_path.write_text(json.dumps(report))


@contextmanager
def ending_at_failure() -> Iterator[None]:
    """Exit with the reason on stderr where a tool is absent or fails."""
    try:
        yield
    except Absent as absent:
        sys.stderr.write(f"{absent}\n")
        sys.exit(ABSENT)
    except Exception as error:  # noqa: BLE001 - its message may hold text of a note
        sys.stderr.write(f"{type(error).__name__} at {_place(error)}\n")
        sys.exit(1)


def sorted_spans(text: str, spans: Sequence[Found]) -> list[Found]:
    """Sort the spans of a text.

    Raises:
        ValueError: One is empty or reaches beyond the text.
    """
    if any(not 0 <= start < end <= len(text) for start, end, _ in spans):
        msg = "a span reaches beyond its note"
        raise ValueError(msg)
    return sorted(spans)


def _line(note: dict[str, str], spans: Sequence[Found]) -> str:
    said = [
        {"start": start, "end": end, "label": label}
        for start, end, label in sorted_spans(note["text"], spans)
    ]
    return json.dumps({"note_id": note["note_id"], "spans": said}) + "\n"


def _place(error: BaseException) -> str:
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    return (
        "?"
        if trace is None
        else f"{Path(trace.tb_frame.f_code.co_filename).name}:{trace.tb_lineno}"
    )
