"""Runs one tool over the notes and has its spans scored by ``deidstream evaluate``."""

import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from environment import HERE, PEERS, Unavailable, interpreter
from exchange import ABSENT

OURS = "deidstream"
SCORED = (0, 1)
"""Exit codes of ``deidstream evaluate`` that leave a score; 1: some notes could not be read."""
KEPT = ("headline", "redact_direct", "leaks", "all_notes", "clean_notes")

Figures = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Work:
    """Where one comparison reads and writes."""

    gold: Path
    notes: Path
    """Ids and texts, which are all that a system under test gets."""
    spans: Path
    """Folder, a file for each tool."""
    environments: Path
    """Folder of the peers' virtual environments."""
    policy: str | None = None
    """Ours; ``None``: that of the settings."""

    def found_by(self, name: str) -> Path:
        return self.spans / f"{name}.jsonl"


def measure(name: str, work: Work) -> Figures:
    """Run one tool and score what it found.

    Raises:
        Unavailable: It cannot be installed, run or scored here.
    """
    report = work.notes.with_name(f"{name}.report.json")
    paths = (work.notes, work.found_by(name), report)
    ended = run([*tool(name, work), *map(str, paths)], surroundings(name, work))
    if ended.returncode:
        failed = "" if ended.returncode == ABSENT else f"failed ({ended.returncode}): "
        raise Unavailable(failed + last_line(ended.stderr))
    ran = json.loads(report.read_text())
    speed = {
        "notes_per_second": ran["notes"] / ran["seconds"],
        "notes_per_cpu_second": ran["notes"] / ran["cpu_seconds"],
    }
    return {**ran, **speed, **score(name, work)}


def tool(name: str, work: Work) -> list[str]:
    ours = name == OURS
    python = sys.executable if ours else str(interpreter(PEERS[name], work.environments))
    return [python, "-W", "ignore", str(HERE / f"run_{name}.py")]


def surroundings(name: str, work: Work) -> dict[str, str]:
    more = {"DEIDSTREAM_POLICY": work.policy} if name == OURS and work.policy else {}
    return {**os.environ, "PYTHONUTF8": "1", "PYTHONDONTWRITEBYTECODE": "1", **more}


def score(name: str, work: Work) -> Figures:
    """Score spans with ``deidstream evaluate``; what it says of its input goes on.

    Raises:
        Unavailable: It gave no score.
    """
    score_file = work.notes.with_name(f"{name}.score.json")
    command = str(Path(sys.executable).with_name(OURS))
    predictions = ["--predictions", str(work.found_by(name)), "--json", str(score_file)]
    ended = run([command, "evaluate", str(work.gold), *predictions], os.environ)
    if ended.returncode not in SCORED or not score_file.exists():
        msg = f"not scored ({ended.returncode}): {last_line(ended.stderr)}"
        raise Unavailable(msg)
    sys.stderr.write(ended.stderr if ended.returncode else "")
    scored = json.loads(score_file.read_text())
    (figures,) = scored["recognizers"].values()
    return {"gold": scored["gold"], **{part: figures[part] for part in KEPT}}


def run(command: Sequence[str], environment: Mapping[str, str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(  # noqa: S603 - the commands of this benchmark
        command, env=environment, capture_output=True, text=True, check=False
    )


def last_line(said: str) -> str:
    return (said.strip().splitlines() or ["no word of why"])[-1]
