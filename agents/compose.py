"""Compose the pipelines: the only place where concrete classes meet their protocols."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, cast

from deidstream.agents.policy_files import find_policy
from deidstream.agents.root_keys import RootKeys, fresh_key, read_keys
from deidstream.agents.service import watch
from deidstream.agents.settings import RANDOM, Settings
from deidstream.models.detection.detector import Detector
from deidstream.models.kneo.index_folder import read_contexts, read_index, shipped_index
from deidstream.models.neural.weights import shipped_tagger, shipped_tagger_digest
from deidstream.models.operators.table import operators
from deidstream.models.output_record import RecordBuilder
from deidstream.models.pipeline import Pipeline
from deidstream.models.policy.other_languages import redact_strictly
from deidstream.models.recognizers.dictionary.dictionary import DictionaryRecognizer
from deidstream.models.recognizers.known import KnownRecognizer
from deidstream.models.recognizers.label_map import parse_label_map
from deidstream.models.recognizers.rules.recognizer import RulesRecognizer
from deidstream.models.risk.uniqueness import Assessor
from deidstream.models.surrogates.replacer import Replacer
from deidstream.schemas.errors import MissingArtefact
from deidstream.schemas.note import PipelineStamp
from deidstream.schemas.policy import OtherLanguage, Policy, RecognizerName, Technique
from deidstream.schemas.ports import Embedder, Recognizer, TokenCounter

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from deidstream.models.kneo.index import Index
    from deidstream.models.kneo.sentence_kneo import Rewriter
    from deidstream.models.neural.sentence_embedder import SentenceEmbedder
    from deidstream.models.recognizers.tagger import Tagger

POSSIBLE_PHI = 0.005
"""Probability of PHI below which the tagger contradicts a doubtful rule (ADR 7)."""


@dataclass(frozen=True, slots=True)
class Runtime:
    """The objects of one policy in force, with the models and keys that other policies share."""

    pipeline: Pipeline
    counter: TokenCounter
    stamp: PipelineStamp
    models: "Models"
    keys: RootKeys = field(repr=False)


@dataclass(frozen=True, slots=True)
class Models:
    """Loaded models: slow to make, shared by all policies."""

    recognizers: Mapping[RecognizerName, Recognizer]
    """Those that the policy names and, after a change of policy, any other that was loaded."""
    embedder: "SentenceEmbedder"
    contexts: "NDArray[np.float32]" = field(repr=False)
    """The reference contexts of the index, for the risk measure."""
    index_digest: str
    index: "Index | None" = None
    """All of the index, where a policy rewrites sentences."""

    def recognizers_of(self, policy: Policy) -> tuple[Recognizer, ...]:
        """Return the recognizers that a policy names, in the order of their names."""
        return tuple(self.recognizers[name] for name in sorted(policy.recognizers))


def compose(settings: Settings, *, root: bytes | None = None) -> Runtime:
    """Load everything and wire it.

    Args:
        settings: All settings.
        root: The root key; read from the key files, with those before it, when not given.

    Raises:
        Refused: A policy, key, model or index is missing or wrong.
    """
    if root is None:
        keys = read_keys(settings.key)
    else:
        keys = RootKeys(settings.key.version, {settings.key.version: root})
    policy = find_policy(settings.policy)
    return _wire(settings, policy, load_models(settings, policy), keys)


def recompose(settings: Settings, runtime: Runtime, policy: Policy) -> Runtime:
    """Wire another policy around the models and the key of a runtime.

    Objects that depend on the policy are made again, the dictionary only where the denied terms
    differ. A recognizer that was not loaded yet is loaded; one that is no longer named stays.

    Raises:
        MissingArtefact: A recognizer cannot be loaded.
    """
    same = policy.deny == runtime.pipeline.policy.deny
    had = runtime.models.recognizers
    kept = {name: had[name] for name in had if same or name is not RecognizerName.DICTIONARY}
    had_models = runtime.models
    models = replace(
        had_models,
        recognizers=_recognizers(settings, policy, kept),
        index=had_models.index
        or _index_for(settings, policy, had_models.embedder, had_models.index_digest),
    )
    return _wire(settings, policy, models, runtime.keys)


def load_models(settings: Settings, policy: Policy) -> Models:
    """Load recognizers, embedder and index.

    Raises:
        MissingArtefact: A model or index is missing or does not match its checksum.
    """
    recognizers = _recognizers(settings, policy, {})
    embedder = load_embedder(settings)
    checked = read_index(find_index(settings), embedder.digest)
    index = _index_for(settings, policy, embedder, checked.digest)
    return Models(recognizers, embedder, read_contexts(checked), checked.digest, index)


def load_recognizers(
    settings: Settings, policy: Policy
) -> tuple[tuple[Recognizer, ...], str | None]:
    """Load the recognizers that the policy names, and return the tagger's digest with them."""
    loaded = tuple(_recognizers(settings, policy, {}).values())
    return loaded, _tagger_digest(loaded)


