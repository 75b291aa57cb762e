"""Every stage of the pipeline takes time in proportion to a pathological text.

Ratios of processor time, at one length and at four times that length: what is linear takes four
times as long, what is quadratic sixteen. ``benchmarks/hostile.py`` goes to a megabyte.
"""

import gc
from functools import cache

import pytest
from hostile import KNOWN, make_note, run_note
from hostile_networks import without_tagger
from hostile_texts import TEXTS

from deidstream.models.pipeline import Pipeline
from support.pipeline import LetterCounter, pipeline
from support.profiles import PROFILE

SHORT = PROFILE.growing_characters
TIMES = 4
BOUND = 8
NOISE = SHORT / 8_000 * 0.3
"""Seconds that a stage may be off."""


@cache
def load_pipeline(policy: str) -> Pipeline:
    loaded = without_tagger(pipeline(policy))
    # What the first note loads is no growth.
    run_note(loaded, LetterCounter(), make_note(KNOWN, SHORT))
    return loaded


def seconds(name: str, length: int, policy: str) -> dict[str, float]:
    # One collection of a whole run's objects takes longer than any stage here.
    gc.disable()
    try:
        return run_note(load_pipeline(policy), LetterCounter(), make_note(name, length))[1]
    finally:
        gc.enable()


@pytest.mark.slow
@pytest.mark.parametrize("name", [KNOWN, *TEXTS])
def test_no_stage_grows_faster_than_the_text(name: str) -> None:
    assert grown_stages(name, "kneo") == {}


@pytest.mark.slow
@pytest.mark.parametrize("name", TEXTS)
def test_word_kneo_grows_no_faster_than_the_text(name: str) -> None:
    assert grown_stages(name, "kneo-words") == {}


def grown_stages(name: str, policy: str) -> dict[str, tuple[float, float]]:
    """Stages whose time grows faster than the text, with their seconds at both lengths."""
    long = seconds(name, SHORT * TIMES, policy)
    if max(long.values()) <= NOISE:
        # Whatever a shorter text takes, no stage is above the bound.
        return {}
    short = seconds(name, SHORT, policy)
    return {
        stage: (short.get(stage, 0.0), taken)
        for stage, taken in long.items()
        if taken > BOUND * short.get(stage, 0.0) + NOISE
    }


def test_what_grows_as_a_square_is_seen() -> None:
    short, long = 0.1, 0.1 * TIMES**2
    assert long > BOUND * short + NOISE
