"""Run ``deidstream validate follow``: fetch what workers have drawn, and show what readers found.

A record of the sample topic names the place of its original. The original is read there, as long as
its topic keeps it, and lies in the folder of the validation alone from then on.
"""

import asyncio
import time
from collections import Counter, defaultdict
from collections.abc import AsyncIterator, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, cast

import orjson
from redis.exceptions import RedisError

from deidstream.agents.operations.standing_board import StandingBoard
from deidstream.agents.runtime.connections import connect_store, kafka_connection
from deidstream.agents.runtime.private_files import write_private
from deidstream.agents.runtime.terminal import say
from deidstream.agents.settings import KafkaSettings, Settings
from deidstream.models.keyring import Keyring
from deidstream.models.messages.kept_places import find_kept_places
from deidstream.models.messages.read_message import read_message
from deidstream.schemas.errors import InvalidSettings, MissingArtefact, Rejected, Unavailable
from deidstream.stream.kafka.topic_reader import Bounds, TopicReader
from deidstream.study.validation.site.draw_sample import SpanMaker
from deidstream.study.validation.site.judged_notes import judge_notes
from deidstream.study.validation.site.population import describe_note, name_stamp
from deidstream.study.validation.site.readings import read_all
from deidstream.study.validation.site.sampled_note import SampledNote
from deidstream.study.validation.site.validation_folder import ValidationFolder
from deidstream.study.validation.site.validation_plan import ValidationPlan
from deidstream.study.validation.standing_figures import WEEK, describe_standing, name_week
from deidstream.study.validation.take_sample import find_ring

_FIELDS = (
    "output_id",
    "patient_id",
    "source",
    "level",
    "text",
    "replacements",
    "policy",
    "pipeline",
)


@dataclass(frozen=True, slots=True)
class DrawnOutput:
    """A record of the sample topic."""

    record: Mapping[str, Any] = field(repr=False)
    seconds: float
    """When it was written, on the Unix clock."""

    @property
    def source(self) -> Mapping[str, Any]:
        """Where the original lies."""
        return cast("Mapping[str, Any]", self.record["source"])


@dataclass(frozen=True, slots=True)
class FetchedOutputs:
    """What a topic held behind the positions of the last time."""

    drawn: tuple[DrawnOutput, ...] = field(repr=False)
    positions: Mapping[str, int]
    unreadable: int


def follow_stream(folder: ValidationFolder, settings: Settings) -> int:
    """Fetch what was drawn since the last time, show what was found, and return 0.

    Raises:
        InvalidSettings: The plan is not of a standing sample, or no share is drawn.
        MissingArtefact: A file cannot be read or written.
        Unavailable: Kafka or Redis cannot be reached. What was fetched is kept.
    """
    plan = folder.read_plan()
    if not plan.is_standing:
        msg = f"{folder.plan}: is not of a standing sample (validate plan --standing)"
        raise InvalidSettings(msg)
    asyncio.run(_follow(folder, plan, settings))
    return 0


async def _follow(folder: ValidationFolder, plan: ValidationPlan, settings: Settings) -> None:
    notes = folder.read_sample() if folder.sample.exists() else []
    fetched = await _fetch_outputs(folder, settings.kafka)
    known = {note.output_id for note in notes}
    fresh = {one.record["output_id"]: one for one in fetched.drawn}
    wanted = [one for output_id, one in fresh.items() if output_id not in known]
    maker = _NoteMaker(plan, find_ring(settings))
    gone = len(wanted)
    async for one, value in _read_originals(wanted, settings.kafka):
        note = maker.make_note(one, value, len(notes) + 1)
        if note is not None:
            notes.append(note)
            gone -= 1
    write_private(folder.sample, b"".join(orjson.dumps(note.encode()) + b"\n" for note in notes))
    # A run that ends before this reads the same records again, and knows their outputs.
    write_private(folder.positions, orjson.dumps(fetched.positions) + b"\n")
    say(f"{len(wanted) - gone:,} notes are new in {folder.sample}, which holds originals")
    if gone:
        say(f"the originals of {gone:,} outputs are gone, or cannot be read: follow more often")
    if fetched.unreadable:
        say(f"{fetched.unreadable:,} records of the topic are none of a sample")
    judged = judge_notes(notes, plan, read_all(folder, plan.readers))
    await _show(describe_standing(judged, plan, time.time()), settings)


