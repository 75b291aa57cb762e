"""Work lists: the notes that are under review, in memory, bounded and for a limited time."""

import secrets
import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from deidstream.agents.review.policy_draft import PolicyDraft, ReviewTerms
from deidstream.agents.review.stream_risk import StreamRisk
from deidstream.agents.runtime.compose import Runtime
from deidstream.models.detection.review_marks import ReviewMarks
from deidstream.models.explanation.recorded_pipeline import RecordedRun
from deidstream.schemas.note import RawNote
from deidstream.schemas.outcome import Anonymized, Outcome, RiskLevel
from deidstream.schemas.span import Span

HELD = "held back"
"""The level of a note that has no output."""
MOST_STEPS = 100
"""Steps that can be undone."""


class ReviewVerdict(StrEnum):
    """What a reviewer has said of a whole note."""

    OPEN = "open"
    ACCEPTED = "accepted"
    """All of its PHI was found, and nothing else."""
    CORRECTED = "corrected"
    """The same, after marks of the reviewer."""


@dataclass(slots=True)
class HeldNote:
    """One note under review."""

    number: int
    """Its place in the list, from 1; the only name of it in addresses and in the audit log."""
    name: str = field(repr=False)
    """Name of its file or record, which may name a patient."""
    note: RawNote
    origin: str = ""
    """Where its message lies in Kafka."""
    emitted: StreamRisk | None = None
    """Its risk record in the stream, where the list was made of the stream."""
    word: bytes = field(default=b"", repr=False)
    """The Word document that it was read from."""
    marks: ReviewMarks = field(default_factory=ReviewMarks)
    outcome: Outcome | None = None
    """``None`` until it was run."""
    runs: int = 0
    """How often it was run: a page that shows an earlier outcome asks for the note again."""
    found: tuple[Span, ...] = field(default=(), repr=False)
    """The PHI found in a note that has no output."""
    run: RecordedRun | None = field(default=None, repr=False)
    """Its last run, from which it is explained; ``None`` if it failed before it had surrogates."""
    verdict: ReviewVerdict = ReviewVerdict.OPEN
    reader: str = ""
    """Name of the user whom it is assigned to; empty: to nobody."""
    accepted: frozenset[tuple[int, int, str]] = frozenset()
    """The places of its PHI when it was last accepted."""
    pair: tuple[str, ...] = ()
    """Names of the two users who read it blind to each other; empty: nobody does."""
    decided: bool = False
    """Whether what the two said has become that of the list."""
    twin: int = 0
    """Of a copy that one of them reads: the number of the note in the list that was shared."""

    @property
    def level(self) -> str:
        """Its risk level; :data:`HELD` for a note without output, empty before it was run."""
        if self.outcome is None:
            return ""
        return str(self.outcome.risk.level) if isinstance(self.outcome, Anonymized) else HELD

    @property
    def spans(self) -> Sequence[Span]:
        """The PHI of the original."""
        if isinstance(self.outcome, Anonymized):
            return [one.span for one in self.outcome.note.permit.replacements]
        return self.found

    @property
    def labelled(self) -> bool:
        """Whether its PHI is known and a reviewer has agreed, so that it is a labelled note."""
        known = isinstance(self.outcome, Anonymized) or bool(self.found)
        return known and self.verdict is not ReviewVerdict.OPEN

    @property
    def places(self) -> frozenset[tuple[int, int, str]]:
        """Where its PHI is, and the label of each place."""
        return frozenset((span.start, span.end, span.name) for span in self.spans)

    @property
    def is_read_blind(self) -> bool:
        """Whether two users read it, each in a list of their own, so that nobody else edits it."""
        return bool(self.pair) and not self.decided

    def judge(self, verdict: ReviewVerdict) -> None:
        """Keep what a reviewer says of the outcome that it has now."""
        self.verdict = verdict
        if verdict is ReviewVerdict.ACCEPTED:
            self.accepted = self.places

    def reopen_if_changed(self) -> None:
        """Ask for another verdict where other PHI is found than the one that was accepted."""
        if self.verdict is ReviewVerdict.ACCEPTED and self.places != self.accepted:
            self.verdict = ReviewVerdict.OPEN

    def count_labels(self) -> Mapping[str, int]:
        """Count the spans of each label."""
        return Counter(span.name for span in self.spans)


_ORDER = {HELD: 0, str(RiskLevel.RED): 1, str(RiskLevel.YELLOW): 2, str(RiskLevel.GREEN): 3}


@dataclass(frozen=True, slots=True)
class ReviewStep:
    """The state before an edit."""

    number: int
    terms: ReviewTerms
    marks: Mapping[int, ReviewMarks]
    verdict: ReviewVerdict


