"""The composition root: concrete classes meet protocols here, and nowhere else."""

from dataclasses import dataclass
from importlib.metadata import version
from importlib.resources import files
from pathlib import Path

import torch

from deidstream.agents.keys import read_key
from deidstream.agents.policies import find_policy
from deidstream.agents.service import watch
from deidstream.agents.settings import Settings
from deidstream.models import index as index_folder
from deidstream.models.assess import Assessor
from deidstream.models.detect import Detector
from deidstream.models.embedders.embedder import Embedder
from deidstream.models.embedders.sentence import SentenceEmbedder
from deidstream.models.index import Index
from deidstream.models.kneo.rewrite import Rewriter
from deidstream.models.kneo.substitute import SentenceKneo
from deidstream.models.operators.table import operators
from deidstream.models.pipeline import Pipeline
from deidstream.models.recognizers.dictionary import DictionaryRecognizer
from deidstream.models.recognizers.known import KnownRecognizer
from deidstream.models.recognizers.label_map import parse
from deidstream.models.recognizers.rules import RulesRecognizer
from deidstream.models.recognizers.tagger import Tagger
from deidstream.models.recognizers.tagger import TaggerSettings as TaggerOptions
from deidstream.models.release import Releaser
from deidstream.models.replace import Replacer
from deidstream.models.token_counter import PieceCounter
from deidstream.schemas.errors import MissingArtefact
from deidstream.schemas.note import PipelineStamp
from deidstream.schemas.policy import Policy, RecognizerName, Technique
from deidstream.schemas.ports import Recognizer, TokenCounter


@dataclass(frozen=True, slots=True)
class Parts:
    """What the shell needs of the pure half."""

    pipeline: Pipeline
    counter: TokenCounter
    stamp: PipelineStamp


@dataclass(frozen=True, slots=True)
class Models:
    """What was loaded: slow to make, shared by all that follows."""

    recognizers: tuple[Recognizer, ...]
    tagger: str | None
    embedder: SentenceEmbedder
    index: Index


def compose(settings: Settings, *, root: bytes | None = None) -> Parts:
    """Load everything and wire it.

    Args:
        settings: All settings.
        root: The root key; read from the key file when not given.

    Raises:
        Refused: A policy, key, model or index is missing or wrong.
    """
    key = read_key(settings.key.file) if root is None else root
    policy = find_policy(settings.policy)
    models = load_models(settings, policy)
    stamp = _stamp(settings, models)
    counter = PieceCounter(models.embedder.pieces)
    return Parts(_pipeline(policy, models, stamp, key), counter, stamp)


def load_models(settings: Settings, policy: Policy) -> Models:
    """Load recognizers, embedder and index.

    Raises:
        MissingArtefact: A model or index is missing or does not match its checksum.
    """
    if settings.model.threads:
        torch.set_num_threads(settings.model.threads)
    recognizers, tagger = load_recognizers(settings, policy)
    embedder = load_embedder(settings)
    return Models(recognizers, tagger, embedder, load_index(settings, embedder))


def load_recognizers(
    settings: Settings, policy: Policy
) -> tuple[tuple[Recognizer, ...], str | None]:
    """Load the recognizers that the policy names, and tell the tagger's digest."""
    tagger = load_tagger(settings) if RecognizerName.TAGGER in policy.recognizers else None
    named: dict[RecognizerName, Recognizer | None] = {
        RecognizerName.RULES: RulesRecognizer(),
        RecognizerName.DICTIONARY: DictionaryRecognizer.build(policy.deny),
        RecognizerName.KNOWN: KnownRecognizer(),
        RecognizerName.TAGGER: tagger,
    }
    chosen = [named[name] for name in sorted(policy.recognizers)]
    digest = f"{tagger.digest}:{tagger.precision}" if tagger else None
    return tuple(r for r in chosen if r is not None), digest


def load_tagger(settings: Settings) -> Tagger:
    """Load the tagger.

    Raises:
        MissingArtefact: No checkpoint is named, or it cannot be read.
    """
    wanted = settings.tagger
    if not wanted.path:
        msg = "tagger: the policy names the tagger, but DEIDSTREAM_TAGGER_PATH is not set"
        raise MissingArtefact(msg)
    options = TaggerOptions(
        window=wanted.window,
        overlap=wanted.overlap,
        dtype=settings.model.dtype,
        device=settings.model.device,
        budget_tokens=settings.batch.forward_tokens,
        label_map=parse(wanted.labels),
        expected_digest=wanted.sha256,
    )
    return Tagger.load(wanted.path, settings=options)


def load_embedder(settings: Settings) -> SentenceEmbedder:
    """Load the sentence embedder.

    Raises:
        MissingArtefact: It cannot be read.
    """
    model = settings.model
    budget = settings.batch.forward_tokens
    return SentenceEmbedder.load(
        model.embedder, device=model.device, dtype=model.dtype, budget_tokens=budget
    )


def load_index(settings: Settings, embedder: Embedder) -> Index:
    """Load the index: the settings' own, or the shipped one.

    Raises:
        MissingArtefact: It is missing, altered, or of another embedder.
    """
    folder = Path(settings.model.index) if settings.model.index else shipped_index()
    return index_folder.load(folder, embedder.digest)


def shipped_index() -> Path:
    """Folder of the index that comes with deidstream."""
    return Path(str(files("deidstream.models").joinpath("data", "index")))


def _stamp(settings: Settings, models: Models) -> PipelineStamp:
    return PipelineStamp(
        version=version("deidstream"),
        recognizers=tuple(sorted(recognizer.name for recognizer in models.recognizers)),
        tagger=models.tagger,
        embedder=f"{models.embedder.digest}:{models.embedder.precision}",
        index=models.index.digest,
        key_version=settings.key.version,
    )


def _pipeline(policy: Policy, models: Models, stamp: PipelineStamp, root: bytes) -> Pipeline:
    return Pipeline(
        policy=policy,
        detector=Detector(policy, models.recognizers),
        replacer=Replacer(policy, operators(policy), root, stamp.key_version),
        rewriter=_rewriter(policy, models, root, stamp.key_version),
        assessor=Assessor(models.index.contexts, models.embedder, policy.risk),
        releaser=Releaser(policy, stamp, root),
        watch=watch,
    )


def _rewriter(policy: Policy, models: Models, root: bytes, key_version: int) -> Rewriter | None:
    if policy.technique is not Technique.KNEO_SENTENCES:
        return None
    kneo = SentenceKneo(models.index, models.embedder, policy.kneo)
    return Rewriter(kneo, policy, root, key_version)
