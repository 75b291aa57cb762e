"""Load the policies of all tenants around the same models, and keep them up to date."""

from collections.abc import Awaitable, Callable, Collection
from dataclasses import dataclass, replace

from deidstream.agents.runtime.compose import Runtime, compose, recompose
from deidstream.agents.runtime.load_embedder import check_embedder
from deidstream.agents.runtime.load_models import (
    find_calibration,
    find_index,
    find_tagger,
    find_vectors,
)
from deidstream.agents.runtime.policy_files import (
    DEFAULT,
    REFUSE,
    TenantPipelines,
    Tenants,
    find_policy,
    policy_path,
    read_policies,
    read_tenants,
)
from deidstream.agents.runtime.reload import Reloader, Reloaders
from deidstream.agents.settings import Settings
from deidstream.models.kneo.index_folder import check_files
from deidstream.models.kneo.words.word_vectors import check_vector_files
from deidstream.models.pipeline import Pipeline
from deidstream.models.policy.stricter import techniques_of
from deidstream.schemas.policy import Policy, RecognizerName, Technique


@dataclass(slots=True)
class PolicyChoice:
    """The policies in force: the runtime of each, and which tenant has which."""

    settings: Settings
    tenants: Tenants
    runtimes: dict[str, Runtime]
    """By the name of the policy; the default is called :data:`DEFAULT`."""

    @property
    def default(self) -> Runtime:
        """The runtime of the policy that the settings name."""
        return self.runtimes[DEFAULT]

    @property
    def otherwise(self) -> str:
        """Name of the policy of tenants that are not listed; ``refuse`` where they have none."""
        name = self.tenants.otherwise
        return REFUSE if name is None else self.runtimes[name].pipeline.policy.name

    def tenant_pipelines(self) -> TenantPipelines:
        """Return the pipelines of the tenants that have a policy of their own."""
        others = {name: r.pipeline for name, r in self.runtimes.items() if name != DEFAULT}
        return TenantPipelines(self.tenants, others)

    def load_others(self, names: Collection[str]) -> None:
        """Load policies that no tenant has, so that a caller can name them.

        Args:
            names: Shipped policies by name, or paths of policy files.

        Raises:
            Refused: A policy, model or index is missing or wrong.
        """
        for name in names:
            if name not in self.runtimes:
                policy = find_policy(name)
                check_artefacts(self.settings, policy)
                self.runtimes[name] = self._recompose(self.default, policy)

    def make_reloaders(
        self,
        warm: Callable[[Pipeline], Awaitable[None]],
        apply: Callable[[str, Runtime], None],
    ) -> Reloaders | None:
        """Make the reloaders of policy files; ``None`` where no policy can change.

        Args:
            warm: Tries a pipeline; what it raises refuses the policy.
            apply: Puts the runtime of one policy, by its name here, in force.
        """
        made: list[Reloader] = []
        for name in self.runtimes:
            reloader = self._make_reloader(name, warm, apply)
            if reloader is not None:
                made.append(reloader)
        return Reloaders(made) if made else None

    def _make_reloader(
        self,
        name: str,
        warm: Callable[[Pipeline], Awaitable[None]],
        apply: Callable[[str, Runtime], None],
    ) -> Reloader | None:
        path = policy_path(name or self.settings.policy)
        if path is None:
            return None

        def replace_runtime(runtime: Runtime) -> None:
            self.runtimes[name] = runtime
            apply(name, runtime)

        return Reloader(
            path=path,
            runtime=self.runtimes[name],
            recompose=self._recompose,
            warm=warm,
            apply=replace_runtime,
        )

    def _recompose(self, runtime: Runtime, policy: Policy) -> Runtime:
        return recompose(self.settings, _share_loaded(runtime, self.runtimes.values()), policy)


def choose_policies(settings: Settings, *, root: bytes | None = None) -> PolicyChoice:
    """Load everything once and wire every policy.

    Args:
        settings: All settings.
        root: The root key; read from the key file when not given.

    Raises:
        Refused: A policy, key, model or index is missing or wrong.
    """
    tenants = read_tenants(settings.policies_file)
    policies = read_policies(settings)
    for policy in policies.values():
        check_artefacts(settings, policy)
    last = compose(settings, root=root)
    runtimes = {DEFAULT: last}
    for name in tenants.names():
        last = recompose(settings, _share_loaded(last, runtimes.values()), policies[name])
        runtimes[name] = last
    return PolicyChoice(settings, tenants, runtimes)


def check_artefacts(settings: Settings, policy: Policy) -> None:
    """Check that the models are where the settings say, before any is loaded.

    Raises:
        InvalidSettings: There is no shipped tagger of the name in the settings.
        MissingExtra: One is not installed.
        MissingArtefact: One of them is not there.
    """
    if RecognizerName.TAGGER in policy.recognizers:
        find_tagger(settings)
        find_calibration(settings)
    check_embedder(settings, policy)
    check_files(find_index(settings))
    if Technique.KNEO_WORDS in techniques_of(policy):
        check_vector_files(find_vectors(settings))


def _share_loaded(runtime: Runtime, others: Collection[Runtime]) -> Runtime:
    """Add to a runtime the recognizers, the index and the word vectors that others have loaded.

    Dictionaries are left out: each holds the terms of one policy.
    """
    recognizers = dict(runtime.models.recognizers)
    for other in others:
        for name, recognizer in other.models.recognizers.items():
            if name is not RecognizerName.DICTIONARY:
                recognizers.setdefault(name, recognizer)
    models = [each.models for each in (runtime, *others)]
    index = next((one.index for one in models if one.index is not None), None)
    words = next((one.near_words for one in models if one.near_words is not None), None)
    shared = replace(runtime.models, recognizers=recognizers, index=index, near_words=words)
    return replace(runtime, models=shared)
