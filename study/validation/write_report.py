"""Run ``deidstream validate report`` and ``verify``: the evidence pack, and the check of one."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import orjson

from deidstream.agents.runtime.private_files import write_private
from deidstream.agents.runtime.terminal import say
from deidstream.agents.settings import Settings
from deidstream.schemas.errors import Refused
from deidstream.study.evaluation.print_page import print_page
from deidstream.study.validation.evidence.evidence_page import write_missed_page, write_page
from deidstream.study.validation.evidence.gather_evidence import gather_evidence
from deidstream.study.validation.evidence.signed_pack import check_pack, write_pack
from deidstream.study.validation.site.judged_notes import judge_notes
from deidstream.study.validation.site.progress import measure_progress
from deidstream.study.validation.site.readings import read_all
from deidstream.study.validation.site.validation_folder import (
    ValidationFolder,
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
    plan, frame, notes = folder.read_plan(), folder.read_frame(), folder.read_sample()
    ring = find_ring(settings)
    judged = judge_notes(notes, plan, read_all(folder, plan.readers))
    progress = measure_progress(notes, plan, judged)
    decided = [one for _, one in sorted(judged.items()) if one.is_decided]
    if not decided:
        msg = f"{folder.path}: no note has been read by all readers of the plan"
        raise Refused(msg)
    say(f"the outputs of {len(decided):,} notes are attacked")
    evidence = gather_evidence(plan, frame, decided, progress)
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
    kept = {path.name: path.read_bytes() for path in (folder.plan, folder.frame, folder.sample)}
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
