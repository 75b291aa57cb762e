"""The tagger: any Hugging Face token classifier, run over windows of all notes together."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import accumulate, starmap
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from tokenizers import Encoding

from deidstream.models.neural.engine_choice import load_classifier
from deidstream.models.neural.engine_port import Classifier, EngineChoice, EngineOptions
from deidstream.models.neural.passes.line_starts import find_line_starts
from deidstream.models.neural.passes.packing import (
    ForwardPass,
    Layout,
    Results,
    cut_windows,
    run_packed_sequences,
    stitch,
)
from deidstream.models.neural.tokenizer import Pieces
from deidstream.models.neural.weights import check_digest, locate
from deidstream.models.recognizers.label_map import find_beginnings, translate_labels
from deidstream.models.recognizers.label_scores import (
    COLUMNS,
    LABELS,
    WHOLE,
    Meanings,
    Thousandths,
    sum_by_label,
)
from deidstream.models.recognizers.profiles import BOUNDS
from deidstream.models.recognizers.second_tagger import weigh_in
from deidstream.models.recognizers.word_shapes import ID_BITS, pack_shapes
from deidstream.models.recognizers.word_spans import (
    Thresholds,
    Words,
    possible_spans,
    read_spans,
)
from deidstream.models.text.characters import separate_words
from deidstream.schemas.errors import InvalidSettings, MissingArtefact
from deidstream.schemas.note import RawNote
from deidstream.schemas.policy import Profile
from deidstream.schemas.span import Span, sort_spans


@dataclass(frozen=True, slots=True)
class TaggerOptions:
    """How a checkpoint is run and read."""

    window: int = 256
    """Word pieces the model reads at once, special ones included."""
    overlap: int = 16
    """Most word pieces that neighbouring windows share; they are cut where lines end (ADR 43)."""
    budget_tokens: int = 4096
    """Most padded word pieces of one forward pass."""
    threshold: float = 0.5
    """Probability of being any PHI from which a word is PHI, where the checkpoint has no
    ``phi_thresholds`` of its own."""
    possible: float = 0.0
    """Probability from which PHI is reported as possible (``detection.reconcile``); 0: never."""
    run: EngineOptions = field(default_factory=EngineOptions)
    """By which engine, and where."""
    label_map: Mapping[str, str] = field(default_factory=dict[str, str])
    """Our label or ``O`` by model label, where the model's own names are not known here."""
    expected_digest: str = ""
    """The digest (``models.neural.weights.digest``) that is required; empty: any."""


