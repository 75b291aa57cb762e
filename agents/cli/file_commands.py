"""The commands ``detect`` and ``deidentify``, which work on files of notes."""

import argparse
import asyncio
import contextlib
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from deidstream.agents.cli.arguments import POLICY, settings_from
from deidstream.agents.cli.reading_arguments import NOTES, add_keep, add_reading, reading_of
from deidstream.agents.cli.verbs import Verbs
from deidstream.agents.runtime.terminal import say
from deidstream.agents.settings import RANDOM, Settings
from deidstream.schemas.errors import InvalidSettings
from deidstream.schemas.extras import Extra, needing

if TYPE_CHECKING:
    from deidstream.agents.runtime.guards.redis_guard import RedisGuard
    from deidstream.schemas.ports import SurrogateStore


def _note_flags(verb: argparse.ArgumentParser) -> None:
    verb.add_argument("notes", metavar="NOTES", type=Path, help=NOTES)
    add_reading(verb)
    verb.add_argument("--policy", metavar="NAME", help=POLICY)


def add_detect(verbs: Verbs) -> None:
    """Add ``deidstream detect``."""
    verb = verbs.add_parser(
        "detect",
        help="find PHI in the notes of a file",
        examples=["deidstream detect notes.jsonl --out spans.jsonl"],
    )
    _note_flags(verb)
    verb.add_argument("--out", metavar="SPANS.jsonl", type=Path, required=True)
    verb.set_defaults(run=_detect)


def _detect(arguments: argparse.Namespace) -> int:
    from deidstream.agents.note_files.files import Files, detect
    from deidstream.agents.runtime.load_models import load_detector
    from deidstream.agents.runtime.policy_files import find_policy
    from deidstream.agents.runtime.process.garbage import keep_loaded

    settings = settings_from({"policy": arguments.policy})
    policy = find_policy(settings.policy)
    if settings.policies_file:
        say(f"policy {policy.name} is used for the notes of all tenants")
    files = Files(arguments.notes, arguments.out, reading=reading_of(arguments))
    files.check()
    source = files.open()
    detector, _ = load_detector(settings, policy)
    keep_loaded()
    return detect(files, detector, note_bytes=settings.worker.note_bytes, source=source)


def add_deidentify(verbs: Verbs) -> None:
    """Add ``deidstream deidentify``."""
    verb = verbs.add_parser(
        "deidentify",
        help="de-identify the notes of a file",
        examples=[
            "deidstream deidentify notes.jsonl --out deidentified.jsonl --key-file root.key",
            "deidstream deidentify notes.jsonl --out o.jsonl --risk r.jsonl --policy redact",
            "deidstream deidentify notes.csv --columns text=BODY --keep WARD --out out.csv",
            "deidstream deidentify letters --out out.jsonl --documents deidentified",
        ],
    )
    _note_flags(verb)
    verb.add_argument(
        "--out",
        metavar="OUT",
        type=Path,
        required=True,
        help=".jsonl: notes.anonymized records; .csv, .tsv, .parquet: a row for each note",
    )
    add_keep(verb)
    verb.add_argument(
        "--crosswalk", metavar="OUT.csv", type=Path, help="input ids and pseudonyms, mode 0600: PHI"
    )
    verb.add_argument(
        "--documents",
        metavar="FOLDER",
        type=Path,
        help="Word documents as Word documents, clinical ones (CDA) as XML",
    )
    verb.add_argument(
        "--resources", metavar="OUT.ndjson", type=Path, help="FHIR resources, a line each"
    )
    verb.add_argument("--risk", metavar="RISK.jsonl", type=Path, help="notes.risk records")
    verb.add_argument("--audit", metavar="AUDIT.jsonl", type=Path, help="spans, for evaluation")
    verb.add_argument("--quarantine", metavar="FILE", type=Path, help="notes.quarantine records")
    verb.add_argument(
        "--resume", action="store_true", help="go on with the same run, if it was cut off"
    )
    verb.add_argument("--key-file", metavar="F", help="root key file; default: a fresh key")
    verb.add_argument("--redis", metavar="URL", help="keep surrogates in this Redis, not in memory")
    verb.set_defaults(run=_deidentify)


def _deidentify(arguments: argparse.Namespace) -> int:
    flags = {
        "policy": arguments.policy,
        "key.file": arguments.key_file,
        "redis.url": arguments.redis,
        # A policy on the command line is meant for every note.
        "policies_file": "" if arguments.policy else None,
    }
    if arguments.policy and settings_from().policies_file:
        say(f"policy {arguments.policy} is used for the notes of all tenants")
    return asyncio.run(_deidentify_file(arguments, settings_from(flags)))


async def _deidentify_file(arguments: argparse.Namespace, settings: Settings) -> int:
    from deidstream.agents.note_files.files import Files, deidentify
    from deidstream.agents.runtime.load_as_deployment import load_as_deployment
    from deidstream.agents.runtime.policy_choice import choose_policies
    from deidstream.agents.runtime.process.garbage import keep_loaded
    from deidstream.agents.runtime.root_keys import fresh_key
    from deidstream.stream.redis.memory_store import MemorySurrogateStore

    if not arguments.redis and settings.redis.mode == RANDOM:
        say("mode random without --redis: these surrogates cannot be made again after this run")
    if arguments.resume and not settings.key.file:
        msg = "--resume: needs a key file, because a fresh key makes other surrogates"
        raise InvalidSettings(msg)
    if not settings.key.file:
        say("no key file: a fresh key is used, so surrogates will differ in the next run")
    files = Files(
        arguments.notes,
        arguments.out,
        arguments.risk,
        arguments.audit,
        arguments.quarantine,
        crosswalk=arguments.crosswalk,
        documents=arguments.documents,
        resources=arguments.resources,
        reading=reading_of(arguments),
        resume=arguments.resume,
    )
    files.check()
    source = files.open()
    files.encoders(source)
    store: SurrogateStore = MemorySurrogateStore()
    guard: RedisGuard | None = None
    async with contextlib.AsyncExitStack() as closing:
        if arguments.redis:
            with needing(Extra.SERVICE, "--redis"):
                from deidstream.agents.runtime.guards.redis_guard import connect_guard

            guard = connect_guard(settings, writes=True)
            closing.push_async_callback(guard.close)
            await guard.admit()
            store = guard.store
        load = partial(choose_policies, root=None if settings.key.file else fresh_key())
        choice = await load_as_deployment(load, settings, guard)
        keep_loaded()
        return await deidentify(
            files, settings, choice.default, store, choice.tenant_pipelines(), source
        )
