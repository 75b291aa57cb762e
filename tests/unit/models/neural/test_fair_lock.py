"""A lock goes to the thread that has waited longest, even if its holder asks again at once."""

import threading
import time

import pytest

from deidstream.models.neural.fair_lock import FairLock

SECONDS = 10


def test_a_holder_that_asks_again_comes_after_those_that_wait() -> None:
    lock, taken, asked = FairLock(), list[str](), threading.Event()

    def wait() -> None:
        asked.set()
        with lock:
            taken.append("other")

    with lock:
        other = threading.Thread(target=wait)
        other.start()
        assert asked.wait(SECONDS)
        time.sleep(0.05)
    with lock:
        taken.append("holder")
    other.join(SECONDS)
    assert taken == ["other", "holder"]


def test_one_thread_at_a_time_holds_it() -> None:
    lock, inside, most = FairLock(), list[int](), list[int]()

    def work() -> None:
        for _ in range(50):
            with lock:
                inside.append(1)
                most.append(len(inside))
                time.sleep(0)
                inside.pop()

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(SECONDS)
    assert most == [1] * 200


def test_it_is_free_after_an_error() -> None:
    lock = FairLock()
    with pytest.raises(ValueError, match="planted"), lock:
        raise ValueError("planted")  # noqa: EM101
    with lock:
        pass
