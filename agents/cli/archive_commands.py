"""The commands ``archive plan``, ``run``, ``status`` and ``verify``."""

import argparse
import asyncio
from contextlib import AsyncExitStack
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from deidstream.agents.cli.arguments import POLICY, settings_from, whole_number
from deidstream.agents.cli.reading_arguments import NOTES, add_reading, reading_of
from deidstream.agents.cli.verbs import Verbs
from deidstream.agents.runtime.terminal import say
from deidstream.agents.settings import RANDOM, Settings
from deidstream.schemas.errors import InvalidSettings
from deidstream.schemas.extras import Extra, needing

if TYPE_CHECKING:
    from deidstream.agents.archive.job_folder import JobFolder
    from deidstream.agents.archive.job_plan import JobPlan
    from deidstream.agents.archive.run_shards import ShardShare
    from deidstream.agents.note_files.note_source import NoteSource
    from deidstream.agents.runtime.guards.redis_guard import RedisGuard
    from deidstream.agents.runtime.policy_choice import PolicyChoice
    from deidstream.agents.runtime.service import Service
    from deidstream.schemas.ports import SurrogateStore

DONE, FAULTS, UNMAPPABLE = 0, 1, 64
_JOB = "folder of the job, which holds its notes, sealed, until they are done"


def add_archive(verbs: Verbs) -> None:
    """Add ``deidstream archive``."""
    inner = verbs.add_group("archive", help="de-identify an archive in shards, beside the feed")
    _add_make(inner)
    _add_plan(inner)
    _add_run(inner)
    for name, run, help_text in (
        ("status", _status, "say how far a job is"),
        ("verify", _verify, "check that every note is in the outputs or in quarantine, once"),
    ):
        verb = inner.add_parser(name, help=help_text, examples=[f"deidstream archive {name} job"])
        verb.add_argument("job", metavar="JOB", type=Path, help=_JOB)
        verb.add_argument("--key-file", metavar="F", help="root key file; default: as planned")
        verb.add_argument("--redis", metavar="URL", help="the Redis of the surrogates")
        verb.set_defaults(run=run)


def _add_make(inner: Verbs) -> None:
    verb = inner.add_parser(
        "make",
        help="plan, run and verify at once; the same command goes on where it was cut off",
        examples=["deidstream archive make notes.csv job --out outputs --key-file root.key"],
    )
    _add_planning(verb)
    _add_quarantined(verb)
    verb.set_defaults(run=_make, shards=(0, 1), alone=False, measure=0, price=None)


def _add_plan(inner: Verbs) -> None:
    verb = inner.add_parser(
        "plan",
        help="read an archive and cut it into shards",
        examples=[
            "deidstream archive plan notes.parquet job --out outputs --key-file root.key",
            "deidstream archive plan notes.csv job --columns text=BODY --to delta --out t",
        ],
    )
    _add_planning(verb)
    verb.add_argument(
        "--measure",
        metavar="SECONDS",
        type=whole_number(),
        default=60,
        help="how long to measure the speed; 0: not at all; default: 60",
    )
    verb.add_argument("--price", metavar="DOLLARS", type=float, help="of an hour of this machine")
    verb.set_defaults(run=_plan)


def _add_planning(verb: argparse.ArgumentParser) -> None:
    """Add what is read, and what becomes of it."""
    verb.add_argument("notes", metavar="NOTES", type=Path, help=NOTES)
    verb.add_argument("job", metavar="JOB", type=Path, help=_JOB)
    add_reading(verb)
    verb.add_argument(
        "--query",
        metavar="SQL",
        help="notes are its rows; NOTES is a file of DuckDB, or postgres, as PGHOST and so on name",
    )
    verb.add_argument(
        "--out", metavar="OUT", required=True, help="folder of the outputs; a schema of postgres"
    )
    verb.add_argument(
        "--to",
        choices=("parquet", "delta", "jsonl", "postgres"),
        default="parquet",
        help="what the outputs are; postgres: at DEIDSTREAM_EXPORT_POSTGRES_URL",
    )
    verb.add_argument("--policy", metavar="NAME", help=POLICY)
    verb.add_argument("--key-file", metavar="F", help="root key file, which the feed has too")
    verb.add_argument("--redis", metavar="URL", help="keep surrogates in the Redis of the feed")
    verb.add_argument(
        "--shard-notes", metavar="N", type=whole_number(1), help="notes of a shard, about"
    )
    _add_processes(verb)


