"""Work lists that outlive the process, in a folder for each, sealed under the root key.

The folder ``UNTIL-ID`` is kept until a second of the Unix clock, which its name tells, so that the
age limit needs no key. ``notes-N`` has the notes from number N on and is never written again;
``state`` has what reviewers made of them and is replaced as a whole, so that a process that ends in
the middle of a save loses no more than the change that was being saved.
"""

import asyncio
import os
import shutil
import time
from base64 import b64decode, b64encode
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

import orjson

from deidstream.agents.review.policy_draft import PolicyDraft, ReviewTerms
from deidstream.agents.review.stream_risk import StreamRisk
from deidstream.agents.review.worklist import HeldNote, ReviewVerdict, Worklist
from deidstream.agents.runtime.folder_lock import lock_folder
from deidstream.agents.runtime.private_files import write_private
from deidstream.agents.runtime.root_keys import RootKeys
from deidstream.models.detection.review_marks import REVIEWED, ReviewMarks
from deidstream.models.keyring import Keyring, join_prefixed
from deidstream.models.messages.read_message import read_message
from deidstream.schemas.errors import MissingArtefact, Refused, Rejected
from deidstream.schemas.label import PhiLabel, own_name
from deidstream.schemas.outcome import RiskLevel
from deidstream.schemas.span import Span
from deidstream.schemas.wire import encode_note
from deidstream.stream.observing.logs import Logger

LOG = Logger("review")
DAY_SECONDS = 86_400.0
_STATE, _NOTES = "state", "notes-"
_BUSY = "another review page has its saved lists"
Record = Mapping[str, Any]
FindDrafts = Callable[[str], Iterator[PolicyDraft]]
"""Yields the policies that a list of that policy's name may have been made with."""


@dataclass(slots=True)
class SavedLists:
    """The folder of saved lists."""

    folder: Path
    ring: Keyring
    seconds: float
    """How long a list is kept after it was made."""
    _lock: int = -1
    _turn: asyncio.Lock = field(default_factory=asyncio.Lock, repr=False)

    @classmethod
    def open(cls, folder: Path, keys: RootKeys, seconds: float) -> Self:
        """Open the folder, which one process at a time may have.

        Raises:
            MissingArtefact: It cannot be made or written.
            InvalidSettings: Another process has it.
        """
        ring = Keyring(keys.roots[keys.version], keys.version, "", keys.older)
        return cls(folder, ring, seconds, lock_folder(folder, _BUSY, mode=0o700))

    def close(self) -> None:
        """Let another process have the folder."""
        if self._lock >= 0:
            os.close(self._lock)
        self._lock = -1

    async def keep(self, worklist: Worklist) -> None:
        """Save a list: the notes that were added to it, and its state.

        Raises:
            MissingArtefact: It cannot be written.
        """
        async with self._turn:
            if worklist.forgotten:
                return
            if worklist.until is None:
                worklist.until = float(round(time.time() + self.seconds))
            parts = dict(self._seal_changes(worklist))
            for name, sealed in parts.items():
                await asyncio.to_thread(write_private, self._place(worklist) / name, sealed)
            worklist.saved_notes = len(worklist.notes)

    async def drop(self, worklist: Worklist) -> None:
        """Delete what is saved of a list.

        Raises:
            MissingArtefact: It cannot be deleted.
        """
        async with self._turn:
            if worklist.until is not None:
                await asyncio.to_thread(_delete, self._place(worklist))

    def read(self, find_drafts: FindDrafts) -> Iterator[Worklist]:
        """Yield the saved lists, the oldest first. One that cannot be read stays where it is."""
        for place in sorted(self.folder.glob("*-*")):
            until, _, name = place.name.partition("-")
            if not (place / _STATE).exists():
                # It was being saved for the first time, and nobody has seen it.
                _delete(place)
                continue
            try:
                state = self._unseal(place, name, _STATE)
                worklist = _decode_list(state, find_drafts)
                worklist.id, worklist.until = name, float(until)
                for part in self._find_parts(place):
                    for record in self._unseal(place, name, part)["notes"]:
                        _add_note(worklist, record)
                _apply_state(worklist, state["notes"])
            except (OSError, KeyError, TypeError, ValueError, Refused, Rejected) as error:
                # A message may quote a note.
                LOG.warning("review-list-unread", name=name, kind=type(error).__name__)
                continue
            worklist.saved_notes = len(worklist.notes)
            yield worklist

    def _seal_changes(self, worklist: Worklist) -> Iterator[tuple[str, bytes]]:
        added = [held for held in worklist.notes.values() if held.number > worklist.saved_notes]
        if added:
            name = f"{_NOTES}{added[0].number}"
            yield name, self._seal(worklist.id, name, {"notes": [*map(_encode_note, added)]})
        yield _STATE, self._seal(worklist.id, _STATE, _encode_state(worklist))

    def _seal(self, name: str, part: str, record: Record) -> bytes:
        return self.ring.seal(join_prefixed("review", name, part), orjson.dumps(record).decode())

    def _unseal(self, place: Path, name: str, part: str) -> Record:
        sealed = (place / part).read_bytes()
        found: Record = orjson.loads(self.ring.unseal(join_prefixed("review", name, part), sealed))
        return found

    def _place(self, worklist: Worklist) -> Path:
        return self.folder / f"{worklist.until or 0:.0f}-{worklist.id}"

    @staticmethod
    def _find_parts(place: Path) -> list[str]:
        numbers = (path.name.removeprefix(_NOTES) for path in place.glob(f"{_NOTES}*"))
        return [f"{_NOTES}{one}" for one in sorted(map(int, filter(str.isdecimal, numbers)))]


