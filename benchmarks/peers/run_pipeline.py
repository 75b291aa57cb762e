"""Bring notes to their outcomes as a worker does: detection, surrogates, verification and risk.

The settings are those of the environment. Every note is that of another patient, so nothing of an
earlier note is looked up for a later one. A note that is kept back has the spans that its detection
found.
"""

from __future__ import annotations

import os
from importlib.metadata import version
from itertools import count
from typing import TYPE_CHECKING

from exchange import Absent, Found, Runner

from deidstream.agents.deidentifier import DeidentifiedNote, Deidentifier
from deidstream.agents.settings import read_settings
from deidstream.schemas.errors import Refused
from deidstream.schemas.note import RawNote

if TYPE_CHECKING:
    from collections.abc import Sequence

TAGGER = "DEIDSTREAM_TAGGER_MODEL"


def prepare() -> Runner:
    try:
        settings = read_settings(os.environ)
        deidentifier = Deidentifier.load(settings=settings)
    except Refused as refused:
        raise Absent(refused) from None
    numbers = count()

    def find(texts: Sequence[str]) -> list[list[Found]]:
        notes = [give_patient(text, next(numbers)) for text in texts]
        results = deidentifier.deidentify(notes)
        spans: list[list[Found]] = []
        for note, result in zip(notes, results, strict=True):
            if isinstance(result, DeidentifiedNote):
                found = [replacement.span for replacement in result.replacements]
            else:
                found = list(deidentifier.find(note))
            spans.append([(span.start, span.end, span.label.value) for span in found])
        return spans

    what = f"deidstream {version('deidstream')}, policy {settings.policy}"
    return Runner(f"{what}, {name_tagger(deidentifier)}", find)


def name_tagger(deidentifier: Deidentifier) -> str:
    """Name the tagger as outputs do, by digest and precision."""
    result = deidentifier.deidentify("Nothing was found.")
    stamped = result.record.pipeline.tagger if isinstance(result, DeidentifiedNote) else None
    digest, _, precision = (stamped or "").partition(":")
    chosen = os.environ.get(TAGGER, "")
    return " ".join(filter(None, ["tagger", chosen, digest[:12], precision]))


def give_patient(text: str, number: int) -> RawNote:
    return RawNote(f"n{number}", f"p{number}", text)