def _add_processes(verb: argparse.ArgumentParser) -> None:
    verb.add_argument(
        "--processes", metavar="N", type=whole_number(1, 1_024), help="default: one for each core"
    )


def _add_run(inner: Verbs) -> None:
    verb = inner.add_parser(
        "run",
        help="do the shards of a job that are not done",
        examples=["deidstream archive run job", "deidstream archive run job --shards 3/16"],
    )
    verb.add_argument("job", metavar="JOB", type=Path, help=_JOB)
    _add_processes(verb)
    verb.add_argument(
        "--shards",
        metavar="I/N",
        type=_share,
        default=(0, 1),
        help="do every N-th shard from the I-th on, from 0: for one of N machines",
    )
    verb.add_argument("--key-file", metavar="F", help="root key file; default: as planned")
    verb.add_argument("--redis", metavar="URL", help="the Redis of the surrogates")
    _add_quarantined(verb)
    verb.add_argument("--alone", action="store_true", help="take shards in this process")
    verb.set_defaults(run=_run)


def _add_quarantined(verb: argparse.ArgumentParser) -> None:
    verb.add_argument(
        "--allow-quarantined",
        action="store_true",
        help="end with 0, not 1, if all is done and notes are in quarantine",
    )


def _share(text: str) -> tuple[int, int]:
    """Read ``I/N``.

    Raises:
        ArgumentTypeError: It is something else.
    """
    index, _, count = text.partition("/")
    if not (index.isdecimal() and count.isdecimal() and int(index) < int(count)):
        msg = "must be I/N, such as 0/16 for the first of 16"
        raise argparse.ArgumentTypeError(msg)
    return int(index), int(count)


def _make(arguments: argparse.Namespace) -> int:
    from deidstream.agents.archive.job_folder import JobFolder

    if JobFolder(arguments.job).plan_file.exists():
        say(f"{arguments.job}: has a plan, which goes on; its notes are not read again")
    elif planned := _plan(arguments):
        return planned
    done = _run(arguments)
    return _verify(arguments) or done if done in {DONE, FAULTS} else done


def _plan(arguments: argparse.Namespace) -> int:
    from deidstream.agents.archive.job_folder import JobFolder
    from deidstream.agents.note_files.input_files import STDIN

    url: str | None = arguments.redis
    settings = _settings(arguments.policy, arguments.key_file, url, redis=url is not None)
    if arguments.notes == STDIN:
        say("deidstream: NOTES: an archive is a file or a folder, and not stdin")
        return UNMAPPABLE
    try:
        source = _open_source(arguments)
    except InvalidSettings as unmappable:
        for line in str(unmappable).splitlines():
            say(f"deidstream: {line}")
        return UNMAPPABLE
    job = JobFolder(arguments.job)
    job.make()
    settings = _share_threads(settings, _count_processes(arguments))
    out = arguments.out if arguments.to == "postgres" else str(Path(arguments.out).absolute())
    return asyncio.run(_make_plan(arguments, settings, job, source, out))


def _open_source(arguments: argparse.Namespace) -> "NoteSource":
    from deidstream.agents.note_files.open_notes import open_notes

    if arguments.query:
        from deidstream.agents.archive.query_notes import QueryNotes

        return QueryNotes.open(arguments.notes, arguments.query, arguments.columns)
    return open_notes(arguments.notes, reading_of(arguments))


