"""Policies around models that are loaded once, and a tagger that reads each note once.

A study applies eight policies to the same notes. What the tagger says of a note is the same under
all of them, for one profile of detection, and takes most of the time.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from deidstream.agents.deidentifier import Deidentifier
from deidstream.agents.runtime.compose import Runtime, compose, recompose
from deidstream.agents.runtime.local_service import LocalService, local_service
from deidstream.agents.runtime.policy_files import TenantPipelines, find_policy
from deidstream.agents.settings import Settings
from deidstream.models.recognizers.tagger import Tagger
from deidstream.schemas.note import RawNote
from deidstream.schemas.policy import Profile, RecognizerName
from deidstream.schemas.ports import Embedder
from deidstream.schemas.span import Span
from deidstream.stream.redis.memory_store import MemorySurrogateStore
from deidstream.study.survival.survivors import with_embedder


@dataclass(slots=True)
class RememberingTagger:
    """A tagger that remembers the spans of each text, by profile."""

    tagger: Tagger
    profiles: dict[Profile, "RememberingTagger"] = field(
        default_factory=dict[Profile, "RememberingTagger"], repr=False
    )
    spans: dict[str, tuple[Span, ...]] = field(
        default_factory=dict[str, tuple[Span, ...]], repr=False
    )

    @property
    def name(self) -> str:
        """The name of the tagger."""
        return self.tagger.name

    @property
    def identity(self) -> str:
        """The identity of the tagger."""
        return self.tagger.identity

    def at_profile(self, profile: Profile) -> "RememberingTagger":
        """Return the one that remembers for a profile."""
        if profile not in self.profiles:
            self.profiles[profile] = RememberingTagger(self.tagger.at_profile(profile))
        return self.profiles[profile]

    def recognize(self, notes: Sequence[RawNote]) -> list[tuple[Span, ...]]:
        """Return the spans of each note, in their order."""
        new = {note.text: note for note in notes if note.text not in self.spans}
        if new:
            self.spans.update(zip(new, self.tagger.recognize(list(new.values())), strict=True))
        return [self.spans[note.text] for note in notes]


@dataclass(slots=True)
class PolicyModels:
    """Composes policies that share everything but what each of them says."""

    settings: Settings
    root: bytes = field(repr=False)
    """The root key: outputs of a study are compared, not released."""
    open_embedder: Callable[[], Embedder] = field(repr=False)
    """Returns what embeds sentences for KNEO; asked where a policy rewrites."""
    loaded: Runtime | None = field(default=None, repr=False)

    def compose(self, policy: str | Path) -> Runtime:
        """Compose a policy.

        Raises:
            Refused: The policy, a model or an index is missing or wrong.
        """
        settings = replace(self.settings, policy=str(policy))
        if self.loaded is None:
            self.loaded = _remember(compose(settings, root=self.root))
        self.loaded = recompose(settings, self.loaded, find_policy(settings.policy))
        rewrites = self.loaded.pipeline.rewriter is not None
        embedder = self.open_embedder() if rewrites else self.loaded.models.embedder
        return replace(self.loaded, pipeline=with_embedder(self.loaded.pipeline, embedder))

    def deidentifier(self, policy: str | Path) -> Deidentifier:
        """Return a de-identifier of a policy, whose surrogates are kept in memory.

        Raises:
            Refused: The policy, a model or an index is missing or wrong.
        """
        settings, runtime = replace(self.settings, policy=str(policy)), self.compose(policy)
        service = local_service(settings, runtime, MemorySurrogateStore(), TenantPipelines())
        return Deidentifier(LocalService(service, batch_notes=settings.batch.notes))


def _remember(runtime: Runtime) -> Runtime:
    models = runtime.models
    tagger = models.recognizers.get(RecognizerName.TAGGER)
    if not isinstance(tagger, Tagger):
        return runtime
    kept = {**models.recognizers, RecognizerName.TAGGER: RememberingTagger(tagger)}
    return replace(runtime, models=replace(models, recognizers=kept))
