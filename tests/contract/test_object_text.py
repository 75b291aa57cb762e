"""No object that holds text of a note shows it when it is written out.

The test enumerates the objects itself: every value that a function of the project holds in a local
variable when it returns, while notes full of canaries go from bytes to output records.
"""

import asyncio
import sys
import threading
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType

import orjson
import pytest

from deidstream.models.policy.reader import read_shipped_policy
from deidstream.schemas.outcome import Anonymized, Coordinates
from deidstream.schemas.wire import encode_anonymized, encode_audit, encode_risk
from support.pipeline import pipeline, service

ROOT = Path(__file__).parents[2]
HOMES = tuple(str(ROOT / home) for home in ("agents", "models", "schemas", "stream"))
CANARIES = ("zyxwvutson", "qwertzuiop", "plokmijnuh", "xcvbnmasdf", "hgfdsapoiu", "99341", "77421")
pytestmark = [pytest.mark.slow]


def messages() -> list[bytes]:
    text = (
        "Patient: Zyxwvutson, Tom. Seen by Dr. Qwertzuiop on 03/04/99341 and on 03/04/2024.\n"
        "Mr. Zyxwvutson, a 67-year-old zoologist, lives at 12 Plokmijnuh Street, Boston, MA 02118. "
        "MRN: 9934177421. Phone (617) 555-0101 ext. 77421, xcvbnmasdf@hgfdsapoiu.example. "
        "Zyxwvutson-Qwertzuiop agrees; T. Zyxwvutson was at Plokmijnuh Hospital."
    )
    whole = {
        "note_id": "hgfdsapoiu-1",
        "patient_id": "9934177421",
        "text": text,
        "tenant": "default",
        "note_type": "Xcvbnmasdf",
        "language": "xcvbnmasdf",
        "authored_at": "2024-03-04",
        "known": {
            "names": ["Tom Zyxwvutson", "Xcvbnmasdf"],
            "identifiers": ["9934177421"],
            "dates": ["2024-03-04"],
            "phones": ["617 555 0101"],
            "staff": ["Lkjhgfdsa, Oiuytrewq"],
            "addresses": ["12 Plokmijnuh Street"],
        },
    }
    bad = {"text": 5, "note_id": "Zyxwvutson", "patient_id": "9934177421"}
    return [
        orjson.dumps(whole),
        orjson.dumps(whole | {"note_id": "hgfdsapoiu-2"}),
        orjson.dumps(bad),
    ]


@dataclass(slots=True)
class Observer:
    """Writes out the objects of the project that functions hold when they return."""

    classes: set[str] = field(default_factory=set[str])
    leaking: set[str] = field(default_factory=set[str])
    _seen: set[tuple[int, str]] = field(default_factory=set[tuple[int, str]])

    def profile(self, frame: FrameType, event: str, _value: object) -> None:
        if event == "return" and frame.f_code.co_filename.startswith(HOMES):
            for held in self._ours(frame):
                self.look(held)

    def look(self, held: object) -> None:
        name = f"{type(held).__module__}.{type(held).__qualname__}"
        if (id(held), name) in self._seen:
            return
        self._seen.add((id(held), name))
        self.classes.add(name)
        for written in (repr(held), str(held), f"{held}"):
            if any(canary in written.casefold() for canary in CANARIES):
                self.leaking.add(name)

    def _ours(self, frame: FrameType) -> Iterator[object]:
        for value in frame.f_locals.values():
            several = value if isinstance(value, list | tuple) else (value,)
            for item in several[:50]:
                if type(item).__module__.startswith("deidstream.") and not isinstance(item, str):
                    yield item


@contextmanager
def observed() -> Generator[Observer]:
    observer = Observer()
    threading.setprofile(observer.profile)
    sys.setprofile(observer.profile)
    try:
        yield observer
    finally:
        sys.setprofile(None)
        threading.setprofile(None)


@pytest.mark.parametrize("policy", ["surrogate", "kneo", "safe-harbor"])
def test_no_object_shows_text(policy: str) -> None:
    made = pipeline(policy=read_shipped_policy(policy))
    with observed() as observer:
        running = service(made)
        outcomes = asyncio.run(running.run(messages()))
        for outcome in outcomes:
            if isinstance(outcome, Anonymized):
                encode_audit(outcome.note)
                assert encode_anonymized(outcome.note)
                assert encode_risk(outcome)
    assert sum(isinstance(outcome, Anonymized) for outcome in outcomes) == 2
    print(f"{policy}: {len(observer.classes)} classes of objects")  # noqa: T201 - what was covered
    assert len(observer.classes) > 40
    assert observer.leaking == set()


def test_a_class_that_shows_text_is_seen() -> None:
    @dataclass
    class Careless:
        text: str

    observer = Observer()
    observer.look(Careless("Mr. Zyxwvutson"))
    assert len(observer.leaking) == 1
    observer.look(Coordinates("notes.raw", 0, 1))
    assert len(observer.leaking) == 1
