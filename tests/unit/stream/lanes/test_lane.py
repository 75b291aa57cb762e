"""The lanes."""

import asyncio
import threading
import time

import pytest

from deidstream.models.neural.model_turn import take_model_turn, take_text_turn
from deidstream.stream.lanes.lane import BATCHES_IN_WORK, MODELS, TEXT, Lane
from deidstream.stream.observing import metrics


def test_calls_run_off_the_event_loop_in_the_order_given() -> None:
    seen: list[tuple[int, str]] = []

    def call(number: int) -> int:
        seen.append((number, threading.current_thread().name))
        return number

    async def run() -> list[int]:
        lane = Lane(take_text_turn)
        try:
            return await asyncio.gather(*(lane.run(call, number) for number in range(6)))
        finally:
            lane.close()

    assert asyncio.run(run()) == [0, 1, 2, 3, 4, 5]
    assert sorted(number for number, _ in seen) == [0, 1, 2, 3, 4, 5]
    assert threading.current_thread().name not in {name for _, name in seen}


def test_a_call_works_on_text_while_another_computes_with_a_model() -> None:
    computing, worked = threading.Event(), threading.Event()

    def compute() -> bool:
        with take_model_turn():
            computing.set()
            return worked.wait(timeout=10)

    def work() -> None:
        assert computing.wait(timeout=10)
        worked.set()

    async def run() -> bool:
        lane = Lane(take_text_turn)
        try:
            done, _ = await asyncio.gather(lane.run(compute), lane.run(work))
            return done
        finally:
            lane.close()

    assert asyncio.run(run())


def test_one_call_at_a_time_works_on_text() -> None:
    in_work, most = 0, 0

    def work() -> None:
        nonlocal in_work, most
        in_work += 1
        most = max(most, in_work)
        # Another thread that may run would run now.
        time.sleep(0.005)
        in_work -= 1

    async def run() -> None:
        lane = Lane(take_text_turn)
        await asyncio.gather(*(lane.run(work) for _ in range(3 * BATCHES_IN_WORK)))
        lane.close()

    asyncio.run(run())
    assert most == 1


def test_the_busy_seconds_of_models_and_text_are_apart() -> None:
    def call() -> None:
        with take_model_turn():
            time.sleep(0.05)
        end = time.thread_time() + 0.03
        while time.thread_time() < end:
            pass

    async def run() -> None:
        lane = Lane(take_text_turn)
        await lane.run(call)
        lane.close()

    before = {name: metrics.value("deid_lane_busy_seconds_total", name) for name in (MODELS, TEXT)}
    asyncio.run(run())
    now = {name: metrics.value("deid_lane_busy_seconds_total", name) for name in (MODELS, TEXT)}
    assert now[MODELS] - before[MODELS] >= 0.05
    assert 0.03 <= now[TEXT] - before[TEXT] < 0.05


def test_what_a_call_raises_reaches_its_caller_and_the_lane_lives_on() -> None:
    def fail() -> None:
        raise ValueError("planted")  # noqa: EM101

    async def run() -> int:
        lane = Lane(take_text_turn)
        try:
            with pytest.raises(ValueError, match="planted"):
                await lane.run(fail)
            return await lane.run(lambda: 7)
        finally:
            lane.close()

    assert asyncio.run(run()) == 7


def test_the_event_loop_goes_on_while_the_lane_computes() -> None:
    async def run() -> int:
        lane = Lane(take_text_turn)
        ticks = 0
        busy = asyncio.create_task(lane.run(time.sleep, 0.2))
        while not busy.done():
            await asyncio.sleep(0.01)
            ticks += 1
        lane.close()
        return ticks

    assert asyncio.run(run()) >= 10
