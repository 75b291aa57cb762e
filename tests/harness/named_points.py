"""Kill this process at a named point of a note's way: after decoding, before the commit, …

The points are wrapped around objects of the stub worker; the product has none of them. Those of
Kafka are found on the wire, so that they hold for every way of delivering.
"""

import asyncio
import os
import signal
from collections.abc import Callable, Sequence
from typing import Any

from aiokafka.client import AIOKafkaClient

from deidstream.agents.runtime.service import Service
from deidstream.models.pipeline import Pipeline
from deidstream.models.records import Planned
from deidstream.schemas.note import RawNote
from deidstream.stream.redis.surrogate_store import RedisSurrogateStore
from harness.orders import DIE_OF, MARK, PASS, POINT

_COMMITS = ("OffsetCommit", "TxnOffsetCommit", "EndTxn")
_ON_ITS_WAY = 0.002


class _Counter:
    def __init__(self) -> None:
        self.left = int(os.environ.get(PASS, "1"))

    def strike(self) -> None:
        """Die at the last pass, without a word; the file of marks is written first."""
        self.left -= 1
        if self.left:
            return
        with open(os.environ[MARK], "a", encoding="ascii") as marks:  # noqa: PTH123 - about to die
            marks.write(f"{os.environ[POINT]}\n")
            marks.flush()
            os.fsync(marks.fileno())
        os.kill(os.getpid(), signal.SIGKILL)


def arm() -> None:
    """Arm the point that the environment names, if any, and the word that kills."""
    if word := os.environ.get(DIE_OF):
        _die_of(word)
    point = os.environ.get(POINT)
    if not point:
        return
    counter = _Counter()
    {
        "after-decode": lambda: _after(Service, "_decode_all", counter.strike),
        "after-detection": lambda: _after(Pipeline, "prepare", counter.strike),
        "after-redis-write": lambda: _after_await(RedisSurrogateStore, "claim", counter.strike),
        "after-produce": lambda: _at_request(counter, ("Produce",), seconds=None),
        "before-commit": lambda: _at_request(counter, ("EndTxn",), seconds=0),
        "during-commit": lambda: _at_request(counter, _COMMITS, seconds=_ON_ITS_WAY),
    }[point]()


def _die_of(word: str) -> None:
    whole = Pipeline.prepare

    def prepare(pipeline: Pipeline, notes: Sequence[RawNote]) -> list[Planned]:
        if any(word in note.text for note in notes):
            os.kill(os.getpid(), signal.SIGSEGV)
        return whole(pipeline, notes)

    replaced: Any = Pipeline
    replaced.prepare = prepare


def _after(owner: Any, name: str, strike: Callable[[], None]) -> None:
    whole = getattr(owner, name)

    def wrapped(*args: Any, **kwargs: Any) -> Any:
        answer = whole(*args, **kwargs)
        # The probe of the warm-up is no note.
        if not _is_probe(args):
            strike()
        return answer

    setattr(owner, name, wrapped)


def _is_probe(args: tuple[Any, ...]) -> bool:
    notes = args[1] if len(args) > 1 else []
    return any(getattr(note, "note_id", "") == "probe" for note in notes)


def _after_await(owner: Any, name: str, strike: Callable[[], None]) -> None:
    whole = getattr(owner, name)

    async def wrapped(*args: Any, **kwargs: Any) -> Any:
        answer = await whole(*args, **kwargs)
        strike()
        return answer

    setattr(owner, name, wrapped)


def _at_request(counter: _Counter, kinds: tuple[str, ...], *, seconds: float | None) -> None:
    """Strike ``seconds`` after a request is made; without, once the broker has answered it."""
    whole = AIOKafkaClient.send

    async def send(client: Any, node: Any, request: Any, **kwargs: Any) -> Any:
        if not type(request).__name__.startswith(kinds):
            return await whole(client, node, request, **kwargs)
        if seconds == 0:
            # Everything of the transaction is with the broker, except that it is whole.
            counter.strike()
        sending = asyncio.ensure_future(whole(client, node, request, **kwargs))
        if seconds != 0:
            await asyncio.wait({sending}, timeout=seconds)
            counter.strike()
        return await sending

    replaced: Any = AIOKafkaClient
    replaced.send = send
