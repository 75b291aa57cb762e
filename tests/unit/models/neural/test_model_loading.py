import pytest
import torch

from deidstream.models.neural.model_loading import Placement, choose_placement
from deidstream.schemas.errors import InvalidSettings


def test_the_cpu_computes_in_bf16_only_where_it_can(monkeypatch: pytest.MonkeyPatch) -> None:
    able: dict[str, bool] = {}
    monkeypatch.setattr(torch.cpu, "get_capabilities", lambda: able)
    assert choose_placement("cpu", "auto") == Placement("cpu", torch.float32)
    able["avx512_bf16"] = True
    assert choose_placement("cpu", "auto") == Placement("cpu", torch.bfloat16)
    assert choose_placement("cpu", "bf16") == Placement("cpu", torch.bfloat16)


@pytest.mark.skipif(torch.cuda.is_available(), reason="there is a CUDA device")
def test_cuda_without_a_device_is_refused() -> None:
    assert choose_placement("auto", "fp32") == Placement("cpu", torch.float32)
    with pytest.raises(InvalidSettings, match="cuda"):
        choose_placement("cuda", "auto")


@pytest.mark.gpu
@pytest.mark.skipif(not torch.cuda.is_available(), reason="there is no CUDA device")
def test_cuda_is_taken_in_bf16_where_there_is_one() -> None:
    assert choose_placement("auto", "auto") == Placement("cuda", torch.bfloat16)


@pytest.mark.parametrize("words", [("gpu", "auto"), ("cpu", "fp16"), ("", "fp32")])
def test_unknown_words_are_refused(words: tuple[str, str]) -> None:
    with pytest.raises(InvalidSettings):
        choose_placement(*words)
