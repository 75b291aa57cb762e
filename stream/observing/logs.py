"""Logs that cannot hold text of a note.

Ours are events with the fields of :class:`LogFields`. What third parties log is named in our words
(:mod:`deidstream.stream.observing.third_party_events`), without their messages: those may quote
keys, values or exceptions (aiokafka at DEBUG does). Equal events of theirs come once a minute, with
a count.
"""

import logging
import sys
from dataclasses import dataclass, field
from typing import Literal, LiteralString, TypedDict, Unpack

import orjson

from deidstream.stream.observing.third_party_events import Repetitions, ThirdPartyEvent, name_event


class LogFields(TypedDict, total=False):
    """The fields that a log line may have; any other is a type error."""

    address: str
    attempt: int
    away: str | None
    batch_fill: float | None
    client: str | None
    code: str
    count: int
    file: str
    key_version: int
    kind: str | None
    lag: int
    method: str
    name: str
    notes: int
    notes_per_second: float
    offset: int
    partition: int
    phase: Literal["head", "body"]
    policy: str
    port: int
    quarantined: int
    reason: str | None
    result: str
    route: str
    seconds: float
    service: str
    topic: str
    version: str


FIELD, COUNT = "deid_fields", "deid_count"
OURS = "deidstream"


@dataclass(frozen=True, slots=True)
class Logger:
    """Logs events by name; names are written in the source and never made of data."""

    name: str

    def info(self, event: LiteralString, **fields: Unpack[LogFields]) -> None:
        """Log something that is as it should be."""
        self._log(logging.INFO, event, fields)

    def warning(self, event: LiteralString, **fields: Unpack[LogFields]) -> None:
        """Log something that mends itself."""
        self._log(logging.WARNING, event, fields)

    def error(self, event: LiteralString, **fields: Unpack[LogFields]) -> None:
        """Log something that somebody must look at."""
        self._log(logging.ERROR, event, fields)

    def _log(self, level: int, event: LiteralString, fields: LogFields) -> None:
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
    if is_ours(record):
        return {"event": record.msg, **getattr(record, FIELD, {})}
    kind = record.exc_info[0].__name__ if record.exc_info and record.exc_info[0] else None
    said = {"event": name_event(record), "where": _place(record), "count": _count(record)}
    return {**said, **({"exception": kind} if kind else {})}


def is_ours(record: logging.LogRecord) -> bool:
    """Return whether a record was logged by a :class:`Logger`.

    The name does not say so: a class of ours that derives from one of Faust's services logs
    Faust's words under the name of our module.
    """
    ours = record.name.partition(".")[0] == OURS
    return ours and (record.module, record.funcName) == ("logs", "_log")


def _place(record: logging.LogRecord) -> str:
    return f"{record.module}:{record.lineno}"


def _count(record: logging.LogRecord) -> int:
    return int(getattr(record, COUNT, 1))


@dataclass(frozen=True, slots=True)
class SeldomFilter:
    """Passes our own records; of equal events of third parties, the first and then a summary."""

    repetitions: Repetitions = field(default_factory=Repetitions)

    def filter(self, record: logging.LogRecord) -> bool:
        """Return whether a line is written; note in the record how many events it stands for."""
        if is_ours(record):
            return True
        if record.levelno < logging.WARNING:
            return False
        event = name_event(record)
        kind = _place(record) if event is ThirdPartyEvent.UNKNOWN else event
        count = self.repetitions.admit(kind)
        setattr(record, COUNT, count)
        return count > 0


SELDOM = SeldomFilter()


def summarize_third_parties() -> None:
    """Log what third parties repeated since their last lines; a worker calls this each minute."""
    log = Logger("logs")
    for kind, count in SELDOM.repetitions.rest():
        log.warning("third-party-repeated", kind=kind, count=count)


def configure(level: str) -> None:
    """Send text-free JSON lines to stderr and take over every third party's logger.

    Third parties never log below WARNING, whatever ``level`` is.
    """
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(_TextFree())
    SELDOM.repetitions.forget()
    handler.addFilter(SELDOM)
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
