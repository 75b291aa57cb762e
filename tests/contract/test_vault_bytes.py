"""Every byte that Redis keeps or logs, after many notes: no original, no surrogate."""

import asyncio
import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import cast

import numpy as np
import pytest
import redis as blocking
from numpy.typing import NDArray

from deidstream.agents.runtime.root_keys import fresh_key
from deidstream.models.keyring import canonical
from deidstream.models.policy.reader import read_shipped_policy
from deidstream.schemas.note import RawNote
from deidstream.schemas.outcome import Anonymized
from deidstream.schemas.policy import OperatorName, RecognizerName
from deidstream.schemas.wire import encode_note
from deidstream.stream.redis.surrogate_store import RedisSurrogateStore
from support.pipeline import pipeline, service
from support.profiles import PROFILE
from support.redis_server import Redis, running_redis

NOTES = PROFILE.searched_notes
PROBE = 6
"""Bytes of a term that are looked up first; shorter terms stand in random bytes by chance."""
TELLING = 10
"""Bytes from which on a term in Redis's log is no chance."""
AT_ONCE = 200


def notes(count: int) -> list[RawNote]:
    """Fictional notes, each with names and numbers of its own."""
    draw = random.Random(7)

    def word() -> str:
        return "".join(draw.choices("bcdfglmnprstvz", k=1) + draw.choices("aeiou", k=1)) * 2

    def name() -> str:
        return f"{word()}{word()}".capitalize()

    return [
        RawNote(
            f"note-{number:07}",
            f"patient-{number // 3:07}",
            f"Patient: {name()}, {name()}. MRN: {draw.randrange(10**6, 10**7)}. "
            f"Seen on 0{number % 9 + 1}/{number % 18 + 10}/2024 by Dr. {name()}. "
            f"Phone: (617) 555-{draw.randrange(1000, 9999)}. E-mail: {name()}@example.org.",
        )
        for number in range(count)
    ]


async def terms_of(server: Redis, given: Sequence[RawNote], *, at_random: bool) -> set[str]:
    """Put notes through the service; return every original and every surrogate."""
    rules = replace(read_shipped_policy("surrogate"), recognizers=frozenset({RecognizerName.RULES}))
    store = RedisSurrogateStore.connect(server.url)
    made = pipeline(policy=rules)
    if at_random:
        made = replace(made, replacer=replace(made.replacer, fresh_seed=fresh_key))
    running = service(made, store, budget_tokens=50_000)
    terms = {each for note in given for each in (note.note_id, note.patient_id)}
    for start in range(0, len(given), AT_ONCE):
        some = given[start : start + AT_ONCE]
        outcomes = await running.run([encode_note(note) for note in some])
        for note, outcome in zip(some, outcomes, strict=True):
            assert isinstance(outcome, Anonymized)
            for stood in outcome.note.permit.replacements:
                terms.add(note.text[stood.span.start : stood.span.end])
                if stood.operator is not OperatorName.REDACT:
                    terms.add(stood.text)
    await store.close()
    return terms


_LOG_TIME = re.compile(rb"(?m)^[0-9]+:[A-Z] [0-9]{2} [A-Z][a-z]{2} [0-9]{4} [0-9:.]{12} ")


def sinks(server: Redis) -> Iterator[tuple[str, bytes]]:
    """All that Redis knows, keeps on disk and logs, by where it was seen."""
    with blocking.Redis.from_url(server.url, socket_timeout=60) as client:
        client.save()
        names = list(client.scan_iter(count=1000))
        yield "names", b"\n".join(names)
        hashes = [name for name in names if client.type(name) == b"hash"]
        held = [cast("dict[bytes, bytes]", client.hgetall(name)) for name in hashes]
        yield "items", b"\n".join(item for each in held for item in each)
        yield "values", b"\n".join(value for each in held for value in each.values())
        slow = client.slowlog_get(100_000)
        yield "slowlog", b"\n".join(entry["command"] for entry in slow)
    for file in sorted(Path(server.home).rglob("*")):
        if file.is_file():
            # The day of the test, which a shifted date may well hit, is no trace of a note.
            yield file.name, _LOG_TIME.sub(b"", file.read_bytes())


def forms(term: str) -> set[bytes]:
    """The ways in which a term could be written down."""
    written = {term, term.upper(), term.lower(), canonical(term)}
    raw = {form.encode() for form in written}
    return {each for each in raw | {each.hex().encode() for each in raw} if len(each) >= PROBE}


def _numbers(rows: NDArray[np.uint8]) -> NDArray[np.uint64]:
    weights = np.uint64(256) ** np.arange(PROBE, dtype=np.uint64)
    return rows.astype(np.uint64) @ weights


def standing_in(content: bytes, wanted: Sequence[bytes]) -> list[bytes]:
    """Return which of ``wanted`` stand in ``content``: by their first bytes, then in full."""
    if len(content) < PROBE:
        return []
    starts = _numbers(np.array([list(each[:PROBE]) for each in wanted], dtype=np.uint8))
    maybe = np.zeros(len(wanted), dtype=bool)
    raw = np.frombuffer(content, dtype=np.uint8)
    for start in range(0, len(raw), 1_000_000):
        piece = raw[start : start + 1_000_000 + PROBE]
        if len(piece) >= PROBE:
            windows = np.lib.stride_tricks.sliding_window_view(piece, PROBE)
            maybe |= np.isin(starts, _numbers(windows))
    first = (each for each, seen in zip(wanted, maybe, strict=True) if seen)
    return [each for each in first if each in content]


def inspected(home: Path, count: int, *, at_random: bool) -> None:
    options = ("--slowlog-log-slower-than", "0", "--slowlog-max-len", "100000")
    plain = ("--rdbcompression", "no", "--loglevel", "debug")
    with running_redis(home, appendonly=True, options=(*options, *plain)) as server:
        terms = asyncio.run(terms_of(server, notes(count), at_random=at_random))
        seen = dict(sinks(server))
    wanted = sorted({form for term in terms for form in forms(term)})
    assert len(wanted) > 10 * count
    kinds = {"names", "items", "values", "slowlog", "dump.rdb", "redis.log"}
    assert kinds <= seen.keys()
    assert any(name.endswith(".aof") for name in seen)
    assert len(seen["values"]) > 20 * count
    # Redis's log has words ("server") and counts of its own, which a short surrogate may hit.
    telling = [each for each in wanted if len(each) >= TELLING and not each.isdigit()]
    found = {
        name: len(standing_in(content, telling if name == "redis.log" else wanted))
        for name, content in seen.items()
    }
    assert not {name: number for name, number in found.items() if number}


def test_the_search_finds_what_is_there() -> None:
    wanted = [b"Vanterpool", b"5512873", b"Brightwater"]
    content = bytes(999_998) + b"Vanterpool" + b"551287" + b"Brightwater"
    assert standing_in(content, wanted) == [b"Vanterpool", b"Brightwater"]


@pytest.mark.broker
@pytest.mark.slow
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("at_random", [False, True], ids=["prf", "random"])
def test_redis_holds_no_text_after_many_notes(tmp_path: Path, *, at_random: bool) -> None:
    inspected(tmp_path, NOTES, at_random=at_random)
