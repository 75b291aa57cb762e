"""Log that somebody reads an original, and make it safe to print."""

from pathlib import Path

from deidstream.agents.runtime.audit_log import open_log
from deidstream.schemas.outcome import Coordinates


def log_reading(path: Path, source: Coordinates, by: str, case: str | None) -> None:
    """Append a line to the audit log, before the original is read.

    Raises:
        MissingArtefact: The log cannot be opened or written; the original must not be read then.
        Refused: The log is broken.
    """
    place = {"topic": source.topic, "partition": source.partition, "offset": source.offset}
    with open_log(path) as log:
        log.add([{"action": "quarantine-show", **place, "by": by, "case": case}])


def printable(original: bytes) -> str:
    """Return an original as text in which no sign can steer a terminal."""
    text = original.decode(errors="backslashreplace")
    return "".join(
        sign if sign.isprintable() or sign == "\n" else sign.encode("unicode_escape").decode()
        for sign in text
    )
