"""The path of the worker is as near the engine's limit as when that was recorded."""

import json
import os
from pathlib import Path

import pytest

from deidstream.agents.bench.bench_figures import read_figures
from deidstream.agents.bench.compare_figures import MOST_LOSS, compare_figures
from deidstream.agents.bench.machine_state import describe_machine
from deidstream.agents.cli.main import main

RECORDED = Path(__file__).parents[4] / "benchmarks/bench.json"
"""Written by ``make bench-record``."""
ROUNDS = 5
"""The recorded bench has more; a median of fewer is the same on average."""


@pytest.mark.slow
@pytest.mark.skipif(not RECORDED.exists(), reason="nothing recorded (run: make bench-record)")
def test_the_ratio_to_the_engine_is_not_far_below_the_recorded_one(tmp_path: Path) -> None:
    before, now = read_figures(RECORDED), tmp_path / "now.json"
    recorded_on, machine = before["machine"], describe_machine()
    if (recorded_on["processor"], recorded_on["threads"]) != (machine.processor, machine.threads):
        pytest.skip("the ratio was recorded on another kind of processor")
    loaded = os.getloadavg()[0] > machine.cores
    subject = before["subject"]
    words = ["bench", "--policy", subject["policy"], "--most", str(subject["notes"])]
    words += ["--batch", str(subject["batch"]), "--rounds", str(ROUNDS), "--json", str(now)]
    assert main(words) == 0

    comparison = compare_figures(before, json.loads(now.read_bytes()))
    # Other processes take turns with us; only then does processor time say more than wall time.
    ratio = comparison.engine_cpu if loaded else comparison.engine
    assert ratio is not None
    assert ratio.loss <= MOST_LOSS, (
        f"{ratio.before:.3f} was recorded, {ratio.after:.3f} is measured"
    )
