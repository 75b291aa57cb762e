"""Stop the worker when most notes fail by our own fault: then the deployment is wrong, not they.

A missing list, a broken model or a wrong policy would otherwise send a whole topic to quarantine,
and the backlog would look as if it had been worked off.
"""

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field

from deidstream.schemas.errors import BY_SENDER, MostNotesFail
from deidstream.schemas.outcome import Failed, Outcome
from deidstream.stream.observing.logs import Logger

LOG = Logger("circuit")


@dataclass(slots=True)
class FailureCircuit:
    """Watches the outcomes of the last notes."""

    share: float
    """Above this share of failures the worker stops; 1: never."""
    notes: int
    """How many notes are looked at; fewer never stop a worker."""
    _failed: deque[bool] = field(default_factory=deque[bool])

    def add(self, outcomes: Sequence[Outcome]) -> None:
        """Add outcomes before they are delivered.

        Notes that failed by a fault of their sender, or of their policy's risk level, do not count.

        Raises:
            MostNotesFail: Too many failed; these outcomes must not be delivered.
        """
        for outcome in outcomes:
            if isinstance(outcome, Failed) and outcome.reason in BY_SENDER:
                continue
            self._failed.append(isinstance(outcome, Failed))
            if len(self._failed) > self.notes:
                self._failed.popleft()
        failed = sum(self._failed)
        if len(self._failed) == self.notes and failed > self.share * self.notes:
            LOG.error("most-notes-fail", notes=self.notes, count=failed)
            raise MostNotesFail(failed, self.notes)