def drop_expired(folder: Path) -> None:
    """Delete the lists that have been kept for their time, whether they are saved still or not."""
    for place in folder.glob("*-*"):
        until = place.name.partition("-")[0]
        if until.isdecimal() and int(until) <= time.time():
            try:
                _delete(place)
            except MissingArtefact:
                LOG.warning("review-list-undeleted", name=place.name)


def _delete(place: Path) -> None:
    try:
        with suppress(FileNotFoundError):
            # Without its state a list that was deleted in part is not read again.
            (place / _STATE).unlink()
        with suppress(FileNotFoundError):
            shutil.rmtree(place)
    except OSError as error:
        msg = f"{place}: cannot be deleted: {type(error).__name__}"
        raise MissingArtefact(msg) from None


def _encode_state(worklist: Worklist) -> Record:
    draft, deny = worklist.draft, worklist.terms.deny
    return {
        "title": worklist.title,
        "kind": worklist.kind,
        "one_patient": worklist.one_patient,
        "draft": {
            "name": draft.name,
            "source": draft.source().decode(),
            "tagger": draft.tagger,
            "given": draft.given and draft.given.sha256,
        },
        "terms": {
            "allow": worklist.terms.allow,
            "deny": {str(name): own for name, own in deny.items()},
        },
        "of": worklist.of,
        "owner": worklist.owner,
        "closed": worklist.closed,
        "remarks": worklist.remarks,
        "lost": worklist.lost,
        "notes": [_encode_judged(held) for held in worklist.notes.values()],
    }


def _encode_judged(held: HeldNote) -> Record:
    judged: Record = {
        "marked": _encode_places(held.marks.marked),
        "cleared": _encode_places(held.marks.cleared),
        "verdict": held.verdict,
        "reader": held.reader,
        "pair": held.pair,
        "decided": held.decided,
        "twin": held.twin,
        "accepted": sorted(held.accepted),
    }
    return {name: value for name, value in judged.items() if value}


def _encode_places(spans: tuple[Span, ...]) -> list[tuple[int, int, str]]:
    return [(span.start, span.end, str(span.name)) for span in spans]


def _encode_note(held: HeldNote) -> Record:
    return {
        "name": held.name,
        "origin": held.origin,
        "emitted": held.emitted,
        "note": encode_note(held.note).decode(),
        "word": b64encode(held.word).decode(),
    }


def _decode_list(state: Record, find_drafts: FindDrafts) -> Worklist:
    deny = {name: tuple(terms) for name, terms in state["terms"]["deny"].items()}
    return Worklist(
        state["title"],
        state["kind"],
        _decode_draft(state["draft"], find_drafts),
        one_patient=state["one_patient"],
        terms=ReviewTerms(tuple(state["terms"]["allow"]), deny),
        of=state["of"],
        owner=state["owner"],
        closed=state["closed"],
        remarks=tuple(state["remarks"]),
        lost=tuple(map(_decode_risk, state["lost"])),
    )


def _decode_draft(saved: Record, find_drafts: FindDrafts) -> PolicyDraft:
    for draft in find_drafts(saved["name"]):
        if draft.given is not None and draft.given.sha256 == saved["given"]:
            return draft
    # It was changed in the list, or its file was changed since.
    source = saved["source"].encode()
    return PolicyDraft.of_source(saved["name"], source, {}, tagger=saved["tagger"])


def _add_note(worklist: Worklist, record: Record) -> None:
    value = record["note"].encode()
    note = read_message(value, limit_bytes=len(value))
    emitted = record["emitted"] and _decode_risk(record["emitted"])
    word = b64decode(record["word"])
    worklist.add(record["name"], note, record["origin"], emitted, word=word)


def _apply_state(worklist: Worklist, judged: list[Record]) -> None:
    for number, one in enumerate(judged, 1):
        held = worklist.notes[number]
        labels = worklist.draft.labels
        marked = _decode_places(one, "marked", labels, source=REVIEWED)
        held.marks = ReviewMarks(tuple(marked), tuple(_decode_places(one, "cleared", labels)))
        held.verdict = ReviewVerdict(one["verdict"])
        held.reader, held.pair = one.get("reader", ""), tuple(one.get("pair", ()))
        held.decided, held.twin = one.get("decided", False), one.get("twin", 0)
        held.accepted = frozenset(
            (start, end, label) for start, end, label in one.get("accepted", ())
        )


def _decode_places(
    judged: Record, name: str, labels: Mapping[str, PhiLabel], source: str = ""
) -> Iterator[Span]:
    for start, end, label in judged.get(name, ()):
        yield Span(start, end, labels[label], source=source, own=own_name(label))


def _decode_risk(saved: Record) -> StreamRisk:
    level = saved["level"] and RiskLevel(saved["level"])
    fields: Record = {**saved, "level": level, "reasons": tuple(saved["reasons"])}
    return StreamRisk(**fields)
