"""The command line: ``deidstream VERB``."""

import argparse
import asyncio
import logging
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from importlib.metadata import entry_points, version
from types import MappingProxyType
from typing import NoReturn, cast

from deidstream.agents.cli import (
    api_commands,
    archive_commands,
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
from deidstream.agents.cli.command_extras import EXTRAS
from deidstream.agents.cli.verbs import Verbs, add_examples
from deidstream.agents.runtime.full_disk import FULL
from deidstream.schemas.errors import MissingExtra, Refused, Unavailable
from deidstream.schemas.extras import Extra, needing
from deidstream.stream.observing.logs import configure

USAGE, AWAY, INTERNAL, REFUSED, INTERRUPTED = 64, 69, 70, 78, 130
GROUP = "deidstream.commands"
"""Entry points of other distributions: the name of a command, and the function that adds it."""
STUDY = None
"""Instead of a function: the command is part of deidstream-study, which may be missing."""
AddCommand = Callable[[Verbs], None]
COMMANDS: Mapping[str, AddCommand | None] = MappingProxyType(
    {
        "demo": service_commands.add_demo,
        "worker": service_commands.add_worker,
        "serve": api_commands.add_serve,
        "detect": file_commands.add_detect,
        "deidentify": file_commands.add_deidentify,
        "archive": archive_commands.add_archive,
        "explain": explain_commands.add_explain,
        "produce": service_commands.add_produce,
        "consume": service_commands.add_consume,
        "ingest": ingest_commands.add_ingest,
        "export": export_commands.add_export,
        "quarantine": quarantine_commands.add_quarantine,
        "review": review_commands.add_review,
        "topics": service_commands.add_topics,
        "config": service_commands.add_config,
        "doctor": service_commands.add_doctor,
        "probe": probe_commands.add_probe,
        "index": STUDY,
        "schemas": service_commands.add_schemas,
        "keys": vault_commands.add_keys,
        "vault": vault_commands.add_vault,
        "bench": STUDY,
        "evaluate": STUDY,
        "adapt": STUDY,
        "validate": STUDY,
        "i2b2": STUDY,
        "train": STUDY,
        "corpus": STUDY,
        "calibrate": STUDY,
        "quantize": STUDY,
        "vectors": STUDY,
        "policy": policy_commands.add_policy,
        "simulate": STUDY,
        "attack": STUDY,
        "study": STUDY,
        "pseudonym": pseudonym_commands.add_pseudonym,
        "reidentify": reidentify_commands.add_reidentify,
        "audit": reidentify_commands.add_audit,
        "completion": completion_commands.add_completion,
    }
)
"""In the order in which help lists them; further commands come last."""
EXAMPLES = (
    "deidstream demo",
    "deidstream deidentify notes.jsonl --out deidentified.jsonl --key-file root.key",
    "deidstream doctor",
)


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        self.print_usage(sys.stderr)
        self.exit(USAGE, f"{self.prog}: {message}\n")


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code.

    0: done; 1: some notes were quarantined; 64: wrong usage; 69: a service cannot be reached; 70:
    internal error; 78: settings, key, model, index or extra missing or wrong; 130: interrupted.
    """
    given = sys.argv[1:] if argv is None else argv
    commands = collect_commands()
    if given and given[0] in COMMANDS.keys() - commands.keys():
        return _report(str(MissingExtra(given[0], Extra.STUDY)), REFUSED)
    arguments = parser(commands).parse_args(given)
    configure("warning")
    end: Callable[[int], int] = arguments.end
    return end(report_errors(lambda: _run(arguments)))


def _run(arguments: argparse.Namespace) -> int:
    run: Callable[[argparse.Namespace], int] = arguments.run
    ours = COMMANDS.get(arguments.command, STUDY) is not STUDY
    extra = EXTRAS.get(arguments.command) if ours else Extra.STUDY
    if extra is None:
        return run(arguments)
    with needing(extra, arguments.command):
        return run(arguments)


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


def collect_commands() -> dict[str, AddCommand]:
    """Return the commands of this distribution and of others, by name, in the order of help."""
    others = {each.name: each for each in entry_points(group=GROUP)}
    commands: dict[str, AddCommand] = {}
    for name, add in COMMANDS.items():
        other = others.pop(name, None)
        if add is not None:
            commands[name] = add
        elif other is not None:
            commands[name] = other.load()
    return commands | {name: others[name].load() for name in sorted(others)}


def parser(commands: Mapping[str, AddCommand] | None = None) -> argparse.ArgumentParser:
    """Return the parser of the whole command line.

    Args:
        commands: Of :func:`collect_commands`, which it calls by default.
    """
    root = _Parser(prog="deidstream", description="Streaming de-identification of clinical notes")
    root.add_argument("--version", action="version", version=version("deidstream"))
    root.set_defaults(end=int, root=root)
    add_examples(root, EXAMPLES)
    verbs = Verbs.of(root, "COMMAND", dest="command")
    for add in (commands or collect_commands()).values():
        add(verbs)
    return root
