"""Sampled stacks, and their drawing."""

# sys._current_frames is documented and has no public name.
# pyright: reportPrivateUsage=false

import sys
import threading
from collections import Counter
from xml.etree import ElementTree as ET

from deidstream.models.neural.model_turn import take_text_turn
from deidstream.study.bench.flame import FlameSampler, build_tree, draw_flame, read_stack
from support.processes import wait_until

TURN = "deidstream.models.neural.model_turn.take_text_turn"
SVG = "{http://www.w3.org/2000/svg}"


def test_the_functions_of_a_busy_thread_are_seen_and_those_of_a_waiting_one_are_not() -> None:
    ended, begun = threading.Event(), threading.Event()

    def work_until_ended() -> None:
        begun.set()
        while not ended.is_set():
            pass

    busy = threading.Thread(target=work_until_ended)
    waiting = threading.Thread(target=ended.wait)
    sampler = FlameSampler()
    busy.start()
    waiting.start()
    begun.wait()
    with sampler:
        while not any("work_until_ended" in stack[-1] for stack in sampler.stacks):
            threading.Event().wait(0.01)
    ended.set()
    busy.join()
    waiting.join()
    assert all(stack[-1] != "threading.wait" for stack in sampler.stacks)


def test_a_thread_that_waits_for_its_turn_at_text_is_left_out() -> None:
    def work() -> None:
        with take_text_turn():
            pass

    waiting = threading.Thread(target=work)
    sampler = FlameSampler()
    with take_text_turn():
        waiting.start()
        wait_until(lambda: is_at_text_turn(waiting), seconds=10)
        sampler.sample()
    waiting.join()
    assert not any(stack[-1] == TURN for stack in sampler.stacks)


def is_at_text_turn(thread: threading.Thread) -> bool:
    frame = sys._current_frames().get(thread.ident or 0)  # noqa: SLF001  documented, though so named
    return frame is not None and read_stack(frame)[-1] == TURN


def test_stacks_that_begin_alike_share_a_node() -> None:
    root = build_tree(Counter({("a", "b"): 3, ("a", "c"): 1, ("d",): 4}))
    assert (root.samples, root.depth()) == (8, 3)
    assert root.below["a"].samples == 4
    assert root.below["a"].below["b"].samples == 3


def test_widths_are_shares_and_names_are_escaped() -> None:
    drawn = ET.fromstring(draw_flame(Counter({("m.<module>", "m.f"): 3, ("m.g",): 1})))  # noqa: S314  ours
    widths = {
        group.findtext(f"{SVG}title", "").split(":")[0]: float(box.get("width", "0"))
        for group in drawn.iter(f"{SVG}g")
        for box in group.iter(f"{SVG}rect")
    }
    assert widths == {"all": 1200, "m.<module>": 900, "m.f": 900, "m.g": 300}


def test_no_samples_are_an_empty_drawing() -> None:
    assert len(list(ET.fromstring(draw_flame(Counter())))) == 0  # noqa: S314  ours
