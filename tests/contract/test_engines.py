"""All processes of a deployment compute a model alike: how is stored in a real Redis."""

import asyncio
from collections.abc import Callable, Coroutine, Iterator
from pathlib import Path
from typing import TypeVar
from unittest.mock import Mock

import pytest
import redis as blocking

from deidstream.agents.cli.main import main
from deidstream.agents.deidentifier import Deidentifier
from deidstream.agents.doctor.examination import Finding, examine
from deidstream.agents.runtime.guards.redis_guard import RedisGuard, connect_guard
from deidstream.agents.runtime.load_as_deployment import load_as_deployment
from deidstream.agents.runtime.policy_choice import PolicyChoice
from deidstream.agents.settings import Settings, read_settings
from deidstream.models.neural.weights import shipped_tagger_digest
from deidstream.schemas.errors import InvalidSettings
from deidstream.schemas.note import PipelineStamp
from deidstream.stream.redis.surrogate_store import ENGINES
from support.redis_server import Redis, running_redis

pytestmark = pytest.mark.broker
T = TypeVar("T")
KEY = bytes(range(32))
TEXT = "Mr. John Smith was seen on 03/04/2024 by Dr. Ann Jones."
DIGEST, OTHER = "a" * 64, "b" * 64
TAGGER = shipped_tagger_digest("accurate")


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Redis]:
    with running_redis(tmp_path_factory.mktemp("redis")) as redis:
        yield redis


@pytest.fixture
def client(running: Redis) -> Iterator[blocking.Redis]:
    with blocking.Redis.from_url(running.url) as made:
        made.flushall()
        yield made


@pytest.fixture
def settings(running: Redis, client: blocking.Redis, tmp_path: Path) -> Settings:
    key = tmp_path / "key"
    assert main(["keys", "new", str(key)]) == 0
    assert client.dbsize() == 0
    return read_settings({"DEIDSTREAM_REDIS_URL": running.url, "DEIDSTREAM_KEY_FILE": str(key)})


def guarded(settings: Settings, body: Callable[[RedisGuard], Coroutine[None, None, T]]) -> T:
    async def run() -> T:
        guard = connect_guard(settings, writes=True)
        try:
            return await body(guard)
        finally:
            await guard.close()

    return asyncio.run(run())


def choice(precision: str, digest: str = DIGEST) -> PolicyChoice:
    """What has loaded, as far as engines go."""
    stamp = PipelineStamp("1", ("tagger",), f"{digest}:{precision}", OTHER, "index", 1)
    loaded = Mock(runtimes={"": Mock(stamp=stamp)})
    loaded.default.stamp = stamp
    return loaded


def test_the_first_worker_chooses_and_a_later_one_computes_so(settings: Settings) -> None:
    asked: list[str] = []

    def load(chosen: str) -> Callable[[Settings], PolicyChoice]:
        def loading(given: Settings) -> PolicyChoice:
            asked.append(given.model.pins)
            return choice(given.model.pins.partition("=")[2] or chosen)

        return loading

    async def body(guard: RedisGuard) -> list[str | None]:
        loaded = [await load_as_deployment(load(own), settings, guard) for own in ("fp32", "bf16")]
        return [each.default.stamp.tagger for each in loaded]

    assert guarded(settings, body) == [f"{DIGEST}:fp32"] * 2
    assert asked == ["", f"{DIGEST[:12]}=fp32"]


def test_two_that_start_together_agree(settings: Settings, client: blocking.Redis) -> None:
    def load(given: Settings) -> PolicyChoice:
        # While this one loads, another has been the first.
        client.hsetnx(ENGINES.decode(), DIGEST, "fp32")
        return choice(given.model.pins.partition("=")[2] or "bf16")

    loaded = guarded(settings, lambda guard: load_as_deployment(load, settings, guard))
    assert loaded.default.stamp.tagger == f"{DIGEST}:fp32"


