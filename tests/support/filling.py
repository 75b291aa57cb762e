"""A small source of PHI, and prose of our own in the folders of the real one."""

import json
import lzma
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from deidstream.schemas.label import PhiLabel

NAMES = ("Orla Venn", "Tavish Brook", "Venn", "Mora", "Quill, Ada", "Anselm Dorr")
VALUES: Mapping[PhiLabel, tuple[str, ...]] = {
    PhiLabel.PATIENT: NAMES,
    PhiLabel.DOCTOR: NAMES,
    PhiLabel.DATE: ("3/4/2019", "May", "2011", "4 March 2020", "6/7", "April 2018"),
    PhiLabel.HOSPITAL: ("Elmhurst General Hospital", "4 West"),
    PhiLabel.PHONE: ("555-010-4477", "4471"),
    PhiLabel.SSN: ("900-11-2233", "2233"),
    PhiLabel.AGE: ("45", "60s"),
}


@dataclass(frozen=True, slots=True)
class SmallFilling:
    """Draws from few values; a label without a list of its own is given by name and number."""

    def fill(self, label: PhiLabel, rng: random.Random) -> str:
        values = VALUES.get(label)
        return rng.choice(values) if values else f"{label.value.title()}-{rng.randint(1, 999)}"


def transcription(number: int, *sentences: str) -> dict[str, Any]:
    return {"id": f"m-{number}", "text": " ".join(sentences)}


def write_prose(
    folder: Path,
    transcriptions: Sequence[Mapping[str, Any]],
    splits: Mapping[str, str],
    **others: Sequence[Mapping[str, Any]],
) -> Path:
    """Write every file that reading asks for; ``others`` fills what would else be empty."""
    tasks = [{"id": note, "label": "x", "split": split} for note, split in splits.items()]
    files: dict[str, Sequence[Mapping[str, Any]]] = {
        "mtsamples/mtsamples_shared.jsonl.xz": transcriptions,
        "mtsamples/task_specialty.jsonl": tasks,
        "mtsamples/task_note_type.jsonl": [],
        "mts_dialog/mts_dialog.jsonl.xz": others.get("dialogs", []),
        "aci_bench/aci_bench_trainvalid.jsonl.xz": others.get("encounters", []),
        "asq_phi/asq_phi_shared.jsonl": others.get("queries", []),
        "presidio_research/synth_dataset_v2.jsonl.xz": [],
        "presidio_research/generated_large.jsonl.xz": [],
    }
    for name, rows in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        data = "".join(json.dumps(row) + "\n" for row in rows).encode()
        path.write_bytes(lzma.compress(data) if path.suffix == ".xz" else data)
    return folder
