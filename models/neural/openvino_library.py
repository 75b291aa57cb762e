"""OpenVINO without its converters, which report every import to their makers over the network.

Nothing else may import ``openvino``. What is entered as ``None`` cannot be imported later either;
without the converters the import also takes a fifth of the time.
"""

import sys
from typing import Any, cast

_BLOCKED = ("openvino.tools.ovc", "openvino_telemetry")
cast("dict[str, Any]", sys.modules).update(dict.fromkeys(_BLOCKED))

from openvino import CompiledModel, Core, InferRequest, Model, Node  # noqa: E402, TID251
from openvino import opset13 as op  # noqa: E402, TID251

__all__ = ["CompiledModel", "Core", "InferRequest", "Model", "Node", "op"]
