"""Teach the tagger if that helps, and choose how cautious it is."""

import hashlib
import random
import shutil
from dataclasses import dataclass, replace
from pathlib import Path

from deidstream.agents.runtime.load_models import find_tagger
from deidstream.agents.runtime.policy_files import find_policy
from deidstream.agents.runtime.private_files import make_private
from deidstream.agents.runtime.terminal import say
from deidstream.agents.settings import Settings
from deidstream.models.detection.detector import Detector
from deidstream.models.neural.weights import digest
from deidstream.schemas.labelled import encode_labelled
from deidstream.schemas.policy import RecognizerName
from deidstream.study.adaptation.choose_thresholds import bound_thresholds, choose_bound
from deidstream.study.adaptation.marked_parts import MarkedParts
from deidstream.study.adaptation.measure import measure, open_detector
from deidstream.study.adaptation.teach_tagger import Lesson, has_our_outputs, teach
from deidstream.study.corpus.compose_notes import compose_notes
from deidstream.study.corpus.fillers.fill import Filler, read_lists

FEWEST_TO_LEARN = 10
"""Marked notes from which the tagger is taught."""
FORGOTTEN = 0.005
"""By how much the recall in notes unlike the site's may fall."""
GENERAL_NOTES, GENERAL_SEED = 60, 92
"""Composed notes in which that recall is measured; the tagger is taught with those of others."""


@dataclass(frozen=True, slots=True)
class SiteTagger:
    """What becomes of the tagger."""

    taught: Path | None = None
    """The folder of a taught one."""
    bound: float = 1.0
    """No threshold is above it."""

    @property
    def is_own(self) -> bool:
        """Whether it is another one than the settings have."""
        return self.taught is not None or self.bound < 1


def adapt_tagger(
    settings: Settings, parts: MarkedParts, work: Path, *, lesson: Lesson | None, recall: float
) -> SiteTagger:
    """Teach the tagger, keep it if it is better for it, and choose its thresholds.

    Args:
        settings: With the site's policy.
        parts: Marked notes.
        work: Folder for what is needed to go on if it is stopped.
        lesson: How it is taught; ``None``: not at all.
        recall: Share of the direct identifiers that is to be found.

    Raises:
        Refused: The tagger cannot be loaded or taught.
    """
    if RecognizerName.TAGGER not in find_policy(settings.policy).recognizers:
        return SiteTagger()
    if not parts.chosen_on:
        return SiteTagger()
    detector = open_detector(settings)
    taught = _teach(settings, detector, parts, work, lesson) if lesson else None
    tagger = SiteTagger(taught)
    if taught is not None:
        detector = open_adapted(settings, tagger)
    chosen = choose_bound(detector, parts.chosen_on, recall)
    how = "stay" if chosen.most == 1 else f"are at most {chosen.most:g}"
    missed = "" if chosen.recall >= recall else f"; no thresholds reach {recall:g}"
    say(f"thresholds {how}: {chosen.recall:.3f} of the direct identifiers are found{missed}")
    return SiteTagger(taught, chosen.most)


def open_adapted(settings: Settings, tagger: SiteTagger) -> Detector:
    """Load the detector of settings with the tagger of the site."""
    if tagger.taught is not None:
        own = replace(settings.tagger, path=str(tagger.taught), sha256="")
        settings = replace(settings, tagger=own)
    return bound_thresholds(open_detector(settings), tagger.bound)


def _teach(
    settings: Settings, detector: Detector, parts: MarkedParts, work: Path, lesson: Lesson
) -> Path | None:
    """Return the folder of the taught tagger; ``None`` if it is not taught, or no better for it."""
    if len(parts.learnt) < FEWEST_TO_LEARN:
        say(f"the tagger is not taught: fewer than {FEWEST_TO_LEARN} notes to learn from")
        return None
    if not has_our_outputs(find_tagger(settings)):
        say("the tagger is not taught: its outputs are others than those of 'deidstream train'")
        return None
    folder = _open_run(settings, parts, work, lesson)
    tagger = SiteTagger(teach(settings, detector, parts.learnt, folder, lesson))
    adapted = open_adapted(settings, tagger)
    old, new = measure(detector, parts.chosen_on), measure(adapted, parts.chosen_on)
    filler = Filler(random.Random(GENERAL_SEED), read_lists())
    general = list(compose_notes(filler, GENERAL_SEED, GENERAL_NOTES))
    had, has = (measure(one, general).every.recall or 0.0 for one in (detector, adapted))
    say(
        f"taught tagger: F {old.f_beta:.3f} to {new.f_beta:.3f} in the site's notes; "
        f"recall in other notes {had:.3f} to {has:.3f}"
    )
    if new.f_beta < old.f_beta or had - has > FORGOTTEN:
        say("  it is left out, as it is no better")
        return None
    return tagger.taught


def _open_run(settings: Settings, parts: MarkedParts, work: Path, lesson: Lesson) -> Path:
    """Return the folder of a run; those of runs with another tagger or other notes are removed."""
    run = hashlib.sha256(digest(find_tagger(settings)).encode() + repr(lesson).encode())
    for labelled in parts.learnt:
        run.update(encode_labelled(labelled))
    name = run.hexdigest()[:16]
    for other in work.iterdir() if work.is_dir() else ():
        if other.name != name:
            shutil.rmtree(other, ignore_errors=True)
    make_private(work, name)
    return work / name
