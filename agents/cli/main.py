"""The command line: ``deidstream VERB``."""

import argparse
import asyncio
import errno
import logging
import os
import sys
from collections.abc import Callable, Sequence
from importlib.metadata import entry_points, version
from typing import NoReturn, cast

from deidstream.agents.cli import (
    api_commands,
    completion_commands,
    explain_commands,
    export_commands,
    file_commands,
    ingest_commands,
    policy_commands,
    probe_commands,
    pseudonym_commands,
    quarantine_commands,
    reidentify_commands,
    review_commands,
    service_commands,
    vault_commands,
)
from deidstream.agents.cli.arguments import Verbs
from deidstream.agents.cli.command_help import add_help_texts
from deidstream.schemas.errors import Refused, Unavailable
from deidstream.stream.observing.logs import configure

USAGE, AWAY, INTERNAL, REFUSED, INTERRUPTED = 64, 69, 70, 78, 130
FULL = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})
"""Error numbers of a write without room, on stdout or to a file."""
COMMANDS: tuple[Callable[[Verbs], None], ...] = (
    service_commands.add_demo,
    service_commands.add_worker,
    api_commands.add_serve,
    file_commands.add_detect,
    file_commands.add_deidentify,
    explain_commands.add_explain,
    service_commands.add_produce,
    service_commands.add_consume,
    ingest_commands.add_ingest,
    export_commands.add_export,
    quarantine_commands.add_quarantine,
    review_commands.add_review,
    service_commands.add_topics,
    service_commands.add_config,
    service_commands.add_doctor,
    probe_commands.add_probe,
    service_commands.add_schemas,
    vault_commands.add_keys,
    vault_commands.add_vault,
    policy_commands.add_policy,
    pseudonym_commands.add_pseudonym,
    reidentify_commands.add_reidentify,
    reidentify_commands.add_audit,
    completion_commands.add_completion,
)
"""In the order in which help lists them; after them those of other distributions."""
GROUP = "deidstream.commands"
"""The entry points by which another distribution, such as deidstream-study, adds commands."""


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        self.print_usage(sys.stderr)
        self.exit(USAGE, f"{self.prog}: {message}\n")


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code.

    0: done; 1: some notes were quarantined; 64: wrong usage; 69: a service cannot be reached; 70:
    internal error; 78: settings, key, model or index missing or wrong; 130: interrupted.
    """
    arguments = parser().parse_args(argv)
    configure("warning")
    end: Callable[[int], int] = arguments.end
    return end(report_errors(lambda: arguments.run(arguments)))


def report_errors(run: Callable[[], int]) -> int:
    """Run a command; report errors in our own words, because an exception may quote a note."""
    _open_streams()
    try:
        return _flush(run())
    except Refused as refused:
        return _report(str(refused), REFUSED)
    except Unavailable as away:
        return _report(f"{away}; run 'deidstream doctor' for details", AWAY)
    except (KeyboardInterrupt, asyncio.CancelledError):
        return INTERRUPTED
    except BrokenPipeError:
        # The reader of our output has closed the pipe.
        _discard_output()
        return 0
    except Exception as error:  # noqa: BLE001 - its message may quote a note
        return _report(_describe(error), INTERNAL)


def _describe(error: Exception) -> str:
    if isinstance(error, OSError) and (_drop_stuck_output() or error.errno in FULL):
        return f"cannot write the output: {os.strerror(error.errno or 0)}"
    where = error.__traceback__
    while where is not None and where.tb_next is not None:
        where = where.tb_next
    place = f"{where.tb_frame.f_code.co_name}:{where.tb_lineno}" if where else "?"
    return f"internal error: {type(error).__name__} in {place}"


def _open_streams() -> None:
    """Open missing standard streams; a missing stdout stays one that cannot be written."""
    if cast("object", sys.stdout) is None:
        sys.stdout = os.fdopen(os.open(os.devnull, os.O_RDONLY), "w")
    if cast("object", sys.stderr) is None:
        sys.stderr = os.fdopen(os.open(os.devnull, os.O_WRONLY), "w")


def _flush(code: int) -> int:
    # A failed write is reported here, not by the interpreter when it exits.
    sys.stdout.flush()
    return code


def _drop_stuck_output() -> bool:
    """Return whether buffered output cannot be written; if so, it is dropped."""
    try:
        sys.stdout.flush()
    except OSError:
        _discard_output()
        return True
    return False


def _discard_output() -> None:
    """Send stdout, with what it has buffered, to the null device."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _report(text: str, code: int) -> int:
    sys.stderr.write("".join(f"deidstream: {line}\n" for line in text.splitlines()))
    logging.shutdown()
    return code


def parser() -> argparse.ArgumentParser:
    """Return the parser of the whole command line."""
    root = _Parser(prog="deidstream", description="Streaming de-identification of clinical notes")
    root.add_argument("--version", action="version", version=version("deidstream"))
    root.set_defaults(end=int, root=root)
    verbs = root.add_subparsers(title="commands", required=True, metavar="COMMAND")
    for add in COMMANDS:
        add(verbs)
    for found in sorted(entry_points(group=GROUP), key=lambda one: one.name):
        found.load()(verbs)
    add_help_texts(root)
    return root
