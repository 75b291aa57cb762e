"""The command ``serve``."""

import argparse
import asyncio
import sys

from deidstream.agents.cli.arguments import settings_from
from deidstream.agents.cli.verbs import Verbs
from deidstream.agents.runtime.terminal import say


def add_serve(verbs: Verbs) -> None:
    """Add ``deidstream serve``."""
    from deidstream.agents.cli.service_commands import exit_now

    verb = verbs.add_parser(
        "serve",
        help="de-identify notes on request, over HTTP",
        examples=["deidstream serve --memory", "deidstream serve --port 8443"],
    )
    verb.add_argument("--port", metavar="N", type=int, help="default: DEIDSTREAM_API_PORT")
    verb.add_argument("--policy", metavar="NAME", help="policy of tenants without their own")
    verb.add_argument(
        "--memory",
        action="store_true",
        help="keep surrogates in memory instead of Redis; without a key file, under a fresh key",
    )
    verb.add_argument(
        "--openapi", action="store_true", help="print the OpenAPI document and serve nothing"
    )
    verb.set_defaults(run=_serve, end=exit_now)


def _serve(arguments: argparse.Namespace) -> int:
    if arguments.openapi:
        return _print_openapi()
    from deidstream.agents.api.run_api import run_api
    from deidstream.stream.observing.logs import configure

    flags = {"api.port": arguments.port, "policy": arguments.policy}
    settings = settings_from(flags | {"api.store": "memory" if arguments.memory else None})
    if arguments.memory:
        say("surrogates are kept in memory: they are forgotten when this process ends")
        if not settings.key.file:
            say("no key file is set: surrogates differ in the next process")
    configure(settings.worker.log_level)
    return asyncio.run(run_api(settings, listening=lambda url: say(f"listening at {url}")))


def _print_openapi() -> int:
    from deidstream.agents.api.openapi_document import render_document
    from deidstream.agents.settings import Settings

    sys.stdout.write(render_document(Settings()))
    return 0
