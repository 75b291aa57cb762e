"""The reading room: what the routes of the reading page share, and who may read what.

A reader gets the notes that the plan wants to be read by now, and never what the other reader
marked. The adjudicator gets the notes about which they differ.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from http import HTTPStatus
from typing import Annotated, cast

from fastapi import Depends, Request

from deidstream.agents.review.door import Door, ReviewerVisit
from deidstream.agents.review.trail import Trail
from deidstream.stream.http.replies import HttpErrorCode, HttpRefusal
from deidstream.study.validation.site.judged_notes import JudgedNote, judge_notes
from deidstream.study.validation.site.progress import Progress, measure_progress
from deidstream.study.validation.site.readings import AllReadings, read_all
from deidstream.study.validation.site.sampled_note import SampledNote
from deidstream.study.validation.site.validation_folder import ValidationFolder
from deidstream.study.validation.site.validation_plan import ValidationPlan


class ReadingRole(StrEnum):
    """What somebody does in the reading room."""

    READER = "reader"
    ADJUDICATOR = "adjudicator"


@dataclass(frozen=True, slots=True)
class RoomState:
    """What has been read and decided."""

    readings: AllReadings = field(repr=False)
    judged: Mapping[int, JudgedNote] = field(repr=False)
    progress: Progress


@dataclass(slots=True, kw_only=True)
class ReadingRoom(Door):
    """The notes of a sample, behind the door."""

    validation: ValidationFolder
    plan: ValidationPlan
    notes: Sequence[SampledNote] = field(repr=False)
    _sample_at: int = -1
    """When the file of a standing sample was written that ``notes`` are of."""

    @property
    def trail(self) -> Trail:
        """The audit log of the validation."""
        return Trail(self.validation.trail)

    def find(self, number: int) -> SampledNote:
        """Return the note of a number.

        Raises:
            HttpRefusal: The sample has no such note.
        """
        if not 1 <= number <= len(self.notes):
            raise HttpRefusal(HTTPStatus.NOT_FOUND, HttpErrorCode.NOT_FOUND)
        return self.notes[number - 1]

    def look(self) -> RoomState:
        """Read what is in the folder now.

        Raises:
            MissingArtefact: A file of it cannot be read.
        """
        if self.plan.is_standing:
            written = self.validation.sample.stat().st_mtime_ns
            if written != self._sample_at:
                self.notes, self._sample_at = self.validation.read_sample(), written
        readings = read_all(self.validation, self.plan.readers)
        judged = judge_notes(self.notes, self.plan, readings)
        return RoomState(readings, judged, measure_progress(self.notes, self.plan, judged))

    def role_of(self, name: str) -> ReadingRole | None:
        """Return what somebody does here; ``None`` for somebody whom the plan does not name."""
        if name in self.plan.readers:
            return ReadingRole.READER
        return ReadingRole.ADJUDICATOR if name == self.plan.adjudicator else None


def room_of(request: Request) -> ReadingRoom:
    """Return the reading room of an app."""
    return cast("ReadingRoom", request.app.state.door)


InRoom = Annotated[ReadingRoom, Depends(room_of)]


def require_reader(visit: ReviewerVisit, room: InRoom) -> str:
    """Return the name of a reader of the plan.

    Raises:
        HttpRefusal: The visitor is none.
    """
    return _require(visit.user.name, room, ReadingRole.READER)


def require_adjudicator(visit: ReviewerVisit, room: InRoom) -> str:
    """Return the name of the adjudicator of the plan.

    Raises:
        HttpRefusal: The visitor is somebody else.
    """
    return _require(visit.user.name, room, ReadingRole.ADJUDICATOR)


def _require(name: str, room: ReadingRoom, role: ReadingRole) -> str:
    if room.role_of(name) is not role:
        raise HttpRefusal(HTTPStatus.FORBIDDEN, HttpErrorCode.NOT_PERMITTED)
    return name


ReaderName = Annotated[str, Depends(require_reader)]
AdjudicatorName = Annotated[str, Depends(require_adjudicator)]
