"""A note beyond its budget of time is quarantined, and costs the notes beside it nothing."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace
from types import SimpleNamespace
from typing import Any

import pytest

from deidstream.agents.runtime.guards.note_limits import NoteLimits
from deidstream.agents.runtime.span_finder import SpanFinder
from deidstream.models import time_budget
from deidstream.models.pipeline import Pipeline
from deidstream.models.time_budget import check_time
from deidstream.schemas.errors import Reason, Stage, TooSlow
from deidstream.schemas.note import RawNote
from deidstream.schemas.outcome import Anonymized, Failed, Outcome
from deidstream.schemas.span import Span
from deidstream.schemas.wire import encode_anonymized, encode_note
from support.pipeline import pipeline, service

LIMITS = NoteLimits(10**6, 10.0, 650)
SLOW = "Mr. Tarquin Oduya"


@dataclass(slots=True)
class SlowRecognizer:
    """Takes a minute for a note of the slow patient, and counts the notes that it has begun."""

    inner: Any
    begun: int = 0
    hiccup: float = 0.0
    """Seconds that the first call takes longer."""
    now: float = 0.0

    @property
    def name(self) -> str:
        return str(self.inner.name)

    def recognize(self, notes: Sequence[RawNote]) -> Any:
        for note in notes:
            self.begun += 1
            self.now += self.hiccup + (60.0 if SLOW in note.text else 0.01)
            self.hiccup = 0
            check_time()
        return self.inner.recognize(notes)

    def thread_time(self) -> float:
        return self.now


def notes(count: int = 12, slow: int = 7) -> list[RawNote]:
    names = [SLOW if number == slow else "Mrs. Odalys Brightwater" for number in range(count)]
    return [
        RawNote(f"note-{number}", f"P{number}", f"{name} came on 03/0{number % 9 + 1}/2024.")
        for number, name in enumerate(names)
    ]


def run(made: Pipeline, given: Sequence[RawNote]) -> list[Outcome]:
    values = [encode_note(note) for note in given]
    return asyncio.run(service(made, limits=LIMITS).run(values))


def with_slow_recognizer(made: Pipeline) -> tuple[Pipeline, SlowRecognizer]:
    first, *others = made.detector.recognizers
    slow = SlowRecognizer(first)
    return replace(made, detector=replace(made.detector, recognizers=(slow, *others))), slow


@pytest.fixture
def planted(monkeypatch: pytest.MonkeyPatch) -> tuple[Pipeline, SlowRecognizer]:
    made, slow = with_slow_recognizer(pipeline())
    monkeypatch.setattr(time_budget, "time", SimpleNamespace(thread_time=slow.thread_time))
    return made, slow


def test_a_slow_note_is_quarantined_alone(planted: tuple[Pipeline, SlowRecognizer]) -> None:
    made, slow = planted
    calm, outcomes = run(pipeline(), notes()), run(made, notes())
    assert outcomes[7] == Failed(Reason.TOO_SLOW, Stage.DETECT, attempts=2)
    for place in range(12):
        if place != 7:
            ours, theirs = outcomes[place], calm[place]
            assert isinstance(ours, Anonymized)
            assert isinstance(theirs, Anonymized)
            assert encode_anonymized(ours.note) == encode_anonymized(theirs.note)
    # The batch up to the slow note, then each alone: it is waited for twice and no more.
    assert slow.begun == 8 + 12


def test_a_note_that_was_slow_once_passes(planted: tuple[Pipeline, SlowRecognizer]) -> None:
    made, slow = planted
    slow.hiccup = 60
    (outcome,) = run(made, notes(1, slow=9))
    assert slow.begun == 2
    assert isinstance(outcome, Anonymized)


def find(made: Pipeline, given: RawNote, limits: NoteLimits = LIMITS) -> tuple[Span, ...]:
    finder = SpanFinder.of_service(service(made, limits=limits))
    return asyncio.run(finder.find_one(encode_note(given)))


def test_finding_has_the_time_of_a_note(planted: tuple[Pipeline, SlowRecognizer]) -> None:
    made, slow = planted
    calm, late = notes(2, slow=1)
    assert find(made, calm) == find(pipeline(), calm) != ()
    with pytest.raises(TooSlow) as refused:
        find(made, late)
    assert refused.value.stage is Stage.DETECT
    assert slow.begun == 1 + 2
    slow.hiccup = 60
    assert find(made, calm) == find(pipeline(), calm)


def test_finding_has_the_word_pieces_of_a_note() -> None:
    given = RawNote("note-1", "P1", "([{" * 40_000)
    with pytest.raises(TooSlow) as refused:
        find(pipeline(), given, NoteLimits(10**6, 10.0, 200))
    assert refused.value.stage is Stage.DECODE


def test_a_text_of_signs_never_reaches_a_model() -> None:
    given = RawNote("note-1", "P1", "([{" * 40_000)
    (outcome,) = asyncio.run(service(limits=NoteLimits(10**6, 10.0, 200)).run([encode_note(given)]))
    assert outcome == Failed(Reason.TOO_SLOW, Stage.DECODE)
