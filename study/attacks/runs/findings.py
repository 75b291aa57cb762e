"""What an attack found, shown as a table, written as JSON and drawn; never an id or text."""

import sys
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

import orjson

from deidstream.agents.runtime.lines import write_whole
from deidstream.schemas.errors import MissingArtefact
from deidstream.study.attacks.attack_figures import Found
from deidstream.study.evaluation.read_gold import Artefact
from deidstream.study.scoring.auc import Auc

SCHEMA = 1
_DIGITS = 6


@dataclass(frozen=True, slots=True)
class Destination:
    """Where findings go beside the standard output."""

    json: Path | None = None
    plot: Path | None = None

    def check(self) -> None:
        """Check that the files can be written: better now than after the last note.

        Raises:
            MissingArtefact: The folder of one is missing.
        """
        for path in (self.json, self.plot):
            if path is not None and not path.parent.is_dir():
                msg = f"{path}: cannot be written: there is no such folder"
                raise MissingArtefact(msg)


@dataclass(frozen=True, slots=True)
class Findings:
    """The result of one attack."""

    attack: str
    table: str
    """With its heading above and the key of its columns below."""
    record: Mapping[str, object]
    """Every figure, for machines."""
    plot: str
    """As SVG."""


def publish(findings: Findings, destination: Destination) -> int:
    """Print the table and write what was asked for; return 0.

    Raises:
        MissingArtefact: A file cannot be written.
    """
    sys.stdout.write(findings.table)
    if destination.json is not None:
        head = {"schema": SCHEMA, "kind": "attack", "version": version("deidstream")}
        record = {**head, "attack": findings.attack, **findings.record}
        write_whole(destination.json, orjson.dumps(record, option=orjson.OPT_INDENT_2) + b"\n")
    if destination.plot is not None:
        write_whole(destination.plot, findings.plot.encode())
    return 0


def name_artefact(artefact: Artefact) -> dict[str, str]:
    """Return the record of a file."""
    return {"name": artefact.name, "sha256": artefact.sha256}


def record_found(found: Found) -> dict[str, object]:
    """Return the record of a share that was found."""
    low, high = found.interval
    return {"outputs": found.outputs, "share": found.share, "low": low, "high": high}


def record_auc(auc: Auc | None) -> dict[str, float] | None:
    """Return the record of an area under the curve."""
    if auc is None:
        return None
    ends = {"auc": auc.area, "low": auc.low, "high": auc.high}
    return {name: round(value, _DIGITS) for name, value in ends.items()}