async def _make_plan(
    arguments: argparse.Namespace,
    settings: Settings,
    job: "JobFolder",
    source: "NoteSource",
    out: str,
) -> int:
    from deidstream.agents.archive.job_plan import SinkKind
    from deidstream.agents.archive.make_plan import PlanRequest, make_plan
    from deidstream.agents.archive.measure_speed import measure_speed
    from deidstream.agents.archive.open_sink import open_sink
    from deidstream.agents.runtime.load_as_deployment import load_as_deployment
    from deidstream.stream.redis.memory_store import MemorySurrogateStore

    request = PlanRequest(
        SinkKind(arguments.to),
        out,
        arguments.policy,
        arguments.shard_notes,
    )
    async with AsyncExitStack() as closing:
        guard = await _open_guard(settings, closing, redis=arguments.redis is not None)
        choice = await load_as_deployment(_load_policies, settings, guard)
        store = guard.store if guard else MemorySurrogateStore()
        service = _make_service(settings, choice, store)
        closing.callback(service.lane.close)
        planned = make_plan(job, source, settings, service, request)
        open_sink(planned.plan, settings).prepare()
        say(planned.describe())
        if arguments.measure and planned.sample:
            trial = _make_service(settings, choice, MemorySurrogateStore())
            closing.callback(trial.lane.close)
            speed = await measure_speed(trial, planned.sample, arguments.measure)
            if speed:
                processes = _count_processes(arguments)
                say(speed.describe(planned.plan.notes, processes, arguments.price))
        # A plan without this file is none: whatever failed before, it is made again.
        planned.plan.write(job.plan_file)
    say(f"planned: {planned.plan.fingerprint}; 'deidstream archive run {job.path}' does it")
    return DONE


def _run(arguments: argparse.Namespace) -> int:
    from deidstream.agents.archive.job_folder import JobFolder
    from deidstream.agents.archive.job_state import JobState
    from deidstream.agents.archive.run_processes import (
        ProcessPlan,
        run_processes,
        worker_command,
    )
    from deidstream.agents.archive.run_shards import ShardShare

    job, share = JobFolder(arguments.job), ShardShare(*arguments.shards)
    plan = job.read_plan()
    settings = _job_settings(plan, arguments)
    if arguments.alone:
        asyncio.run(_run_here(job, plan, settings, share))
        return DONE
    count = _count_processes(arguments)
    flags = ["run", str(job.path), "--alone", "--shards", f"{share.index}/{share.count}"]
    for flag, value in (("--key-file", arguments.key_file), ("--redis", arguments.redis)):
        flags += [flag, value] if value else []
    threads = _share_threads(settings, count).model.threads
    try:
        code = run_processes(job, plan, share, ProcessPlan(worker_command(flags), count, threads))
    except KeyboardInterrupt:
        say("stopped: shards that were not done are done again by the same command")
        raise
    state = JobState.of(job, share.choose(plan.shards))
    for line in state.list_quarantined(plan.unit):
        say(line)
    say(state.describe())
    return code or (FAULTS if state.quarantined and not arguments.allow_quarantined else DONE)


async def _run_here(
    job: "JobFolder", plan: "JobPlan", settings: Settings, share: "ShardShare"
) -> None:
    from deidstream.agents.archive.open_sink import open_sink
    from deidstream.agents.archive.process_progress import ProcessProgress
    from deidstream.agents.archive.run_shards import ShardRunner
    from deidstream.agents.archive.sealed_notes import Seal
    from deidstream.agents.note_files.files import identify_makers
    from deidstream.agents.runtime.load_as_deployment import load_as_deployment
    from deidstream.agents.runtime.process.garbage import keep_loaded
    from deidstream.stream.redis.memory_store import MemorySurrogateStore

    async with AsyncExitStack() as closing:
        guard = await _open_guard(settings, closing, redis=plan.redis)
        choice = await load_as_deployment(_load_policies, settings, guard)

        def make_service() -> "Service":
            store = guard.store if guard else MemorySurrogateStore()
            return _make_service(settings, choice, store)

        first = make_service()
        closing.callback(first.lane.close)
        plan.refuse_other(identify_makers(settings, first))
        keep_loaded()
        root = first.pipeline.record_builder.root
        runner = ShardRunner(
            job,
            plan,
            make_service,
            open_sink(plan, settings),
            Seal.of(root, settings.key.version, plan.job_id),
            ProcessProgress.of_process(job.progress),
        )
        await runner.run(share)


