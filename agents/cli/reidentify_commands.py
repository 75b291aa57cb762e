"""The commands ``reidentify`` and ``audit verify``."""

import argparse
import asyncio
import sys
from pathlib import Path
from typing import Any

from deidstream.agents.cli.arguments import audit_head, settings_from
from deidstream.agents.cli.verbs import Verbs
from deidstream.agents.runtime.audit_log import check_log
from deidstream.agents.runtime.terminal import say
from deidstream.models.reidentification.audit_chain import START
from deidstream.schemas.errors import InvalidSettings


def add_reidentify(verbs: Verbs) -> None:
    """Add ``deidstream reidentify``."""
    verb = verbs.add_parser("reidentify", help="look up the originals of surrogates")
    verb.add_argument("tokens", metavar="TOKENS.jsonl", type=Path, help="lines of output_id, text")
    verb.add_argument("--tenant", metavar="T", required=True)
    verb.add_argument("--purpose", metavar="CODE", required=True, help="HL7 PurposeOfUse")
    verb.add_argument("--case", metavar="ID", required=True, help="case id of the approval")
    verb.add_argument("--requester", metavar="A", required=True)
    verb.add_argument("--approver", metavar="B", required=True, help="another person")
    verb.add_argument(
        "--out",
        metavar="FILE",
        type=Path,
        required=True,
        help="new file for the originals, which are PHI",
    )
    verb.set_defaults(run=_reidentify)


def _reidentify(arguments: argparse.Namespace) -> int:
    return asyncio.run(_look_up_tokens(arguments))


async def _look_up_tokens(arguments: argparse.Namespace) -> int:
    # These import the model libraries, which --help must not wait for.
    from deidstream.agents.reidentification.reidentifier import Reidentifier, Warrant, read_tokens
    from deidstream.agents.runtime.connections import connect_reversible
    from deidstream.agents.runtime.reversible_access import (
        describe_unknown_keys,
        records_are_on,
        reversible_keys,
    )

    settings = settings_from()
    if not records_are_on(settings):
        msg = "re-identification is off: DEIDSTREAM_REVERSE_REDIS_URL and _KEY_FILE are not set"
        raise InvalidSettings(msg)
    if not settings.reverse.log:
        msg = "DEIDSTREAM_REVERSE_LOG: re-identification requires an audit log"
        raise InvalidSettings(msg)
    warrant = Warrant(
        arguments.tenant,
        _purpose(arguments.purpose),
        arguments.case,
        arguments.requester,
        arguments.approver,
    )
    tokens, keys = read_tokens(arguments.tokens), reversible_keys(settings)
    store = connect_reversible(settings.reverse)
    try:
        log, hourly = Path(settings.reverse.log), settings.reverse.hourly
        # Without its key a record cannot be found, which looks as if it had expired.
        if unknown := describe_unknown_keys(keys, await store.marks()):
            say(unknown)
        found = await Reidentifier(store, keys, log, hourly).reidentify(
            warrant, tokens, arguments.out
        )
    finally:
        await store.close()
    say(f"{found} of {len(tokens)} tokens have originals; {arguments.out} is PHI")
    return 0


def _purpose(code: str) -> Any:  # noqa: ANN401 - lazily imported
    from deidstream.agents.reidentification.reidentifier import Purpose

    if code not in list(Purpose):
        msg = f"--purpose: must be one of {', '.join(Purpose)}"
        raise InvalidSettings(msg)
    return Purpose(code)


def add_audit(verbs: Verbs) -> None:
    """Add ``deidstream audit verify``."""
    inner = verbs.add_group("audit", help="verify the log of re-identification")
    verify = inner.add_parser("verify", help="find the first broken record")
    verify.add_argument("log", metavar="LOG", type=Path)
    verify.add_argument(
        "--head",
        metavar="HASH",
        type=audit_head,
        default=START,
        help="head that an earlier run printed",
    )
    verify.set_defaults(run=_verify)


def _verify(arguments: argparse.Namespace) -> int:
    sys.stdout.write(check_log(arguments.log, arguments.head) + "\n")
    return 0
