"""Check everything a worker needs, and name a remedy for each fault."""

import os
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from deidstream.agents.compose import load_embedder, load_index, load_recognizers
from deidstream.agents.connections import connect_store, kafka_connection, topics_of
from deidstream.agents.policy_files import DEFAULT, find_policy, read_policies
from deidstream.agents.production import PRODUCTION, find_unsafe, refuse_unsafe
from deidstream.agents.redis_guard import connect_guard
from deidstream.agents.reidentification.reversible_access import describe_access
from deidstream.agents.root_keys import read_keys
from deidstream.agents.settings import Settings
from deidstream.schemas.errors import Refused, Unavailable, UntrustedStore
from deidstream.stream.kafka.topics import list_topics

DONE, AWAY, REFUSED = 0, 69, 78


@dataclass(frozen=True, slots=True)
class Finding:
    """The outcome of one check."""

    name: str
    good: bool
    message: str
    remedy: str = ""
    code: int = DONE


async def examine(settings: Settings) -> list[Finding]:
    """Run every check; one that fails does not stop the others."""
    checks: tuple[tuple[str, Callable[[Settings], Awaitable[str]], str], ...] = (
        ("settings", _settings, "docs/access.md lists what production requires"),
        ("broker", _broker, "start Kafka, or set DEIDSTREAM_KAFKA_BROKERS"),
        ("topics", _topics, "run 'deidstream topics create'"),
        ("redis", _redis, "start Redis, or set DEIDSTREAM_REDIS_URL"),
        (
            "vault",
            _vault,
            "run 'deidstream vault check'; docs/vault.md lists what each mode needs",
        ),
        ("key", _key, "run 'deidstream keys new FILE' and set DEIDSTREAM_KEY_FILE"),
        (
            "reversible",
            describe_access,
            "see docs/reidentification.md for Redis users and keys",
        ),
        ("policy", _policy, "run 'deidstream config check'; set DEIDSTREAM_POLICY"),
        ("model", _model, "set DEIDSTREAM_MODEL_EMBEDDER, or DEIDSTREAM_TAGGER_PATH"),
        ("index", _index, "run 'deidstream index build'; set DEIDSTREAM_MODEL_INDEX"),
    )
    return [await _run_check(name, check, remedy, settings) for name, check, remedy in checks]


async def _run_check(
    name: str, check: Callable[[Settings], Awaitable[str]], remedy: str, settings: Settings
) -> Finding:
    try:
        return Finding(name, good=True, message=await check(settings))
    except Unavailable as away:
        return Finding(name, good=False, message=str(away), remedy=remedy, code=AWAY)
    except Refused as refused:
        return Finding(name, good=False, message=str(refused), remedy=remedy, code=REFUSED)


def verdict(findings: list[Finding]) -> int:
    """Return the exit code of all findings: 78 before 69 before 0."""
    return max(finding.code for finding in findings)


async def _settings(settings: Settings) -> str:
    refuse_unsafe(settings, os.environ)
    count = len(find_unsafe(settings, os.environ))
    if settings.env == PRODUCTION:
        return "safe for production"
    return f"env is dev; {count} would be refused in prod" if count else "env is dev; safe for prod"


async def _broker(settings: Settings) -> str:
    found = await list_topics(kafka_connection(settings.kafka))
    return f"{settings.kafka.brokers} answers, {len(found)} topics"


async def _topics(settings: Settings) -> str:
    names = topics_of(settings).all()
    missing = set(names) - await list_topics(kafka_connection(settings.kafka))
    if missing and not settings.kafka.create_topics:
        raise Unavailable("topics " + ", ".join(sorted(missing)))
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
        raise UntrustedStore(", ".join(sorted(refused)))
    return f"mode {settings.redis.mode}; faults: {', '.join(sorted(found)) or 'none'}"


async def _key(settings: Settings) -> str:
    keys = read_keys(settings.key)
    return f"version {keys.version}, {len(keys.roots) - 1} older"


async def _policy(settings: Settings) -> str:
    policies = read_policies(settings)
    policy, more = policies[DEFAULT], len(policies) - 1
    others = f"; {more} more, for tenants with their own policy" if more else ""
    recognizers = ", ".join(sorted(policy.recognizers))
    return f"{policy.name} ({policy.technique}), recognizers {recognizers}{others}"


async def _model(settings: Settings) -> str:
    embedder = load_embedder(settings)
    _, tagger = load_recognizers(settings, find_policy(settings.policy))
    return f"embedder {embedder.digest[:12]}, tagger {tagger[:12] if tagger else 'none'}"


async def _index(settings: Settings) -> str:
    index = load_index(settings, load_embedder(settings))
    return f"{len(index.texts)} sentences, {index.digest[:12]}"
