"""Check everything a worker needs, and name a remedy for each fault."""

import asyncio
import os
import stat
import tempfile
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from deidstream.agents.doctor.interface_checks import Check, check_port, list_interfaces
from deidstream.agents.runtime.connections import connect_store, kafka_connection, topics_of
from deidstream.agents.runtime.guards.redis_guard import connect_guard
from deidstream.agents.runtime.load_as_deployment import pin_engines
from deidstream.agents.runtime.load_embedder import choose_embedder
from deidstream.agents.runtime.load_models import (
    describe_engines,
    find_calibration,
    find_index,
    index_for,
    load_recognizers,
    near_words_for,
)
from deidstream.agents.runtime.policy_files import (
    DEFAULT,
    PolicyFiles,
    find_policy,
    read_policies,
)
from deidstream.agents.runtime.production import PRODUCTION, find_unsafe, refuse_unsafe
from deidstream.agents.runtime.reversible_access import describe_access
from deidstream.agents.runtime.root_keys import describe_exposure, key_files, read_keys
from deidstream.agents.settings import Settings
from deidstream.agents.settings.adaptation import find_adaptation
from deidstream.models.detection.calibration import is_calibrated
from deidstream.models.kneo.index_folder import read_index
from deidstream.models.neural.weights import digest
from deidstream.schemas.errors import InvalidSettings, Refused, Unavailable, UntrustedStore
from deidstream.schemas.model_pins import show_pins
from deidstream.schemas.ports import NoteEmbedder
from deidstream.schemas.system_faults import say_why
from deidstream.stream.kafka.compression import CODECS
from deidstream.stream.kafka.topics import describe_missing, list_topics
from deidstream.stream.redis.redis_checks import REMEDY

DONE, AWAY, REFUSED = 0, 69, 78


@dataclass(frozen=True, slots=True)
class Finding:
    """The outcome of one check."""

    name: str
    good: bool
    message: str
    remedy: str = ""
    code: int = DONE


async def examine(settings: Settings) -> AsyncIterator[Finding]:
    """Run every check, the quickest first; one that fails does not stop the others.

    Yields:
        Each finding as soon as it is known: models load last.
    """
    checks: tuple[Check, ...] = (
        Check("settings", _settings, "docs/security/access.md lists what production requires"),
        Check("key", _key, "run 'deidstream keys new FILE' and set DEIDSTREAM_KEY_FILE"),
        Check("policy", _policy, "run 'deidstream config check'; set DEIDSTREAM_POLICY"),
        Check(
            "adaptation",
            describe_adaptation,
            "run 'deidstream adapt make' again, or 'deidstream adapt undo FOLDER'",
        ),
        Check("port", _port, "end what listens there, or set DEIDSTREAM_HTTP_PORT"),
        Check("state", _state, "set DEIDSTREAM_REDIS_STATE to a folder that this user may write"),
        *list_interfaces(settings),
        Check("redis", _redis, "docs/security/access.md lists the settings of login and TLS"),
        Check(
            "vault",
            _vault,
            "run 'deidstream vault check'; docs/vault.md lists what each mode needs",
        ),
        Check("engines", _engines, "docs/vault.md lists the rights that a worker needs"),
        Check(
            "reversible",
            describe_access,
            "see docs/reidentification.md for Redis users and keys",
        ),
        Check("broker", _broker, "docs/security/access.md lists the settings of login and TLS"),
        Check("topics", _topics, "run 'deidstream topics create'"),
        Check("model", _models, "set DEIDSTREAM_MODEL_EMBEDDER, or DEIDSTREAM_TAGGER_PATH"),
        Check("index", _index, "run 'deidstream index build'; set DEIDSTREAM_MODEL_INDEX"),
    )
    for check in checks:
        yield await _run_check(check, settings)


async def _run_check(check: Check, settings: Settings) -> Finding:
    try:
        return Finding(check.name, good=True, message=await check.run(settings))
    except Unavailable as away:
        message, code = str(away), AWAY
    except Refused as refused:
        message, code = str(refused), REFUSED
    return Finding(check.name, good=False, message=message, remedy=check.remedy, code=code)


def verdict(findings: Sequence[Finding]) -> int:
    """Return the exit code of all findings: 78 before 69 before 0."""
    return max(finding.code for finding in findings)


async def _settings(settings: Settings) -> str:
    refuse_unsafe(settings, os.environ)
    unsafe = find_unsafe(settings, os.environ)
    if settings.env == PRODUCTION:
        return "safe for production"
    if not unsafe:
        return "env is dev; safe for prod"
    return "\n     - ".join([f"env is dev; {len(unsafe)} would be refused in prod:", *unsafe])


async def _broker(settings: Settings) -> str:
    found = await list_topics(kafka_connection(settings.kafka))
    codecs = ", ".join(CODECS)
    return f"{settings.kafka.brokers} answers, {len(found)} topics; reads the codecs {codecs}"


async def _topics(settings: Settings) -> str:
    names, connection = topics_of(settings).all(), kafka_connection(settings.kafka)
    missing = set(names) - await list_topics(connection)
    if missing and not settings.kafka.create_topics:
        raise InvalidSettings(describe_missing(missing, connection))
    return "the worker will create " + ", ".join(sorted(missing)) if missing else "all exist"


