from collections.abc import Iterator
from functools import partial

import pytest
import torch

from deidstream.models.neural import openvino_graph, openvino_session, rounded_bert
from deidstream.models.neural.engine_port import OPENVINO, TORCH_INT8
from deidstream.models.neural.exact_sums import find_wrong_sums

EXACT_ANYWHERE = 63


@pytest.fixture(autouse=True)
def _not_kept() -> Iterator[None]:
    find_wrong_sums.cache_clear()
    yield
    find_wrong_sums.cache_clear()


def test_torch_adds_exactly_on_every_processor() -> None:
    assert not find_wrong_sums(TORCH_INT8)


def test_openvino_adds_exactly_what_fits_16_bits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(openvino_graph, "GREATEST", EXACT_ANYWHERE)
    assert not find_wrong_sums(OPENVINO)


def test_openvino_adds_exactly_in_floats_on_every_processor(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    in_floats = partial(openvino_session.compile_graph, in_floats=True)
    monkeypatch.setattr(openvino_session, "compile_graph", in_floats)
    assert not find_wrong_sums(OPENVINO)


@pytest.mark.parametrize("module", [openvino_graph, rounded_bert])
def test_what_overflows_is_seen(monkeypatch: pytest.MonkeyPatch, module: object) -> None:
    # With VNNI nothing overflows; without it, both libraries do from 129 x 127 twice on.
    engine = OPENVINO if module is openvino_graph else TORCH_INT8
    monkeypatch.setattr(module, "GREATEST", 127)
    assert bool(find_wrong_sums(engine)) == (not has_vnni())


def has_vnni() -> bool:
    able = torch.cpu.get_capabilities()
    return any(able.get(name) for name in ("avx512_vnni", "avx_vnni", "amx_int8"))
