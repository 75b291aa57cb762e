"""What ``auto`` does outside of tests; in tests ``conftest`` makes it torch."""

from deidstream.models.neural import engine_choice

find_obstacle = engine_choice.find_obstacle
