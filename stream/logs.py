"""Logs that cannot hold text of a note.

Ours are events with fields from a closed list. Whatever third parties log is cut down to where it
was logged: their messages may quote keys, values or exceptions (aiokafka at DEBUG does).
"""

import logging
import sys
from dataclasses import dataclass
from typing import Literal

import orjson

FieldName = Literal[
    "address",
    "attempt",
    "batches",
    "code",
    "file",
    "index",
    "key_version",
    "kind",
    "level",
    "name",
    "notes",
    "offset",
    "partition",
    "policy",
    "port",
    "reason",
    "seconds",
    "service",
    "stage",
    "tagger",
    "topic",
    "version",
]
"""Fields a log line may have; a name that is not here is a type error."""

FIELD = "deid_fields"
OURS = "deidstream"


@dataclass(frozen=True, slots=True)
class Logger:
    """Logs events by name, with fields of the closed list."""

    name: str

    def info(self, event: str, **fields: str | float | None) -> None:
        """Log something that is as it should be."""
        self._log(logging.INFO, event, fields)

    def warning(self, event: str, **fields: str | float | None) -> None:
        """Log something that mends itself."""
        self._log(logging.WARNING, event, fields)

    def error(self, event: str, **fields: str | float | None) -> None:
        """Log something that somebody must look at."""
        self._log(logging.ERROR, event, fields)

    def _log(self, level: int, event: str, fields: dict[str, str | float | None]) -> None:
        logging.getLogger(f"{OURS}.{self.name}").log(level, event, extra={FIELD: fields})


class _TextFree(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, object] = {
            "time": self.formatTime(record),
            "level": record.levelname.lower(),
            "logger": record.name,
        }
        return orjson.dumps(line | _fields_of(record)).decode()


def _fields_of(record: logging.LogRecord) -> dict[str, object]:
    if record.name.startswith(OURS):
        return {"event": record.msg, **getattr(record, FIELD, {})}
    kind = record.exc_info[0].__name__ if record.exc_info and record.exc_info[0] else None
    where = f"{record.module}:{record.lineno}"
    return {"event": "third-party", "where": where, **({"exception": kind} if kind else {})}


def configure(level: str) -> None:
    """Send text-free JSON lines to stderr and take over every third party's logger.

    Third parties never log below WARNING, whatever ``level`` is.
    """
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(_TextFree())
    logging.root.handlers[:] = [handler]
    logging.root.setLevel(logging.WARNING)
    logging.getLogger(OURS).setLevel(level.upper())
    for name in list(logging.root.manager.loggerDict):
        if not name.startswith(OURS):
            _hush(logging.getLogger(name))


def _hush(logger: logging.Logger) -> None:
    logger.handlers.clear()
    logger.propagate = True
    logger.setLevel(logging.WARNING)