async def _fetch_outputs(folder: ValidationFolder, kafka: KafkaSettings) -> FetchedOutputs:
    before: dict[str, int] = {}
    if folder.positions.exists():
        try:
            before = {
                str(k): int(v) for k, v in orjson.loads(folder.positions.read_bytes()).items()
            }
        except (ValueError, AttributeError, TypeError):
            msg = f"{folder.positions}: cannot be read; remove it to read the topic anew"
            raise MissingArtefact(msg) from None
    drawn: list[DrawnOutput] = []
    unreadable = 0
    async with TopicReader.open(kafka_connection(kafka), kafka.sample_topic) as reader:
        bounds = {
            number: Bounds(max(bound.first, before.get(str(number), 0)), bound.end)
            for number, bound in (await reader.bounds()).items()
        }
        async for records in reader.read_between(bounds):
            for each in records:
                record = _read_record(each.value)
                if record is None:
                    unreadable += 1
                else:
                    drawn.append(DrawnOutput(record, each.timestamp / 1_000))
    positions = {str(number): bound.end for number, bound in bounds.items()}
    return FetchedOutputs(tuple(drawn), positions, unreadable)


def _read_record(value: bytes | None) -> Mapping[str, Any] | None:
    try:
        record = orjson.loads(value or b"")
        readable = record.keys() >= {*_FIELDS} and int(record["source"]["offset"]) >= 0
    except (ValueError, AttributeError, TypeError, KeyError):
        return None
    return cast("Mapping[str, Any]", record) if readable else None


async def _read_originals(
    wanted: Iterable[DrawnOutput], kafka: KafkaSettings
) -> AsyncIterator[tuple[DrawnOutput, bytes]]:
    """Yield outputs with the messages that they were made of, by partition and offset."""
    places: defaultdict[int, dict[int, list[DrawnOutput]]] = defaultdict(dict)
    for one in wanted:
        if one.source["topic"] == kafka.raw_topic:
            held = places[int(one.source["partition"])]
            # A message that was read again under another policy has two outputs.
            held.setdefault(int(one.source["offset"]), []).append(one)
    if not places:
        return
    async with TopicReader.open(kafka_connection(kafka), kafka.raw_topic) as reader:
        known = await reader.bounds()
        for partition, held in sorted(places.items()):
            if partition in known:
                async for record in reader.read_offsets(partition, sorted(held)):
                    for one in held[record.offset]:
                        yield one, bytes(record.value or b"")


@dataclass(frozen=True, slots=True)
class _NoteMaker:
    plan: ValidationPlan
    ring: Keyring = field(repr=False)

    def make_note(self, one: DrawnOutput, value: bytes, number: int) -> SampledNote | None:
        """Return the note that is read; ``None`` if its original is not the one that was drawn."""
        record = one.record
        try:
            original = read_message(value, limit_bytes=len(value))
            maker = SpanMaker(original.text, self.plan.controls, self.ring)
            spans = tuple(maker.make_spans(record["output_id"], record["replacements"]))
        except (Rejected, KeyError, TypeError, ValueError):
            return None
        if any(not 0 <= span.start <= span.end <= len(original.text) for span in spans):
            return None
        facts = describe_note(original, record["level"], {})
        return SampledNote(
            number=number,
            output_id=record["output_id"],
            patient=record["patient_id"],
            stratum="all",
            is_extra=False,
            facts=facts | {WEEK: name_week(one.seconds)},
            text=original.text,
            output=record["text"],
            spans=spans,
            made_by=name_stamp(record),
            kept_places=dict(Counter(find_kept_places(original))),
        )


async def _show(figures: Mapping[str, Any], settings: Settings) -> None:
    """Show the figures to all workers of the deployment.

    Raises:
        Unavailable: Redis cannot be reached, or does not permit it.
    """
    store = connect_store(settings.redis)
    try:
        board = StandingBoard(store.client, settings.redis.deployment)
        await board.show(orjson.dumps(figures))
    except (RedisError, OSError, TimeoutError) as error:
        msg = f"redis ({type(error).__name__})"
        raise Unavailable(msg) from None
    finally:
        await store.close()
    total = next(row for row in figures["rows"] if row["note_type"] == "all" and not row["week"])
    say(
        f"{total['read']:,} notes were read and {total['leaking']:,} of them leak: at most "
        f"{1_000 * total['upper']:.1f} of 1,000 do, at {figures['confidence']:.0%}"
    )
