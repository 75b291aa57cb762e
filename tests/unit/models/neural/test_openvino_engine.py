import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from deidstream.models.neural.engine_port import OPENVINO, EngineOptions
from deidstream.models.neural.openvino_engine import OpenVinoClassifier, OpenVinoVectoriser
from deidstream.models.neural.passes.packing import ForwardPass
from deidstream.models.neural.quantization import Quantization
from deidstream.models.neural.torch_engine import TorchClassifier, TorchVectoriser
from deidstream.models.neural.weights import PACKAGED, find_encoder, shipped_tagger
from deidstream.schemas.errors import InvalidSettings, MissingArtefact
from support.checkpoints import byte_level_classifier, encoder, token_classifier
from support.quantized import draw_pass, quantized

EXACT = EngineOptions(device="cpu", dtype="fp32")


def load(
    folder: Path, threads: int = 1, dtype: str = "auto", *, in_floats: bool = False
) -> OpenVinoClassifier:
    found = Quantization.find(folder)
    assert found is not None
    options = EngineOptions(OPENVINO, "cpu", dtype, threads, in_floats=in_floats)
    return OpenVinoClassifier.load(folder, options, found)


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return quantized(token_classifier(tmp_path_factory.mktemp("tiny")))


def test_probabilities_are_near_those_of_torch(tiny: Path) -> None:
    one = draw_pass(5, 24, seed=1)
    ours, exact = load(tiny), TorchClassifier.load(tiny, EXACT)
    ((given,), (expected,)) = ours.score([one]), exact.score([one])
    assert given.shape == expected.shape
    assert given.dtype == np.float32
    assert np.allclose(given.sum(axis=-1), 1, atol=0.02)
    assert np.abs(given - expected)[one.mask > 0].mean() < 0.02
    assert ours.precision.startswith("int8-")
    (untyped,) = ours.score([ForwardPass(one.ids, one.mask)])
    assert np.array_equal(untyped, given)


def test_results_are_in_the_order_of_the_passes(tiny: Path) -> None:
    model = load(tiny, threads=2)
    passes = [draw_pass(1 + place % 7, 8 + 8 * (place % 5), seed=place) for place in range(40)]
    alone = [model.score([one])[0] for one in passes]
    for _ in range(3):
        together = model.score(passes)
        assert all(map(np.array_equal, together, alone))
    assert model.score([]) == []


def test_threads_that_run_passes_at_once_get_their_own(tiny: Path) -> None:
    model = load(tiny, threads=2)
    passes = [draw_pass(4, 16 + 8 * place, seed=place) for place in range(6)]
    alone = [model.score([one])[0] for one in passes]

    def score_all(_: int) -> bool:
        return all(map(np.array_equal, model.score(passes), alone))

    with ThreadPoolExecutor(4) as pool:
        assert all(pool.map(score_all, range(40)))
    # Requests are used again: no more were made than passes were ever in work.
    assert len(model.session.idle) <= 4 * len(passes)


def test_a_pass_that_is_refused_costs_only_its_own_call(tiny: Path) -> None:
    model = load(tiny, threads=2)
    good = draw_pass(4, 16)
    torn = ForwardPass(good.ids, good.mask[..., np.newaxis])
    (before,) = model.score([good])
    with pytest.raises(RuntimeError):
        model.score([good, torn, good])
    assert np.array_equal(model.score([good])[0], before)


@pytest.mark.slow
@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize(("dtype", "in_floats"), [("fp32", False), ("auto", False), ("fp32", True)])
def test_a_row_is_bitwise_the_same_in_any_company(
    threads: int, dtype: str, *, in_floats: bool
) -> None:
    model = load(shipped_tagger(), threads, dtype, in_floats=in_floats)
    drawn = np.random.default_rng(0)
    for length in (8, 24, 72, 136, 256):
        ids = drawn.integers(1000, 20_000, (7, length))
        mask = np.ones_like(ids)
        mask[::2, length - 3 :] = 0
        types = drawn.integers(0, 32, ids.shape)
        alone = [
            model.score([ForwardPass(ids[[n]], mask[[n]], types[[n]])])[0][0]
            for n in range(len(ids))
        ]
        for rows in (2, 3, 7):
            chosen = drawn.permutation(len(ids))[:rows]
            passed = ForwardPass(ids[chosen], mask[chosen], types[chosen])
            (together,) = model.score([passed])
            for row, number in zip(together, chosen, strict=True):
                assert np.array_equal(row[mask[number] > 0], alone[number][mask[number] > 0])


