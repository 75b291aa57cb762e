"""From outputs that are drawn to the page of a worker: real Kafka, real Redis, real readings."""

import asyncio
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, cast
from uuid import uuid4

import orjson
import pytest
from confluent_kafka import Producer
from redis import Redis as BlockingRedis
from redis.asyncio import Redis
from redis.exceptions import NoPermissionError

from deidstream.agents.operations.live_figures import LiveFigures
from deidstream.agents.operations.standing_board import FORM, Standing, StandingBoard, StandingRow
from deidstream.agents.runtime.connections import topics_of
from deidstream.agents.runtime.private_files import append_private
from deidstream.agents.runtime.root_keys import RootKeys
from deidstream.agents.runtime.standing_draw import StandingDraw
from deidstream.agents.settings import KafkaSettings, KeySettings, RedisSettings, Settings
from deidstream.schemas.errors import InvalidSettings
from deidstream.schemas.note import RawNote
from deidstream.schemas.outcome import Coordinates
from deidstream.schemas.wire import encode_note
from deidstream.stream.delivery.outcome_records import OutcomeEncoder
from deidstream.stream.observing import metrics
from deidstream.stream.observing.health import Health
from deidstream.study.validation.follow_stream import follow_stream
from deidstream.study.validation.make_plan import PlanRequest, make_plan
from deidstream.study.validation.site.sampled_note import SampledNote
from deidstream.study.validation.site.validation_folder import ValidationFolder
from deidstream.study.validation.take_sample import take_sample
from deidstream.study.validation.write_report import write_report
from support.kafka import Kafka
from support.notes import stamp
from support.outcomes import anonymized
from support.pipeline import pipeline, service
from support.redis_rights import shipped_rights
from support.validation_site import make_site

pytestmark = pytest.mark.broker
ROOT = bytes(range(32))
LEFT = "zorbo"
TEXT = "Mr. John Foust was seen on 03/04/2024. The zorbo pump runs."
SHARE = 0.5
PLAN = PlanRequest(notes=0.05, readers=("anna",), allowed=1, controls=0.0, is_standing=True)


@dataclass(slots=True)
class Stream:
    """Topics with notes and outputs, and the folder of the readers."""

    settings: Settings
    folder: ValidationFolder
    sent: int = 0

    def run_worker(self, count: int) -> list[str]:
        """Send notes and what a worker makes of them; return the outputs that were drawn."""
        topics = topics_of(self.settings)
        notes = [
            RawNote(f"n{self.sent + n}", f"p{self.sent + n}", TEXT, note_type="progress note")
            for n in range(count)
        ]
        self.sent += count
        values = [encode_note(one) for one in notes]
        places: list[Coordinates] = []
        producer = Producer({"bootstrap.servers": self.settings.kafka.brokers})
        for value in values:
            producer.produce(
                topics.raw,
                value,
                on_delivery=lambda _error, message: places.append(
                    Coordinates(topics.raw, message.partition() or 0, message.offset() or 0)
                ),
            )
            producer.flush(20.0)
        draw = StandingDraw.under(RootKeys(1, {1: ROOT}), self.settings.kafka.sample_share)
        encoder = OutcomeEncoder(topics, stamp(), is_drawn=draw.is_drawn)
        outcomes = asyncio.run(service(pipeline()).run(values))
        drawn: list[str] = []
        for place, outcome in zip(places, outcomes, strict=True):
            for record in encoder.encode(place, outcome).records:
                producer.produce(record.topic, record.value, record.key)
                if record.topic == topics.sample:
                    drawn.append(orjson.loads(record.value)["output_id"])
        assert producer.flush(20.0) == 0
        return drawn

    def follow(self) -> list[SampledNote]:
        follow_stream(self.folder, self.settings)
        return self.folder.read_sample()

    def read(self, notes: Sequence[SampledNote], *, leaks: int = 0) -> None:
        """Read notes as anna does, who marks a word as a name in so many of them."""
        for number, note in enumerate(notes):
            start = note.text.index(LEFT)
            mark = {"start": start, "end": start + len(LEFT), "label": "PATIENT"}
            marks = [mark] if number < leaks else []
            line = {"number": note.number, "seconds": 3.0, "marks": marks}
            append_private(self.folder.readings("anna"), orjson.dumps(line))

    def show(self) -> dict[str, Any]:
        """Return the figures of a worker's page."""

        async def look() -> dict[str, Any]:
            client = Redis.from_url(self.settings.redis.url)
            figures = LiveFigures(Health(10, started=True), "g", name="a:1")
            figures.standing = StandingBoard(client, self.settings.redis.deployment)
            await figures.standing.read()
            figures.measure_standing()
            await client.aclose()
            return figures.figures()

        return asyncio.run(look())


