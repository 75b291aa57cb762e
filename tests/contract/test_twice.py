"""What was de-identified once is de-identified again: nothing of the first text is left or back."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace

import pytest

from deidstream.agents.demo.demo import sample_notes
from deidstream.agents.runtime.service import Service
from deidstream.models.keyring import canonical
from deidstream.models.verification.issued_surrogates import IssuedSurrogates
from deidstream.models.verification.left_identifiers import left_terms
from deidstream.schemas.label import FEW_VALUES
from deidstream.schemas.note import RawNote
from deidstream.schemas.outcome import Anonymized
from deidstream.schemas.permit import EmitPermit
from deidstream.schemas.ports import SurrogateStore
from deidstream.schemas.wire import encode_note
from deidstream.stream.redis.memory_store import MemorySurrogateStore
from deidstream.stream.redis.surrogate_store import RedisSurrogateStore
from support.pipeline import service

NOTES = 8
pytestmark = pytest.mark.slow


async def passed(running: Service, notes: Sequence[RawNote]) -> list[EmitPermit]:
    """What comes out of notes; all of them do."""
    outcomes = await running.run([encode_note(note) for note in notes])
    emitted = [each for each in outcomes if isinstance(each, Anonymized)]
    assert len(emitted) == len(notes)
    return [each.note.permit for each in emitted]


def identified(note: RawNote, permit: EmitPermit) -> set[str]:
    """The originals of a note, but for those of sets so small that one stands for the other."""
    spans = (r.span for r in permit.replacements if r.span.label not in FEW_VALUES)
    return {canonical(note.text[span.start : span.end]) for span in spans}


async def judged(store: SurrogateStore) -> None:
    """Put notes through the whole service, and what comes out of it once more."""
    running, notes = service(store=store), sample_notes()[:NOTES]
    once = await passed(running, notes)
    again = [
        replace(note, note_id=f"{note.note_id}-again", text=permit.text)
        for note, permit in zip(notes, once, strict=True)
    ]
    twice = await passed(running, again)
    for note, first, last in zip(notes, once, twice, strict=True):
        (planned,) = running.pipeline.prepare([note])
        assert len(planned.leak_terms) > 1
        issued = IssuedSurrogates.of_output(last.replacements)
        assert not left_terms(last.text, planned.leak_terms, issued)
        came = {canonical(r.text) for r in last.replacements if r.span.label not in FEW_VALUES}
        assert len(came) > 1
        assert identified(note, first).isdisjoint(came)


def test_in_memory() -> None:
    asyncio.run(judged(MemorySurrogateStore()))


@pytest.mark.broker
def test_on_redis(redis_url: str) -> None:
    async def body() -> None:
        store = RedisSurrogateStore.connect(redis_url)
        await store.client.flushdb()
        try:
            await judged(store)
        finally:
            await store.close()

    asyncio.run(body())
