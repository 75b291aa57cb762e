"""Write the result of ``deidstream policy diff``: tables for readers, JSON for programs."""

from collections import Counter
from collections.abc import Iterator, Mapping

import orjson

from deidstream.agents.policy_review.diff import Change, Diff, Ending, Line, SpanChange, Totals
from deidstream.agents.runtime.terminal import Row, align_columns
from deidstream.schemas.outcome import RiskLevel
from deidstream.schemas.policy import Policy

SCHEMA = 1
MOST_NOTES = 40
"""Changed notes that the table lists."""
_ENDING_HEADS = ("policy", "emitted", "quarantined", *RiskLevel)
_LABEL_HEADS = ("label", "first", "second", *Change)
_NOTE_HEADS = ("line", "first", "second", *Change, "whole text")
_KEY = """\
gone: the second leaves the original; new: the first does; bounds: other first or last letter
label, operator: another one; text: only the replacement differs (scope, shift, other options)"""


def write_diff(diff: Diff, *, with_text: bool) -> str:
    """Write tables; they hold text of notes only if ``with_text``."""
    totals, (first, second) = diff.totals, diff.policies
    changed = [line for line in diff.lines if line.change.changes]
    head = f"from {_name_policy(first)} to {_name_policy(second)} on {diff.sample}"
    parts = [
        f"{head}: {totals.changed:,} of {totals.notes:,} notes change",
        align_columns(_ENDING_HEADS, list(map(_ending_row, diff.policies, totals.endings))),
        _write_endings(totals),
        "spans by label\n" + align_columns(_LABEL_HEADS, _label_rows(totals)) + "\n" + _KEY,
    ]
    if changed:
        rows = [_note_row(line) for line in changed[:MOST_NOTES]]
        more = f"\nand {len(changed) - MOST_NOTES:,} more" if len(changed) > MOST_NOTES else ""
        parts.append("notes that change\n" + align_columns(_NOTE_HEADS, rows) + more)
    if with_text:
        parts.extend(_texts(line) for line in changed[:MOST_NOTES] if line.change.spans)
    return "\n\n".join(parts) + "\n"


def encode_diff(diff: Diff, *, with_text: bool) -> bytes:
    """Write every changed note and all sums as JSON; text of notes only if ``with_text``."""
    totals = diff.totals
    record = {
        "schema": SCHEMA,
        "kind": "policy-diff",
        "sample": diff.sample,
        "policies": [
            {"name": p.name, "sha256": p.sha256, **_sum_endings(totals.endings[side])}
            for side, p in enumerate(diff.policies)
        ],
        "notes": totals.notes,
        "changed": totals.changed,
        "emitted_by_one": totals.one_emits,
        "other_level": totals.levels_differ,
        "compared": totals.compared,
        "other_text": totals.texts_differ,
        "labels": {str(label): _label_sums(totals, label) for label in totals.labels},
        "lines": [_line(line, with_text) for line in diff.lines if line.change.changes],
    }
    return orjson.dumps(record, option=orjson.OPT_INDENT_2) + b"\n"


def _write_endings(totals: Totals) -> str:
    return (
        f"{totals.one_emits:,} notes are emitted by one policy alone, {totals.levels_differ:,} "
        f"have another risk level, {totals.texts_differ:,} of {totals.compared:,} another text"
    )


def _name_policy(policy: Policy) -> str:
    return f"{policy.name} ({policy.sha256[:12]})"


def _ending_row(policy: Policy, endings: Counter[Ending]) -> Row:
    ended = _sum_endings(endings)
    risk = ended["risk"]
    failed = sum(ended["quarantined"].values())
    return (policy.name, str(sum(risk.values())), str(failed), *(str(risk[r]) for r in RiskLevel))


def _sum_endings(endings: Counter[Ending]) -> Mapping[str, dict[str, int]]:
    emitted = {e.detail: count for e, count in endings.items() if e.emitted}
    failed = {e.detail: count for e, count in endings.items() if not e.emitted}
    return {
        "risk": {str(level): emitted.get(level, 0) for level in RiskLevel},
        "quarantined": {str(why): count for why, count in sorted(failed.items())},
    }


def _label_rows(totals: Totals) -> list[Row]:
    rows = [(str(label), *_cells(_label_sums(totals, label))) for label in totals.labels]
    every = [_label_sums(totals, label) for label in totals.labels]
    summed = {key: sum(sums[key] for sums in every) for key in ("first", "second", *Change)}
    return [*rows, ("all", *_cells(summed))]


def _cells(sums: Mapping[str, int]) -> Row:
    return tuple(f"{count:,}" if count else "-" for count in sums.values())


def _label_sums(totals: Totals, label: str) -> dict[str, int]:
    first, second = totals.spans
    changes = {str(change): totals.changes[label, change] for change in Change}
    return {"first": first[label], "second": second[label], **changes}


def _note_row(line: Line) -> Row:
    counts = Counter(span.change for span in line.change.spans)
    first, second = line.change.endings
    cells = (str(counts[change] or "-") for change in Change)
    return (
        str(line.number),
        first.detail,
        second.detail,
        *cells,
        "other" if line.change.texts_differ else "-",
    )


def _texts(line: Line) -> str:
    note = "" if line.note is None else f", note {line.note.note_id}"
    return f"line {line.number}{note}\n" + "\n".join(
        f"  {span.change} {span.label} {_quote_change(line, span)}" for span in line.change.spans
    )


def _quote_change(line: Line, span: SpanChange) -> str:
    original = _original(line, span)
    # Under other bounds, one policy alone has a text for just this span.
    kept = "(other bounds)" if span.change is Change.BOUNDS else repr(original)
    first, second = (kept if text is None else repr(text) for text in span.texts)
    return f"{original!r}: {first} -> {second}"


def _original(line: Line, span: SpanChange) -> str:
    return "" if line.note is None else line.note.text[span.start : span.end]


def _line(line: Line, with_text: bool) -> dict[str, object]:  # noqa: FBT001 - an option of all lines
    first, second = line.change.endings
    identity = {"note_id": line.note.note_id} if with_text and line.note else {}
    return {
        "line": line.number,
        **identity,
        "endings": [{"emitted": e.emitted, "told": e.detail} for e in (first, second)],
        "text_differs": line.change.texts_differ,
        "spans": list(_spans(line, with_text)),
    }


def _spans(line: Line, with_text: bool) -> Iterator[dict[str, object]]:  # noqa: FBT001
    for span in line.change.spans:
        shown = {"original": _original(line, span), "texts": span.texts} if with_text else {}
        yield {
            "change": span.change,
            "start": span.start,
            "end": span.end,
            "labels": span.labels,
            **shown,
        }