def test_a_worker_that_computes_otherwise_is_refused_and_stops_while_it_runs(
    settings: Settings, client: blocking.Redis
) -> None:
    async def body(guard: RedisGuard) -> None:
        await guard.keep_precisions({DIGEST: "fp32"})
        client.flushall()
        # The running worker stores it again, so that a newcomer does not choose.
        await guard.check()
        with pytest.raises(InvalidSettings, match=r"as fp32: here it is computed as bf16"):
            await load_as_deployment(lambda _: choice("bf16"), settings, guard)
        client.hset(ENGINES.decode(), DIGEST, "bf16")
        with pytest.raises(InvalidSettings, match="vault engines --release"):
            await guard.check()

    guarded(settings, body)


@pytest.mark.usefixtures("expects_errors")
@pytest.mark.parametrize("planted", ["\x1b[31m", "int8-fp32-onnx-00000000"])
def test_what_no_version_has_written_stops_a_worker(
    settings: Settings, client: blocking.Redis, planted: str
) -> None:
    client.hset(ENGINES.decode(), DIGEST, planted)
    with pytest.raises(InvalidSettings, match="this deployment computes the model as"):
        guarded(
            settings, lambda guard: load_as_deployment(lambda _: choice("fp32"), settings, guard)
        )
    client.delete(ENGINES.decode())
    client.set(ENGINES.decode(), planted)
    with pytest.raises(InvalidSettings, match="deid:engines holds a value of another type"):
        guarded(settings, lambda guard: guard.keep_precisions({DIGEST: "fp32"}))


def test_engines_are_shown_and_released(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("DEIDSTREAM_REDIS_URL", settings.redis.url)
    assert main(["vault", "engines"]) == 0
    assert "no engine is stored" in capsys.readouterr().err
    guarded(settings, lambda guard: guard.keep_precisions({DIGEST: "fp32"}))
    assert main(["vault", "engines", "--release"]) == 0
    assert f"DEIDSTREAM_MODEL_PINS={DIGEST[:12]}=fp32" in capsys.readouterr().err
    guarded(settings, lambda guard: guard.keep_precisions({DIGEST: "bf16"}))


def test_real_models_compute_as_the_deployment_does(running: Redis, client: blocking.Redis) -> None:
    # On this machine ``auto`` may be another engine; the first process was told to take this one.
    first = read_settings({"DEIDSTREAM_MODEL_ENGINE": "torch", "DEIDSTREAM_MODEL_DTYPE": "fp32"})
    ids: set[str] = set()
    for given in (first, Settings(), Settings()):
        with Deidentifier.load(key=KEY, redis_url=running.url, settings=given) as made:
            outcome = made.deidentify(TEXT)
            pipeline = outcome.record.pipeline  # type: ignore[union-attr]
            assert pipeline.tagger == f"{TAGGER}:fp32"
            ids.add(pipeline.embedder or "")
    assert len(ids) == 1
    assert client.hgetall(ENGINES.decode()) == {TAGGER.encode(): b"fp32"}


def test_a_processor_that_cannot_is_told_so_and_doctor_too(
    client: blocking.Redis, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    from deidstream.models.neural import engine_obstacles  # noqa: PLC0415

    def find_wrong_sums(_engine: str) -> str:
        return "sums are wrong on this processor"

    monkeypatch.setattr(engine_obstacles, "find_wrong_sums", find_wrong_sums)
    client.hset(ENGINES.decode(), TAGGER, "int8-fp32-openvino-00000000")
    refusal = "this deployment computes the model as int8-fp32-openvino-00000000: .*sums are wrong"
    with pytest.raises(InvalidSettings, match=refusal):
        Deidentifier.load(key=KEY, redis_url=settings.redis.url)

    async def find() -> dict[str, Finding]:
        return {finding.name: finding async for finding in examine(settings)}

    found = asyncio.run(find())
    assert f"{TAGGER[:12]}=int8-fp32-openvino-00000000" in found["engines"].message
    assert "vault engines --release" in found["engines"].message
    assert not found["model"].good
    assert "sums are wrong" in found["model"].message
