"""Check by a product that an engine adds int8 products without overflow on this processor.

Without VNNI, OpenVINO adds pairs of products in 16 bits and saturates: 255 x 127 twice becomes
32,767. Nothing reports that, and no list of processors would stay true; so one product with the
greatest values is computed by the engine and compared (ADR 59).
"""

from functools import cache
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from deidstream.models.neural.engine_port import OPENVINO, TORCH_INT8
from deidstream.models.neural.quantization import Range
from deidstream.models.neural.rounding import LEVELS, RoundedRows

_DEEP, _ROWS, _COLUMNS = 384, 64, 64
_GREATEST_STATE: Final = LEVELS - 1

Real = NDArray[np.float32]


@cache
def find_wrong_sums(engine: str) -> str:
    """Return why an engine may not multiply int8 here; empty if its sums are exact.

    Args:
        engine: One of those that round.
    """
    checks = {OPENVINO: _is_openvino_exact, TORCH_INT8: _is_torch_exact}
    return "" if checks[engine]() else "sums of its int8 products are wrong on this processor"


def _is_openvino_exact() -> bool:
    from deidstream.models.neural.openvino_graph import (  # noqa: PLC0415  takes a moment
        GREATEST,
        make_matrix,
        round_states,
    )
    from deidstream.models.neural.openvino_library import Model, op  # noqa: PLC0415  as above
    from deidstream.models.neural.openvino_session import compile_graph  # noqa: PLC0415  as above

    states, weight = _draw_greatest(GREATEST)
    given = op.parameter([-1, -1], np.float32, name="states")
    rounded = round_states(given, 0.0, float(_GREATEST_STATE))
    matrix = make_matrix(RoundedRows.of_weight(weight, GREATEST))
    product = op.matmul(rounded, matrix, transpose_a=False, transpose_b=True)
    graph = Model([product], [given], "sums")  # pyright: ignore[reportGeneralTypeIssues]
    request = compile_graph(graph, "fp32", 1).compiled.create_infer_request()
    request.infer([states])
    made: Any = request.get_output_tensor(0).data
    return np.array_equal(made, states @ weight.T)


def _is_torch_exact() -> bool:
    import torch  # noqa: PLC0415  takes seconds

    from deidstream.models.neural.rounded_bert import (  # noqa: PLC0415  as above
        GREATEST,
        RoundedProduct,
    )

    states, weight = _draw_greatest(GREATEST)
    try:
        affine = (weight, np.zeros(_COLUMNS, dtype=np.float32))
        product = RoundedProduct.of_weights(Range(0.0, float(_GREATEST_STATE)), affine)
        made = product(torch.from_numpy(states)).numpy()
    except RuntimeError:  # torch was built without the kernels
        return False
    return np.array_equal(made, states @ weight.T)


def _draw_greatest(greatest: int) -> tuple[Real, Real]:
    """Return states and weights, shape ``(columns, depth)``; fp32 holds all sums of them exactly.

    Some columns have one sign throughout, so that every pair of products is the greatest there is.
    """
    drawn = np.random.default_rng(0)
    weight = drawn.choice([-greatest, greatest], (_COLUMNS, _DEEP)).astype(np.float32)
    weight[0], weight[1] = greatest, -greatest
    return np.full((_ROWS, _DEEP), _GREATEST_STATE, dtype=np.float32), weight
