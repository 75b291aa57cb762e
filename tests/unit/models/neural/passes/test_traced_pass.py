import sys
import threading
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import numpy as np
import pytest
import torch
from torch import Tensor

from deidstream.models.neural.bert import Bert, read_bert
from deidstream.models.neural.model_loading import PooledBert
from deidstream.models.neural.passes.packing import ForwardPass
from deidstream.models.neural.passes.traced_pass import TracedPass
from deidstream.models.neural.quantization import Quantization
from deidstream.models.neural.rounded_bert import read_rounded_bert
from deidstream.models.neural.torch_engine import TorchClassifier, TorchVectoriser
from deidstream.models.neural.weights import shipped_tagger
from support.checkpoints import token_classifier
from support.quantized import draw_pass, quantized
from support.torch_threads import torch_threads

KINDS = ("fp32", "bf16", "int8")
PASSES = [draw_pass(rows, length, seed=rows) for rows, length in ((1, 8), (3, 24), (7, 64))]
FULL = [ForwardPass(one.ids, np.ones_like(one.mask)) for one in PASSES]
INTERVAL = 0.05
"""Seconds for which a thread keeps the interpreter while another waits for it."""
ROUNDS = 4


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return quantized(token_classifier(tmp_path_factory.mktemp("traced")))


def read(folder: Path, kind: str) -> Bert:
    if kind == "int8":
        found = Quantization.find(folder)
        assert found is not None
        bert = read_rounded_bert(folder, found.ranges)
    else:
        bert = read_bert(folder, "cpu", torch.float32 if kind == "fp32" else torch.bfloat16)
    assert bert is not None
    return bert


@pytest.mark.parametrize("kind", KINDS)
def test_bits_are_those_of_the_operations_called_one_by_one(folder: Path, kind: str) -> None:
    bert = read(folder, kind)
    traced = TorchClassifier.of_model(bert, "cpu", kind)
    # The second time torch runs what it has made of the list of operations.
    for one in (*PASSES, *FULL, *PASSES):
        with torch.inference_mode():
            logits = bert.classify(torch.from_numpy(one.ids), torch.from_numpy(one.mask), None)
            expected = logits.float().softmax(dim=-1).numpy()
        (given,) = traced.score([one])
        assert np.array_equal(given, expected)


@pytest.mark.parametrize("kind", KINDS)
def test_vectors_have_the_bits_of_the_operations_called_one_by_one(folder: Path, kind: str) -> None:
    model = PooledBert(read(folder, kind), longest=64, normalised=True)
    traced = TorchVectoriser.of_model(model, "cpu", kind)
    for one in (*PASSES, *FULL, *PASSES):
        with torch.inference_mode():
            expected = model.compute(torch.from_numpy(one.ids), torch.from_numpy(one.mask))
        (given,) = traced.compute([one])
        assert np.array_equal(given, expected.numpy())


@contextmanager
def busy_interpreter() -> Generator[None]:
    """Let another thread run Python, and keep the interpreter for as long as it may."""
    before, ended = sys.getswitchinterval(), threading.Event()

    def spin() -> None:
        while not ended.is_set():
            pass

    thread = threading.Thread(target=spin)
    sys.setswitchinterval(INTERVAL)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()
        sys.setswitchinterval(before)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["fp32", "int8"])
def test_a_pass_does_not_wait_for_the_interpreter_at_each_operation(kind: str) -> None:
    bert, one = read(shipped_tagger(), kind), draw_pass(2, 256)
    traced = TracedPass.trace(bert.encode, inputs=2, packed=bert.packed)
    given = torch.from_numpy(one.ids), torch.from_numpy(one.mask)

    def count_waits(compute: Callable[[Tensor, Tensor], object]) -> float:
        start = time.perf_counter()
        compute(*given)
        return (time.perf_counter() - start) / INTERVAL

    # On a busy machine both wait for a processor too, so one round of several has to show it.
    with torch_threads(1), torch.inference_mode(), busy_interpreter():
        rounds: list[tuple[float, float]] = []
        while len(rounds) < ROUNDS and not any(few < 20 < many for few, many in rounds):
            rounds.append((count_waits(traced), count_waits(bert.encode)))
    assert any(few < 20 < many for few, many in rounds), rounds


def test_two_threads_compute_by_one_list(folder: Path) -> None:
    traced = TorchClassifier.of_model(read(folder, "int8"), "cpu", "int8")
    score = partial(traced.score, PASSES * 8)
    with torch_threads(1):
        expected = score()
    with torch_threads(2):
        assert all(map(np.array_equal, score(), expected))
