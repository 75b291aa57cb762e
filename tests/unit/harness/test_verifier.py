"""Each mistake that the verifier looks for is found, and a faultless run is clean."""

from collections.abc import Callable, Sequence
from dataclasses import replace

import orjson
import pytest

from deidstream.models.keyring import Keyring
from harness.canary_notes import OUT
from harness.history import History, OutputRecord
from harness.manifest import Sent
from harness.verifier import Verdict, Verifier

KEYRING = Keyring(bytes(range(32)), 1, "default")
TEXT = "Mr. Zyxwv was seen."
Records = list[OutputRecord]


def sent(number: int, *, note: str = "", fate: str = OUT) -> Sent:
    name = note or f"note-{number}"
    return Sent(number, 0, number, name, "P1", f"c{number}", TEXT, ("Zyxwv",), fate)


def poison(number: int) -> Sent:
    return replace(sent(number, fate="BAD_JSON"), note_id="", patient_id="")


def record(kind: str, offset: int, value: dict[str, object]) -> OutputRecord:
    return OutputRecord(kind, 0, offset, b"k", orjson.dumps(value), b"")


def emitted(offset: int, number: int) -> Records:
    note = KEYRING.pseudonym("note", f"note-{number}")
    common: dict[str, object] = {"note_id": note, "output_id": f"o{number}", "patient_id": "p"}
    spans = [
        {"label": "PATIENT", "start": 4, "end": 9, "out_start": 4, "out_end": 9}
        | {"operator": "surrogate"}
    ]
    text = "Mr. Smith was seen."
    audit: dict[str, object] = {"note_id": note, "text": text, "replacements": spans}
    return [
        record("anonymized", offset, common | {"text": text}),
        record("risk", offset, common | {"level": "green"}),
        record("audit", offset, audit),
    ]


def letter(offset: int, number: int, reason: str = "BAD_JSON") -> OutputRecord:
    source = {"topic": "raw", "partition": 0, "offset": number}
    return record("quarantine", offset, {"source": source, "reason": reason, "stage": "decode"})


def judge(
    inputs: Sequence[Sent], records: Records, *, aborted: Sequence[OutputRecord] = ()
) -> Verdict:
    history = History((*records, *aborted), frozenset(r.place for r in records))
    return Verifier(inputs, history, [KEYRING], exactly_once=True).judge()


def test_a_tolerated_reason_is_counted_and_breaks_nothing() -> None:
    inputs, records = [sent(0), sent(1)], [*emitted(0, 0), letter(0, 1, "PROCESS_KILLED")]
    assert broken(judge(inputs, records)) == {"I1"}
    history = History(tuple(records), frozenset(r.place for r in records))
    tolerated = frozenset({"PROCESS_KILLED"})
    verdict = Verifier(inputs, history, [KEYRING], exactly_once=True, tolerated=tolerated).judge()
    assert (broken(verdict), verdict.tolerated) == (set[str](), 1)


def broken(verdict: Verdict) -> set[str]:
    return {finding.invariant.split()[0] for finding in verdict.findings if finding.count}


INPUTS = [sent(0), sent(1), poison(2), sent(3)]
GOOD = [*emitted(0, 0), *emitted(1, 1), letter(0, 2), *emitted(2, 3)]


def test_a_faultless_run_is_clean() -> None:
    verdict = judge(INPUTS, GOOD)
    assert broken(verdict) == set()
    assert (verdict.emitted, verdict.quarantined, verdict.duplicates) == (3, 1, 0)


def test_what_was_aborted_and_sent_again_alike_is_clean() -> None:
    verdict = judge(INPUTS, GOOD, aborted=emitted(9, 1))
    assert broken(verdict) == set()
    assert (verdict.duplicates, verdict.committed_duplicates, verdict.aborted) == (2, 0, 3)


def without(kind: str, offset: int) -> Records:
    return [r for r in GOOD if (r.kind, r.offset) != (kind, offset)]


def changed(kind: str, offset: int, change: Callable[[dict[str, object]], None]) -> OutputRecord:
    found = next(r for r in GOOD if (r.kind, r.offset) == (kind, offset))
    fields = found.fields()
    change(fields)
    return replace(found, offset=9, value=orjson.dumps(fields))


@pytest.mark.parametrize(
    ("invariant", "records"),
    [
        ("I1", [r for r in GOOD if r.offset != 2]),
        ("I1", without("quarantine", 0)),
        ("I1", [*without("quarantine", 0), letter(0, 2, "TOO_LARGE")]),
        ("I1", [*GOOD, *emitted(7, 77)]),
        ("I2", [*GOOD, *emitted(8, 1)]),
        ("I2", [*GOOD, changed("anonymized", 1, lambda fields: fields.update(made_at=1))]),
        ("I2", [*GOOD, letter(5, 2)]),
        ("I4", [*GOOD, changed("audit", 1, lambda fields: fields.update(text="Mr. Jones was."))]),
        ("I4", [*GOOD, changed("anonymized", 1, lambda fields: fields.update(patient_id="q"))]),
        ("I5", [*emitted(0, 1), *emitted(1, 0), letter(0, 2), *emitted(2, 3)]),
        ("I6", without("risk", 1)),
        ("I6", without("anonymized", 1)),
    ],
)
def test_a_mistake_is_found(invariant: str, records: Records) -> None:
    assert invariant in broken(judge(INPUTS, records))


def test_a_note_that_is_quarantined_though_it_is_good_is_found() -> None:
    records = [*without("anonymized", 1), letter(1, 1, "STAGE_FAILED")]
    assert "I1" in broken(
        judge(INPUTS, [r for r in records if r.offset != 1 or r.kind == "quarantine"])
    )


def test_the_same_message_sent_twice_may_come_out_twice() -> None:
    twice = [*INPUTS, replace(sent(4), note_id="note-1")]
    assert broken(judge(twice, [*GOOD, *emitted(3, 1)])) == set()


def test_a_text_is_in_no_finding() -> None:
    assert TEXT not in repr(judge(INPUTS, []).findings)


def test_a_label_beside_a_surrogate_is_no_second_surrogate() -> None:
    span = {"label": "PATIENT", "start": 4, "end": 9, "out_start": 4, "out_end": 13}
    doubted = {"text": "Mr. [PATIENT] was", "replacements": [span | {"operator": "redact"}]}
    records = [*GOOD, changed("audit", 1, lambda fields: fields.update(doubted))]
    assert "I4" not in broken(judge(INPUTS, records))
