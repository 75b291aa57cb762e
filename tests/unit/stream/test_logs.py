"""Logs hold no text of a note, whoever writes them."""

import io
import logging
from collections.abc import Iterator

import orjson
import pytest

from deidstream.stream.logs import Logger, configure

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
