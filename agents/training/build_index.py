"""Build a KNEO index from notes that are already de-identified."""

from collections.abc import Iterator
from pathlib import Path

import orjson

from deidstream.agents.lines import progress, read_lines, say
from deidstream.agents.load_models import load_embedder, load_recognizers
from deidstream.agents.policy_files import find_policy
from deidstream.agents.settings import Settings
from deidstream.models.kneo.pool import Materials, build_index, choose_pool
from deidstream.models.release_ids import name_donor
from deidstream.schemas.note import RawNote


def build(notes: Path, folder: Path, settings: Settings) -> str:
    """Build an index from ``notes.anonymized`` records; return its digest.

    A sentence is admitted only if no recognizer of the policy finds anything in it. Sentences that
    were embedded before an interruption are not embedded again.

    Raises:
        Refused: A file, model or policy is missing or wrong.
    """
    recognizers, _ = load_recognizers(settings, find_policy(settings.policy))
    pool = choose_pool(_read_notes(notes), recognizers)
    say(f"{len(pool.sentences)} sentences admitted, {len(pool.contexts)} contexts")
    return embed(Materials(pool.sentences, pool.contexts, pool.notes), folder, settings)


def embed(materials: Materials, folder: Path, settings: Settings) -> str:
    """Embed a pool and write its index, with a progress bar; return its digest."""
    embedder = load_embedder(settings)
    with progress("texts") as bar:
        task = bar.add_task("embed", total=None)
        return build_index(
            embedder,
            settings.model.embedder,
            materials,
            folder,
            lambda done, total: bar.update(task, completed=done, total=total),
        )


def _read_notes(path: Path) -> Iterator[RawNote]:
    for _, line in read_lines(path):
        record = orjson.loads(line)
        release = record.get("policy", {}).get("release", "")
        donor = name_donor(record["patient_id"], release)
        yield RawNote(record["note_id"], donor, record["text"])
