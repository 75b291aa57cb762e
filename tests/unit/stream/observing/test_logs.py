"""Logs hold no text of a note, whoever writes them."""

import io
import logging
from collections.abc import Iterator

import orjson
import pytest
from aiokafka.errors import SaslAuthenticationFailed

from deidstream.stream.observing.logs import SELDOM, Logger, configure, summarize_third_parties

CANARY = "Zyxwvut"


@pytest.fixture
def said(monkeypatch: pytest.MonkeyPatch) -> Iterator[io.StringIO]:
    stream = io.StringIO()
    monkeypatch.setattr("sys.stderr", stream)
    handlers, level = logging.root.handlers[:], logging.root.level
    configure("debug")
    yield stream
    logging.root.handlers[:] = handlers
    logging.root.setLevel(level)


def test_our_lines_have_their_fields(said: io.StringIO) -> None:
    Logger("test").info("started", policy="redact")
    line = orjson.loads(said.getvalue())
    assert (line["event"], line["policy"], line["level"]) == ("started", "redact", "info")


def test_third_parties_say_where_and_never_what(said: io.StringIO) -> None:
    log = logging.getLogger("aiokafka.producer")
    log.debug("Sending (key=%s)", CANARY)
    log.error("bad value %s", CANARY)
    try:
        int(CANARY)
    except ValueError:
        log.exception("crashed: %s", CANARY)
    lines = [orjson.loads(line) for line in said.getvalue().splitlines()]
    assert CANARY not in said.getvalue()
    assert [line["event"] for line in lines] == ["third-party", "third-party"]
    assert lines[1]["exception"] == "ValueError"


def test_third_parties_cannot_be_made_verbose(said: io.StringIO) -> None:
    logging.getLogger("faust").info(CANARY)
    assert said.getvalue() == ""


def test_what_is_known_is_named_in_our_words_and_repeated_as_a_count(
    said: io.StringIO, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = 0.0
    monkeypatch.setattr(SELDOM.repetitions, "clock", lambda: now)
    log = logging.getLogger("aiokafka.consumer.group_coordinator")

    def coordinator_dead() -> None:
        log.warning("Marking the coordinator dead (node %s)for group %s.", 1, CANARY)

    for _ in range(500):
        coordinator_dead()
    now = 61.0
    summarize_third_parties()
    coordinator_dead()
    now = 125.0
    coordinator_dead()
    lines = [orjson.loads(line) for line in said.getvalue().splitlines()]
    assert CANARY not in said.getvalue()
    assert [(line["event"], line["count"]) for line in lines] == [
        ("kafka-coordinator-moved", 1),
        ("third-party-repeated", 499),
        ("kafka-coordinator-moved", 2),
    ]
    assert lines[1]["kind"] == "kafka-coordinator-moved"


def test_a_kind_that_was_silent_for_a_period_comes_at_once_again(
    said: io.StringIO, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = 0.0
    monkeypatch.setattr(SELDOM.repetitions, "clock", lambda: now)
    log = logging.getLogger("faust")

    def once() -> None:
        log.warning(CANARY)

    once()
    now = 61.0
    summarize_third_parties()
    now = 62.0
    once()
    assert [orjson.loads(line)["count"] for line in said.getvalue().splitlines()] == [1, 1]


def test_a_refused_login_is_told_from_a_broker_that_cannot_be_reached(said: io.StringIO) -> None:
    log = logging.getLogger("aiokafka")

    def bootstrap(error: Exception) -> None:
        log.error('Unable connect to "%s:%s": %s', CANARY, 9092, error)

    bootstrap(OSError(CANARY))
    bootstrap(SaslAuthenticationFailed(CANARY))
    lines = [orjson.loads(line) for line in said.getvalue().splitlines()]
    assert [line["event"] for line in lines] == ["kafka-unreachable", "kafka-login-refused"]
    assert CANARY not in said.getvalue()


def test_a_logger_of_another_library_under_our_name_says_no_words(said: io.StringIO) -> None:
    log = logging.getLogger("deidstream.stream.some_service")
    log.info("[^Service]: %s", CANARY)
    log.warning("[^Service]: %s", CANARY)
    (line,) = [orjson.loads(line) for line in said.getvalue().splitlines()]
    assert CANARY not in said.getvalue()
    assert line["event"] == "third-party"
