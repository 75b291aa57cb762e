"""A test that takes too long without a mark fails; what is loaded once is not its time."""

from functools import cache
from types import ModuleType

import pytest

from support.profiles import PROFILES
from support.time_limit import Seconds, cached_functions, judge, limit


def test_processor_time_and_waiting_are_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("TEST_TIME_FACTOR", raising=False)
    assert not Seconds(0.9, 9.0).exceed(limit())
    assert Seconds(1.1, 1.1).exceed(limit())
    assert Seconds(0.1, 11.0).exceed(limit())
    monkeypatch.setenv("TEST_TIME_FACTOR", "4")
    assert not Seconds(3.9, 39.0).exceed(limit())


def test_a_slow_test_without_the_mark_fails(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("TEST_TIMES", raising=False)
    monkeypatch.setenv("TEST_TIME_FACTOR", "1")
    monkeypatch.setenv("TEST_PROFILE", "default")
    with pytest.raises(pytest.fail.Exception, match="mark it slow"):
        judge(request.node, Seconds(2.0, 2.0))
    judge(request.node, Seconds(0.1, 0.2))
    request.node.add_marker("slow")
    judge(request.node, Seconds(2.0, 2.0))


def test_cached_functions_without_parameters_are_loaded() -> None:
    module = ModuleType("support.example")

    @cache
    def table() -> int:
        return 1

    @cache
    def of(number: int) -> int:
        return number

    for function in (table, of):
        function.__module__ = module.__name__
        setattr(module, function.__name__, function)
    assert list(cached_functions(module)) == [table]


def test_no_profile_tries_less_than_the_default() -> None:
    default = PROFILES["default"]
    for profile in PROFILES.values():
        assert profile.examples >= default.examples
        assert profile.races >= default.races
