"""Load what is slow to make: recognizers with their calibration, embedder and index."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, cast

from deidstream.agents.runtime.load_embedder import choose_embedder, read_engine_options
from deidstream.agents.settings import Settings
from deidstream.models.detection.calibration import Calibration
from deidstream.models.detection.detector import Detector
from deidstream.models.kneo.index_folder import (
    read_contexts,
    read_index,
    read_notes,
    shipped_index,
)
from deidstream.models.kneo.words.word_vectors import load_word_vectors, shipped_vectors
from deidstream.models.neural.weights import (
    locate,
    shipped_tagger,
    shipped_tagger_digest,
)
from deidstream.models.policy.stricter import techniques_of
from deidstream.models.recognizers.dictionary.dictionary import DictionaryRecognizer
from deidstream.models.recognizers.known import KnownRecognizer
from deidstream.models.recognizers.label_map import parse_label_map
from deidstream.models.recognizers.rules.recognizer import RulesRecognizer
from deidstream.models.risk.reference_set import ReferenceSet
from deidstream.schemas.errors import MissingArtefact
from deidstream.schemas.extras import Extra, needing
from deidstream.schemas.policy import SENTENCE_KNEO, Policy, RecognizerName, Technique
from deidstream.schemas.ports import Embedder, NoteEmbedder, Recognizer

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from deidstream.models.kneo.index import Index
    from deidstream.models.kneo.words.near_words import NearWords
    from deidstream.models.recognizers.tagger import Tagger

POSSIBLE_PHI = 0.005
"""Probability of PHI below which the tagger contradicts a doubtful rule (ADR 6)."""


@dataclass(frozen=True, slots=True)
class Models:
    """Loaded models: slow to make, shared by all policies."""

    recognizers: Mapping[RecognizerName, Recognizer]
    """Those that the policy names and, after a change of policy, any other that was loaded."""
    embedder: NoteEmbedder
    calibration: Calibration
    """Makes probabilities of the scores of the recognizers."""
    contexts: "NDArray[np.float32]" = field(repr=False)
    """The reference contexts of the index, for the risk measure."""
    references: ReferenceSet
    """The reference notes of the index, for the risk measures."""
    index_digest: str
    index: "Index | None" = None
    """All of the index, where a policy rewrites sentences."""
    near_words: "NearWords | None" = None
    """The neighbours of words, where a policy rewrites words."""

    def recognizers_of(self, policy: Policy) -> tuple[Recognizer, ...]:
        """Return the recognizers that a policy names, in the order of their names."""
        named = (self.recognizers[name] for name in sorted(policy.recognizers))
        return tuple(fit_to_policy(each, policy) for each in named)

    def detector_of(self, policy: Policy) -> Detector:
        """Return the detector of a policy."""
        return _make_detector(policy, self.recognizers_of(policy), self.calibration)


def load_models(settings: Settings, policy: Policy) -> Models:
    """Load recognizers, embedder and index.

    Raises:
        MissingArtefact: A model or index is missing or does not match its checksum.
    """
    recognizers = choose_recognizers(settings, policy, {})
    embedder = choose_embedder(settings, policy)
    checked = read_index(find_index(settings), embedder.digest)
    index = index_for(settings, policy, embedder, checked.digest)
    calibration = load_calibration(settings)
    contexts = read_contexts(checked)
    references = ReferenceSet.of_notes(read_notes(checked))
    near_words = near_words_for(settings, policy)
    digest = checked.digest
    return Models(
        recognizers, embedder, calibration, contexts, references, digest, index, near_words
    )


def load_detector(settings: Settings, policy: Policy) -> tuple[Detector, str | None]:
    """Load the detector of a policy, and return the tagger's digest with it.

    Raises:
        MissingArtefact: A recognizer cannot be loaded.
    """
    recognizers, tagger = load_recognizers(settings, policy)
    return _make_detector(policy, recognizers, load_calibration(settings)), tagger


def _make_detector(
    policy: Policy, recognizers: tuple[Recognizer, ...], calibration: Calibration
) -> Detector:
    # Fitted with a tagger, it takes the silence of one for evidence against a rule.
    tagged = RecognizerName.TAGGER in policy.recognizers
    return Detector(policy, recognizers, calibration if tagged else None)


def load_calibration(settings: Settings) -> Calibration:
    """Read the calibration of the tagger in use.

    Raises:
        MissingArtefact: It cannot be read.
    """
    return Calibration.read(find_calibration(settings))


def find_calibration(settings: Settings) -> Path:
    """Return the folder with the calibration: the tagger's, or the second one's if two judge.

    Raises:
        InvalidSettings: There is no shipped tagger of the name.
        MissingArtefact: There is no such folder.
    """
    second = settings.tagger.second
    return locate(second) if second else find_tagger(settings)


def find_tagger(settings: Settings) -> Path:
    """Return the folder of the tagger: the settings' own, or the shipped one that they name.

    Raises:
        InvalidSettings: There is no shipped one of that name.
        MissingArtefact: There is no such folder.
    """
    path = settings.tagger.path
    return locate(path) if path else shipped_tagger(settings.tagger.model)


def load_recognizers(
    settings: Settings, policy: Policy
) -> tuple[tuple[Recognizer, ...], str | None]:
    """Load the recognizers that the policy names, and return the tagger's digest with them."""
    every = choose_recognizers(settings, policy, {}).values()
    loaded = tuple(fit_to_policy(each, policy) for each in every)
    return loaded, tagger_digest(loaded)


