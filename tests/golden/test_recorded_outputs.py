"""Every record of the recorded input comes out as it did, to the byte.

When a change is meant to alter outputs, ``make golden`` rewrites the recording; the commit then
says how many records differ, and why.
"""

import hashlib
from collections.abc import Sequence

import pytest

from support.recorded import DIGESTS, RUNS, WHOLE_RUNS, Memory, Run, records

pytestmark = [pytest.mark.slow]


@pytest.mark.parametrize(
    "runs", [RUNS, pytest.param(WHOLE_RUNS, marks=pytest.mark.nightly)], ids=["parts", "whole"]
)
def test_every_record_is_as_recorded(runs: Sequence[Run]) -> None:
    names = {run.name for run in runs}
    recorded = [line for line in DIGESTS.read_text().splitlines() if line.split()[0] in names]
    now = [record.line() for record in records(runs)]
    assert {line.split()[0] for line in now} == names
    differing = sorted(set(now) ^ set(recorded))
    assert len(now) == len(recorded)
    assert differing == [], f"{len(differing) // 2} of {len(recorded)} records differ"


def test_another_key_gives_other_records(monkeypatch: pytest.MonkeyPatch) -> None:
    # The gate must be able to fail: a change of the surrogates shows in every anonymized record.
    run, memory = Run("redact", "redact", 60), Memory()
    once = [record.digest for record in records([run], memory) if record.kind == "anonymized"]
    monkeypatch.setattr("support.recorded.KEY", hashlib.sha256(b"another").hexdigest())
    again = [record.digest for record in records([run], memory) if record.kind == "anonymized"]
    assert len(once) == len(again) > 1
    assert set(once).isdisjoint(again)
