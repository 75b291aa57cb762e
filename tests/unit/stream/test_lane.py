"""The accelerator lane."""

import asyncio
import threading
import time

import pytest

from deidstream.stream.lane import Lane


def test_calls_run_one_after_another_off_the_event_loop() -> None:
    seen: list[tuple[int, str]] = []

    def call(number: int) -> int:
        seen.append((number, threading.current_thread().name))
        return number

    async def run() -> list[int]:
        lane = Lane()
        try:
            return await asyncio.gather(*(lane.run(call, number) for number in range(5)))
        finally:
            lane.close()

    assert asyncio.run(run()) == [0, 1, 2, 3, 4]
    assert [number for number, _ in seen] == [0, 1, 2, 3, 4]
    assert len({name for _, name in seen}) == 1
    assert threading.current_thread().name not in {name for _, name in seen}


def test_what_a_call_raises_reaches_its_caller_and_the_lane_lives_on() -> None:
    def fail() -> None:
        raise ValueError("planted")  # noqa: EM101

    async def run() -> int:
        lane = Lane()
        try:
            with pytest.raises(ValueError, match="planted"):
                await lane.run(fail)
            return await lane.run(lambda: 7)
        finally:
            lane.close()

    assert asyncio.run(run()) == 7


def test_the_event_loop_goes_on_while_the_lane_computes() -> None:
    async def run() -> int:
        lane = Lane()
        ticks = 0
        busy = asyncio.create_task(lane.run(time.sleep, 0.2))
        while not busy.done():
            await asyncio.sleep(0.01)
            ticks += 1
        lane.close()
        return ticks

    assert asyncio.run(run()) >= 10
