"""Builds an index from notes that are already de-identified."""

from collections.abc import Iterator
from pathlib import Path

import orjson

from deidstream.agents.compose import load_embedder, load_recognizers
from deidstream.agents.lines import progress, read_lines, say
from deidstream.agents.policies import find_policy
from deidstream.agents.settings import Settings
from deidstream.models.index_build import build_index
from deidstream.models.pool import admissible
from deidstream.schemas.note import RawNote


def build(notes: Path, folder: Path, settings: Settings) -> str:
    """Build an index from ``notes.anonymized`` records; return its digest.

    Only sentences in which no recognizer of the policy finds anything are admitted. What was
    embedded before an interruption is not embedded again.

    Raises:
        Refused: A file, model or policy is missing or wrong.
    """
    recognizers, _ = load_recognizers(settings, find_policy(settings.policy))
    pool = admissible(_deidentified(notes), recognizers)
    say(f"{len(pool.sentences)} sentences admitted, {len(pool.contexts)} contexts")
    with progress() as bar:
        task = bar.add_task("embed", total=len(pool.sentences) + len(pool.contexts))
        embedder = load_embedder(settings)
        return build_index(embedder, pool, folder, lambda done: bar.update(task, completed=done))


def _deidentified(path: Path) -> Iterator[RawNote]:
    for _, line in read_lines(path):
        record = orjson.loads(line)
        yield RawNote(record["note_id"], record["patient_id"], record["text"])
