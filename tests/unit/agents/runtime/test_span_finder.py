"""Messages are read together, and each has the spans that it has alone."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from deidstream.agents.runtime.span_finder import FoundPhi, SpanFinder
from deidstream.models.pipeline import Pipeline
from deidstream.models.policy.reader import read_policy
from deidstream.schemas.errors import Reason, Rejected
from deidstream.schemas.note import RawNote
from deidstream.schemas.wire import encode_note
from support.pipeline import pipeline, service
from support.tenants import RULES

BROKEN = "Mr. Tarquin Oduya"
TEXTS = [f"Mrs. Odalys Brightwater came on 03/0{day}/2024." for day in range(1, 8)]


@dataclass(slots=True)
class CountingRecognizer:
    """Counts the notes of each call, and raises for one patient."""

    inner: Any
    calls: list[int] = field(default_factory=list[int])

    @property
    def name(self) -> str:
        return str(self.inner.name)

    def recognize(self, notes: Sequence[RawNote]) -> Any:
        self.calls.append(len(notes))
        if any(BROKEN in note.text for note in notes):
            raise ValueError(BROKEN)
        return self.inner.recognize(notes)


def with_counter() -> tuple[Pipeline, CountingRecognizer]:
    made = pipeline(policy=read_policy(RULES.format("redact").encode(), name="r", file="r.toml"))
    first, *others = made.detector.recognizers
    counting = CountingRecognizer(first)
    return replace(made, detector=replace(made.detector, recognizers=(counting, *others))), counting


def find(made: Pipeline, texts: Sequence[str], batch_notes: int = 64) -> list[FoundPhi]:
    values = [encode_note(RawNote(f"n{n}", "p", text)) for n, text in enumerate(texts)]
    finder = SpanFinder.of_service(service(made), batch_notes=batch_notes)
    return asyncio.run(finder.find([*values, b"no note"]))


def test_messages_of_a_request_are_one_batch_and_have_the_spans_they_have_alone() -> None:
    made, counting = with_counter()
    *found, refused = find(made, TEXTS)
    assert counting.calls == [7]
    assert isinstance(refused, Rejected)
    assert refused.reason is Reason.BAD_JSON
    assert found == [find(made, [text])[0] for text in TEXTS]
    assert all(found)


def test_no_batch_has_more_notes_than_it_may() -> None:
    made, counting = with_counter()
    find(made, TEXTS, batch_notes=3)
    assert counting.calls == [3, 3, 1]


def test_a_note_on_which_a_recognizer_fails_costs_no_other() -> None:
    made, _ = with_counter()
    texts = [*TEXTS[:3], f"{BROKEN} came.", *TEXTS[3:]]
    found = find(made, texts)
    failed = [place for place, each in enumerate(found) if isinstance(each, Rejected)]
    assert failed == [3, len(texts)]
    reason = found[3]
    assert isinstance(reason, Rejected)
    assert reason.reason is Reason.STAGE_FAILED
    assert found[4] == find(made, [TEXTS[3]])[0]
