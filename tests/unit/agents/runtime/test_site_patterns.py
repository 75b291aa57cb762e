"""From the patterns of a policy file to the output of a note."""

import asyncio
import re
from pathlib import Path

import pytest

from deidstream.agents.policy_review.show import notices, show
from deidstream.agents.runtime.policy_files import PolicyFiles, find_policy
from deidstream.models.policy.reader import read_policy
from deidstream.schemas.label import PhiLabel
from deidstream.schemas.note import RawNote
from deidstream.schemas.outcome import Anonymized
from deidstream.schemas.policy import Policy
from deidstream.schemas.wire import encode_note
from support.pipeline import pipeline, service

HEAD = 'technique = "surrogate"\nrecognizers = ["rules", "dictionary", "known"{}]\n'
PUMP = r"""
[patterns.pump]
pattern = '(?i)\d{1,2} ml/HR'
label = "DEVICE"
examples = ["pump [[14 ml/hr]]"]
[patterns.shelf]
pattern = '[a-z]+ shelf'
label = "HOSPITAL"
before = ["kept on"]
within = 2
"""
TEXT = (
    "Pump 14 ml/HR alarmed, kept on blue shelf. The green shelf is painted. Later 14 ML/hr again."
)


def made_under(source: str, text: str = TEXT) -> Anonymized:
    policy = read_policy(source.encode(), name="site")
    (outcome,) = asyncio.run(
        service(pipeline(policy=policy)).run([encode_note(RawNote("n", "p", text))])
    )
    assert isinstance(outcome, Anonymized)
    return outcome


@pytest.mark.parametrize("tagger", ["", ', "tagger"'])
def test_a_pattern_of_the_file_reaches_the_output(tagger: str) -> None:
    head = HEAD.format(tagger)
    without = made_under(head).note.text
    assert "14 ml/HR" in without
    assert "blue shelf" in without
    made = made_under(head + PUMP)
    out = made.note.text
    assert "14" not in out
    assert "blue" not in out
    assert "The green shelf is painted." in out
    codes = re.findall(r"(?i)\d+ [a-z]{2}/[a-z]{2}", out)
    assert len(codes) == 2
    assert codes[0].casefold() == codes[1].casefold()
    assert made.note.policy.sha256 == read_policy((head + PUMP).encode(), name="site").sha256


def test_a_tagger_does_not_doubt_a_pattern_that_is_certain() -> None:
    policy = read_policy((HEAD.format(', "tagger"') + PUMP).encode(), name="site")
    note = RawNote("n", "p", TEXT)
    (detected,) = pipeline(policy=policy).detector.detect([note])
    found = [s for s in detected.spans if s.source == "pattern:pump"]
    assert [(TEXT[s.start : s.end], s.label, s.score) for s in found] == [
        ("14 ml/HR", PhiLabel.DEVICE, 1.0),
        ("14 ML/hr", PhiLabel.DEVICE, 1.0),
    ]


def site(folder: Path) -> tuple[Path, Policy]:
    path = folder / "site.toml"
    path.write_text(HEAD.format("") + PUMP)
    return path, find_policy(str(path))


def test_patterns_are_shown_and_their_examples_counted(tmp_path: Path) -> None:
    path, policy = site(tmp_path)
    assert ["pump", "DEVICE", "1"] in [line.split()[:3] for line in show(policy).splitlines()]
    assert list(notices(PolicyFiles.gather(path), policy)) == [
        "pattern pump: 1 example is found; it has no counter-example",
        "pattern shelf: has no example. Does it find what it should?",
    ]


def test_an_example_is_part_of_the_digest(tmp_path: Path) -> None:
    path, policy = site(tmp_path)
    path.write_text(path.read_text().replace("[[14 ml/hr]]", "[[15 ml/hr]]"))
    assert find_policy(str(path)).sha256 != policy.sha256
