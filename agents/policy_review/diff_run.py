"""Runs two policies over a sample: the same models and key, and stores of their own."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from deidstream.agents.compose import Runtime, compose, recompose
from deidstream.agents.lines import count_lines, progress, read_lines
from deidstream.agents.policy_review.diff import Totals, compare
from deidstream.agents.policy_review.diff_report import Diff, Line
from deidstream.agents.root_keys import fresh_key
from deidstream.agents.service import Service
from deidstream.agents.settings import Settings
from deidstream.schemas.errors import InvalidNote, MissingArtefact
from deidstream.schemas.note import RawNote
from deidstream.schemas.policy import Policy
from deidstream.schemas.wire import decode
from deidstream.stream.health import Health
from deidstream.stream.lane import Lane
from deidstream.stream.mapping import MemorySurrogateStore

CHUNK = 64


@dataclass(frozen=True, slots=True)
class Sides:
    """A service for each of two policies, on one lane."""

    first: Service
    second: Service

    async def compared(self, numbered: Sequence[tuple[int, bytes]], totals: Totals) -> list[Line]:
        """Compare both policies on some lines, numbered from 0, and add up."""
        values = [value for _, value in numbered]
        outcomes = zip(await self.first.run(values), await self.second.run(values), strict=True)
        lines: list[Line] = []
        for (number, value), pair in zip(numbered, outcomes, strict=True):
            change = compare(*pair)
            totals.add(change, pair)
            lines.append(Line(number + 1, _note(value, self.first.note_bytes), change))
        return lines


async def run_diff(settings: Settings, policies: tuple[Policy, Policy], sample: Path) -> Diff:
    """Run both policies over the notes of a file. Nothing is stored and nothing leaves.

    The key is that of the settings, or a fresh one where they name none.

    Raises:
        Refused: A key, model or index is missing or wrong, or the file cannot be read or
            holds no notes.
    """
    total = count_lines(sample)
    if not total:
        msg = f"{sample}: there are no notes in it"
        raise MissingArtefact(msg)
    parts = compose(settings, root=None if settings.key.file else fresh_key())
    first, second = (recompose(settings, parts, policy) for policy in policies)
    lane = Lane()
    sides = Sides(_service(settings, first, lane), _service(settings, second, lane))
    try:
        return await compare_lines(sides, sample, total)
    finally:
        lane.close()


async def compare_lines(sides: Sides, sample: Path, total: int) -> Diff:
    """Compare two services on every line of a file.

    Raises:
        MissingArtefact: The file cannot be read.
    """
    lines, totals = list[Line](), Totals()
    with progress() as bar:
        task, remaining = bar.add_task("compare", total=total), read_lines(sample)
        while chunk := list(islice(remaining, CHUNK)):
            lines += await sides.compared(chunk, totals)
            bar.advance(task, len(chunk))
    policies = sides.first.pipeline.policy, sides.second.pipeline.policy
    return Diff(policies, sample.name, lines, totals)


def _service(settings: Settings, parts: Runtime, lane: Lane) -> Service:
    return Service(
        parts.pipeline,
        MemorySurrogateStore(),
        parts.counter,
        lane,
        Health(settings.worker.stall_seconds),
        settings.batch.tokens,
        settings.worker.note_bytes,
    )


def _note(value: bytes, limit_bytes: int) -> RawNote | None:
    try:
        return decode(value, limit_bytes=limit_bytes)
    except InvalidNote:
        return None
