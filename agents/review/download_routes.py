"""Downloads: outputs for every user; marked terms and labelled notes for reviewers alone."""

import asyncio
import csv
import io
import zipfile
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from http import HTTPStatus

from fastapi import APIRouter, Response

from deidstream.agents.review.desk import AtDesk, OfNote, OfWorklist
from deidstream.agents.review.door import AnyVisit, ReviewerVisit
from deidstream.agents.review.trail import describe_note
from deidstream.agents.review.worklist import HeldNote, Worklist
from deidstream.models.messages.attachments.read_attachment import DOCX
from deidstream.models.messages.word.write_docx import write_docx
from deidstream.schemas.errors import Rejected
from deidstream.schemas.labelled import LabelledNote, encode_labelled
from deidstream.schemas.outcome import Anonymized
from deidstream.schemas.wire import encode_anonymized, encode_risk
from deidstream.stream.http.replies import HttpErrorCode, HttpRefusal

ROUTES = APIRouter(prefix="/api/lists/{worklist}")
_FIRST_DAY = (1980, 1, 1, 0, 0, 0)
"""Time of the entries of archives, so that the same outputs make the same archive."""


def _attach(content: bytes, kind: str, name: str) -> Response:
    return Response(
        content, media_type=kind, headers={"Content-Disposition": f'attachment; filename="{name}"'}
    )


def _emitted(worklist: Worklist) -> Iterator[Anonymized]:
    for held in worklist.notes.values():
        if isinstance(held.outcome, Anonymized):
            yield held.outcome


@ROUTES.get("/notes/{number}/output.txt")
async def take_output(
    visit: AnyVisit, desk: AtDesk, worklist: OfWorklist, held: OfNote
) -> Response:
    """Take the output of one note."""
    if not isinstance(held.outcome, Anonymized):
        raise HttpRefusal(HTTPStatus.NOT_FOUND, HttpErrorCode.NOT_FOUND)
    await desk.trail.add(visit.user, "download", describe_note(worklist, held))
    name = f"{held.outcome.note.note_id}.txt"
    return _attach(held.outcome.note.text.encode(), "text/plain; charset=utf-8", name)


@ROUTES.get("/notes/{number}/output.docx")
async def take_word(visit: AnyVisit, desk: AtDesk, worklist: OfWorklist, held: OfNote) -> Response:
    """Take the output of one note that was a Word document as one."""
    if not isinstance(held.outcome, Anonymized) or not held.word:
        raise HttpRefusal(HTTPStatus.NOT_FOUND, HttpErrorCode.NOT_FOUND)
    await desk.trail.add(visit.user, "download", describe_note(worklist, held))
    ending, content = await asyncio.to_thread(_write_output, held, held.outcome)
    kind = DOCX if ending == "docx" else "text/plain; charset=utf-8"
    return _attach(content, kind, f"{held.outcome.note.note_id}.{ending}")


def _write_output(held: HeldNote, outcome: Anonymized) -> tuple[str, bytes]:
    """Return an output with the ending of its file: a Word document, if it can be one, or text."""
    if held.word:
        with suppress(Rejected):
            return "docx", write_docx(held.word, held.note.text, outcome.note.permit)
    return "txt", outcome.note.text.encode()


@ROUTES.get("/outputs.jsonl")
async def take_records(visit: AnyVisit, desk: AtDesk, worklist: OfWorklist) -> Response:
    """Take all outputs as records of ``notes.anonymized``, one a line."""
    records = [encode_anonymized(outcome.note) for outcome in _emitted(worklist)]
    details = {"list": worklist.id, "notes": len(records)}
    await desk.trail.add(visit.user, "download-all", details)
    content = b"".join(record + b"\n" for record in records)
    return _attach(content, "application/x-ndjson", f"outputs-{worklist.id}.jsonl")


