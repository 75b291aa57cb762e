"""What every test gets: real servers on request, and failure when errors were logged."""

import logging
import os
import signal
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, settings

from support import kafka as brokers
from support import redis_server as stores

_CI = os.environ.get("CI") == "true"

settings.register_profile("default", deadline=None)
settings.register_profile(
    "ci",
    deadline=None,
    derandomize=True,
    max_examples=300,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("ci" if _CI else "default")


def pytest_configure() -> None:
    """Let fixtures stop their servers when the run is terminated, as when it is interrupted."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip a test that needs a server which is not there; in CI, fail it."""
    lacking = brokers.missing() or stores.missing()
    if lacking and item.get_closest_marker("broker"):
        if _CI:
            pytest.fail(lacking, pytrace=False)
        pytest.skip(lacking)


@pytest.fixture(scope="session")
def kafka(tmp_path_factory: pytest.TempPathFactory) -> Iterator[brokers.Kafka]:
    """The broker of the whole run; topics are each test's own, and who kills it restarts it."""
    with brokers.running_kafka(tmp_path_factory.mktemp("kafka")) as broker:
        yield broker


@pytest.fixture(scope="session")
def redis_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[stores.Redis]:
    """The Redis of the whole run; nothing in it survives a restart."""
    with stores.running_redis(tmp_path_factory.mktemp("redis")) as server:
        yield server


@pytest.fixture
def redis_url(redis_server: stores.Redis) -> str:
    """Where the Redis of the whole run listens; names in it are each test's own."""
    return redis_server.url


@pytest.fixture(autouse=True)
def logged_errors() -> Iterator[list[logging.LogRecord]]:
    """The errors that ``deidstream`` has logged during the test; any fails it, if not expected.

    A test that provokes an error asks for the fixture ``expects_errors``, by argument or by
    ``@pytest.mark.usefixtures("expects_errors")``.
    """
    handler = _Keep(logging.ERROR)
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
    """The errors logged so far, for the test to judge; they do not fail it."""
    yield logged_errors
    logged_errors.clear()


class _Keep(logging.Handler):
    """Keeps what is logged."""

    def __init__(self, level: int) -> None:
        super().__init__(level)
        self.records: list[logging.LogRecord] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.records.append(record)
