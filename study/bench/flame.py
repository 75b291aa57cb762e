"""Sample the stacks of all threads of this process, and draw them as a flame graph.

A sample names functions and modules, never values. Threads that wait are left out. Source of the
form: Brendan Gregg, The flame graph, Communications of the ACM 59(6), 2016.
"""

# sys._current_frames is documented and has no public name.
# pyright: reportPrivateUsage=false

import sys
import threading
from collections import Counter
from dataclasses import dataclass, field
from html import escape
from types import FrameType
from typing import Self

SAMPLE_SECONDS = 0.005
WIDTH, ROW, LETTER = 1_200, 16, 6.5
"""Pixels: of the graph, of a row, of a letter."""
LEAST_WIDTH = 0.5
WAITING = frozenset(
    {
        "concurrent.futures.thread._worker",
        "deidstream.models.neural.model_turn.take_model_turn",
        "deidstream.models.neural.model_turn.take_text_turn",
        "queue.get",
        "selectors.select",
        "threading._wait_for_tstate_lock",
        "threading.wait",
    }
)
"""Innermost functions of threads that wait."""
_COLOURS = ("#e4572e", "#f3a712", "#e8795a", "#f0b94d", "#d9663d")

Stack = tuple[str, ...]
"""Functions, the outermost first."""


@dataclass(slots=True)
class FlameSampler:
    """Counts stacks on a thread of its own, between ``with`` and its end."""

    stacks: Counter[Stack] = field(default_factory=Counter[Stack])
    _ended: threading.Event = field(default_factory=threading.Event)
    _thread: threading.Thread | None = None

    def __enter__(self) -> Self:
        """Begin to sample."""
        self._ended.clear()
        self._thread = threading.Thread(target=self._sample_often, name="flame", daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        """End the thread."""
        self._ended.set()
        if self._thread is not None:
            self._thread.join()

    def _sample_often(self) -> None:
        while not self._ended.wait(SAMPLE_SECONDS):
            self.sample()

    def sample(self) -> None:
        """Count the stack of each thread that does something."""
        own = threading.get_ident()
        for thread, frame in sys._current_frames().items():  # noqa: SLF001  documented, though so named
            stack = read_stack(frame)
            if thread != own and stack[-1] not in WAITING:
                self.stacks[stack] += 1


def read_stack(frame: FrameType) -> Stack:
    """Return the functions of a stack, the outermost first."""
    names: list[str] = []
    inner: FrameType | None = frame
    while inner is not None:
        module = str(inner.f_globals.get("__name__", "?"))
        names.append(f"{module}.{inner.f_code.co_name}")
        inner = inner.f_back
    return tuple(reversed(names))


@dataclass(slots=True)
class FlameNode:
    """A function where it was called, with the samples in it and below."""

    name: str
    samples: int = 0
    below: dict[str, "FlameNode"] = field(default_factory=dict[str, "FlameNode"])

    def depth(self) -> int:
        """Return the number of rows, this one included."""
        return 1 + max((node.depth() for node in self.below.values()), default=0)


def build_tree(stacks: Counter[Stack]) -> FlameNode:
    """Merge stacks that begin alike."""
    root = FlameNode("all")
    for stack, count in sorted(stacks.items()):
        root.samples += count
        node = root
        for name in stack:
            node = node.below.setdefault(name, FlameNode(name))
            node.samples += count
    return root


def draw_flame(stacks: Counter[Stack]) -> str:
    """Draw stacks as SVG, the outermost function at the top, the share of time as width."""
    root = build_tree(stacks)
    height = ROW * root.depth()
    opening = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" '
        f'viewBox="0 0 {WIDTH} {height}" font-family="monospace" font-size="11">'
    )
    lines = [opening]
    _draw_node(root, 0.0, 0, WIDTH / max(1, root.samples), lines)
    return "\n".join([*lines, "</svg>\n"])


def _draw_node(
    node: FlameNode, left: float, row: int, pixels_a_sample: float, lines: list[str]
) -> None:
    width = node.samples * pixels_a_sample
    if width < LEAST_WIDTH:
        return
    share = width / WIDTH
    colour = _COLOURS[sum(node.name.encode()) % len(_COLOURS)]
    name = escape(node.name)
    shown = escape(_shorten(node.name, width))
    lines.append(
        f"<g><title>{name}: {share:.1%}, {node.samples} samples</title>"
        f'<rect x="{left:.1f}" y="{row * ROW}" width="{width:.1f}" height="{ROW - 1}" '
        f'fill="{colour}"/><text x="{left + 2:.1f}" y="{row * ROW + 11}">{shown}</text></g>'
    )
    for inner in node.below.values():
        _draw_node(inner, left, row + 1, pixels_a_sample, lines)
        left += inner.samples * pixels_a_sample


def _shorten(name: str, width: float) -> str:
    """Cut a name to what fits; its end says more than its beginning."""
    room = int((width - 4) / LETTER)
    own = name.rpartition(".")[2]
    if len(name) <= room:
        return name
    return own if len(own) <= room else own[: max(0, room)]
