"""The chain of the audit log: whatever is changed, the first broken record is named."""

import hashlib

import orjson
from hypothesis import given
from hypothesis import strategies as st

from deidstream.models.reidentification.audit_chain import START, chain, read_record, verify

RECORDS = st.lists(
    st.dictionaries(st.text(max_size=5), st.integers(0, 9) | st.text(max_size=9), max_size=3),
    min_size=1,
    max_size=6,
)


def log(records: list[dict[str, int | str]]) -> tuple[list[bytes], list[str]]:
    head, lines, heads = START, list[bytes](), list[str]()
    for record in records:
        line, head = chain(head, record)
        lines.append(line)
        heads.append(head)
    return lines, heads


@given(RECORDS)
def test_an_untouched_log_is_whole(records: list[dict[str, int | str]]) -> None:
    lines, heads = log(records)
    verdict = verify(lines)
    assert (verdict.records, verdict.head, verdict.broken) == (len(records), heads[-1], None)
    assert [read_record(line) for line in lines] == records
    assert all(verify(lines, head).seen for head in heads)


@given(RECORDS, st.data())
def test_a_changed_byte_is_found_in_its_record(
    records: list[dict[str, int | str]], data: st.DataObject
) -> None:
    lines, _ = log(records)
    which = data.draw(st.integers(0, len(lines) - 1))
    at = data.draw(st.integers(0, len(lines[which]) - 1))
    other = data.draw(st.integers(0, 255).filter(lambda b: b != lines[which][at]))
    lines[which] = lines[which][:at] + bytes([other]) + lines[which][at + 1 :]
    assert verify(lines).broken == which + 1


@given(RECORDS, st.data())
def test_a_record_that_went_or_was_moved_is_found(
    records: list[dict[str, int | str]], data: st.DataObject
) -> None:
    lines, _ = log([*records, {"last": 1}])
    which = data.draw(st.integers(0, len(lines) - 2))
    without = lines[:which] + lines[which + 1 :]
    assert verify(without).broken == which + 1
    swapped = [*lines[:which], lines[which + 1], lines[which], *lines[which + 2 :]]
    assert verify(swapped).broken == which + 1


def test_a_log_cut_short_is_told_by_a_head_that_was_kept() -> None:
    lines, heads = log([{"n": 1}, {"n": 2}])
    cut = verify(lines[:1], heads[1])
    assert (cut.broken, cut.seen) == (None, False)
    assert verify([], START).seen


def test_the_hash_is_what_is_written_down() -> None:
    line, head = chain(START, {"n": 1})
    assert head == hashlib.sha256(bytes(32) + b'{"n":1}').hexdigest()
    assert orjson.loads(line) == {"hash": head, "record": {"n": 1}}
