"""What ``auto`` does outside of tests; in tests ``conftest`` makes it torch."""

import pytest

from deidstream.models.neural import engine_choice, engine_obstacles

find_obstacle = engine_obstacles.find_obstacle


def trust_sums(patch: pytest.MonkeyPatch, wrong: str = "") -> None:
    """Let engines run whose int8 sums may be wrong on this processor, all but one."""

    def find_wrong_sums(engine: str) -> str:
        return "wrong sums" if engine == wrong else ""

    from deidstream.models.neural import openvino_engine  # noqa: PLC0415  imports openvino

    for module in (engine_choice, engine_obstacles, openvino_engine):
        patch.setattr(module, "find_wrong_sums", find_wrong_sums)