def _recognizers(
    settings: Settings, policy: Policy, had: Mapping[RecognizerName, Recognizer]
) -> dict[RecognizerName, Recognizer]:
    make: dict[RecognizerName, Callable[[], Recognizer]] = {
        RecognizerName.RULES: RulesRecognizer,
        RecognizerName.DICTIONARY: partial(DictionaryRecognizer.build, policy.deny),
        RecognizerName.KNOWN: KnownRecognizer,
        RecognizerName.TAGGER: partial(load_tagger, settings),
    }
    return {**had, **{n: make[n]() for n in sorted(policy.recognizers) if n not in had}}


def _tagger_digest(recognizers: tuple[Recognizer, ...]) -> str | None:
    for recognizer in recognizers:
        if recognizer.name == RecognizerName.TAGGER:
            tagger = cast("Tagger", recognizer)
            return f"{tagger.digest}:{tagger.precision}"
    return None


def load_tagger(settings: Settings) -> "Tagger":
    """Load the tagger: the settings' own, or the shipped one.

    Raises:
        MissingArtefact: The checkpoint cannot be read, or is not the one that was shipped.
    """
    from deidstream.models.recognizers.tagger import Tagger, TaggerOptions

    _set_threads(settings)
    wanted = settings.tagger
    options = TaggerOptions(
        window=wanted.window,
        possible=POSSIBLE_PHI,
        overlap=wanted.overlap,
        dtype=settings.model.dtype,
        device=settings.model.device,
        budget_tokens=settings.batch.forward_tokens,
        label_map=parse_label_map(wanted.labels),
        expected_digest=wanted.sha256 if wanted.path else shipped_tagger_digest(),
    )
    return Tagger.load(wanted.path or str(shipped_tagger()), settings=options)


def load_embedder(settings: Settings) -> "SentenceEmbedder":
    """Load the sentence embedder.

    Raises:
        MissingArtefact: It cannot be read.
    """
    from deidstream.models.neural.sentence_embedder import SentenceEmbedder

    _set_threads(settings)
    model = settings.model
    budget = settings.batch.forward_tokens
    return SentenceEmbedder.load(
        model.embedder, device=model.device, dtype=model.dtype, budget_tokens=budget
    )


def _set_threads(settings: Settings) -> None:
    import torch

    if settings.model.threads:
        torch.set_num_threads(settings.model.threads)


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


def _index_for(
    settings: Settings, policy: Policy, embedder: Embedder, digest: str
) -> "Index | None":
    """Load all of the index where the policy rewrites sentences: it must be that of the digest."""
    if policy.technique is not Technique.KNEO_SENTENCES:
        return None
    index = load_index(settings, embedder)
    if index.digest != digest:
        msg = "the index was changed after the start"
        raise MissingArtefact(msg)
    return index


def _wire(settings: Settings, policy: Policy, models: Models, keys: RootKeys) -> Runtime:
    stamp = _stamp(settings, models.recognizers_of(policy), models)
    return Runtime(
        pipeline=_pipeline(settings, policy, models, stamp, keys),
        counter=models.embedder.pieces,
        stamp=stamp,
        models=models,
        keys=keys,
    )


def _stamp(
    settings: Settings, recognizers: tuple[Recognizer, ...], models: Models
) -> PipelineStamp:
    return PipelineStamp(
        version=metadata.version("deidstream"),
        recognizers=tuple(sorted(recognizer.name for recognizer in recognizers)),
        tagger=_tagger_digest(recognizers),
        embedder=f"{models.embedder.digest}:{models.embedder.precision}",
        index=models.index_digest,
        key_version=settings.key.version,
        mapping=settings.redis.mode,
        epoch=settings.key.epoch,
    )


def _pipeline(
    settings: Settings, policy: Policy, models: Models, stamp: PipelineStamp, keys: RootKeys
) -> Pipeline:
    root = keys.roots[keys.version]
    strict = None
    if policy.language.other is OtherLanguage.STRICT:
        strict = _pipeline(settings, redact_strictly(policy), models, stamp, keys)
    return Pipeline(
        policy=policy,
        detector=Detector(policy, models.recognizers_of(policy)),
        replacer=_replacer(settings, policy, keys),
        rewriter=_rewriter(policy, models, root, keys.version),
        assessor=Assessor(models.contexts, models.embedder, policy.risk),
        record_builder=RecordBuilder(policy, stamp, root),
        watch=watch,
        strict=strict,
    )


def _replacer(settings: Settings, policy: Policy, keys: RootKeys) -> Replacer:
    return Replacer(
        policy=policy,
        operators=operators(policy),
        root=keys.roots[keys.version],
        key_version=keys.version,
        older=keys.older,
        epoch=settings.key.epoch,
        fresh_seed=fresh_key if settings.redis.mode == RANDOM else None,
    )


def _rewriter(policy: Policy, models: Models, root: bytes, key_version: int) -> "Rewriter | None":
    if policy.technique is not Technique.KNEO_SENTENCES or models.index is None:
        return None
    from deidstream.models.kneo.sentence_kneo import Rewriter, SentenceKneo

    kneo = SentenceKneo(models.index, models.embedder, policy.kneo)
    return Rewriter(kneo, root, key_version)