@pytest.mark.slow
def test_the_packaged_embedder_points_where_torch_does() -> None:
    folder = find_encoder(PACKAGED)
    found = Quantization.find(folder)
    assert found is not None
    assert not found.find_excess(OPENVINO)
    ours = OpenVinoVectoriser.load(folder, EngineOptions(OPENVINO, threads=1), found)
    ids = np.random.default_rng(0).integers(1000, 20_000, (9, 24))
    mask = np.ones_like(ids)
    mask[4:, 20:] = 0
    (given,) = ours.compute([ForwardPass(ids, mask)])
    (expected,) = TorchVectoriser.load(folder, EXACT).compute([ForwardPass(ids, mask)])
    assert ((given * expected).sum(axis=1) > 0.95).all()
    alone = np.concatenate(ours.compute([ForwardPass(ids[[n]], mask[[n]]) for n in range(9)]))
    assert np.array_equal(given, alone)


@pytest.mark.slow
def test_other_threads_run_while_a_pass_computes() -> None:
    model = load(shipped_tagger())
    given = [draw_pass(64, 256)]
    counted, ended = [0], threading.Event()

    def count() -> None:
        while not ended.is_set():
            counted[0] += 1
            time.sleep(0.001)

    thread = threading.Thread(target=count)
    thread.start()
    before = counted[0]
    model.score(given)
    during = counted[0] - before
    ended.set()
    thread.join()
    assert during > 20


def test_another_kind_of_model_is_refused(tmp_path: Path) -> None:
    folder = byte_level_classifier(tmp_path / "bytes")
    empty = Quantization("", {}, {})
    with pytest.raises(MissingArtefact, match=r"model\.engine to torch"):
        OpenVinoClassifier.load(folder, EXACT, empty)
    with pytest.raises(MissingArtefact):
        OpenVinoVectoriser.load(encoder(tmp_path / "plain"), EXACT, empty)


def test_lacking_ranges_and_an_unknown_dtype_are_refused(tiny: Path) -> None:
    with pytest.raises(MissingArtefact, match="KeyError"):
        OpenVinoClassifier.load(tiny, EXACT, Quantization("", {}, {}))
    with pytest.raises(InvalidSettings):
        load(tiny, dtype="fp16")


@pytest.mark.slow
def test_nothing_imports_torch_or_what_reports_over_the_network() -> None:
    script = (
        "import socket, sys\n"
        "def refuse(*_): raise SystemExit('a connection was tried')\n"
        "socket.socket.connect = socket.getaddrinfo = refuse\n"
        "from deidstream.models.neural import engine_obstacles\n"
        "engine_obstacles.find_wrong_sums = lambda _: ''\n"
        "from deidstream.models.neural.engine_port import EngineOptions\n"
        "from deidstream.models.recognizers.tagger import Tagger, TaggerOptions\n"
        "options = TaggerOptions(run=EngineOptions('openvino', 'cpu'))\n"
        "Tagger.load(sys.argv[1], settings=options).score(['John Smith'])\n"
        "loaded = {name for name, module in sys.modules.items() if module}\n"
        "print(sorted({'torch', 'transformers', 'openvino_telemetry'} & loaded))\n"
    )
    command = [sys.executable, "-c", script, str(shipped_tagger())]
    done = subprocess.run(command, capture_output=True, text=True, check=True)  # noqa: S603
    assert done.stdout.strip() == "[]"
