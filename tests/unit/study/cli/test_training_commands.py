"""The flags of ``deidstream train``: what a preset means, and that each flag outweighs it."""

import argparse
from dataclasses import asdict
from pathlib import Path

import pytest

from deidstream.agents.cli.main import main, parser
from deidstream.study.cli.training_commands import PRESETS, Preset, choose_preset


def _parsed(*flags: str) -> argparse.Namespace:
    return parser().parse_args(["train", "a.jsonl", "b.jsonl", "--out", "out", *flags])


def _chosen(*flags: str) -> Preset:
    return choose_preset(_parsed(*flags))


def test_notes_and_the_folder_are_paths() -> None:
    arguments = _parsed()
    assert arguments.notes == [Path("a.jsonl"), Path("b.jsonl")]
    assert (arguments.out, arguments.held_out) == (Path("out"), None)


def test_the_shipped_preset_is_the_default() -> None:
    assert _chosen() == PRESETS["shipped"]


def test_the_deidclinic_preset_is_the_papers() -> None:
    preset = _chosen("--preset", "deidclinic")
    assert (preset.epochs, preset.learning_rate, preset.batch_windows) == (15, 3e-5, 32)
    assert (preset.held_out_share, preset.average) == (0.2, 0.0)


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize(
    ("flag", "value"),
    [
        ("epochs", 3),
        ("learning_rate", 0.5),
        ("batch_windows", 2),
        ("window", 64),
        ("held_out_share", 0.0),
        ("average", 0.0),
    ],
)
def test_a_flag_outweighs_the_preset(preset: str, flag: str, value: float) -> None:
    given = _chosen("--preset", preset, f"--{flag.replace('_', '-')}", str(value))
    assert asdict(given) == {**asdict(PRESETS[preset]), flag: value}


@pytest.mark.parametrize(
    "flags",
    [
        ("--preset", "none"),
        ("--epochs", "few"),
        ("--device", "tpu"),
        ("--epochs",),
    ],
)
def test_wrong_flags_are_a_matter_of_usage(
    flags: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as left:
        main(["train", "a.jsonl", "--out", "out", *flags])
    assert left.value.code == 64
    assert "usage" in capsys.readouterr().err


def test_notes_and_the_folder_must_be_given() -> None:
    for flags in (["train", "--out", "out"], ["train", "a.jsonl"]):
        with pytest.raises(SystemExit) as left:
            main(flags)
        assert left.value.code == 64
