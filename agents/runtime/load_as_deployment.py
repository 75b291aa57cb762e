"""Load models so that they compute as in all other processes that use the same Redis."""

import asyncio
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

from deidstream.agents.runtime.policy_choice import PolicyChoice
from deidstream.agents.settings import Settings
from deidstream.schemas.errors import InvalidSettings
from deidstream.schemas.model_pins import is_pin, read_pins, show_pins
from deidstream.schemas.note import PipelineStamp

if TYPE_CHECKING:
    # Files and callers that keep surrogates in memory need no client of Redis.
    from deidstream.agents.runtime.guards.redis_guard import RedisGuard
    from deidstream.stream.redis.surrogate_store import RedisSurrogateStore


async def load_as_deployment(
    load: Callable[[Settings], PolicyChoice], settings: Settings, guard: "RedisGuard | None"
) -> PolicyChoice:
    """Load policies and models, off the event loop, with the engines of the deployment.

    The first process of a deployment chooses its engines, and stores in Redis how precisely they
    compute; all others compute so (ADR 71).

    Args:
        load: Loads policies and models by settings.
        settings: All settings.
        guard: Of the Redis of the deployment; ``None``: each process chooses for itself.

    Raises:
        Unavailable: Redis cannot be reached.
        Refused: A policy, key, model or index is missing or wrong, or an engine of the deployment
            cannot run here.
    """
    if guard is None:
        return await asyncio.to_thread(load, settings)
    choice = await asyncio.to_thread(load, await pin_engines(settings, guard.store))
    try:
        await keep_engines(guard, choice)
    except InvalidSettings:
        # Another process may have been the first while this one loaded.
        choice = await asyncio.to_thread(load, await pin_engines(settings, guard.store))
        await keep_engines(guard, choice)
    return choice


async def pin_engines(settings: Settings, store: "RedisSurrogateStore") -> Settings:
    """Return settings by which models compute as Redis has it, unless the settings say how.

    Raises:
        Unavailable: Redis cannot be reached.
        InvalidSettings: Redis refuses this client.
    """
    stored = await store.pin_precisions({})
    # What else stands there fits no model: it is refused when models have loaded.
    pins = {digest: its for digest, its in stored.items() if is_pin(digest, its)}
    pins |= read_pins(settings.model.pins)
    return replace(settings, model=replace(settings.model, pins=show_pins(pins)))


async def keep_engines(guard: "RedisGuard", choice: PolicyChoice) -> None:
    """Store in Redis how precisely models compute, or refuse a difference.

    Raises:
        Unavailable: Redis cannot be reached.
        InvalidSettings: Others of the deployment compute a model in another way.
    """
    await guard.keep_precisions(
        list_precisions(runtime.stamp for runtime in choice.runtimes.values())
    )


def list_precisions(stamps: Iterable[PipelineStamp]) -> dict[str, str]:
    """Return how precisely the models of pipelines compute, by digest."""
    named = (model for stamp in stamps for model in (stamp.tagger, stamp.embedder) if model)
    each = (one for models in named for one in models.split(","))
    parts = (model.partition(":") for model in each)
    return {digest: precision for digest, _, precision in parts if precision}
