"""Run a compiled graph of OpenVINO: many passes by one call, several of them at a time.

A pass runs on one thread. Two threads on one pass share each of its products, and so each waits for
the other a hundred times a pass, or for whatever else has its core; on a pass each they never do
(ADR 44).
"""

import os
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from itertools import chain
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from deidstream.models.neural.openvino_library import CompiledModel, Core, InferRequest, Model
from deidstream.models.neural.passes.packing import ForwardPass, Results

Inputs = list[NDArray[np.int32]]
PRECISIONS: Final = {"fp32": "f32", "bf16": "bf16"}
POSITIONS: Final = 1024
"""Padded positions of a pass: what it computes between its layers then fits the cache of a core."""
MOST_STREAMS: Final = 8
"""Most passes at a time; each keeps memory of its own. More threads are shared out among them."""
_DEVICE: Final = "CPU"


@dataclass(frozen=True, slots=True)
class Session:
    """A compiled graph; it may be run from several threads."""

    compiled: CompiledModel = field(repr=False)
    positions: int = POSITIONS
    """Most padded positions of a pass, if a row is not longer."""
    idle: list[InferRequest] = field(default_factory=list[InferRequest], repr=False)
    """Requests that compute nothing, to be used again."""

    def run(self, passes: Sequence[ForwardPass]) -> list[Results]:
        """Compute passes; return the output of each, in order.

        All of them are handed over before the first is waited for, so the interpreter is free, and
        asked for once, while they compute.

        Raises:
            RuntimeError: The engine could not compute one.
        """
        parts = [list(_cut_rows(list_inputs(one), self.positions)) for one in passes]
        requests = self._compute(list(chain.from_iterable(parts)))
        outputs = (request.get_output_tensor().data for request in requests)
        # Joining copies: the next run overwrites what the requests hold.
        results = [np.concatenate([next(outputs) for _ in cut]) for cut in parts]
        self.idle.extend(requests)
        return results

    def _compute(self, inputs: Sequence[Inputs]) -> list[InferRequest]:
        requests: list[InferRequest] = []
        try:
            for given in inputs:
                requests.append(self._take_request())
                requests[-1].start_async(given, share_inputs=True)
            # They end nearly in order: after the last one, few are left to be waited for.
            for request in reversed(requests):
                request.wait()
        except RuntimeError:
            _await_all(requests)
            raise
        return requests

    def _take_request(self) -> InferRequest:
        try:
            return self.idle.pop()
        except IndexError:
            return self.compiled.create_infer_request()


def _await_all(requests: Sequence[InferRequest]) -> None:
    """Wait for what still reads its inputs; what it raises is known already."""
    for request in requests:
        with suppress(RuntimeError):
            request.wait()


def list_inputs(one: ForwardPass) -> Inputs:
    """Return what a graph is given for a pass."""
    types = np.zeros_like(one.ids) if one.types is None else one.types
    return [np.ascontiguousarray(array, dtype=np.int32) for array in (one.ids, one.mask, types)]


def _cut_rows(inputs: Inputs, positions: int) -> Iterator[Inputs]:
    """Cut a pass into passes of 2^n rows and at most ``positions``, if a row is not longer.

    The plugin prepares its kernels for each shape that it meets, for some ten milliseconds. So of
    each length there are few shapes.
    """
    rows, length = inputs[0].shape
    most = max(1, positions // length)
    first = 0
    while first < rows:
        taken = 1 << (min(most, rows - first).bit_length() - 1)
        yield [array[first : first + taken] for array in inputs]
        first += taken


def compile_graph(model: Model, dtype: str, threads: int, *, in_floats: bool = False) -> Session:
    """Compile a graph for the CPU.

    Args:
        model: The graph.
        dtype: ``fp32`` or ``bf16``: how what is not int8 is computed.
        threads: 0: as many as there are cores.
        in_floats: Multiply what is rounded to int8 as fp32: slower, and without overflow on
            processors of every kind.
    """
    threads = threads or os.cpu_count() or 1
    properties: dict[str, Any] = {
        "INFERENCE_PRECISION_HINT": PRECISIONS[dtype],
        "INFERENCE_NUM_THREADS": threads,
        "NUM_STREAMS": min(threads, MOST_STREAMS),
        "ENABLE_CPU_PINNING": False,
    }
    if in_floats:
        properties["LP_TRANSFORMS_MODE"] = "NO"
    compiled: CompiledModel = _core().compile_model(model, _DEVICE, properties)
    # How floats are added depends on the shape; a row must not depend on those beside it.
    return Session(compiled, 1 if in_floats else POSITIONS)


def list_capabilities() -> list[str]:
    """Return what the processor computes natively, as OpenVINO names it."""
    able: list[str] = _core().get_property(_DEVICE, "OPTIMIZATION_CAPABILITIES")
    return able


@cache
def _core() -> Core:
    return Core()
