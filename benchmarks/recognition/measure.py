"""Runs one tool over the notes and has its spans scored by ``deidstream evaluate``."""

import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
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
class Entrant:
    """A tool with the settings it is run with: one row of a table."""

    name: str
    tool: str
    """``run_TOOL.py`` runs it."""
    settings: Mapping[str, str] = field(default_factory=dict[str, str])
    """Variables of its environment."""


PRESIDIO_MODEL = "presidio-model"
"""Folder, beside the environments, of the model that ``train_spacy.py`` makes."""

PRESIDIO_SCORE = "0.4"
"""Lowest score that counts beside that model: the best F1 of tokens on the held-out notes."""


def peer_entrants(environments: Path) -> dict[str, Entrant]:
    """List the peers by name; Presidio comes with spaCy's small model and with one trained here."""
    trained = {
        "PRESIDIO_MODEL": str(environments.resolve() / PRESIDIO_MODEL),
        "PRESIDIO_SCORE": PRESIDIO_SCORE,
    }
    every = (
        *(Entrant(name, name) for name in PEERS),
        Entrant("presidio-trained", "presidio", trained),
    )
    return {entrant.name: entrant for entrant in sorted(every, key=lambda each: each.name)}


@dataclass(frozen=True, slots=True)
class Work:
    """Where the comparison on one set reads and writes."""

    name: str
    """Of the set."""
    gold: Path
    notes: Path
    """Ids and texts, which are all that a system under test gets."""
    spans: Path
    """Folder, a file for each entrant."""
    environments: Path
    """Folder of the peers' virtual environments."""

    def found_by(self, entrant: Entrant) -> Path:
        return self.spans / f"{entrant.name}.jsonl"


def measure(entrant: Entrant, work: Work) -> Figures:
    """Run one entrant and score what it found.

    Raises:
        Unavailable: It cannot be installed, run or scored here.
    """
    report = work.notes.with_name(f"{entrant.name}.report.json")
    paths = (work.notes, work.found_by(entrant), report)
    ended = run([*command(entrant, work), *map(str, paths)], surroundings(entrant))
    if ended.returncode:
        failed = "" if ended.returncode == ABSENT else f"failed ({ended.returncode}): "
        raise Unavailable(failed + last_line(ended.stderr))
    ran = json.loads(report.read_text())
    speed = {
        "notes_per_second": ran["notes"] / ran["seconds"],
        "notes_per_cpu_second": ran["notes"] / ran["cpu_seconds"],
    }
    return {**ran, **speed, **score(entrant, work)}


def command(entrant: Entrant, work: Work) -> list[str]:
    ours = entrant.tool == OURS
    python = sys.executable if ours else str(interpreter(PEERS[entrant.tool], work.environments))
    return [python, "-W", "ignore", str(HERE / f"run_{entrant.tool}.py")]


def surroundings(entrant: Entrant) -> dict[str, str]:
    # One thread: those that wait for each other would count as processor time.
    always = {"PYTHONUTF8": "1", "PYTHONDONTWRITEBYTECODE": "1", "OMP_NUM_THREADS": "1"}
    return {**os.environ, **always, **entrant.settings}


def score(entrant: Entrant, work: Work) -> Figures:
    """Score spans with ``deidstream evaluate``; what it says of its input goes on.

    Raises:
        Unavailable: It gave no score.
    """
    score_file = work.notes.with_name(f"{entrant.name}.score.json")
    ours = str(Path(sys.executable).with_name(OURS))
    predictions = ["--predictions", str(work.found_by(entrant)), "--json", str(score_file)]
    ended = run([ours, "evaluate", str(work.gold), *predictions], os.environ)
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
