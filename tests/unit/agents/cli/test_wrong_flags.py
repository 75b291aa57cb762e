"""What is said of a flag with a wrong value: a sentence, before anything starts."""

import pytest

from deidstream.agents.cli.main import main


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("probe --every 0", "argument --every: must be a number of seconds above 0"),
        ("probe --wait soon", "argument --wait: must be a number of seconds above 0"),
        ("worker --processes -1", "argument --processes: must be a whole number from 0"),
        ("consume --most 0", "argument --most: must be a whole number from 1"),
    ],
)
def test_a_wrong_value_is_explained(
    words: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(words.split())
    assert ended.value.code == 64
    assert said in capsys.readouterr().err


def test_a_demo_of_a_policy_that_is_none_starts_nothing(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["demo", "--policy", "nope"]) == 78
    said = capsys.readouterr().err
    assert said.startswith("deidstream: nope: there is no such file; the shipped policies are")
    assert "starting" not in said
