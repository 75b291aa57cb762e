"""Run ``deidstream validate report`` and ``verify``: the evidence pack, and the check of one."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import orjson

from deidstream.agents.runtime.private_files import write_private
from deidstream.agents.runtime.terminal import say
from deidstream.agents.settings import Settings
from deidstream.models.keyring import Keyring
from deidstream.schemas.errors import Refused
from deidstream.study.evaluation.print_page import print_page
from deidstream.study.validation.evidence.evidence_page import write_missed_page, write_page
from deidstream.study.validation.evidence.gather_evidence import gather_evidence
from deidstream.study.validation.evidence.signed_pack import check_pack, write_pack
from deidstream.study.validation.site.frame import describe_drawn
from deidstream.study.validation.site.judged_notes import JudgedNote, judge_notes
from deidstream.study.validation.site.progress import measure_progress
from deidstream.study.validation.site.readings import read_all
from deidstream.study.validation.site.sampled_note import SampledNote
from deidstream.study.validation.site.validation_folder import (
    ValidationFolder,
)
from deidstream.study.validation.standing_figures import (
    WEEK,
    describe_standing,
    judge_rows,
    list_recent_weeks,
)
from deidstream.study.validation.take_sample import find_ring

PAGE, RECORD, PRINTED = "evidence.html", "evidence.json", "evidence.pdf"


def write_report(
    folder: ValidationFolder, out: Path, settings: Settings, chromium: str | None = None
) -> int:
    """Write the evidence pack; return 0 if every claim is proved, else 1.

    Args:
        folder: Of the validation.
        out: Folder of the pack, which holds no text of notes.
        settings: Name the key that signs.
        chromium: A Chromium that prints the page; ``None``: no PDF is made.

    Raises:
        MissingArtefact: A file cannot be read or written.
        Refused: No note has been read by all readers.
    """
    plan, ring = folder.read_plan(), find_ring(settings)
    judged = judge_notes(folder.read_sample(), plan, read_all(folder, plan.readers))
    if plan.is_standing:
        material = _gather_standing(folder, judged, ring)
    else:
        material = _Material(folder.read_sample(), judged, folder.read_frame())
    decided = [one for _, one in sorted(material.judged.items()) if one.is_decided]
    if not decided:
        msg = f"{folder.path}: no note has been read by all readers of the plan"
        raise Refused(msg)
    say(f"the outputs of {len(decided):,} notes are attacked")
    progress = measure_progress(material.notes, plan, material.judged)
    evidence = gather_evidence(plan, material.frame, decided, progress)
    evidence["standing"] = material.standing
    evidence["made_at"] = datetime.now(UTC).isoformat(timespec="seconds")
    page = write_page(evidence).encode()
    contents: dict[str, bytes] = {
        RECORD: orjson.dumps(evidence, option=orjson.OPT_INDENT_2 | orjson.OPT_NON_STR_KEYS)
        + b"\n",
        PAGE: page,
    }
    if chromium is not None:
        contents[PRINTED] = print_page(page, chromium)
    write_private(folder.missed, write_missed_page(decided).encode())
    parts = (folder.plan, folder.frame, folder.sample)
    kept = {path.name: path.read_bytes() for path in parts if path.exists()}
    kept |= {f"readings/{path.name}": path.read_bytes() for path in _readings(folder)}
    kept["missed.html"] = folder.missed.read_bytes()
    signer = write_pack(out, contents, kept, ring)
    say(f"the pack is in {out}, signed by {signer}; what was missed is in {folder.missed}")
    _say_state(evidence)
    claims: dict[str, Any] = evidence["claims"]
    return (
        0
        if all(claims[name]["proved"] for name in ("notes", "identifiers") if name in claims)
        else 1
    )


@dataclass(frozen=True, slots=True)
class _Material:
    """What a pack is about."""

    notes: Sequence[SampledNote] = field(repr=False)
    judged: Mapping[int, JudgedNote] = field(repr=False)
    frame: dict[str, Any]
    standing: dict[str, Any] | None = None
    """Of a standing sample, its bounds by week and note type."""


def _gather_standing(
    folder: ValidationFolder, judged: Mapping[int, JudgedNote], ring: Keyring
) -> _Material:
    """Gather what was drawn from a stream in the weeks that count together."""
    plan, recent = folder.read_plan(), list_recent_weeks(judged)
    notes = [note for note in folder.read_sample() if note.facts[WEEK] in recent]
    counted = {number: one for number, one in judged.items() if one.note.facts[WEEK] in recent}
    if not notes:
        return _Material(notes, counted, {})
    figures = describe_standing(judged, plan, time.time())
    standing = {**figures, "rows": judge_rows(figures)}
    return _Material(notes, counted, describe_drawn(notes, plan, ring), standing)


def _readings(folder: ValidationFolder) -> list[Path]:
    return sorted((folder.path / "readings").glob("*.jsonl")) + (
        [folder.adjudication] if folder.adjudication.exists() else []
    )


def _say_state(evidence: dict[str, Any]) -> None:
    state = evidence["progress"]
    if state["disputed"]:
        say(f"{state['disputed']:,} notes wait for the adjudicator and are left out")
    if state["to_read"]:
        say(f"{state['to_read']:,} notes of the plan are still to be read")
    for name in ("notes", "identifiers"):
        claim = evidence["claims"].get(name)
        if claim:
            proved = "is proved" if claim["proved"] else "is not proved"
            say(f"that fewer than {claim['claim']:.3%} of the {name} leak {proved}")


def verify_pack(folder: Path) -> int:
    """Check a pack and say who signed it; return 0.

    Raises:
        MissingArtefact: A file cannot be read.
        Refused: The signature is wrong, or a file is not the one that was signed.
    """
    checked = check_pack(folder)
    say(f"{checked.files} files, whole; signed by {checked.signer}")
    return 0
