"""Every record of the recorded input comes out as it did, to the byte.

When a change is meant to alter outputs, ``make golden`` rewrites the recording; the commit then
says how many records differ, and why.
"""

import hashlib

import pytest

from support.recorded import DIGESTS, RUNS, Run, records

pytestmark = [pytest.mark.slow]


def test_every_record_is_as_recorded() -> None:
    recorded = DIGESTS.read_text().splitlines()
    now = [record.line() for record in records()]
    assert {line.split()[0] for line in recorded} == {run.name for run in RUNS}
    differing = sorted(set(now) ^ set(recorded))
    assert len(now) == len(recorded)
    assert differing == [], f"{len(differing) // 2} of {len(recorded)} records differ"


def test_another_key_gives_other_records(monkeypatch: pytest.MonkeyPatch) -> None:
    # The gate must be able to fail: a change of the surrogates shows in every anonymized record.
    run = Run("redact", "redact", 60)
    once = [record.digest for record in records([run]) if record.kind == "anonymized"]
    monkeypatch.setattr("support.recorded.KEY", hashlib.sha256(b"another").hexdigest())
    again = [record.digest for record in records([run]) if record.kind == "anonymized"]
    assert len(once) == len(again) > 1
    assert set(once).isdisjoint(again)
