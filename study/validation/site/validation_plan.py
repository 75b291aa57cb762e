"""The plan of a validation: the claim, who reads, and after how many notes it is decided."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from typing import Any

import orjson

from deidstream.schemas.errors import InvalidSettings, MissingArtefact
from deidstream.schemas.label import PhiLabel, is_direct
from deidstream.study.validation.statistics.sample_size import find_units_to_read
from deidstream.study.validation.statistics.sequential import Stage, plan_stages

SCHEMA = 1
LEAST_BOUND, MOST_BOUND = 0.000_01, 0.5
MOST_ALLOWED = 20
SEEN = {1: 0.96, 2: 0.98}
"""By the number of readers, the share of the leaks that they are taken to see.

One finds .959 (D. A. Dorr and others, Methods of Information in Medicine 45 (2006), 246-252, of 262
notes). Two find less than ``1 - .04 ** 2``, because what is hard to see is so for both."""


class CountedKinds(StrEnum):
    """Which identifiers count as a leak."""

    ANY = "any"
    DIRECT = "direct"
    """Names, numbers and addresses: those that single a person out alone."""

    def covers(self, label: PhiLabel) -> bool:
        """Return whether an identifier of this label counts."""
        return self is CountedKinds.ANY or is_direct(label)


@dataclass(frozen=True, slots=True)
class Claim:
    """What is to be proved."""

    notes: float = 0.01
    """Fewer than this share of the notes hold a leak."""
    identifiers: float | None = None
    """Fewer than this share of the identifiers leak; ``None``: nothing is claimed of them."""
    kinds: CountedKinds = CountedKinds.ANY
    confidence: float = 0.95

    def check(self) -> None:
        """Check that the claim can be planned for.

        Raises:
            InvalidSettings: A number is out of its range.
        """
        faults: list[str] = []
        for name, bound in (("notes", self.notes), ("identifiers", self.identifiers)):
            if bound is not None and not LEAST_BOUND <= bound <= MOST_BOUND:
                faults.append(f"--{name}: must be a share from {LEAST_BOUND:f} to {MOST_BOUND}")
        if not 0.5 < self.confidence < 1:  # noqa: PLR2004 - below, a claim is a guess
            faults.append("--confidence: must be over 0.5 and below 1")
        if faults:
            raise InvalidSettings("\n".join(faults))


@dataclass(frozen=True, slots=True)
class ReadingTeam:
    """Who reads."""

    readers: tuple[str, ...]
    adjudicator: str | None = None

    def check(self) -> None:
        """Check that there are one or two readers and, for two, a third person.

        Raises:
            InvalidSettings: There are not.
        """
        count, different = len(self.readers), set(self.readers)
        if count not in SEEN or len(different) < count:
            msg = "--readers: names one or two persons"
            raise InvalidSettings(msg)
        if (self.adjudicator is None) is (count > 1):
            msg = "--adjudicator: decides where two readers differ; of one reader there is none"
            raise InvalidSettings(msg)
        if self.adjudicator in different:
            msg = "--adjudicator: must not be one of the readers, who have made up their minds"
            raise InvalidSettings(msg)


@dataclass(frozen=True, slots=True)
class ValidationPlan:
    """What is decided before anybody reads a note."""

    claim: Claim
    readers: tuple[str, ...]
    """One or two; each reads every note of the sample, without seeing what the other marks."""
    adjudicator: str | None
    """Decides where two readers differ."""
    stages: tuple[Stage, ...]
    seen: float
    """Share of the leaks that the readers together are taken to see, until the sample shows it."""
    controls: float = 0.05
    """Share of the found identifiers that readers see as plain text, so that it shows how many
    they find."""
    strata: tuple[str, ...] = ("level",)
    """Facts of a note by which the sample is divided."""
    more: Mapping[str, float] = field(default_factory=lambda: {"red": 4.0, "yellow": 2.0})
    """By risk level, how many times as many notes are read as fall into the plain sample."""
    is_standing: bool = False
    """Whether it is read for ever, as a stream brings notes: reading goes on when the plan has
    decided."""

    @classmethod
    def make(cls, claim: Claim, team: ReadingTeam, *, allowed: int) -> "ValidationPlan":
        """Plan for a claim.

        Args:
            claim: What is to be proved.
            team: Who reads.
            allowed: Notes with a leak with which the last stage still proves it.

        Raises:
            InvalidSettings: The claim cannot be planned for, or the team is not one.
        """
        claim.check()
        team.check()
        seen = SEEN[len(team.readers)]
        stages = plan_stages(
            claim.notes, allowed=allowed, confidence=claim.confidence, sensitivity=seen
        )
        return cls(claim, team.readers, team.adjudicator, stages, seen)

    @property
    def fixed_notes(self) -> int:
        """Notes that a plan without stages would read for the same number of leaks."""
        return find_units_to_read(
            self.claim.notes,
            allowed=self.stages[-1].leaks,
            confidence=self.claim.confidence,
            sensitivity=self.seen,
        )

    @property
    def identifiers_to_read(self) -> int:
        """Identifiers that must stand in the notes read, if none leaks; 0: nothing is claimed."""
        if self.claim.identifiers is None:
            return 0
        return find_units_to_read(
            self.claim.identifiers,
            confidence=self.claim.confidence,
            sensitivity=self.seen,
        )

    def encode(self) -> bytes:
        """Return the plan as a file."""
        record = {"schema": SCHEMA, "kind": "validation plan", **asdict(self)}
        return orjson.dumps(record, option=orjson.OPT_INDENT_2) + b"\n"

    @classmethod
    def decode(cls, content: bytes) -> "ValidationPlan":
        """Read the file of a plan.

        Raises:
            MissingArtefact: It is none.
        """
        try:
            record: dict[str, Any] = orjson.loads(content)
            claim = record["claim"] | {"kinds": CountedKinds(record["claim"]["kinds"])}
            return cls(
                claim=Claim(**claim),
                readers=tuple(record["readers"]),
                adjudicator=record["adjudicator"],
                stages=tuple(Stage(**stage) for stage in record["stages"]),
                seen=record["seen"],
                controls=record["controls"],
                strata=tuple(record["strata"]),
                more=record["more"],
                is_standing=record.get("is_standing", False),
            )
        except (KeyError, TypeError, ValueError):
            msg = "plan.json: is no plan of this version ('deidstream validate plan')"
            raise MissingArtefact(msg) from None
