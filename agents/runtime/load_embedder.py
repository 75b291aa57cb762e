"""Load the embedder: at once where the policy embeds, else at its first use."""

from functools import partial
from pathlib import Path

from deidstream.agents.settings import Settings
from deidstream.models.kneo.documents.document_embedder import DocumentEmbedder
from deidstream.models.kneo.documents.document_vectors import (
    is_document_folder,
    load_document_vectors,
)
from deidstream.models.kneo.documents.plain_embedder import PlainTextEmbedder
from deidstream.models.neural.engine_port import EngineOptions
from deidstream.models.neural.weights import find_encoder, is_left_out
from deidstream.models.policy.stricter import redact_strictly, strengthen, techniques_of
from deidstream.schemas.model_pins import read_pins
from deidstream.schemas.policy import SENTENCE_KNEO, Policy
from deidstream.schemas.ports import NoteEmbedder
from deidstream.schemas.risk_policy import RiskMeasure

_EMBEDDING = frozenset({RiskMeasure.CONTEXT_UNIQUENESS, RiskMeasure.LINKAGE})


def choose_embedder(settings: Settings, policy: Policy) -> NoteEmbedder:
    """Load the embedder if the policy uses it; else name it, and load it at its first use.

    A policy that comes later may use it. Its digest is known before it is loaded.

    Raises:
        MissingArtefact: It cannot be read.
    """
    from deidstream.models.neural.deferred_embedder import defer_embedder

    plain = settings.model.plain or is_document_folder(Path(settings.model.embedder))
    if plain or embeds(policy):
        return load_embedder(settings)
    load = partial(load_embedder, settings)
    return defer_embedder(settings.model.embedder, load)


def embeds(policy: Policy) -> bool:
    """Return whether a policy, or a stricter one that replaces it for some notes, embeds text."""
    made = (policy, strengthen(policy), redact_strictly(policy))
    counted = {measure for each in made for measure in each.risk.counted}
    return not (SENTENCE_KNEO | _EMBEDDING).isdisjoint(techniques_of(policy) | counted)


def load_embedder(settings: Settings) -> NoteEmbedder:
    """Load the embedder: a sentence-transformers model, or a folder of Doc2Vec.

    Raises:
        MissingArtefact: It cannot be read.
    """
    embedder = _load_any_embedder(settings)
    return PlainTextEmbedder(embedder) if settings.model.plain else embedder


def _load_any_embedder(settings: Settings) -> NoteEmbedder:
    from deidstream.models.neural.deferred_embedder import load_packaged_pieces
    from deidstream.models.neural.sentence_embedder import SentenceEmbedder

    model = settings.model
    folder = Path(model.embedder)
    if is_document_folder(folder):
        return DocumentEmbedder(load_document_vectors(folder), load_packaged_pieces())
    budget = settings.batch.forward_tokens
    return SentenceEmbedder.load(
        model.embedder, run=read_engine_options(settings), budget_tokens=budget
    )


def check_embedder(settings: Settings, policy: Policy) -> None:
    """Check that the embedder is where the settings say.

    Raises:
        MissingExtra: It is not installed, and the policy embeds.
        MissingArtefact: It is not there.
    """
    named = settings.model.embedder
    unused = is_left_out(named) and not embeds(policy)
    if not unused and not is_document_folder(Path(named)):
        find_encoder(named)


def read_engine_options(settings: Settings) -> EngineOptions:
    """Return how models are to be run."""
    model = settings.model
    pins = read_pins(model.pins)
    return EngineOptions(model.engine, model.device, model.dtype, model.threads, pins=pins)
