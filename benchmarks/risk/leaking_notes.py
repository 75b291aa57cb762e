"""Detect labelled notes under several conditions, and judge what each left and what was suspect.

The models run once on each text. A note leaks when a token of a direct identifier is left.
"""

import os
import pickle
import random
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import cast

sys.path.append(str(Path(__file__).parents[1] / "recognition"))

from curve import RememberedTagger
from known_identifiers import RememberedReports

from deidstream.agents.runtime.load_models import load_detector
from deidstream.agents.runtime.policy_files import find_policy
from deidstream.agents.settings import read_settings
from deidstream.models.detection.detector import Detector
from deidstream.models.recognizers.profiles import BOUNDS
from deidstream.models.recognizers.tagger import Tagger
from deidstream.models.records import Detected
from deidstream.models.risk.note_evidence import NoteEvidence, gather_evidence
from deidstream.models.risk.suspects import Suspect, find_suspects
from deidstream.schemas.label import PhiLabel, is_direct
from deidstream.schemas.labelled import LabelledNote
from deidstream.schemas.policy import Profile, RecognizerName
from deidstream.study.corpus import noise
from deidstream.study.corpus.read_notes import read_labelled_notes, read_marked_notes
from deidstream.study.scoring.match import Extent, Reference, prepare_reference

RULES = "rules"
CONDITIONS = ("balanced", "precise", RULES)
"""Two profiles of the tagger, and the rules and lists without it; each has weights of its own."""
DISTORTIONS = (
    noise.murmur,
    noise.lower_names,
    noise.scan,
    noise.slip,
    noise.shout,
    noise.glue,
    noise.spread,
)
CHUNK = 16


@dataclass(frozen=True, slots=True)
class JudgedNote:
    """One labelled note under one condition, without its text."""

    gold: str
    condition: str
    family: str
    """The note it is, or is a distortion of: those of a family are never on two sides of a fit."""
    leaked: tuple[PhiLabel, ...]
    """Labels of the direct mentions of which a token is left."""
    leaks_any: bool
    """Whether a token of any mention is left."""
    unseen: tuple[PhiLabel, ...]
    """Those of them that no suspect touches."""
    mentions: tuple[PhiLabel, ...]
    """Labels of the direct identifiers that were found."""
    suspects: tuple[tuple[Mapping[str, float], bool], ...] = field(repr=False)
    """The evidence for each suspect, and whether it touches a direct identifier that is left."""
    evidence: NoteEvidence
    """What the whole note tells."""
    older: bool
    """Whether an older tagger read it, since the shipped one has learnt from it."""
    possible: int
    """Stretches that a recognizer saw or the tagger held for possible and that are left."""


def distort_notes(notes: Sequence[LabelledNote], times: int) -> Iterator[LabelledNote]:
    """Yield each note ``times`` over, each time distorted in one way."""
    for labelled in notes:
        for number in range(times):
            name = f"{labelled.note.note_id}:{number}"
            rng = random.Random(name)
            made = rng.choice(DISTORTIONS)(labelled, rng)
            yield replace(made, note=replace(made.note, note_id=name))


@dataclass(slots=True)
class Judge:
    """Detects under each condition; the models run once on each text."""

    loaded: Detector
    tagger: RememberedTagger
    others: tuple[RememberedReports, ...]

    @classmethod
    def load(cls, older: Path | None) -> "Judge":
        """Load what detects, with an older tagger under the thresholds of the shipped one."""
        loaded, tagger = _load_detector({})
        if older:
            thresholds = tagger.own_thresholds
            loaded, tagger = _load_detector({"DEIDSTREAM_TAGGER_PATH": str(older)})
            tagger = replace(tagger, own_thresholds=thresholds)
        others = tuple(
            RememberedReports(r) for r in loaded.recognizers if r.name != RecognizerName.TAGGER
        )
        remembered = RememberedTagger(tagger, BOUNDS[Profile.BALANCED])
        return cls(loaded, remembered, others)

    def detect(self, notes: Sequence[LabelledNote]) -> Iterator[tuple[str, LabelledNote, Detected]]:
        for at in range(0, len(notes), CHUNK):
            chunk = notes[at : at + CHUNK]
            self.tagger.answers.clear()
            for each in self.others:
                each.reports.clear()
            for condition in CONDITIONS:
                found = self._detector_of(condition).detect([one.note for one in chunk])
                yield from zip([condition] * len(chunk), chunk, found, strict=True)

    def _detector_of(self, condition: str) -> Detector:
        if condition != RULES:
            self.tagger.bounds = BOUNDS[Profile(condition)]
            return replace(self.loaded, recognizers=(*self.others, self.tagger))
        policy = self.loaded.policy
        untagged = replace(policy, recognizers=policy.recognizers - {RecognizerName.TAGGER})
        return replace(self.loaded, policy=untagged, recognizers=self.others, calibration=None)


