import threading
import time
from pathlib import Path

import numpy as np
import pytest
import torch

from deidstream.models.neural.engine_port import EngineOptions
from deidstream.models.neural.passes.packing import ForwardPass, Results
from deidstream.models.neural.passes.pass_threads import POSITIONS, run_side_by_side
from deidstream.models.neural.torch_engine import TorchClassifier
from deidstream.models.neural.weights import shipped_tagger
from deidstream.models.time_budget import TimeBudget
from deidstream.schemas.errors import OutOfTime
from support.checkpoints import token_classifier
from support.quantized import draw_pass
from support.torch_threads import torch_threads

PASSES = [draw_pass(1 + place % 7, 8 + 8 * (place % 5), seed=place) for place in range(40)]


def number_rows(one: ForwardPass) -> Results:
    summed: Results = one.ids.sum(axis=1).astype(np.float32)
    return summed


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_results_are_in_the_order_of_the_passes(threads: int) -> None:
    with torch_threads(threads):
        made = run_side_by_side(number_rows, PASSES)
        assert torch.get_num_threads() == threads
    assert all(map(np.array_equal, made, map(number_rows, PASSES)))
    assert run_side_by_side(number_rows, []) == []


def test_a_thread_computes_few_positions_at_once_each_on_one_thread() -> None:
    seen: list[tuple[int, int, int]] = []

    def note(one: ForwardPass) -> Results:
        seen.append((one.ids.size, torch.get_num_threads(), threading.get_ident()))
        time.sleep(0.01)
        return number_rows(one)

    with torch_threads(2):
        run_side_by_side(note, [draw_pass(40, 128), draw_pass(2, 2 * POSITIONS)])
    assert [size for size, _, _ in seen].count(POSITIONS) == 40 * 128 // POSITIONS
    assert max(size for size, _, _ in seen) == 2 * POSITIONS, "a longer row goes alone"
    assert {threads for _, threads, _ in seen} == {1}
    assert len({thread for _, _, thread in seen}) == 2


def test_rows_are_computed_alone_if_asked() -> None:
    rows: list[int] = []

    def note(one: ForwardPass) -> Results:
        rows.append(len(one.ids))
        return number_rows(one)

    made = run_side_by_side(note, PASSES, positions=1)
    assert set(rows) == {1}
    assert all(map(np.array_equal, made, map(number_rows, PASSES)))


@pytest.mark.parametrize("threads", [1, 2])
def test_a_failing_pass_ends_its_call_alone(threads: int) -> None:
    def refuse(one: ForwardPass) -> Results:
        if one.ids.shape == (3, 24):
            msg = "refused"
            raise RuntimeError(msg)
        return number_rows(one)

    with torch_threads(threads):
        with pytest.raises(RuntimeError, match="refused"):
            run_side_by_side(refuse, [draw_pass(3, 24), *PASSES])
        assert len(run_side_by_side(number_rows, PASSES)) == len(PASSES)


@pytest.mark.parametrize("threads", [1, 2])
def test_a_stage_out_of_time_is_ended(threads: int) -> None:
    budget = TimeBudget(0.0)
    with torch_threads(threads), budget.running(), pytest.raises(OutOfTime):
        run_side_by_side(number_rows, PASSES)


def test_calls_at_once_leave_the_number_of_threads(tmp_path: Path) -> None:
    model = TorchClassifier.load(token_classifier(tmp_path), EngineOptions(device="cpu"))
    alone = model.score(PASSES)
    wrong: list[int] = []

    def score_all(number: int) -> None:
        if not all(map(np.array_equal, model.score(PASSES), alone)):
            wrong.append(number)

    with torch_threads(2):
        threads = [threading.Thread(target=score_all, args=(number,)) for number in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert torch.get_num_threads() == 2
    assert not wrong


@pytest.mark.slow
def test_side_by_side_has_the_bits_of_one_after_another() -> None:
    model = TorchClassifier.load(shipped_tagger(), EngineOptions(device="cpu", dtype="fp32"))
    passes = [draw_pass(9, 136), draw_pass(3, 256), draw_pass(1, 8)]
    with torch_threads(1):
        expected = model.score(passes)
    with torch_threads(2):
        assert all(map(np.array_equal, model.score(passes), expected))