@dataclass(slots=True)
class Worklist:
    """Notes that are reviewed together, under one policy."""

    title: str = field(repr=False)
    kind: str
    """``upload``, ``quarantine``, ``risk``, ``sample`` or ``blind``."""
    draft: PolicyDraft
    one_patient: bool = False
    """Whether all files that are uploaded are about one patient."""
    notes: dict[int, HeldNote] = field(default_factory=dict[int, HeldNote], repr=False)
    terms: ReviewTerms = field(default_factory=ReviewTerms)
    """Marked for all occurrences."""
    steps: list[ReviewStep] = field(default_factory=list[ReviewStep], repr=False)
    remarks: tuple[str, ...] = ()
    """What the list does not hold and why, in sentences."""
    lost: tuple[StreamRisk, ...] = ()
    """The notes of the stream whose originals were not found."""
    fault: str = ""
    """Why notes of it could not be run, in a sentence."""
    forgotten: bool = False
    """Whether it was removed from the shelf; its notes are not run any more."""
    id: str = field(default_factory=lambda: secrets.token_urlsafe(9))
    of: str = ""
    """Of a list that one of two readers has: the list whose notes are read twice."""
    owner: str = ""
    """The reader, who alone sees it; empty: all users do."""
    closed: bool = False
    """Whether the blind reading has ended: what it says is compared and stays as it is."""
    used_at: float = 0
    until: float | None = None
    """When what is saved of it is deleted, in seconds of the Unix clock; ``None``: not saved."""
    saved_notes: int = 0
    """How many of its notes are saved."""
    unsaved: bool = False
    """Whether its last change could not be saved."""
    waiting: int = 0
    """Notes that are being run, or wait for it."""
    runtime: tuple[PolicyDraft, ReviewTerms, Runtime] | None = field(default=None, repr=False)
    """The runtime of its last run, with the draft and the terms from which it was made."""

    @property
    def characters(self) -> int:
        """Characters of all originals, and bytes of their Word documents."""
        return sum(len(held.note.text) + len(held.word) for held in self.notes.values())

    @property
    def verdict_of_edit(self) -> ReviewVerdict:
        """What an edit says of its note; what a blind reader says counts once it is accepted."""
        return ReviewVerdict.OPEN if self.of else ReviewVerdict.CORRECTED

    def in_order(self) -> list[HeldNote]:
        """Return the notes, those that need most attention first."""
        return sorted(self.notes.values(), key=lambda one: (_ORDER.get(one.level, 4), one.number))

    def add(
        self,
        name: str,
        note: RawNote,
        origin: str = "",
        emitted: StreamRisk | None = None,
        *,
        word: bytes = b"",
    ) -> HeldNote:
        """Add a note."""
        number = len(self.notes) + 1
        self.notes[number] = HeldNote(number, name, note, origin, emitted, word)
        return self.notes[number]

    def shared_notes(self) -> list[HeldNote]:
        """Return the notes that may be given to readers: without a verdict, and not read twice."""
        return [
            held
            for held in self.in_order()
            if held.verdict is ReviewVerdict.OPEN and not held.is_read_blind
        ]

    def share(self, readers: Sequence[str]) -> None:
        """Assign the notes without a verdict to readers by turns, all of a patient to one.

        Args:
            readers: Their names; none: these notes are assigned to nobody.
        """
        given: dict[tuple[str, str], str] = {}
        for held in self.shared_notes():
            patient = (held.note.tenant, held.note.patient_id)
            if readers and patient not in given:
                given[patient] = readers[len(given) % len(readers)]
            held.reader = given.get(patient, "")

    def remember(self, number: int, changed: Iterable[int]) -> None:
        """Keep what an edit is about to change, so that it can be undone."""
        marks = {each: self.notes[each].marks for each in {number, *changed}}
        self.steps.append(ReviewStep(number, self.terms, marks, self.notes[number].verdict))
        del self.steps[:-MOST_STEPS]


@dataclass(slots=True)
class WorklistShelf:
    """All work lists; one that was not used for a while is forgotten."""

    most_characters: int
    seconds: float
    """How long a list that is not saved is kept after it was last used."""
    clock: Callable[[], float] = time.monotonic
    wall_clock: Callable[[], float] = time.time
    _lists: dict[str, Worklist] = field(default_factory=dict[str, Worklist], repr=False)

    def has_room(self, characters: int) -> bool:
        """Return whether that many characters of originals may be added."""
        self.forget_old()
        held = sum(one.characters for one in self._lists.values())
        return held + characters <= self.most_characters

    def put(self, worklist: Worklist) -> None:
        """Keep a list."""
        worklist.used_at = self.clock()
        self._lists[worklist.id] = worklist

    def find(self, name: str) -> Worklist | None:
        """Find a list, which counts as used by that."""
        self.forget_old()
        found = self._lists.get(name)
        if found is not None:
            # A list and those of its blind readers are used and forgotten together.
            family = {found.id, found.of} - {""}
            for one in self._lists.values():
                if family & {one.id, one.of}:
                    one.used_at = self.clock()
        return found

    def blind_lists(self, worklist: Worklist) -> list[Worklist]:
        """Return the lists of those who read notes of a list blind."""
        return [one for one in self._lists.values() if one.of == worklist.id]

    def remove(self, name: str) -> None:
        """Forget a list."""
        found = self._lists.pop(name, None)
        if found is not None:
            found.forgotten = True

    def all(self) -> list[Worklist]:
        """Return all lists, the latest first."""
        self.forget_old()
        return list(self._lists.values())[::-1]

    def forget_old(self) -> None:
        """Forget the lists that were not used for a while, and saved ones when their time is up."""
        for name in [one.id for one in self._lists.values() if self._is_old(one)]:
            self.remove(name)

    def _is_old(self, worklist: Worklist) -> bool:
        if worklist.until is not None:
            return worklist.until <= self.wall_clock()
        return worklist.used_at < self.clock() - self.seconds