def choose_recognizers(
    settings: Settings, policy: Policy, had: Mapping[RecognizerName, Recognizer]
) -> dict[RecognizerName, Recognizer]:
    """Load the recognizers that a policy names, but for those that were loaded before."""
    make: dict[RecognizerName, Callable[[], Recognizer]] = {
        RecognizerName.RULES: RulesRecognizer,
        RecognizerName.DICTIONARY: partial(
            DictionaryRecognizer.build, policy.deny, policy.lists, policy.labels
        ),
        RecognizerName.KNOWN: KnownRecognizer,
        RecognizerName.TAGGER: partial(load_tagger, settings),
    }
    return {**had, **{n: make[n]() for n in sorted(policy.recognizers) if n not in had}}


def fit_to_policy(recognizer: Recognizer, policy: Policy) -> Recognizer:
    """Return a recognizer as a policy wants it; all policies share the tagger and the rules."""
    if recognizer.name == RecognizerName.TAGGER:
        return cast("Tagger", recognizer).at_profile(policy.detection.profile)
    if recognizer.name == RecognizerName.RULES:
        return cast("RulesRecognizer", recognizer).with_patterns(policy.patterns, policy.labels)
    return recognizer


def tagger_digest(recognizers: tuple[Recognizer, ...]) -> str | None:
    """Return the identity of the tagger, if it is among the recognizers."""
    for recognizer in recognizers:
        if recognizer.name == RecognizerName.TAGGER:
            return cast("Tagger", recognizer).identity
    return None


def describe_engines(recognizers: tuple[Recognizer, ...], embedder: NoteEmbedder) -> str:
    """Return which engine runs the tagger and the embedder, and why."""
    told: list[str] = []
    for recognizer in recognizers:
        if recognizer.name == RecognizerName.TAGGER:
            tagger = cast("Tagger", recognizer)
            told.append(f"tagger by {tagger.choice}")
            if tagger.second is not None:
                told.append(f"second tagger by {tagger.second.choice}")
    choice = getattr(embedder, "choice", None)
    if choice is not None:
        told.append(f"embedder by {choice}")
    return "; ".join(told)


def load_tagger(settings: Settings) -> "Tagger":
    """Load the tagger: the settings' own, or the shipped one; with the second, if they name one.

    Raises:
        MissingArtefact: A checkpoint cannot be read, or is not the one that is expected.
    """
    from deidstream.models.recognizers.tagger import Tagger, TaggerOptions

    wanted = settings.tagger
    options = TaggerOptions(
        window=wanted.window,
        possible=POSSIBLE_PHI,
        overlap=wanted.overlap,
        run=read_engine_options(settings),
        budget_tokens=settings.batch.forward_tokens,
        label_map=parse_label_map(wanted.labels),
        expected_digest=wanted.sha256 if wanted.path else shipped_tagger_digest(wanted.model),
    )
    tagger = Tagger.load(wanted.path or str(shipped_tagger(wanted.model)), settings=options)
    if not wanted.second:
        return tagger
    another = replace(options, label_map={}, expected_digest=wanted.second_sha256)
    return replace(tagger, second=Tagger.load(wanted.second, settings=another))


def load_index(settings: Settings, embedder: Embedder) -> "Index":
    """Load the index: the settings' own, or the shipped one.

    Raises:
        MissingArtefact: It is missing, altered, or of another embedder.
    """
    from deidstream.models.kneo import index

    return index.load(find_index(settings), embedder.digest)


def find_index(settings: Settings) -> Path:
    """Return the folder of the index: the settings' own, or the shipped one."""
    return Path(settings.model.index) if settings.model.index else shipped_index()


def find_vectors(settings: Settings) -> Path:
    """Return the folder of the word vectors: the settings' own, or the shipped one."""
    return Path(settings.model.vectors) if settings.model.vectors else shipped_vectors()


def near_words_for(settings: Settings, policy: Policy) -> "NearWords | None":
    """Load the word vectors where the policy rewrites words.

    Raises:
        MissingArtefact: They are missing or altered.
    """
    if Technique.KNEO_WORDS not in techniques_of(policy):
        return None
    from deidstream.models.kneo.words.near_words import NearWords

    return NearWords(load_word_vectors(find_vectors(settings)))


def index_for(
    settings: Settings, policy: Policy, embedder: Embedder, digest: str
) -> "Index | None":
    """Load all of the index where the policy rewrites sentences: it must be that of the digest."""
    if SENTENCE_KNEO.isdisjoint(techniques_of(policy)):
        return None
    with needing(Extra.KNEO, f"policy {policy.name}"):
        index = load_index(settings, embedder)
    if index.digest != digest:
        msg = "the index was changed after the start"
        raise MissingArtefact(msg)
    if (policy.kneo.donors or policy.kneo.deniability) and not len(index.notes):
        msg = "the policy needs reference notes, and the index has none: build it again from notes"
        raise MissingArtefact(msg)
    return index
