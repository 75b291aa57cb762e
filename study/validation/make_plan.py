"""Run ``deidstream validate plan``: ask for the claim, and say what is to be read."""

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from deidstream.agents.runtime.private_files import write_private
from deidstream.agents.runtime.terminal import Row, align_columns, say
from deidstream.schemas.errors import InvalidSettings
from deidstream.study.validation.site.validation_folder import ValidationFolder
from deidstream.study.validation.site.validation_plan import (
    MOST_ALLOWED,
    Claim,
    CountedKinds,
    ReadingTeam,
    ValidationPlan,
)
from deidstream.study.validation.statistics.sample_size import find_units_to_read
from deidstream.study.validation.statistics.sequential import expect_notes

ALLOWED = 2
SECONDS_A_NOTE = 87
"""Of one reader. Source: D. A. Dorr and others, Methods of Information in Medicine 45 (2006)."""
_RATES = (0.0, 0.1, 0.5, 2.0, 10.0)
"""True shares of leaking notes for which the plan says what it reads, as parts of the claim."""


@dataclass(frozen=True, slots=True)
class PlanRequest:
    """What the command line states; what it does not state is asked for at a terminal."""

    notes: float | None = None
    identifiers: float | None = None
    confidence: float | None = None
    kinds: str | None = None
    allowed: int | None = None
    readers: Sequence[str] = ()
    adjudicator: str | None = None
    controls: float = 0.05
    strata: Sequence[str] = ("level",)
    more: Mapping[str, float] | None = None
    is_standing: bool = False


def make_plan(folder: ValidationFolder, wanted: PlanRequest) -> int:
    """Write the plan and say what it means; return 0.

    Raises:
        InvalidSettings: The claim cannot be planned for, or notes have been read already.
        MissingArtefact: The folder cannot be written.
    """
    folder.refuse_begun()
    ask = _ask_at_terminal if sys.stdin.isatty() else _take_default
    identifiers = wanted.identifiers
    if identifiers is None and wanted.notes is None:
        identifiers = _read_share(
            ask("Share of the identifiers that may leak at most (or none)", "")
        )
    claim = Claim(
        notes=wanted.notes
        or _read_share(ask("Share of the notes that may leak at most", "1%"))
        or 0,
        identifiers=identifiers,
        kinds=CountedKinds(wanted.kinds or CountedKinds.ANY),
        confidence=wanted.confidence or 0.95,
    )
    allowed = ALLOWED if wanted.allowed is None else wanted.allowed
    if not 0 <= allowed <= MOST_ALLOWED:
        msg = f"--allow: must be from 0 to {MOST_ALLOWED}"
        raise InvalidSettings(msg)
    readers = wanted.readers or ask("Names of the readers", "").replace(",", " ").split()
    adjudicator = wanted.adjudicator
    if adjudicator is None and len(readers) > 1:
        adjudicator = ask("Who decides where they differ", "") or None
    plan = ValidationPlan.make(claim, ReadingTeam(tuple(readers), adjudicator), allowed=allowed)
    plan = replace(
        plan,
        controls=wanted.controls,
        strata=tuple(wanted.strata),
        more=plan.more if wanted.more is None else wanted.more,
        is_standing=wanted.is_standing,
    )
    folder.make()
    write_private(folder.plan, plan.encode())
    sys.stdout.write(describe_plan(plan))
    then = "follow fetches what workers draw" if plan.is_standing else "sample draws the notes"
    say(f"the plan is in {folder.plan}; deidstream validate {then}")
    return 0


def describe_plan(plan: ValidationPlan) -> str:
    """Say what a plan claims and what is to be read for it."""
    claim = plan.claim
    what = "an identifier" if claim.kinds is CountedKinds.ANY else "a direct identifier"
    sure = f"{100 * claim.confidence:.6g}%"
    lines = [
        f"claim: fewer than {claim.notes:.3%} of the notes leak {what}, at {sure}",
        f"readers: {', '.join(plan.readers)}"
        + (f"; {plan.adjudicator} decides where they differ" if plan.adjudicator else ""),
        f"the readers are taken to see {plan.seen:.0%} of the leaks; controls will show how many",
        "",
        align_columns(
            ("after notes", "proved with leaks up to"),
            [(f"{stage.notes:,}", str(stage.leaks)) for stage in plan.stages],
        ),
        f"failed: as soon as {plan.stages[-1].leaks + 1} notes leak",
        f"a plan of one stage for as many leaks: {plan.fixed_notes:,} notes",
        "",
        align_columns(("if so many notes leak", "notes read on average", "saved"), _expect(plan)),
        "",
        f"if readers saw everything and nothing leaks: {_least(claim.notes, plan):,} notes",
    ]
    if claim.identifiers is not None:
        lines.append(f"claim: fewer than {claim.identifiers:.3%} of the identifiers leak")
        lines.append(
            f"for it, the notes read must hold {plan.identifiers_to_read:,} identifiers, of which "
            f"none leaks ({_least(claim.identifiers, plan):,} if readers saw everything)"
        )
    hours = plan.stages[0].notes * SECONDS_A_NOTE / 3600
    lines.append(f"the first stage takes each reader about {hours:.0f} hours")
    return "\n".join(lines) + "\n"


def _least(bound: float, plan: ValidationPlan) -> int:
    return find_units_to_read(bound, confidence=plan.claim.confidence)


def _expect(plan: ValidationPlan) -> list[Row]:
    rows: list[Row] = []
    for part in _RATES:
        share = min(0.5, part * plan.claim.notes)
        notes = expect_notes(plan.stages, share * plan.seen)
        saved = 1 - notes / plan.fixed_notes
        rows.append((f"{share:.2%}", f"{notes:,.0f}", f"{saved:.0%}"))
    return rows


def _read_share(text: str) -> float | None:
    """Read ``1%`` or ``0.01``; nothing for nothing.

    Raises:
        InvalidSettings: It is no share.
    """
    try:
        number = float(text.rstrip("% ")) / (100 if text.rstrip().endswith("%") else 1)
    except ValueError:
        if not text.strip():
            return None
        msg = "a share is written as 0.01 or 1%"
        raise InvalidSettings(msg) from None
    return number


Ask = Callable[[str, str], str]


def _ask_at_terminal(question: str, default: str) -> str:
    shown = f" [{default}]" if default else ""
    sys.stderr.write(f"{question}{shown}: ")
    sys.stderr.flush()
    return sys.stdin.readline().strip() or default


def _take_default(_question: str, default: str) -> str:
    return default
