"""Keep text of notes out of what a process writes on its own account.

Third parties log, warn and raise with the values they work on. Their log records lose message and
arguments when they are made and get our word for the event, so that no handler can write them, not
even one that a library adds for itself. Errors that nobody catches are reported by their type. The
kernel writes no core file.
"""

import ctypes
import logging
import resource
import sys
import threading
import warnings
from typing import Any, LiteralString, cast

from deidstream.stream.observing.logs import Logger, is_ours
from deidstream.stream.observing.third_party_events import name_event

LOG = Logger("process")
_SET_DUMPABLE = 4
"""``PR_SET_DUMPABLE`` of prctl(2)."""


def make_record(*args: Any, **kwargs: Any) -> logging.LogRecord:  # noqa: ANN401 - as logging calls it
    """Make a log record; one of a third party keeps its place, level, kind of exception and event.

    This is a log record factory, see :func:`logging.setLogRecordFactory`.
    """
    record = logging.LogRecord(*args, **kwargs)
    if not is_ours(record):
        kind = record.exc_info[0] if record.exc_info else None
        record.msg, record.args = name_event(record), ()
        record.exc_text = record.stack_info = None
        # logging accepts a kind without an exception; its types do not say so.
        record.exc_info = cast("Any", (kind, None, None)) if kind else None
    return record


def contain_text() -> None:
    """Contain log records, warnings and uncaught errors of this process, from now on."""
    logging.setLogRecordFactory(make_record)
    warnings.showwarning = cast("Any", _report_warning)
    sys.excepthook = _report_error
    threading.excepthook = _report_thread
    sys.unraisablehook = _report_unraisable


def forbid_core_dumps() -> None:
    """Forbid the kernel to write the memory of this process, and other processes to read it.

    Source: setrlimit(2), ``RLIMIT_CORE``; prctl(2), ``PR_SET_DUMPABLE``. Only Linux has the second.
    """
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_SET_DUMPABLE, 0, 0, 0, 0)


def _report_warning(_message: object, category: type[Warning], *_place: object) -> None:
    _report("warning", category)


def _report_error(kind: type[BaseException], *_rest: object) -> None:
    _report("uncaught-error", kind)


def _report_thread(uncaught: "threading.ExceptHookArgs") -> None:
    _report("uncaught-error", uncaught.exc_type)


def _report_unraisable(uncaught: "sys.UnraisableHookArgs") -> None:
    _report("uncaught-error", uncaught.exc_type)


def _report(event: LiteralString, kind: type[BaseException] | None) -> None:
    LOG.error(event, kind=kind.__name__ if kind else None)
