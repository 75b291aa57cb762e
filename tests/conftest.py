"""What every test gets: a profile, servers on request, failure on logged errors."""

import gc
import logging
import os
import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING
from unittest.mock import Mock

import pytest
from playwright.sync_api import Browser

from deidstream.models.neural import engine_choice
from deidstream.models.neural.engine_port import TORCH
from support import browser as browsers
from support import chart as charts
from support import engines
from support import kafka as brokers
from support import postgres as databases
from support import redis_server as stores
from support.durations import Durations, Watch, load_once
from support.profiles import in_ci, load_hypothesis
from support.side_by_side import Foretelling, LongestFirst

if TYPE_CHECKING:
    from xdist.remote import Producer

STUDY = Path(__file__).parent / "unit" / "study"
TRAINING = {STUDY / made for made in ("corpus", "lists", "tagger", "vectors")}
ENGINE = "DEIDSTREAM_MODEL_ENGINE"
NEEDS: dict[str, Callable[[], str | None]] = {
    "broker": lambda: brokers.missing() or stores.missing(),
    "browser": browsers.missing,
    "helm": charts.missing,
    "postgres": databases.missing,
}
"""Marks of tests that need a server, with what says what is missing for it."""

load_hypothesis()


def pytest_configure(config: pytest.Config) -> None:
    """Let fixtures stop their servers when the run is terminated, as when it is interrupted."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    config.pluginmanager.register(Watch())
    if processes := config.getoption("numprocesses"):
        config.pluginmanager.register(Foretelling(processes))


def pytest_xdist_make_scheduler(config: pytest.Config, log: "Producer") -> LongestFirst:
    """Deal the tests out by files, where several processes run them."""
    return LongestFirst(config, log)


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip a test that needs a server which is not there; in CI, fail it."""
    for mark, find_lack in NEEDS.items():
        # Looking for a server may start a process: only for the tests that need it.
        if item.get_closest_marker(mark) and (lacking := find_lack()):
            if in_ci():
                pytest.fail(lacking, pytrace=False)
            pytest.skip(lacking)


def pytest_collection() -> None:
    """Collect no garbage meanwhile: the tests stay, and each collection looks at all of them."""
    gc.disable()


def pytest_collection_finish() -> None:
    """Collect garbage again, but for what is there now."""
    gc.freeze()
    gc.enable()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests of training, and as slow those that took long when they were recorded."""
    durations = Durations.read()
    for item in items:
        if TRAINING.intersection(item.path.parents):
            item.add_marker("training")
        if durations.is_slow(item.nodeid):
            item.add_marker("slow")


@pytest.fixture(scope="session", autouse=True)
def _one_engine() -> Iterator[None]:
    """Run models by torch where a test asks for no engine: what is recorded must not differ."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(ENGINE, os.environ.get(ENGINE, TORCH))
        assert vars(engine_choice)["find_obstacle"] is engines.find_obstacle
        patch.setattr(engine_choice, "find_obstacle", Mock(return_value="under test"))
        yield


@pytest.fixture(scope="session", autouse=True)
def _loaded(_one_engine: None) -> None:
    """Load what the project loads once, before any test is timed."""
    load_once()
    # pytest adds handlers to each logger that does not propagate, six times a test: torch has 60.
    for name, logger in logging.Logger.manager.loggerDict.items():
        if name.startswith("torch") and isinstance(logger, logging.Logger):
            logger.propagate = True


@pytest.fixture(scope="session")
def kafka(tmp_path_factory: pytest.TempPathFactory) -> Iterator[brokers.Kafka]:
    """Run one broker for all tests; each test has its own topics and restarts what it kills."""
    with brokers.running_kafka(tmp_path_factory.mktemp("kafka")) as broker:
        yield broker


@pytest.fixture(scope="session")
def postgres() -> Iterator[databases.Postgres]:
    """Run one PostgreSQL for the tests that have the mark ``postgres``.

    Not in pytest's own folder: another run closes that to the user that the server runs as.
    """
    with (
        TemporaryDirectory(prefix="postgres-") as home,
        databases.running_postgres(Path(home)) as running,
    ):
        yield running


@pytest.fixture(scope="session")
def redis_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[stores.Redis]:
    """Run one Redis for all tests; nothing in it survives a restart."""
    with stores.running_redis(tmp_path_factory.mktemp("redis")) as server:
        yield server


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Run one Chromium for the tests of a module, which have the mark ``browser``.

    No longer than that: while it runs, other tests could start no event loop.
    """
    with browsers.running_browser() as running:
        yield running


@pytest.fixture
def redis_url(redis_server: stores.Redis) -> str:
    """Return where the Redis of the run listens; each test uses its own names in it."""
    return redis_server.url


@pytest.fixture(autouse=True)
def logged_errors() -> Iterator[list[logging.LogRecord]]:
    """Keep the errors that ``deidstream`` logs during the test; an unexpected one fails it.

    A test that provokes an error asks for the fixture ``expects_errors``, by argument or by
    ``@pytest.mark.usefixtures("expects_errors")``.
    """
    handler = _Kept(logging.ERROR)
    logger = logging.getLogger("deidstream")
    logger.addHandler(handler)
    yield handler.records
    logger.removeHandler(handler)
    if handler.records:
        # Where, not what: a message could hold text.
        places = ", ".join(f"{each.pathname}:{each.lineno}" for each in handler.records)
        pytest.fail(f"errors were logged at {places}", pytrace=False)


@pytest.fixture
def expects_errors(logged_errors: list[logging.LogRecord]) -> Iterator[list[logging.LogRecord]]:
    """Return the errors logged so far, for the test to judge; they do not fail it."""
    yield logged_errors
    logged_errors.clear()


class _Kept(logging.Handler):
    """A handler that keeps records."""

    def __init__(self, level: int) -> None:
        super().__init__(level)
        self.records: list[logging.LogRecord] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.records.append(record)
