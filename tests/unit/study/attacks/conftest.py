"""Each way of comparing notes, and the attack by it."""

import pytest

from deidstream.study.attacks.ranking import rank_originals
from support.attacks import COMPARE, Attack, Compare


@pytest.fixture(params=sorted(COMPARE), scope="session")
def compare(request: pytest.FixtureRequest) -> Compare:
    return COMPARE[request.param]


@pytest.fixture(scope="session")
def attack(compare: Compare) -> Attack:
    return lambda candidates, outputs, own: list(rank_originals(compare(candidates, outputs), own))
