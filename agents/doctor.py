"""Checks what a worker needs, and says what to do about what is missing."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from deidstream.agents.compose import load_embedder, load_index, load_recognizers
from deidstream.agents.policy_files import find_policy
from deidstream.agents.redis_guard import connect_guard
from deidstream.agents.reidentification.reversible_access import look
from deidstream.agents.root_keys import read_keys
from deidstream.agents.settings import Settings
from deidstream.agents.tenants import DEFAULT, read_policies
from deidstream.agents.worker import topics_of
from deidstream.schemas.errors import Refused, Unavailable, UntrustedStore
from deidstream.stream.mapping import RedisSurrogateStore
from deidstream.stream.topics import existing

DONE, AWAY, REFUSED = 0, 69, 78


@dataclass(frozen=True, slots=True)
class Finding:
    """The outcome of one check."""

    name: str
    good: bool
    said: str
    remedy: str = ""
    code: int = DONE


async def examine(settings: Settings) -> list[Finding]:
    """Run every check; a failing one does not stop the others."""
    checks: tuple[tuple[str, Callable[[Settings], Awaitable[str]], str], ...] = (
        ("broker", _broker, "start Kafka, or set DEIDSTREAM_KAFKA_BROKERS"),
        ("topics", _topics, "run 'deidstream topics create'"),
        ("redis", _redis, "start Redis, or set DEIDSTREAM_REDIS_URL"),
        (
            "vault",
            _vault,
            "run 'deidstream vault check'; docs/vault.md says what each mode asks for",
        ),
        ("key", _key, "run 'deidstream keys new FILE' and set DEIDSTREAM_KEY_FILE"),
        ("reversible", look, "docs/reidentification.md says who may do what, and which keys"),
        ("policy", _policy, "run 'deidstream config check'; set DEIDSTREAM_POLICY"),
        ("model", _model, "set DEIDSTREAM_MODEL_EMBEDDER, or DEIDSTREAM_TAGGER_PATH"),
        ("index", _index, "run 'deidstream index build'; set DEIDSTREAM_MODEL_INDEX"),
    )
    return [await _found(name, check, remedy, settings) for name, check, remedy in checks]


async def _found(
    name: str, check: Callable[[Settings], Awaitable[str]], remedy: str, settings: Settings
) -> Finding:
    try:
        return Finding(name, good=True, said=await check(settings))
    except Unavailable as away:
        return Finding(name, good=False, said=str(away), remedy=remedy, code=AWAY)
    except Refused as refused:
        return Finding(name, good=False, said=str(refused), remedy=remedy, code=REFUSED)


def verdict(findings: list[Finding]) -> int:
    """Exit code of all findings: 78 before 69 before 0."""
    return max(finding.code for finding in findings)


async def _broker(settings: Settings) -> str:
    found = await existing(settings.kafka.brokers)
    return f"{settings.kafka.brokers} answers, {len(found)} topics"


async def _topics(settings: Settings) -> str:
    names = topics_of(settings).all()
    missing = set(names) - await existing(settings.kafka.brokers)
    if missing and not settings.kafka.create_topics:
        raise Unavailable("topics " + ", ".join(sorted(missing)))
    return "the worker will create " + ", ".join(sorted(missing)) if missing else "all there"


async def _redis(settings: Settings) -> str:
    store = RedisSurrogateStore.connect(settings.redis.url)
    try:
        await store.ping()
    finally:
        await store.close()
    return "answers"


async def _vault(settings: Settings) -> str:
    guard = connect_guard(settings, writes=False)
    try:
        found = await guard.found()
    finally:
        await guard.store.close()
    if refused := found & guard.fatal:
        raise UntrustedStore(", ".join(sorted(refused)))
    return f"mode {settings.redis.mode}, to be looked at: {', '.join(sorted(found)) or 'nothing'}"


async def _key(settings: Settings) -> str:
    keys = read_keys(settings.key)
    return f"version {keys.version}, {len(keys.roots) - 1} before it"


async def _policy(settings: Settings) -> str:
    policies = read_policies(settings)
    policy, more = policies[DEFAULT], len(policies) - 1
    others = f"; {more} more, of tenants of their own" if more else ""
    recognizers = ", ".join(sorted(policy.recognizers))
    return f"{policy.name} ({policy.technique}), recognizers {recognizers}{others}"


async def _model(settings: Settings) -> str:
    embedder = load_embedder(settings)
    _, tagger = load_recognizers(settings, find_policy(settings.policy))
    return f"embedder {embedder.digest[:12]}, tagger {tagger[:12] if tagger else 'none'}"


async def _index(settings: Settings) -> str:
    index = load_index(settings, load_embedder(settings))
    return f"{len(index.texts)} sentences, {index.digest[:12]}"
