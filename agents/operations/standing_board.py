"""Show in Redis what the readers of the standing sample have found: counts and bounds alone.

``deidstream validate follow`` writes them; every worker reads them for its page and its metrics.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Self, cast

import orjson
from redis.asyncio import Redis
from redis.exceptions import NoPermissionError, RedisError

from deidstream.stream.observing.logs import Logger

LOG = Logger("figures")
FORM = 1
"""Version of the figures; those of another version are not read."""
ALL_TYPES = "all"
KEPT_SECONDS = 100 * 86_400
_MOST_ROWS = 2_000
_LONGEST = 64


@dataclass(frozen=True, slots=True)
class StandingRow:
    """What was read of one note type in one week."""

    week: str
    """Such as ``2026-W48``; empty: the last 13 weeks together."""
    note_type: str
    """``all``: of every type."""
    read: int
    leaking: int
    lower: float
    """With the confidence of the plan, more than this share of the notes leak."""
    upper: float
    """With the confidence of the plan, fewer than this share do."""

    @property
    def is_fit(self) -> bool:
        """Whether the figures can be such ones, as others may have written them to Redis."""
        texts = (self.week, self.note_type)
        numbers = (self.read, self.leaking, self.lower, self.upper)
        return (
            all(type(text) is str and len(text) <= _LONGEST for text in texts)
            and all(type(number) in {int, float} for number in numbers)
            and 0 <= self.leaking <= self.read <= 1e12  # noqa: PLR2004 - more are never read
            and 0 <= self.lower <= self.upper <= 1
        )


class ClaimState(StrEnum):
    """What the bounds of some notes say of the claim."""

    WITHIN = "within the plan"
    TOO_FEW = "more to read"
    """Fewer notes were read than prove the claim if none leaks."""
    UNPROVED = "not proved"
    OVER = "over the plan"
    """More notes leak than is claimed, at the confidence of the plan."""


@dataclass(frozen=True, slots=True)
class Standing:
    """The figures of a standing sample."""

    at: str
    """When they were written."""
    claim: float
    """Fewer than this share of the notes is to leak."""
    confidence: float
    needed: int
    """Notes that must be read to prove the claim, if none leaks."""
    disputed: int
    """Notes that wait for the adjudicator."""
    rows: tuple[StandingRow, ...]

    @classmethod
    def decode(cls, value: bytes) -> Self | None:
        """Read what was written; ``None`` if its form is another one."""
        try:
            fields: dict[str, Any] = orjson.loads(value)
            rows = tuple(StandingRow(**row) for row in fields.pop("rows")[:_MOST_ROWS])
            form, found = fields.pop("form"), cls(**fields, rows=rows)
            numbers = (found.claim, found.confidence, found.needed, found.disputed)
            fit = form == FORM and type(found.at) is str and len(found.at) <= _LONGEST
            fit = fit and all(type(number) in {int, float} for number in numbers)
            return found if fit and all(row.is_fit for row in rows) else None
        except (orjson.JSONDecodeError, KeyError, TypeError, AttributeError):
            return None

    def totals(self) -> Iterator[StandingRow]:
        """Yield the rows of the last weeks together, by note type."""
        yield from (row for row in self.rows if not row.week)

    def judge(self, row: StandingRow) -> ClaimState:
        """Return what the bounds of a row say of the claim."""
        if row.lower > self.claim:
            return ClaimState.OVER
        if row.upper <= self.claim:
            return ClaimState.WITHIN
        return ClaimState.UNPROVED if row.read >= self.needed else ClaimState.TOO_FEW


@dataclass(slots=True)
class StandingBoard:
    """Where the figures of a standing sample lie."""

    client: Redis
    deployment: str = "deid"
    """Before every name in Redis."""
    shown: Standing | None = field(default=None)
    """The figures that were read last; ``None``: there are none."""

    async def show(self, figures: bytes) -> None:
        """Write figures for the workers.

        Raises:
            RedisError: Redis cannot be reached, or does not permit it.
        """
        await self.client.set(self._name, figures, ex=KEPT_SECONDS)

    async def read(self) -> None:
        """Read the figures; without Redis, or its permission, those that were read before stay."""
        try:
            value = await self.client.get(self._name)
        except (RedisError, OSError, TimeoutError) as error:
            refused = isinstance(error, NoPermissionError)
            LOG.warning("standing-off", reason="no-permission" if refused else "unavailable")
            return
        self.shown = Standing.decode(cast("bytes", value)) if value else None

    @property
    def _name(self) -> str:
        return f"{self.deployment}:standing"
