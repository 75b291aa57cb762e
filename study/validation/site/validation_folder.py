"""The folder of a validation, which its owner alone may read: it holds originals of notes."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import orjson

from deidstream.agents.runtime.lines import read_lines
from deidstream.agents.runtime.private_files import make_private
from deidstream.schemas.errors import InvalidSettings, MissingArtefact
from deidstream.study.validation.site.sampled_note import SampledNote
from deidstream.study.validation.site.validation_plan import ValidationPlan


@dataclass(frozen=True, slots=True)
class ValidationFolder:
    """Where the parts of a validation lie."""

    path: Path

    @property
    def plan(self) -> Path:
        """The plan."""
        return self.path / "plan.json"

    @property
    def sample(self) -> Path:
        """The notes that are read: originals and outputs."""
        return self.path / "sample.jsonl"

    @property
    def frame(self) -> Path:
        """What the sample was drawn from, in counts."""
        return self.path / "frame.json"

    @property
    def positions(self) -> Path:
        """How far the topic of a standing sample has been read, by partition."""
        return self.path / "positions.json"

    @property
    def adjudication(self) -> Path:
        """What was decided where readers differed."""
        return self.path / "adjudication.jsonl"

    @property
    def trail(self) -> Path:
        """The audit log of the reading page."""
        return self.path / "audit.log"

    @property
    def missed(self) -> Path:
        """What was missed, with its context; it stays here."""
        return self.path / "missed.html"

    def readings(self, reader: str) -> Path:
        """What one reader marked."""
        return self.path / "readings" / f"{reader}.jsonl"

    def make(self) -> None:
        """Create the folder for its owner alone.

        Raises:
            MissingArtefact: It cannot be created.
        """
        make_private(self.path, "readings")

    def read_plan(self) -> ValidationPlan:
        """Read the plan.

        Raises:
            MissingArtefact: There is none.
        """
        return ValidationPlan.decode(read_file(self.plan, "deidstream validate plan"))

    def read_frame(self) -> dict[str, Any]:
        """Read what the sample was drawn from.

        Raises:
            MissingArtefact: No sample has been drawn.
        """
        return cast(
            "dict[str, Any]", orjson.loads(read_file(self.frame, "deidstream validate sample"))
        )

    def read_sample(self) -> list[SampledNote]:
        """Read the notes of a sample.

        Raises:
            MissingArtefact: There is no sample, or it is of another version.
        """
        if not self.sample.exists():
            read_file(self.sample, "deidstream validate sample")
        try:
            return [SampledNote.decode(record) for record in read_records(self.sample)]
        except (KeyError, TypeError, ValueError):
            msg = f"{self.sample}: is no sample of this version ('deidstream validate sample')"
            raise MissingArtefact(msg) from None

    def refuse_begun(self) -> None:
        """Refuse to change what readers have begun to work on.

        Raises:
            InvalidSettings: A note has been read.
        """
        if any((self.path / "readings").glob("*.jsonl")):
            msg = f"{self.path}: notes have been read; another plan or sample needs another folder"
            raise InvalidSettings(msg)


def read_file(path: Path, made_by: str) -> bytes:
    """Read a file of the folder.

    Raises:
        MissingArtefact: It cannot be read; the message says which command makes it.
    """
    try:
        return path.read_bytes()
    except OSError as error:
        msg = f"{path}: cannot be read: {type(error).__name__} ('{made_by}' makes it)"
        raise MissingArtefact(msg) from None


def read_records(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the records of a file of lines; nothing where there is no file.

    Raises:
        MissingArtefact: It cannot be read, or a line is no record.
    """
    if not path.exists():
        return
    for number, line in read_lines(path):
        try:
            record = orjson.loads(line)
        except ValueError:
            record = None
        if not isinstance(record, dict):
            msg = f"{path}: line {number + 1} is no record"
            raise MissingArtefact(msg)
        yield cast("dict[str, Any]", record)
