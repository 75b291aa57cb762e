from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from deidstream.models.references.common_lines import CommonLines

SALT = bytes(16)


def test_a_line_is_counted_once_a_note_and_by_its_words() -> None:
    lines = CommonLines.gather([["PLAN:", "plan"], ["Plan", "rare line"], ["plan -", ""]], SALT)
    assert lines.count("PLAN", SALT) == 3
    assert lines.count("rare line", SALT) == lines.count("", SALT) == 0
    assert len(lines.digests) == 1


def test_another_salt_finds_nothing() -> None:
    lines = CommonLines.gather([["plan"], ["plan"]], SALT)
    assert lines.count("plan", b"x" * 16) == 0


@pytest.mark.parametrize(
    "wrong", [np.zeros((2, 1)), np.zeros(2, np.uint64), np.zeros((3, 1), np.uint64)]
)
def test_what_is_no_such_array_is_refused(wrong: NDArray[Any]) -> None:
    with pytest.raises(ValueError, match="damaged"):
        CommonLines.parse(wrong)