def _status(arguments: argparse.Namespace) -> int:
    from deidstream.agents.archive.job_folder import JobFolder
    from deidstream.agents.archive.job_state import JobState

    job = JobFolder(arguments.job)
    plan = job.read_plan()
    state = JobState.of(job, plan.shards)
    say(f"{state.shards:,} of {len(plan.shards):,} shards, {state.notes:,} of {plan.notes:,} notes")
    for line in state.list_quarantined(plan.unit):
        say(line)
    say(state.describe())
    return DONE if state.shards == len(plan.shards) else FAULTS


def _verify(arguments: argparse.Namespace) -> int:
    from deidstream.agents.archive.job_folder import JobFolder
    from deidstream.agents.archive.job_state import JobState
    from deidstream.agents.archive.open_sink import open_sink
    from deidstream.agents.archive.verify_job import JobCheck, Makers
    from deidstream.agents.runtime.policy_files import read_policies

    job = JobFolder(arguments.job)
    plan = job.read_plan()
    settings = _job_settings(plan, arguments)
    policies = frozenset(policy.sha256 for policy in read_policies(settings).values())
    makers = Makers(policies, settings.key.version, settings.key.epoch)
    faults = 0
    for fault in JobCheck(job, plan, open_sink(plan, settings), makers).find_faults():
        say(fault)
        faults += 1
    say(JobState.of(job, plan.shards).describe())
    say(f"not whole: {faults:,} faults" if faults else f"whole: each of {plan.notes:,} notes once")
    return FAULTS if faults else DONE


def _job_settings(plan: "JobPlan", arguments: argparse.Namespace) -> Settings:
    key_file = arguments.key_file or plan.key_file
    return _settings(plan.policy, key_file, arguments.redis, redis=plan.redis)


def _settings(
    policy: str | None, key_file: str | None, url: str | None, *, redis: bool
) -> Settings:
    flags = {
        "policy": policy,
        "key.file": key_file,
        "redis.url": url,
        # A policy on the command line is meant for every note.
        "policies_file": "" if policy else None,
    }
    settings = settings_from(flags)
    faults: list[str] = []
    if not settings.key.file:
        faults.append("no key file: an archive needs the one of the feed (--key-file)")
    if settings.redis.mode == RANDOM and not redis:
        faults.append("mode random: needs --redis, which alone has the surrogates")
    if faults:
        raise InvalidSettings("\n".join(faults))
    return settings


def _count_processes(arguments: argparse.Namespace) -> int:
    from deidstream.agents.archive.run_processes import usable_cores

    return arguments.processes or usable_cores()


def _share_threads(settings: Settings, processes: int) -> Settings:
    from deidstream.agents.archive.run_processes import usable_cores

    threads = settings.model.threads or max(1, usable_cores() // processes)
    return replace(settings, model=replace(settings.model, threads=threads))


def _load_policies(settings: Settings) -> "PolicyChoice":
    from deidstream.agents.runtime.policy_choice import choose_policies
    from deidstream.agents.runtime.process.garbage import collecting_rarely

    with collecting_rarely():
        return choose_policies(settings)


async def _open_guard(
    settings: Settings, closing: AsyncExitStack, *, redis: bool
) -> "RedisGuard | None":
    """Return the guard of the Redis of the surrogates, which admits it; nothing without one."""
    if not redis:
        return None
    with needing(Extra.SERVICE, "--redis"):
        from deidstream.agents.runtime.guards.redis_guard import connect_guard
    guard = connect_guard(settings, writes=True)
    closing.push_async_callback(guard.close)
    await guard.admit()
    return guard


def _make_service(settings: Settings, choice: "PolicyChoice", store: "SurrogateStore") -> "Service":
    from deidstream.agents.runtime.local_service import local_service

    return local_service(settings, choice.default, store, choice.tenant_pipelines())
