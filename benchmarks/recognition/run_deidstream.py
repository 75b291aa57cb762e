"""This project: the detector that the worker would run, with the policy of the settings."""

import os
from collections.abc import Sequence
from dataclasses import replace
from importlib.metadata import version

from exchange import Absent, Found, Runner, serve

from deidstream.agents.runtime.load_models import load_detector
from deidstream.agents.runtime.policy_files import find_policy
from deidstream.agents.settings import read_settings
from deidstream.models.detection.detector import Detector
from deidstream.schemas.errors import Refused
from deidstream.schemas.note import RawNote
from deidstream.schemas.policy import Policy, Profile

PROFILE = "PEERS_PROFILE"
"""Variable that says which profile is run in place of the policy's own."""
CHUNK = 32
"""Notes detected together; their spans do not depend on it."""


def prepare() -> Runner:
    try:
        settings = read_settings(os.environ)
        policy = at_profile(find_policy(settings.policy))
        detector, tagger = load_detector(settings, policy)
    except Refused as refused:
        raise Absent(refused) from None

    def find(texts: Sequence[str]) -> list[list[Found]]:
        starts = range(0, len(texts), CHUNK)
        return [each for start in starts for each in spans(detector, texts[start : start + CHUNK])]

    names = " + ".join(recognizer.name for recognizer in detector.recognizers)
    weights = f", tagger {tagger[:12]}" if tagger else ""
    what = f"deidstream {version('deidstream')}, policy {policy.name}, "
    what += f"profile {policy.detection.profile}: {names}{weights}"
    return Runner(what, find)


def at_profile(policy: Policy) -> Policy:
    profile = Profile(os.environ.get(PROFILE, policy.detection.profile))
    return replace(policy, detection=replace(policy.detection, profile=profile))


def spans(detector: Detector, texts: Sequence[str]) -> list[list[Found]]:
    notes = [RawNote(str(place), "", text) for place, text in enumerate(texts)]
    return [
        [(span.start, span.end, span.label.value) for span in detected.spans]
        for detected in detector.detect(notes)
    ]


if __name__ == "__main__":
    serve(prepare)