@pytest.fixture
def stream(kafka: Kafka, redis_url: str, tmp_path: Path) -> Stream:
    run = uuid4().hex[:8]
    names = {
        f"{kind}_topic": f"{run}.{kind}"
        for kind in ("raw", "anonymized", "risk", "quarantine", "sample")
    }
    for topic in names.values():
        kafka.create_topics(topic, partitions=2)
    (tmp_path / "root.key").write_text(ROOT.hex())
    settings = replace(
        Settings(),
        kafka=KafkaSettings(brokers=kafka.bootstrap, sample_share=SHARE, **cast("Any", names)),
        redis=RedisSettings(url=redis_url, deployment=f"d{run}"),
        key=KeySettings(file=str(tmp_path / "root.key")),
    )
    folder = ValidationFolder(tmp_path / "standing")
    make_plan(folder, PLAN)
    return Stream(settings, folder)


def total(figures: dict[str, Any]) -> dict[str, Any]:
    rows = figures["standing"]["rows"]
    return next(row for row in rows if row["note_type"] == "all" and not row["week"])


def test_what_is_drawn_comes_to_the_readers_and_back_to_the_page(stream: Stream) -> None:
    drawn = stream.run_worker(40)
    assert 8 <= len(drawn) <= 32
    notes = stream.follow()
    assert sorted(note.output_id for note in notes) == sorted(drawn)
    assert {note.text for note in notes} == {TEXT}
    assert all("Foust" not in note.output for note in notes)
    assert all(TEXT[s.start : s.end] for note in notes for s in note.spans)
    figures = stream.show()
    assert total(figures)["read"] == 0
    assert total(figures)["upper"] == 1.0
    assert "LeaksOverPlan" not in {one["runbook"] for one in figures["concerns"]}

    stream.read(notes, leaks=4)
    assert stream.follow() == notes  # nothing was drawn meanwhile
    figures = stream.show()
    row = total(figures)
    assert (row["read"], row["leaking"]) == (len(notes), 4)
    assert row["lower"] > 0.05
    kinds = {each["note_type"] for each in figures["standing"]["rows"]}
    assert kinds == {"all", "progress note"}
    concerns = [one["runbook"] for one in figures["concerns"]]
    assert concerns.count("LeaksOverPlan") == 2
    bound = {"note_type": "all", "bound": "lower"}
    shown = metrics.REGISTRY.get_sample_value("deid_leak_bound_per_thousand", bound)
    assert shown == pytest.approx(1_000 * row["lower"])


def test_the_pack_is_of_what_was_drawn_and_read(stream: Stream) -> None:
    stream.run_worker(30)
    notes = stream.follow()
    stream.read(notes, leaks=4)
    pack = stream.folder.path / "pack"
    assert write_report(stream.folder, pack, stream.settings) == 1
    evidence = orjson.loads((pack / "evidence.json").read_bytes())
    rows = [one for one in evidence["standing"]["rows"] if not one["week"]]
    assert [(one["note_type"], one["read"], one["leaking"]) for one in rows] == [
        ("all", len(notes), 4),
        ("progress note", len(notes), 4),
    ]
    assert rows[0]["state"] == "over the plan"
    (made,) = evidence["frame"]["made_by"]
    assert made["outputs"] == len(notes)
    assert made["policy"].keys() >= {"name", "sha256"}
    assert b"Foust" not in b"".join(file.read_bytes() for file in pack.iterdir())


def test_later_outputs_are_added_behind_those_before(stream: Stream) -> None:
    first = stream.run_worker(10)
    notes = stream.follow()
    stream.read(notes)
    second = stream.run_worker(20)
    both = stream.follow()
    assert both[: len(notes)] == notes
    assert [note.number for note in both] == list(range(1, len(both) + 1))
    assert {note.output_id for note in both} == {*first, *second}
    stream.folder.positions.unlink()
    assert stream.follow() == both  # outputs are known by their ids


