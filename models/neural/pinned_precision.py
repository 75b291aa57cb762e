"""How precisely all processes of a deployment compute a model, whatever their processors choose.

Engines round in their own ways, so their outputs have identities of their own. One process chooses;
the others compute as it does, or do not start (ADR 71).
"""

import re
from dataclasses import replace
from typing import Final

from deidstream.models.neural.engine_port import (
    AUTO,
    IN_FLOATS,
    OPENVINO,
    TORCH,
    TORCH_INT8,
    EngineOptions,
)
from deidstream.schemas.errors import InvalidSettings

_PRECISION: Final = re.compile(
    rf"(?P<rest>fp32|bf16)|int8-(?P<other>fp32|bf16)-(?P<by>{OPENVINO}|{IN_FLOATS}|{TORCH})-[0-9a-f]+"
)
_ENGINE: Final = {OPENVINO: OPENVINO, IN_FLOATS: OPENVINO, TORCH: TORCH_INT8}
REMEDY: Final = (
    "run it on a processor that can, or stop all workers, set DEIDSTREAM_MODEL_ENGINE, run "
    "'deidstream vault engines --release', and start them: a note that comes again then gets "
    "another output_id"
)
"""What to do if the engine of a deployment does not fit."""


def run_as_pinned(options: EngineOptions) -> EngineOptions:
    """Return the options with the engine that computes as precisely as is pinned.

    Settings that name an engine or a dtype stay: if they do not give what is pinned, loading the
    model shows it.

    Raises:
        InvalidSettings: No engine computes so.
    """
    if not options.precision or options.engine != AUTO or options.dtype != AUTO:
        return options
    if (read := _PRECISION.fullmatch(options.precision)) is None:
        msg = f"no engine of this version computes {options.precision}"
        raise InvalidSettings(msg)
    if by := read["by"]:
        in_floats = by == IN_FLOATS
        return replace(options, engine=_ENGINE[by], dtype=read["other"], in_floats=in_floats)
    return replace(options, engine=TORCH, dtype=read["rest"])


def explain_other(pinned: str, why: object) -> InvalidSettings:
    """Return what to raise if a model cannot be computed as is pinned.

    Args:
        pinned: How precisely the deployment computes the model.
        why: What is different here.
    """
    return InvalidSettings(f"this deployment computes the model as {pinned}: {why}; {REMEDY}")