def _load_detector(environment: Mapping[str, str]) -> tuple[Detector, Tagger]:
    settings = read_settings({**os.environ, **environment}, {"policy": "surrogate"})
    loaded, _ = load_detector(settings, find_policy("surrogate"))
    tagger = next(r for r in loaded.recognizers if r.name == RecognizerName.TAGGER)
    return loaded, cast("Tagger", tagger)


def judge_note(
    gold: str, condition: str, labelled: LabelledNote, detected: Detected, *, older: bool
) -> JudgedNote:
    reference = prepare_reference(labelled)
    left: list[tuple[Extent, list[Extent]]] = []
    for one, whole in _direct_pieces(reference):
        open_pieces = [piece for piece in whole if not _is_covered(piece, detected)]
        if open_pieces:
            left.append((one, open_pieces))
    pieces = [piece for _, each in left for piece in each]
    suspects = list(find_suspects(detected))
    return JudgedNote(
        gold=gold,
        condition=condition,
        family=f"{gold}/{labelled.note.note_id.partition(':')[0]}",
        leaked=tuple(one.label for one, _ in left),
        leaks_any=not all(_is_covered(piece, detected) for piece in reference.pieces),
        unseen=tuple(
            one.label
            for one, each in left
            if not any(_touch(suspect, piece) for suspect in suspects for piece in each)
        ),
        mentions=tuple(span.label for span in detected.spans if is_direct(span.label)),
        suspects=tuple(
            (suspect.evidence, any(_touch(suspect, piece) for piece in pieces))
            for suspect in suspects
        ),
        evidence=gather_evidence(detected),
        older=older and condition != RULES,
        possible=len(detected.doubts),
    )


def _direct_pieces(reference: Reference) -> Iterator[tuple[Extent, list[Extent]]]:
    for one in reference.spans:
        if is_direct(one.label):
            yield one, [p for p in reference.pieces if one.start <= p.start and p.end <= one.end]


def _is_covered(piece: Extent, detected: Detected) -> bool:
    return any(span.start <= piece.start and piece.end <= span.end for span in detected.spans)


def _touch(suspect: Suspect, piece: Extent) -> bool:
    return suspect.start < piece.end and piece.start < suspect.end


def judge_gold(path: Path, keep: Path, *, noisy: int, older: Path | None) -> list[JudgedNote]:
    """Judge the notes of a gold file or folder, or distortions of them.

    Args:
        path: Labelled notes.
        keep: Folder for what was detected, which holds text: a second run reads it.
        noisy: How many distortions of each note; 0: the notes as they are.
        older: Folder of the tagger that reads them if the shipped one has learnt from them.
    """
    name = path.parent.name if path.stem == "notes" else path.stem
    name += "-distorted" if noisy else ""
    file = keep / f"{name}.pickle"
    if not file.exists():
        notes = read_marked_notes(path) if path.is_dir() else read_labelled_notes(path)
        chosen = list(distort_notes(notes, noisy)) if noisy else notes
        keep.mkdir(parents=True, exist_ok=True)
        file.write_bytes(pickle.dumps(list(Judge.load(older).detect(chosen))))
    return [
        judge_note(name, condition, labelled, detected, older=older is not None)
        for condition, labelled, detected in pickle.loads(file.read_bytes())  # noqa: S301
    ]
