"""Let torch compute a forward pass without the interpreter (ADR 44).

Called from Python, each of the some three hundred operations of a pass needs the interpreter to
begin. Where Python works on other notes meanwhile, it keeps the interpreter for up to five
milliseconds each time, and the engine falls to a tenth of its speed. A traced pass is a list of the
same operations, which torch runs through on its own. So its bits are the same.
"""

import warnings
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Final, Self

import torch
from torch import Tensor, nn

_ROWS: Final = 2
_LENGTH: Final = 16


@dataclass(frozen=True, slots=True)
class TracedPass:
    """A pass as two lists of operations, of which its mask chooses one."""

    full: Callable[..., Tensor] = field(repr=False)
    """Computes rows without padding: attention then runs without a mask, by another kernel."""
    padded: Callable[..., Tensor] = field(repr=False)

    @classmethod
    def trace(
        cls, compute: Callable[..., Tensor], *, inputs: int, packed: Sequence[Tensor] = ()
    ) -> Self:
        """Run a pass of each kind once and record its operations.

        Args:
            compute: Computes a pass from its ids, mask and token types. Only the mask may decide
                which operations run, and only by whether there is padding.
            inputs: How many of these it takes: 2 or 3.
            packed: Weights in a layout of a library, which cannot be constants of the list.
        """
        module = _Pass(compute, packed)
        return cls(_record(module, inputs, padding=0), _record(module, inputs, padding=1))

    def __call__(self, ids: Tensor, mask: Tensor, *types: Tensor) -> Tensor:
        """Compute a pass; all tensors have the shape ``(rows, length)`` and are int64."""
        return (self.full if mask.all() else self.padded)(ids, mask, *types)


class _Pass(nn.Module):
    """A pass whose packed weights a trace finds by their names."""

    def __init__(self, compute: Callable[..., Tensor], packed: Sequence[Tensor]) -> None:
        super().__init__()
        self.compute = compute
        for number, weights in enumerate(packed):
            self.register_buffer(f"packed_{number}", weights)

    def forward(self, *given: Tensor) -> Tensor:
        return self.compute(*given)


def _record(module: _Pass, inputs: int, *, padding: int) -> Any:  # noqa: ANN401  torch.jit has no types
    given = [torch.zeros(_ROWS, _LENGTH, dtype=torch.int64) for _ in range(inputs)]
    given[1][:, : _LENGTH - padding] = 1
    with torch.inference_mode(), without_warnings():
        return torch.jit.trace(module, tuple(given), check_trace=False)  # type: ignore[no-untyped-call]


@contextmanager
def without_warnings() -> Generator[None]:
    """Hide that torch will replace its lists of operations one day, and that one follows a mask."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)
        warnings.simplefilter("ignore", DeprecationWarning)
        warnings.simplefilter("ignore", torch.jit.TracerWarning)  # type: ignore[attr-defined]
        yield
