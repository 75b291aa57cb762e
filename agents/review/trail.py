"""The audit log of the page: who saw, changed or downloaded what, and never any text."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from deidstream.agents.review.users import ReviewUser
from deidstream.agents.review.worklist import HeldNote, Worklist
from deidstream.agents.runtime.audit_log import open_log
from deidstream.schemas.outcome import Anonymized


@dataclass(frozen=True, slots=True)
class Trail:
    """An audit log, chained as that of re-identification (``deidstream audit verify``)."""

    path: Path

    async def add(self, user: ReviewUser, action: str, details: Mapping[str, object]) -> None:
        """Append a record and wait until it is on the disk.

        Raises:
            MissingArtefact: It cannot be written; what it is about must not happen then.
            Refused: The log is broken.
        """
        subject = {"subject": user.subject} if user.subject else {}
        who = {"by": user.name, "role": user.role, **subject}
        entry = {"action": f"review-{action}", **who, **details}
        await asyncio.to_thread(self._write, entry)

    def _write(self, entry: Mapping[str, object]) -> None:
        with open_log(self.path) as log:
            log.add([entry])


def describe_note(worklist: Worklist, held: HeldNote) -> dict[str, object]:
    """Name a note for the audit log: by list and number, its pseudonym and its place in Kafka."""
    fields: dict[str, object] = {"list": worklist.id, "note": held.number}
    if isinstance(held.outcome, Anonymized):
        fields["pseudonym"] = held.outcome.note.note_id
    if held.origin:
        fields["origin"] = held.origin
    return fields