@dataclass(frozen=True, slots=True)
class Tagger:
    """Finds PHI by a transformer."""

    pieces: Pieces
    model: Classifier = field(repr=False)
    meanings: Meanings = field(repr=False)
    own_thresholds: NDArray[np.int16] = field(repr=False)
    """Those of the checkpoint: in thousandths, by label."""
    shaped: bool
    """Whether the model reads the shapes of words."""
    settings: TaggerOptions
    layout: Layout
    digest: str
    choice: EngineChoice
    """Which engine computes, and why."""
    profile: Profile = Profile.BALANCED
    second: "Tagger | None" = None
    """Another tagger, whose opinion is weighed in on every piece."""
    name: str = "tagger"

    @classmethod
    def load(cls, path: str, *, settings: TaggerOptions) -> Self:
        """Read a checkpoint, by path or by the name of a downloaded one.

        Only safetensors are read, no code of the checkpoint runs, nothing is downloaded.

        Raises:
            MissingArtefact: The checkpoint is absent, incomplete, without a fast tokenizer, has
                another digest than expected, or a label without meaning here.
            InvalidSettings: Window, overlap, device, dtype or label map do not fit.
        """
        folder = locate(path)
        digest = check_digest(folder, settings.expected_digest)
        pieces = Pieces.load(folder)
        if not 0 <= settings.overlap < pieces.text_room(settings.window):
            msg = f"windows of {settings.window} word pieces cannot share {settings.overlap}"
            raise InvalidSettings(msg)
        model, choice = load_classifier(folder, settings.run.for_model(digest))
        config = model.config
        return cls(
            pieces,
            model,
            _read_meanings(config, settings.label_map),
            _read_thresholds(config, settings.threshold),
            bool(config.get("word_shapes", False)),
            settings,
            Layout(settings.budget_tokens, pieces.pad_id),
            digest,
            choice,
        )

    @property
    def precision(self) -> str:
        """How precisely it computes, and by what; part of a pipeline's identity."""
        return self.model.precision

    @property
    def identity(self) -> str:
        """Digest and precision, as ``DIGEST:PRECISION``; of both, comma separated, if two judge."""
        own = f"{self.digest}:{self.precision}"
        return own if self.second is None else f"{own},{self.second.identity}"

    def at_profile(self, profile: Profile) -> Self:
        """Return the same tagger with other thresholds; it shares the model."""
        return replace(self, profile=profile)

    @property
    def thresholds(self) -> Thresholds:
        """What is PHI under the profile."""
        bounds = BOUNDS[self.profile]
        bounded = self.own_thresholds.clip(bounds.lowest, bounds.highest)
        return Thresholds(bounded, bounds.beside)

    def recognize(self, notes: Sequence[RawNote]) -> list[tuple[Span, ...]]:
        """Find the PHI of each note, in the order of the notes; spans are sorted.

        A note's spans do not depend on the notes beside it, and no part of a note goes unread.
        """
        encodings, scores = self.score([note.text for note in notes])
        thresholds = self.thresholds
        return [
            sort_spans(self._read_spans(separate_words(note.text), encoding, score, thresholds))
            if len(score)
            else ()
            for note, encoding, score in zip(notes, encodings, scores, strict=True)
        ]

    def _read_spans(
        self, text: str, encoding: Encoding, score: Thousandths, thresholds: Thresholds
    ) -> Iterator[Span]:
        words = Words.of(text, encoding)
        best = words.take_largest(score)
        yield from read_spans(text, words, best, thresholds)
        if self.settings.possible:
            least = round(self.settings.possible * WHOLE)
            yield from possible_spans(words, best, least)

    def score(self, texts: Sequence[str]) -> tuple[list[Encoding], list[Thousandths]]:
        """Return each text's pieces and their probabilities, before any threshold."""
        encodings, scores = self._score_alone(texts)
        if self.second is None:
            return encodings, scores
        others = zip(*self.second.score(texts), strict=True)
        return encodings, [
            weigh_in(own.offsets, score, other.offsets, other_score)
            for own, score, (other, other_score) in zip(encodings, scores, others, strict=True)
        ]

    def _score_alone(self, texts: Sequence[str]) -> tuple[list[Encoding], list[Thousandths]]:
        separated = list(map(separate_words, texts))
        encodings = self.pieces.encode(separated)
        ids = [
            pack_shapes(text, encoding) if self.shaped else encoding.ids
            for text, encoding in zip(separated, encodings, strict=True)
        ]
        breaks = list(map(find_line_starts, separated, encodings))
        return encodings, self._score_notes(ids, breaks)

    def _score_notes(
        self, notes: Sequence[Sequence[int]], breaks: Sequence[Sequence[int]]
    ) -> list[Thousandths]:
        room, overlap = self.pieces.text_room(self.settings.window), self.settings.overlap
        cuts = [
            cut_windows(len(ids), size=room, overlap=overlap, breaks=starts)
            for ids, starts in zip(notes, breaks, strict=True)
        ]
        windows = [
            ids[window.start : window.end]
            for ids, cut in zip(notes, cuts, strict=True)
            for window in cut
        ]
        results = self._score_windows(windows)
        ends = list(accumulate(map(len, cuts)))
        return [
            stitch(cut, results[end - len(cut) : end]) if cut else _NOTHING
            for cut, end in zip(cuts, ends, strict=True)
        ]

    def _score_windows(self, windows: Sequence[Sequence[int]]) -> list[Thousandths]:
        results = [_NOTHING] * len(windows)
        framed = [self.pieces.add_special_ids(ids) for ids in windows]
        opening = len(self.pieces.before)
        for at, row in run_packed_sequences(self._probabilities, framed, self.layout):
            answered = row[opening : opening + len(windows[at])]
            results[at] = sum_by_label(answered, self.meanings)
        return results

    def _probabilities(self, passes: Sequence[ForwardPass]) -> Sequence[Results]:
        return self.model.score([self._unpack(one) for one in passes])

    def _unpack(self, one: ForwardPass) -> ForwardPass:
        shapes = one.ids >> ID_BITS if self.shaped else None
        return ForwardPass(one.ids & ((1 << ID_BITS) - 1), one.mask, shapes)


_NOTHING: Thousandths = np.zeros((0, COLUMNS), dtype=np.int16)


def _read_meanings(config: Mapping[str, Any], label_map: Mapping[str, str]) -> Meanings:
    names = {int(column): str(name) for column, name in config["id2label"].items()}
    labels = translate_labels(names, label_map)
    places = tuple(0 if label is None else 1 + LABELS.index(label) for label in labels)
    return Meanings(places, find_beginnings(names))


def _read_thresholds(config: Mapping[str, Any], otherwise: float) -> NDArray[np.int16]:
    own = config.get("phi_thresholds") or {}
    if not isinstance(own, Mapping) or not all(starmap(_is_threshold, own.items())):
        msg = "tagger: phi_thresholds of the checkpoint are not labels with numbers up to 1"
        raise MissingArtefact(msg)
    values = [round(own.get(label, otherwise) * WHOLE) for label in LABELS]
    return np.array(values, dtype=np.int16)


def _is_threshold(label: object, value: object) -> bool:
    return label in LABELS and isinstance(value, int | float) and 0 < value <= 1
