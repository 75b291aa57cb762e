"""A long text of one request holds up no other request."""

import asyncio
import threading
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import httpx
import pytest

from deidstream.agents.runtime.long_notes import LONG_BYTES
from deidstream.agents.runtime.policy_choice import PolicyChoice
from deidstream.agents.runtime.policy_files import DEFAULT
from deidstream.agents.settings import Settings
from deidstream.schemas.note import RawNote
from support.api_site import TEXT, load_rules, with_api

LONG = {"text": f"{TEXT}\n" * (LONG_BYTES // len(TEXT) + 1)}
SHORT = {"text": TEXT}
DEIDENTIFY, FIND = "/v1/deidentify", "/v1/find"
SOON = 10.0
"""Seconds; without a lane of their own, others wait as long as ``HELD``."""
HELD = 30.0


@dataclass(slots=True)
class HoldingRecognizer:
    """Reads a long text for as long as the test wants."""

    inner: Any
    begun: threading.Event = field(default_factory=threading.Event)
    ends: threading.Event = field(default_factory=threading.Event)

    @property
    def name(self) -> str:
        return str(self.inner.name)

    def recognize(self, notes: Sequence[RawNote]) -> Any:
        if any(len(note.text) >= LONG_BYTES for note in notes):
            self.begun.set()
            self.ends.wait(HELD)
        return self.inner.recognize(notes)

    def load(self, settings: Settings) -> PolicyChoice:
        """Load the rules of other tests, and this recognizer before them."""
        choice = load_rules(settings)
        runtime = choice.runtimes[DEFAULT]
        detector = runtime.pipeline.detector
        self.inner, *others = detector.recognizers
        detector = replace(detector, recognizers=(self, *others))
        held = replace(runtime, pipeline=replace(runtime.pipeline, detector=detector))
        return replace(choice, runtimes={DEFAULT: held})


@pytest.mark.parametrize("path", [DEIDENTIFY, FIND])
def test_others_are_answered_while_a_long_text_is_read(path: str) -> None:
    holding = HoldingRecognizer(None)

    async def ask(client: httpx.AsyncClient) -> None:
        long = asyncio.create_task(client.post(path, json={"note": LONG}))
        try:
            assert await asyncio.to_thread(holding.begun.wait, SOON)
            for short in (DEIDENTIFY, FIND, DEIDENTIFY):
                reply = await asyncio.wait_for(client.post(short, json={"note": SHORT}), SOON)
                assert reply.status_code == 200
            assert not long.done()
        finally:
            holding.ends.set()
        assert (await long).status_code == 200

    with_api(ask, load=holding.load)


def test_notes_of_one_request_begin_in_their_order() -> None:
    holding = HoldingRecognizer(None)
    names = ["Quentin Vanterpool", "Odalys Brightwater"]
    notes = [
        {"note_id": "1", "patient_id": "p", "text": f"Seen by Dr. {names[0]}."},
        {"note_id": "2", "patient_id": "p", "text": f"Dr. {names[1]} came.\n" * 3_000},
        {"note_id": "3", "patient_id": "p", "text": f"Called Dr. {names[1]}."},
    ]

    async def ask(client: httpx.AsyncClient) -> None:
        asked = asyncio.create_task(client.post(DEIDENTIFY, json={"notes": notes}))
        try:
            assert await asyncio.to_thread(holding.begun.wait, SOON)
            state = client.__dict__["state"]
            # The third is not begun while the second is read.
            assert state.health.in_flight == 1
        finally:
            holding.ends.set()
        first, second, third = (await asked).json()["results"]
        assert first["status"] == second["status"] == third["status"] == "anonymized"
        surrogate = third["note"]["text"].removesuffix(".").split("Dr. ")[1]
        assert surrogate in second["note"]["text"]

    with_api(ask, load=holding.load)
