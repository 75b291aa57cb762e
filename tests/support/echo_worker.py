"""The real worker around a pipeline that costs nothing, as a process of its own.

A note comes out as a few words, or as many as its text asks for: ``words 900``. It takes no time,
or as many seconds as its text asks for: ``seconds 9``, in which it waits, or ``burn 9``, in which
it computes and looks at its budget.
"""

import asyncio
import os
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from types import SimpleNamespace
from typing import Any, Self, cast

from deidstream.agents.runtime.compose import Runtime
from deidstream.agents.runtime.policy_choice import PolicyChoice
from deidstream.agents.runtime.policy_files import DEFAULT, Tenants
from deidstream.agents.runtime.root_keys import RootKeys
from deidstream.agents.runtime.service import watch
from deidstream.agents.runtime.worker import run_worker
from deidstream.agents.settings import Settings, read_settings
from deidstream.models.keyring import Keyring
from deidstream.models.patients.patient_log import PatientKey
from deidstream.models.time_budget import check_time
from deidstream.schemas.errors import Refused, Stage, Unavailable
from deidstream.schemas.label import OF_I2B2, PhiLabel
from deidstream.schemas.note import PipelineStamp, PolicyStamp, RawNote
from deidstream.schemas.outcome import Anonymized, AnonymizedNote, Outcome, RiskLevel, RiskReport
from deidstream.schemas.permit import EmitPermit
from deidstream.stream.observing.logs import configure
from support.notes import stamp
from support.outcomes import permit

SECONDS = "ECHO_SECONDS"
"""Variable: how long the lane takes for a batch."""


@cache
def permit_of(words: int) -> EmitPermit:
    """A permit for a text of so many words."""
    return permit("quiet " * words)


@dataclass(frozen=True, slots=True)
class Facts:
    """What a worker asks of a policy and of a builder of records."""

    name: str = "echo"
    sha256: str = "0" * 64
    version: str = "0"
    labels: Mapping[str, PhiLabel] = field(default_factory=lambda: OF_I2B2)
    stamp: PipelineStamp = field(default_factory=stamp)


POLICY = BUILDER = Facts()


@dataclass(frozen=True, slots=True)
class EchoPipeline:
    """Brings each note to an output at once."""

    policy: Any = POLICY
    record_builder: Any = BUILDER

    def choose_by_language(self, _: str) -> Self:
        return self

    def key_of_patient(self, note: RawNote) -> PatientKey:
        return PatientKey(Keyring(bytes(32), 1, note.tenant), note.patient_id)

    def prepare(self, notes: Sequence[RawNote]) -> Sequence[RawNote]:
        time.sleep(_asked_for("seconds", notes) + float(os.environ.get(SECONDS, "0")))
        with watch(Stage.DETECT):
            end = time.thread_time() + _asked_for("burn", notes)
            while time.thread_time() < end:
                check_time()
        return notes

    def allocate(self, _: Sequence[RawNote]) -> Any:
        done = SimpleNamespace(surrogates={}, claimed=0, shared=0)
        return SimpleNamespace(ask=None, result=lambda: done)

    def finish(self, notes: Sequence[RawNote], _: object) -> list[Outcome]:
        return [echo(note) for note in notes]


def _asked_for(what: str, notes: Sequence[RawNote]) -> float:
    """Return how many seconds the texts ask for, all together."""
    return sum(float(n.text.split()[1]) for n in notes if n.text.startswith(f"{what} "))


def echo(note: RawNote) -> Anonymized:
    """The output of a note."""
    words = int(note.text.split()[1]) if note.text.startswith("words ") else 3
    made = AnonymizedNote(
        output_id=f"out-{note.note_id}",
        note_id=note.note_id,
        patient_id=note.patient_id,
        permit=permit_of(words),
        technique="redact",
        policy=PolicyStamp("echo", "0"),
        pipeline=stamp(),
    )
    return Anonymized(made, RiskReport(RiskLevel.GREEN, 0.0))


@dataclass(frozen=True, slots=True)
class OneToken:
    """Counts one token a text."""

    def count(self, texts: Sequence[str]) -> list[int]:
        return [1 for _ in texts]


def load_echo(settings: Settings) -> PolicyChoice:
    """Load nothing."""
    models = cast("Any", SimpleNamespace(recognizers={}, embedder=None))
    pipeline = cast("Any", EchoPipeline())
    keys = RootKeys(1, {1: bytes(32)})
    runtime = Runtime(pipeline, OneToken(), stamp(), models, keys)
    return PolicyChoice(settings, Tenants(), {DEFAULT: runtime})


def run_echo_worker() -> int:
    """Run a worker with the settings of the environment; return its exit code."""
    own = {name: value for name, value in os.environ.items() if name.startswith("DEIDSTREAM_")}
    settings = read_settings(own)
    configure(settings.worker.log_level)
    try:
        return asyncio.run(run_worker(settings, load=load_echo))
    except (Refused, Unavailable) as error:
        sys.stderr.write(f"{type(error).__name__}: {error}\n")
        return 78 if isinstance(error, Refused) else 69
