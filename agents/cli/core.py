"""The commands: their flags, and which module does the work.

Modules that load models are imported when their command runs, so that ``--help`` is quick.
"""

import argparse
import asyncio
import contextlib
import os
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import orjson

from deidstream.agents.lines import say
from deidstream.agents.policy_files import find_policy
from deidstream.agents.settings import RANDOM, Settings
from deidstream.agents.settings_reader import read_settings, shown
from deidstream.agents.tenants import read_policies, told_otherwise

if TYPE_CHECKING:
    from deidstream.schemas.ports import SurrogateStore

Verbs = Any
"""argparse's own type for a set of sub-commands is private."""


def _settings(flags: Mapping[str, object] | None = None) -> Settings:
    return read_settings(os.environ, flags)


def _note_flags(verb: argparse.ArgumentParser) -> None:
    verb.add_argument("notes", metavar="IN.jsonl", type=Path, help="notes.raw records")
    verb.add_argument("--policy", metavar="NAME", help="shipped policy, or path of a policy file")


def add_demo(verbs: Verbs) -> None:
    """``deidstream demo``."""
    verb = verbs.add_parser("demo", help="run the whole service here, on fictional notes")
    verb.add_argument("--forever", action="store_true", help="feed until interrupted")
    verb.add_argument("--policy", metavar="NAME", default="surrogate", help="policy to show")
    verb.set_defaults(run=_demo)


def _demo(arguments: argparse.Namespace) -> int:
    from deidstream.agents.demo.demo import run_demo

    return asyncio.run(run_demo(policy=arguments.policy, forever=arguments.forever))


def add_worker(verbs: Verbs) -> None:
    """``deidstream worker``."""
    verb = verbs.add_parser("worker", help="de-identify what comes from Kafka")
    verb.set_defaults(run=_worker, end=exit_now)


def _worker(_arguments: argparse.Namespace) -> int:
    from deidstream.agents.worker import run_worker
    from deidstream.stream.logs import configure

    settings = _settings()
    configure(settings.worker.log_level)
    return asyncio.run(run_worker(settings))


def exit_now(code: int) -> NoReturn:
    """End the process without waiting for threads that compute for nobody."""
    for stream in (sys.stdout, sys.stderr):
        # Whoever read it may be gone.
        with contextlib.suppress(OSError):
            stream.flush()
    os._exit(code)


def add_detect(verbs: Verbs) -> None:
    """``deidstream detect``."""
    verb = verbs.add_parser("detect", help="find PHI in the notes of a file")
    _note_flags(verb)
    verb.add_argument("--out", metavar="SPANS.jsonl", type=Path, required=True)
    verb.set_defaults(run=_detect)


def _detect(arguments: argparse.Namespace) -> int:
    from deidstream.agents.compose import load_recognizers
    from deidstream.agents.files import Files, detect
    from deidstream.models.detection.detector import Detector

    settings = _settings({"policy": arguments.policy})
    policy = find_policy(settings.policy)
    if settings.policies_file:
        say(f"the notes of all tenants are read by one policy here: {policy.name}")
    recognizers, _ = load_recognizers(settings, policy)
    files = Files(arguments.notes, arguments.out)
    return detect(files, Detector(policy, recognizers), note_bytes=settings.worker.note_bytes)


def add_deidentify(verbs: Verbs) -> None:
    """``deidstream deidentify``."""
    verb = verbs.add_parser("deidentify", help="de-identify the notes of a file")
    _note_flags(verb)
    verb.add_argument("--out", metavar="OUT.jsonl", type=Path, required=True)
    verb.add_argument("--risk", metavar="RISK.jsonl", type=Path, help="notes.risk records")
    verb.add_argument("--audit", metavar="AUDIT.jsonl", type=Path, help="spans, for evaluation")
    verb.add_argument("--quarantine", metavar="FILE", type=Path, help="notes.quarantine records")
    verb.add_argument("--key-file", metavar="F", help="root key; without one a fresh one is drawn")
    verb.add_argument("--redis", metavar="URL", help="keep surrogates there, not in memory")
    verb.set_defaults(run=_deidentify)


def _deidentify(arguments: argparse.Namespace) -> int:
    flags = {
        "policy": arguments.policy,
        "key.file": arguments.key_file,
        "redis.url": arguments.redis,
        # Who names a policy means it for every note.
        "policies_file": "" if arguments.policy else None,
    }
    if arguments.policy and _settings().policies_file:
        say(f"{arguments.policy} is the policy of all tenants here, whatever their own may be")
    return asyncio.run(_deidentify_file(arguments, _settings(flags)))


async def _deidentify_file(arguments: argparse.Namespace, settings: Settings) -> int:
    from deidstream.agents.files import Files, deidentify
    from deidstream.agents.policy_choice import choose
    from deidstream.agents.redis_guard import connect_guard
    from deidstream.agents.root_keys import fresh_key
    from deidstream.stream.mapping import MemorySurrogateStore

    if not arguments.redis and settings.redis.mode == RANDOM:
        say("mode random without --redis: nobody will know these surrogates after this run")
    if not settings.key.file:
        say("no key file: surrogates are drawn under a fresh key and will differ in the next run")
    store: SurrogateStore = MemorySurrogateStore()
    async with contextlib.AsyncExitStack() as closing:
        if arguments.redis:
            guard = connect_guard(settings, writes=True)
            closing.push_async_callback(guard.close)
            await guard.admit()
            store = guard.store
        choice = choose(settings, root=None if settings.key.file else fresh_key())
        files = Files(
            arguments.notes, arguments.out, arguments.risk, arguments.audit, arguments.quarantine
        )
        return await deidentify(files, settings, choice.default, store, choice.tenant_pipelines())


