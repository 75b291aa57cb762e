"""Compose the pipelines: the only place where concrete classes meet their protocols."""

from dataclasses import dataclass, field, replace
from importlib import metadata

from deidstream.agents.runtime.guards.note_limits import NoteLimits
from deidstream.agents.runtime.load_embedder import embeds
from deidstream.agents.runtime.load_models import (
    Models,
    choose_recognizers,
    index_for,
    load_models,
    near_words_for,
    tagger_digest,
)
from deidstream.agents.runtime.policy_files import TenantPipelines, find_policy
from deidstream.agents.runtime.root_keys import RootKeys, fresh_key, read_keys
from deidstream.agents.runtime.service import Service, watch_batch
from deidstream.agents.settings import RANDOM, Settings
from deidstream.models.kneo.words.word_kneo import WordKneo
from deidstream.models.kneo.words.word_rewriter import WordRewriter
from deidstream.models.operators.table import operators
from deidstream.models.output_record import RecordBuilder
from deidstream.models.pipeline import NoteRewriter, Pipeline
from deidstream.models.policy.stricter import redact_strictly, strengthen, techniques_of
from deidstream.models.release_ids import releases_of
from deidstream.models.risk.assessor import Assessor
from deidstream.models.risk.linkage import LinkageRisk, OwnDonors, read_linkage_table
from deidstream.models.risk.uniqueness import ContextUniqueness
from deidstream.models.surrogates.replacer import Replacer
from deidstream.schemas.errors import MissingArtefact
from deidstream.schemas.note import PipelineStamp
from deidstream.schemas.policy import (
    SENTENCE_KNEO,
    OtherLanguage,
    Policy,
    RecognizerName,
    Technique,
)
from deidstream.schemas.ports import NoteEmbedder, SurrogateStore, TokenCounter
from deidstream.schemas.risk_policy import RedAction, RiskMeasure
from deidstream.stream.lanes.lane import Lane
from deidstream.stream.observing.health import Health


@dataclass(frozen=True, slots=True)
class Runtime:
    """The objects of one policy in force, with the models and keys that other policies share."""

    pipeline: Pipeline
    counter: TokenCounter
    stamp: PipelineStamp
    models: Models
    keys: RootKeys = field(repr=False)


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


def build_service(
    settings: Settings,
    runtime: Runtime,
    store: SurrogateStore,
    *,
    lane: Lane,
    health: Health,
    tenant_pipelines: TenantPipelines,
) -> Service:
    """Wire a service around the pipeline of a runtime.

    Args:
        settings: All settings.
        runtime: Of the policy that the service applies unless a tenant has its own.
        store: Keeps the surrogates.
        lane: Runs the stages.
        health: Is told of progress.
        tenant_pipelines: The pipelines of tenants that have a policy of their own.
    """
    return Service(
        pipeline=runtime.pipeline,
        store=store,
        counter=runtime.counter,
        lane=lane,
        health=health,
        budget_tokens=settings.batch.tokens,
        limits=NoteLimits.read(settings.worker),
        tenant_pipelines=tenant_pipelines,
    )


def recompose(settings: Settings, runtime: Runtime, policy: Policy) -> Runtime:
    """Wire another policy around the models and the key of a runtime.

    Objects that depend on the policy are made again, the dictionary only where the listed terms
    differ. A recognizer that was not loaded yet is loaded; one that is no longer named stays.

    Raises:
        MissingArtefact: A recognizer cannot be loaded.
    """
    before = runtime.pipeline.policy
    same = all(
        getattr(policy, stated) == getattr(before, stated) for stated in ("deny", "lists", "labels")
    )
    had = runtime.models.recognizers
    kept = {name: had[name] for name in had if same or name is not RecognizerName.DICTIONARY}
    had_models = runtime.models
    models = replace(
        had_models,
        recognizers=choose_recognizers(settings, policy, kept),
        index=had_models.index
        or index_for(settings, policy, had_models.embedder, had_models.index_digest),
        near_words=had_models.near_words or near_words_for(settings, policy),
    )
    return _wire(settings, policy, models, runtime.keys)


def _wire(settings: Settings, policy: Policy, models: Models, keys: RootKeys) -> Runtime:
    stamp = _stamp(settings, policy, models)
    return Runtime(
        pipeline=_pipeline(settings, policy, models, stamp, keys),
        counter=models.embedder.pieces,
        stamp=stamp,
        models=models,
        keys=keys,
    )


def _stamp(settings: Settings, policy: Policy, models: Models) -> PipelineStamp:
    recognizers = models.recognizers_of(policy)
    drawn_from = models.near_words if Technique.KNEO_WORDS in techniques_of(policy) else None
    return PipelineStamp(
        version=metadata.version("deidstream"),
        recognizers=tuple(sorted(recognizer.name for recognizer in recognizers)),
        tagger=tagger_digest(recognizers),
        embedder=_name_embedder(policy, models.embedder),
        index=models.index_digest,
        vectors=drawn_from.vectors.digest if drawn_from else None,
        key_version=settings.key.version,
        mapping=settings.redis.mode,
        epoch=settings.key.epoch,
    )


def _name_embedder(policy: Policy, embedder: NoteEmbedder) -> str:
    # Where no text is embedded, how precisely it would be changes no byte of an output.
    return f"{embedder.digest}:{embedder.precision}" if embeds(policy) else embedder.digest


def _pipeline(
    settings: Settings, policy: Policy, models: Models, stamp: PipelineStamp, keys: RootKeys
) -> Pipeline:
    root = keys.roots[keys.version]
    strict = None
    if policy.language.other is OtherLanguage.STRICT:
        strict = _pipeline(settings, redact_strictly(policy), models, stamp, keys)
    stronger = None
    if policy.risk.on_red is RedAction.STRENGTHEN:
        stronger = _pipeline(settings, strengthen(policy), models, stamp, keys)
    return Pipeline(
        policy=policy,
        detector=models.detector_of(policy),
        replacer=_replacer(settings, policy, keys),
        rewriter=_rewriter(policy, models, root, keys.version),
        assessor=_assessor(policy, models, root, keys.version),
        record_builder=RecordBuilder(policy, stamp, root),
        watch=watch_batch,
        strict=strict,
        stronger=stronger,
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


def _assessor(policy: Policy, models: Models, root: bytes, key_version: int) -> Assessor:
    references, uniqueness, linkage = models.references, None, None
    if RiskMeasure.CONTEXT_UNIQUENESS in policy.risk.counted:
        uniqueness = ContextUniqueness(models.contexts, models.embedder, policy.risk)
    if RiskMeasure.LINKAGE in policy.risk.counted:
        if not len(references):
            msg = "linkage counts in the policy, and the index has no reference notes"
            raise MissingArtefact(msg)
        own = OwnDonors(root, key_version, releases_of(references.compared.notes.donors))
        linkage = LinkageRisk(references, models.embedder, read_linkage_table(), own)
    return Assessor(policy, references.is_held, uniqueness, linkage)


def _rewriter(policy: Policy, models: Models, root: bytes, key_version: int) -> NoteRewriter | None:
    if policy.technique is Technique.KNEO_WORDS and models.near_words is not None:
        return WordRewriter(WordKneo(models.near_words, policy.words), root, key_version)
    if policy.technique not in SENTENCE_KNEO or models.index is None:
        return None
    from deidstream.models.kneo.rewriter import Rewriter
    from deidstream.models.kneo.sentence_kneo import SentenceKneo

    kneo = SentenceKneo(models.index, models.embedder, policy.kneo)
    return Rewriter(kneo, root, key_version)