def test_the_draw_is_by_key_and_output() -> None:
    one = anonymized("Calm.")
    keys, other = RootKeys(1, {1: ROOT}), RootKeys(1, {1: ROOT[::-1]})
    for share, expected in ((0.0, False), (1.0, True)):
        draw = StandingDraw.under(keys, share)
        assert draw.is_drawn(one) is expected
    notes = [
        replace(one, note=replace(one.note, output_id=f"{number:032x}")) for number in range(2_000)
    ]
    by_key = [StandingDraw.under(each, 0.1) for each in (keys, keys, other)]
    drawn = [[draw.is_drawn(note) for note in notes] for draw in by_key]
    assert drawn[0] == drawn[1] != drawn[2]
    assert 140 <= sum(drawn[0]) <= 260
    assert "00010203" not in repr(by_key[0])


def test_no_output_is_drawn_unless_a_share_is_set(stream: Stream) -> None:
    kafka = replace(stream.settings.kafka, sample_share=0.0)
    stream.settings = replace(stream.settings, kafka=kafka)
    assert topics_of(stream.settings).sample is None
    assert stream.run_worker(10) == []


def test_an_original_that_is_gone_is_counted_and_left_out(
    stream: Stream, capsys: pytest.CaptureFixture[str]
) -> None:
    drawn = stream.run_worker(10)
    kafka = replace(stream.settings.kafka, raw_topic=stream.settings.kafka.risk_topic)
    elsewhere = replace(stream.settings, kafka=kafka)
    follow_stream(stream.folder, elsewhere)
    assert f"the originals of {len(drawn)} outputs are gone" in capsys.readouterr().err
    assert stream.folder.read_sample() == []


def test_a_sample_of_files_and_a_standing_one_are_kept_apart(
    stream: Stream, tmp_path: Path
) -> None:
    site = make_site(tmp_path / "site", 30)
    make_plan(site.folder, replace(PLAN, is_standing=False))
    with pytest.raises(InvalidSettings, match="--standing"):
        follow_stream(site.folder, stream.settings)
    with pytest.raises(InvalidSettings, match="validate follow"):
        take_sample(stream.folder, site.files, stream.settings)


def test_figures_that_others_may_have_written_are_not_shown(stream: Stream) -> None:
    stream.run_worker(4)
    stream.follow()
    name = f"{stream.settings.redis.deployment}:standing"
    with BlockingRedis.from_url(stream.settings.redis.url) as admin:
        written = orjson.loads(cast("bytes", admin.get(name)))
        for wrong in (
            b"",
            b"{",
            b"[]",
            orjson.dumps(written | {"form": 2}),
            orjson.dumps(written | {"claim": "x"}),
            orjson.dumps(written | {"rows": [{"week": ""}]}),
            orjson.dumps(written | {"rows": [written["rows"][0] | {"read": -1}]}),
            orjson.dumps(written | {"rows": [written["rows"][0] | {"note_type": "x" * 1_000}]}),
        ):
            admin.set(name, wrong)
            assert stream.show()["standing"] is None


def test_a_worker_may_read_the_figures_and_not_write_them(redis_url: str) -> None:
    async def look(url: str) -> Standing | None:
        client = Redis.from_url(url)
        board = StandingBoard(client)
        await board.read()
        with pytest.raises(NoPermissionError):
            await board.show(b"{}")
        await client.aclose()
        return board.shown

    figures = Standing("now", 0.01, 0.95, 305, 0, (StandingRow("", "all", 1, 0, 0.0, 1.0),))
    with BlockingRedis.from_url(redis_url) as admin:
        admin.execute_command("ACL", "SETUSER", "figures", *shipped_rights("worker", "secret"))
        admin.set("deid:standing", orjson.dumps({"form": FORM, **asdict(figures)}))
        try:
            url = redis_url.replace("redis://", "redis://figures:secret@")
            assert asyncio.run(look(url)) == figures
        finally:
            admin.delete("deid:standing")
            admin.execute_command("ACL", "DELUSER", "figures")