def add_produce(verbs: Verbs) -> None:
    """``deidstream produce``."""
    verb = verbs.add_parser("produce", help="send the notes of a file to the input topic")
    verb.add_argument("notes", metavar="FILE", type=Path, help="notes.raw records, one a line")
    verb.set_defaults(run=_produce)


def _produce(arguments: argparse.Namespace) -> int:
    from deidstream.agents.demo.feed import produce

    kafka = _settings().kafka
    sent, refused = asyncio.run(produce(arguments.notes, kafka.brokers, kafka.raw_topic))
    say(f"{sent} notes sent to {kafka.raw_topic}")
    if refused:
        say(f"{refused} are larger than the topic takes and were not sent")
    return 1 if refused else 0


def add_consume(verbs: Verbs) -> None:
    """``deidstream consume``."""
    verb = verbs.add_parser("consume", help="write the output topics to stdout")
    topics = ("anonymized", "risk", "quarantine", "audit")
    verb.add_argument("--topic", choices=topics, action="append", help="default: anonymized")
    verb.add_argument("--most", metavar="N", type=int, help="stop after N records")
    verb.add_argument("--follow", action="store_true", help="wait for more")
    verb.set_defaults(run=_consume)


def _consume(arguments: argparse.Namespace) -> int:
    from deidstream.agents.demo.feed import consume

    kafka = _settings().kafka
    names = [getattr(kafka, f"{topic}_topic") for topic in arguments.topic or ["anonymized"]]
    asyncio.run(consume(kafka.brokers, names, most=arguments.most, follow=arguments.follow))
    return 0


def add_topics(verbs: Verbs) -> None:
    """``deidstream topics create``."""
    inner = verbs.add_parser("topics", help="make the topics").add_subparsers(required=True)
    inner.add_parser("create", help="create what is missing").set_defaults(run=_topics)


def _topics(_arguments: argparse.Namespace) -> int:
    from deidstream.agents.worker import topics_of
    from deidstream.stream.topics import create

    settings = _settings()
    kafka, names = settings.kafka, topics_of(settings).all()
    made = asyncio.run(
        create(kafka.brokers, names, partitions=kafka.partitions, replication=kafka.replication)
    )
    say("\n".join(f"created {name}" for name in made) or "all topics were there")
    return 0


def add_config(verbs: Verbs) -> None:
    """``deidstream config check`` and ``deidstream config show``."""
    inner = verbs.add_parser("config", help="look at the settings").add_subparsers(required=True)
    inner.add_parser("check", help="read settings and policy").set_defaults(run=_config_check)
    inner.add_parser("show", help="print every setting").set_defaults(run=_config_show)


def _config_check(_arguments: argparse.Namespace) -> int:
    settings = _settings()
    policies = read_policies(settings)
    for policy in {p.sha256: p for p in policies.values()}.values():
        say(f"settings are right; policy {policy.name} is right ({policy.sha256[:12]})")
    if otherwise := told_otherwise(settings, policies):
        say(otherwise)
    return 0


def _config_show(_arguments: argparse.Namespace) -> int:
    for variable, value in shown(_settings()).items():
        sys.stdout.write(f"{variable}={value}\n")
    return 0


def add_doctor(verbs: Verbs) -> None:
    """``deidstream doctor``."""
    verb = verbs.add_parser("doctor", help="check all that a worker needs")
    verb.set_defaults(run=_doctor)


def _doctor(_arguments: argparse.Namespace) -> int:
    from deidstream.agents.doctor import examine, verdict

    findings = asyncio.run(examine(_settings()))
    for finding in findings:
        sys.stdout.write(f"{'ok  ' if finding.good else 'FAIL'} {finding.name}: {finding.said}\n")
        if not finding.good:
            sys.stdout.write(f"     {finding.remedy}\n")
    return verdict(findings)


def add_index(verbs: Verbs) -> None:
    """``deidstream index build``."""
    inner = verbs.add_parser("index", help="make a KNEO index").add_subparsers(required=True)
    build = inner.add_parser("build", help="from notes that are already de-identified")
    build.add_argument("notes", metavar="IN.jsonl", type=Path, help="notes.anonymized records")
    build.add_argument("--out", metavar="DIR", type=Path, required=True)
    build.set_defaults(run=_index_build)


def _index_build(arguments: argparse.Namespace) -> int:
    from deidstream.agents.training.build_index import build

    digest = build(arguments.notes, arguments.out, _settings())
    say(f"built {arguments.out} ({digest[:12]}); use it by DEIDSTREAM_MODEL_INDEX={arguments.out}")
    return 0


def add_schemas(verbs: Verbs) -> None:
    """``deidstream schemas export``."""
    inner = verbs.add_parser("schemas", help="the wire contracts").add_subparsers(required=True)
    export = inner.add_parser("export", help="write them as JSON Schema")
    export.add_argument("--out", metavar="DIR", type=Path, default=Path("schemas/json"))
    export.set_defaults(run=_schemas_export)


def _schemas_export(arguments: argparse.Namespace) -> int:
    from deidstream.schemas.contracts import CONTRACTS

    arguments.out.mkdir(parents=True, exist_ok=True)
    for topic, schema in CONTRACTS.items():
        text = orjson.dumps(schema, option=orjson.OPT_INDENT_2) + b"\n"
        (arguments.out / f"{topic}.schema.json").write_bytes(text)
    return 0


ALL: tuple[Callable[[Verbs], None], ...] = (
    add_demo,
    add_worker,
    add_detect,
    add_deidentify,
    add_produce,
    add_consume,
    add_topics,
    add_config,
    add_doctor,
    add_index,
    add_schemas,
)
