"""A tiny checkpoint with a file for int8."""

from pathlib import Path

import numpy as np

from deidstream.models.neural.bert_weights import WEIGHTS
from deidstream.models.neural.engine_port import ROUNDING
from deidstream.models.neural.openvino_engine import observe_extremes, read_known_bert
from deidstream.models.neural.passes.packing import ForwardPass
from deidstream.models.neural.quantization import Quantization
from deidstream.models.neural.weights import file_digest
from deidstream.study.tagger.quantize import find_range

GOOD = {"mean_change": 0.0}
"""A loss with which every engine may run."""


def draw_pass(rows: int, length: int, seed: int = 0) -> ForwardPass:
    """Return a pass; the last rows end in padding."""
    ids = np.random.default_rng(seed).integers(5, 60, (rows, length))
    mask = np.ones_like(ids)
    mask[rows // 2 :, length - length // 4 :] = 0
    return ForwardPass(ids, mask, np.zeros_like(ids))


def quantized(folder: Path, loss: dict[str, float] | None = None) -> Path:
    """Write the file for int8 beside a checkpoint, with the same loss of each engine."""
    observed = observe_extremes(read_known_bert(folder), [draw_pass(8, 32)])
    ranges = {name: find_range(*extremes) for name, extremes in observed.items()}
    losses = dict.fromkeys(ROUNDING, GOOD if loss is None else loss)
    Quantization(file_digest(folder / WEIGHTS), ranges, losses).write(folder)
    return folder