@ROUTES.get("/outputs.zip")
async def take_archive(visit: AnyVisit, desk: AtDesk, worklist: OfWorklist) -> Response:
    """Take all outputs as files, Word documents as such, with their risk records."""
    outcomes = list(_emitted(worklist))
    details = {"list": worklist.id, "notes": len(outcomes)}
    await desk.trail.add(visit.user, "download-all", details)
    parts = await asyncio.to_thread(_name_outputs, list(worklist.notes.values()))
    parts["risk.jsonl"] = b"".join(encode_risk(one) + b"\n" for one in outcomes)
    return _attach(_pack(parts), "application/zip", f"outputs-{worklist.id}.zip")


def _name_outputs(notes: Sequence[HeldNote]) -> dict[str, bytes]:
    """Name outputs by their pseudonyms, numbered where files of one name share a pseudonym."""
    taken = Counter[str]()
    parts: dict[str, bytes] = {}
    for held in notes:
        if not isinstance(held.outcome, Anonymized):
            continue
        name = held.outcome.note.note_id
        taken[name] += 1
        number = f"-{taken[name]}" if taken[name] > 1 else ""
        ending, content = _write_output(held, held.outcome)
        parts[f"{name}{number}.{ending}"] = content
    return parts


@ROUTES.get("/names.csv")
async def take_names(visit: ReviewerVisit, desk: AtDesk, worklist: OfWorklist) -> Response:
    """Take which output is of which file; names of files may be those of patients."""
    rows = io.StringIO()
    table = csv.writer(rows)
    table.writerow(["number", "name", "pseudonym", "output_id"])
    for held in worklist.notes.values():
        made = held.outcome.note if isinstance(held.outcome, Anonymized) else None
        ids = [made.note_id, made.output_id] if made else ["", ""]
        table.writerow([held.number, _as_text(held.name), *ids])
    await desk.trail.add(visit.user, "download-names", {"list": worklist.id})
    return _attach(rows.getvalue().encode(), "text/csv; charset=utf-8", f"names-{worklist.id}.csv")


def _as_text(cell: str) -> str:
    """Return a cell that no spreadsheet takes for a formula."""
    return f"'{cell}" if cell.startswith(("=", "+", "-", "@", "\t", "\r")) else cell


@ROUTES.get("/terms.zip")
async def take_terms(visit: ReviewerVisit, desk: AtDesk, worklist: OfWorklist) -> Response:
    """Take the terms that were marked for all occurrences, as lists that a policy can name."""
    terms = worklist.terms
    await desk.trail.add(visit.user, "download-terms", {"list": worklist.id})
    # A line that begins with # is a comment. What is always PHI is so without its # too; what is
    # never PHI would be more than was marked.
    allow = [term for term in terms.allow if not term.startswith("#")]
    parts = {"allow.txt": _write_list(allow)} if allow else {}
    parts |= {
        f"deny.{label}.txt": _write_list([term.lstrip("# ") for term in own])
        for label, own in terms.deny.items()
    }
    return _attach(_pack(parts), "application/zip", f"terms-{worklist.id}.zip")


@ROUTES.get("/labelled.jsonl")
async def take_labelled(visit: ReviewerVisit, desk: AtDesk, worklist: OfWorklist) -> Response:
    """Take the notes with a verdict as labelled notes, which hold their originals."""
    judged = [held for held in worklist.notes.values() if held.labelled]
    numbers = [held.number for held in judged]
    details = {"list": worklist.id, "numbers": numbers}
    await desk.trail.add(visit.user, "download-labelled", details)
    notes = [LabelledNote(held.note, tuple(sorted(held.spans))) for held in judged]
    content = b"".join(encode_labelled(note) + b"\n" for note in notes)
    return _attach(content, "application/x-ndjson", f"labelled-{worklist.id}.jsonl")


def _write_list(terms: Sequence[str]) -> bytes:
    return "".join(f"{term}\n" for term in terms).encode()


def _pack(parts: dict[str, bytes]) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            entry = zipfile.ZipInfo(name, _FIRST_DAY)
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, content)
    return packed.getvalue()
