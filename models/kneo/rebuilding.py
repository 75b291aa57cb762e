"""Write a note from its draft, and report what was done with it."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from deidstream.models.kneo.drafts import DROPPED, NoteDraft, Standing
from deidstream.models.kneo.index import Index
from deidstream.models.kneo.kneo_query import KneoResult
from deidstream.models.kneo.signs import Signs
from deidstream.models.kneo.unit_kinds import UnitKind
from deidstream.schemas.kneo_policy import KneoPolicy, OtherLines
from deidstream.schemas.kneo_report import DeniabilityReport, KneoReport
from deidstream.schemas.span import Replacement

_DIGITS: Final = 4


def rebuild(
    draft: NoteDraft, index: Index, policy: KneoPolicy, deniability: DeniabilityReport | None = None
) -> KneoResult:
    """Write the text of a draft, and move the replacements that are left to their new places."""
    report = _report(draft, index, deniability)
    notice = _write_notice(report) if policy.notice else ""
    if draft.whole is not None or (policy.other_lines is OtherLines.DROP and _is_all_pool(draft)):
        return _exchange_note(draft, index, notice, report, Signs.of(shown=policy.signs))
    query, shown = draft.query, Signs.of(shown=policy.signs)
    parts = [notice]
    substituted: list[tuple[int, int]] = []
    landed: list[Replacement] = []
    moves: list[tuple[int, int, int]] = [(0, 0, len(notice))]
    at, length = 0, len(notice)
    for number, unit in enumerate(draft.units):
        text = draft.write(number, index)
        if text is None:
            continue
        gap = query.text[at : unit.start]
        if _continues_drop(draft, number, gap):
            moves.append((unit.start, unit.end, length - unit.end))
            substituted.append(substituted[-1])
            at = unit.end
            continue
        signs = shown if draft.choices[number].standing is Standing.POOL else Signs.of(shown=False)
        start = length + len(gap) + len(signs.opening)
        substituted.append((start, start + len(text)))
        landed += _land_filled(draft, number, index, start)
        parts += [gap, signs.opening, text, signs.closing]
        at, length = unit.end, start + len(text) + len(signs.closing)
        moves.append((unit.start, unit.end, length - unit.end))
    parts.append(query.text[at:])
    return KneoResult(
        text="".join(parts),
        replacements=tuple(
            sorted(
                [*_shift_replacements(query.replacements, moves), *landed],
                key=lambda one: one.out_start,
            )
        ),
        substituted=tuple(substituted),
        sources=tuple((start, end) for start, end, _ in moves[1:]),
        kept=_count_kept(draft),
        withheld=report.withheld,
        report=replace(report, exchanged=_find_exchanged(draft, substituted)),
    )


def _find_exchanged(
    draft: NoteDraft, substituted: Sequence[tuple[int, int]]
) -> tuple[tuple[int, int], ...]:
    """Return those places of changed units where a sentence of the pool stands."""
    changed = [one for one in draft.choices if one.standing is not Standing.OWN]
    return tuple(
        place
        for place, choice in zip(substituted, changed, strict=True)
        if choice.standing is Standing.POOL
    )


def _continues_drop(draft: NoteDraft, number: int, gap: str) -> bool:
    """Return whether a unit is dropped as the one before it is, with nothing between them."""
    pair = draft.choices[max(number - 1, 0) : number + 1]
    return number > 0 and not gap.strip() and all(c.standing is Standing.DROPPED for c in pair)


def _is_all_pool(draft: NoteDraft) -> bool:
    """Return whether nothing of the note's own stays."""
    return all(one.standing in {Standing.POOL, Standing.DROPPED} for one in draft.choices)


def _land_filled(draft: NoteDraft, number: int, index: Index, start: int) -> Iterator[Replacement]:
    """Yield the replacements of a unit that fill the slots of the sentence in its place."""
    if draft.choices[number].standing is Standing.POOL:
        inside = draft.units[number].inside
        for value, begin, end in draft.fill(number, index).places:
            yield replace(inside[value], out_start=start + begin, out_end=start + end)


def _exchange_note(
    draft: NoteDraft, index: Index, notice: str, report: KneoReport, signs: Signs
) -> KneoResult:
    """Write the sentences that were drawn, a line each, in the place of the whole note.

    The layout of a note, such as how many lines and numbered points it has, would tell of it. In a
    whole donor note slots stay labels: they have no counterpart here.
    """
    lines: list[str] = []
    landed: list[Replacement] = []
    exchanged: list[tuple[int, int]] = []
    at = len(notice)
    for number, row in draft.places():
        line = index.texts[row] if number is None else draft.fill(number, index).text
        start = at + len(signs.opening)
        landed += _land_filled(draft, number, index, start) if number is not None else ()
        exchanged.append((start, start + len(line)))
        lines.append(signs.opening + line + signs.closing)
        at += len(lines[-1]) + 1
    text = "\n".join(lines) or DROPPED
    return KneoResult(
        text=notice + text + "\n",
        replacements=tuple(landed),
        substituted=((len(notice), len(notice) + len(text)),),
        sources=((0, len(draft.query.text)),),
        kept=Counter[UnitKind](),
        withheld=report.withheld,
        report=replace(report, exchanged=tuple(exchanged)),
    )


def _write_notice(report: KneoReport) -> str:
    among = f", each drawn among {report.anonymity_set} notes" if report.anonymity_set else ""
    return (
        f"[Not a record of this patient: sentences of other patients stand here. Donors: "
        f"{report.donors}{among}.]\n\n"
    )


def _report(draft: NoteDraft, index: Index, deniability: DeniabilityReport | None) -> KneoReport:
    lengths = [unit.end - unit.start for unit in draft.units]
    rows, donors = draft.rows(), draft.donors
    kept = _count_kept(draft)
    patients = {donor for row in rows for donor in index.donors.of(row)[:1]}
    return KneoReport(
        units=len(draft.units),
        replaced=len(rows),
        kept={str(kind): count for kind, count in sorted(kept.items())},
        withheld=0 if draft.whole else len(draft.units) - len(rows) - kept.total(),
        kept_characters=round(
            sum(lengths[n] for n in _find_kept(draft)) / max(sum(lengths), 1), _DIGITS
        ),
        donors=len(donors.drawn) if donors else len(patients),
        anonymity_set=donors.possible // max(len(donors.drawn), 1) if donors else None,
        deniability=deniability,
    )


def _find_kept(draft: NoteDraft) -> list[int]:
    """Return the numbers of the units that stay as they are."""
    if draft.whole is not None:
        return []
    return [n for n, choice in enumerate(draft.choices) if choice.standing is Standing.OWN]


def _count_kept(draft: NoteDraft) -> Counter[UnitKind]:
    return Counter(draft.units[number].kind for number in _find_kept(draft))


def _shift_replacements(
    replacements: Sequence[Replacement], moves: Sequence[tuple[int, int, int]]
) -> Iterator[Replacement]:
    """Yield the replacements outside all substituted units, shifted by what came before them."""
    at = 0
    for one in replacements:
        while at < len(moves) and moves[at][1] <= one.out_start:
            at += 1
        if at == len(moves) or one.out_end <= moves[at][0]:
            shift = moves[at - 1][2] if at else 0
            yield replace(one, out_start=one.out_start + shift, out_end=one.out_end + shift)
