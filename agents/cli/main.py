"""The command line: ``deidstream VERB``."""

import argparse
import asyncio
import errno
import logging
import os
import sys
from collections.abc import Callable, Sequence
from importlib.metadata import version
from typing import NoReturn, cast

from deidstream.agents.cli import (
    evaluation_commands,
    file_commands,
    policy_commands,
    reidentify_commands,
    service_commands,
    training_commands,
    vault_commands,
)
from deidstream.agents.cli.arguments import Verbs
from deidstream.schemas.errors import Refused, Unavailable
from deidstream.stream.logs import configure

USAGE, AWAY, INTERNAL, REFUSED, INTERRUPTED = 64, 69, 70, 78, 130
FULL = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})
"""How a write fails where there is no room, on stdout or in a file."""
COMMANDS: tuple[Callable[[Verbs], None], ...] = (
    service_commands.add_demo,
    service_commands.add_worker,
    file_commands.add_detect,
    file_commands.add_deidentify,
    service_commands.add_produce,
    service_commands.add_consume,
    service_commands.add_topics,
    service_commands.add_config,
    service_commands.add_doctor,
    training_commands.add_index,
    service_commands.add_schemas,
    vault_commands.add_keys,
    vault_commands.add_vault,
    evaluation_commands.add_evaluate,
    evaluation_commands.add_i2b2,
    training_commands.add_train,
    training_commands.add_corpus,
    policy_commands.add_policy,
    evaluation_commands.add_simulate,
    reidentify_commands.add_reidentify,
    reidentify_commands.add_audit,
)
"""In the order in which help lists them."""


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        self.print_usage(sys.stderr)
        self.exit(USAGE, f"{self.prog}: {message}\n")


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code (DESIGN section 10).

    0 done, 1 some notes quarantined, 64 usage, 69 a service is away, 70 internal, 78 settings, key,
    model or index missing or wrong.
    """
    arguments = parser().parse_args(argv)
    configure("warning")
    end: Callable[[int], int] = arguments.end
    return end(guarded(lambda: arguments.run(arguments)))


def guarded(run: Callable[[], int]) -> int:
    """Run a command; say what went wrong in our words, never in those of an exception."""
    _open_streams()
    try:
        return _flushed(run())
    except Refused as refused:
        return _said(str(refused), REFUSED)
    except Unavailable as away:
        return _said(f"{away}; 'deidstream doctor' says more", AWAY)
    except (KeyboardInterrupt, asyncio.CancelledError):
        return INTERRUPTED
    except BrokenPipeError:
        # Whoever read our output has had enough.
        _let_go()
        return 0
    except Exception as error:  # noqa: BLE001 - its message may quote a note
        return _said(_told(error), INTERNAL)


def _told(error: Exception) -> str:
    if isinstance(error, OSError) and (_is_stuck() or error.errno in FULL):
        return f"output cannot be written: {os.strerror(error.errno or 0)}"
    where = error.__traceback__
    while where is not None and where.tb_next is not None:
        where = where.tb_next
    place = f"{where.tb_frame.f_code.co_name}:{where.tb_lineno}" if where else "?"
    return f"internal error: {type(error).__name__} in {place}"


def _open_streams() -> None:
    """Give the process streams where it was started without; to stdout nothing can be written."""
    if cast("object", sys.stdout) is None:
        sys.stdout = os.fdopen(os.open(os.devnull, os.O_RDONLY), "w")
    if cast("object", sys.stderr) is None:
        sys.stderr = os.fdopen(os.open(os.devnull, os.O_WRONLY), "w")


def _flushed(code: int) -> int:
    # What cannot be written is told here and not by the interpreter as it ends.
    sys.stdout.flush()
    return code


def _is_stuck() -> bool:
    """Tell whether what stdout holds back cannot leave; it is dropped then."""
    try:
        sys.stdout.flush()
    except OSError:
        _let_go()
        return True
    return False


def _let_go() -> None:
    """Let what is written to stdout, and what it holds back, go nowhere."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _said(text: str, code: int) -> int:
    sys.stderr.write("".join(f"deidstream: {line}\n" for line in text.splitlines()))
    logging.shutdown()
    return code


def parser() -> argparse.ArgumentParser:
    """The whole command line."""
    root = _Parser(prog="deidstream", description="Streaming de-identification of clinical notes")
    root.add_argument("--version", action="version", version=version("deidstream"))
    root.set_defaults(end=int)
    verbs = root.add_subparsers(title="commands", required=True, metavar="COMMAND")
    for add in COMMANDS:
        add(verbs)
    return root