async def _redis(settings: Settings) -> str:
    store = connect_store(settings.redis)
    try:
        await store.ping()
    finally:
        await store.close()
    return "answers"


async def _vault(settings: Settings) -> str:
    guard = connect_guard(settings, writes=False)
    try:
        found = await guard.find_faults()
    finally:
        await guard.store.close()
    if refused := found & guard.fatal:
        raise UntrustedStore("; ".join(f"{fault}: {REMEDY[fault]}" for fault in sorted(refused)))
    return f"mode {settings.redis.mode}; faults: {', '.join(sorted(found)) or 'none'}"


async def _engines(settings: Settings) -> str:
    store = connect_store(settings.redis)
    try:
        stored = await store.pin_precisions({})
    finally:
        await store.close()
    if not stored:
        return "none is stored: the first worker stores how precisely it computes each model"
    change = "to change them, stop all workers and run 'deidstream vault engines --release'"
    return f"all workers compute {show_pins(stored)}; {change}"


async def _pinned(settings: Settings) -> Settings:
    """Return settings by which models load as in a worker, if Redis answers."""
    store = connect_store(settings.redis)
    try:
        return await pin_engines(settings, store)
    except (Unavailable, InvalidSettings):
        return settings
    finally:
        await store.close()


async def _models(settings: Settings) -> str:
    return await describe_models(await _pinned(settings))


async def _key(settings: Settings) -> str:
    keys = read_keys(settings.key)
    shown = (describe_exposure(file) for file in key_files(settings.key).values())
    exposed = "; ".join(filter(None, shown))
    warning = f"; WARNING: {exposed}" if exposed else ""
    return f"version {keys.version}, {len(keys.roots) - 1} older{warning}"


async def describe_adaptation(settings: Settings) -> str:
    """Return which adaptation is in force, after comparing its digests.

    Raises:
        InvalidSettings: It cannot be read, or was changed after it was measured.
    """
    if not settings.adaptation:
        return "none is set"
    found = find_adaptation(settings.adaptation)
    if found is None:
        return f"none of {settings.adaptation} is in force"
    if PolicyFiles.gather(found.policy).digest != found.policy_sha256:
        msg = f"version {found.name}: its policy, or what that extends, was changed since"
        raise InvalidSettings(msg)
    if found.tagger and digest(found.tagger) != found.tagger_sha256:
        msg = f"version {found.name}: its tagger was changed since"
        raise InvalidSettings(msg)
    tagger = f"tagger {found.tagger_sha256[:12]}" if found.tagger else "no tagger of its own"
    return f"{found.digest[:12]} in force: policy {found.policy_sha256[:12]}, {tagger}"


async def _port(settings: Settings) -> str:
    return await check_port(settings.http.host, settings.http.port)


async def _state(settings: Settings) -> str:
    if not settings.redis.state:
        return "none is set"
    return await asyncio.to_thread(_try_folder, Path(settings.redis.state))


def _try_folder(folder: Path) -> str:
    try:
        folder.mkdir(mode=stat.S_IRWXU, parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder) as file:
            file.write(b"full?")
    except OSError as error:
        why = say_why(error)
        msg = f"{folder} cannot be written: {why}"
        raise InvalidSettings(msg) from None
    return f"{folder} can be written"


async def _policy(settings: Settings) -> str:
    policies = read_policies(settings)
    policy, more = policies[DEFAULT], len(policies) - 1
    others = f"; {more} more, for tenants with their own policy" if more else ""
    recognizers = ", ".join(sorted(policy.recognizers))
    return f"{policy.name} ({policy.technique}), recognizers {recognizers}{others}"


@lru_cache(maxsize=1)
def _embedder(settings: Settings) -> NoteEmbedder:
    """Return what a worker has; the checks of model and index load one embedder together."""
    return choose_embedder(settings, find_policy(settings.policy))


async def describe_models(settings: Settings) -> str:
    """Return the digests of the models, and whether the tagger has scores of its own.

    Raises:
        MissingArtefact: One of them cannot be loaded.
    """
    embedder = _embedder(settings)
    policy = find_policy(settings.policy)
    recognizers, tagger = load_recognizers(settings, policy)
    near = near_words_for(settings, policy)
    message = f"embedder {embedder.digest[:12]}, tagger {tagger[:12] if tagger else 'none'}"
    message += f", word vectors {near.vectors.digest[:12]}" if near else ""
    engines = describe_engines(recognizers, embedder)
    message += f"; {engines}" if engines else ""
    if tagger and not is_calibrated(find_calibration(settings)):
        return f"{message} with the scores of the shipped one: run 'deidstream calibrate'"
    return message


async def _index(settings: Settings) -> str:
    embedder = _embedder(await _pinned(settings))
    checked = read_index(find_index(settings), embedder.digest)
    index_for(settings, find_policy(settings.policy), embedder, checked.digest)
    return f"{checked.facts.sentences} sentences, {checked.digest[:12]}"
