"""One thread at a time computes with a model, and the time of each call is told apart."""

import threading
import time

import pytest

from deidstream.models.neural.model_turn import (
    ModelUse,
    take_model_turn,
    take_text_turn,
    waited_for_models,
    work_beside,
    works_beside,
)

SECONDS = 0.25


def use_model(seconds: float, begun: threading.Event, uses: dict[str, ModelUse]) -> None:
    with take_text_turn() as use:
        with take_model_turn():
            begun.set()
            time.sleep(seconds)
        uses["other"] = use


def test_a_second_thread_waits_and_its_wait_is_no_use_of_a_model() -> None:
    begun, uses = threading.Event(), dict[str, ModelUse]()
    other = threading.Thread(target=use_model, args=(SECONDS, begun, uses))
    other.start()
    assert begun.wait(10)
    with take_text_turn() as use:
        with take_model_turn():
            pass
        assert waited_for_models() == use.waited_seconds
    other.join()
    assert use.waited_seconds > 0
    assert use.seconds < SECONDS <= uses["other"].seconds
    assert uses["other"].waited_seconds < SECONDS


def test_a_model_that_raises_leaves_its_turn_to_others() -> None:
    with take_text_turn() as use:
        with pytest.raises(ValueError, match="planted"), take_model_turn():
            raise ValueError("planted")  # noqa: EM101
        with take_model_turn():
            pass
    assert use.seconds > 0


def test_outside_a_measured_call_nothing_is_waited_for() -> None:
    with take_model_turn():
        assert waited_for_models() == 0


def test_a_long_note_works_beside_the_thread_that_has_the_text_turn() -> None:
    seen = list[bool]()

    def work() -> None:
        with work_beside() as use, take_model_turn():
            seen.append(works_beside())
        assert use.seconds > 0

    with take_text_turn():
        assert not works_beside()
        other = threading.Thread(target=work)
        other.start()
        other.join(10)
        assert seen == [True]
    assert not works_beside()
