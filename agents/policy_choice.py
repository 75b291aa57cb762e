"""The policies of all tenants: read, composed around the same models, kept up to date."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace

from deidstream.agents.compose import Parts, compose, recompose
from deidstream.agents.policy_files import policy_path
from deidstream.agents.reload import Reloader, Reloaders
from deidstream.agents.service import TenantPipelines
from deidstream.agents.settings import Settings
from deidstream.agents.tenants import DEFAULT, REFUSE, Tenants, read_policies, read_tenants
from deidstream.models.pipeline import Pipeline
from deidstream.schemas.policy import Policy, RecognizerName


@dataclass(slots=True)
class Choice:
    """What is in force: the parts of every policy, and which tenant has which."""

    settings: Settings
    tenants: Tenants
    parts: dict[str, Parts]
    """By the name of the policy; the default is called :data:`DEFAULT`."""

    @property
    def default(self) -> Parts:
        """The parts of the policy that the settings name."""
        return self.parts[DEFAULT]

    @property
    def otherwise(self) -> str:
        """Name of the policy of tenants that are not listed; ``refuse`` where they have none."""
        name = self.tenants.otherwise
        return REFUSE if name is None else self.parts[name].pipeline.policy.name

    def tenant_pipelines(self) -> TenantPipelines:
        """The pipelines of the tenants that have a policy of their own."""
        others = {name: p.pipeline for name, p in self.parts.items() if name != DEFAULT}
        return TenantPipelines(self.tenants, others)

    def reloaders(
        self,
        warm: Callable[[Pipeline], Awaitable[None]],
        put: Callable[[str, Parts], None],
    ) -> Reloaders | None:
        """Wire what puts changed policy files in force; nothing where no policy can change.

        Args:
            warm: Tries a pipeline; what it raises refuses the policy.
            put: Puts the parts of one policy, by its name here, in force.
        """
        made = [self._reloader(name, warm, put) for name in self.parts]
        each = tuple(reloader for reloader in made if reloader is not None)
        return Reloaders(each) if each else None

    def _reloader(
        self,
        name: str,
        warm: Callable[[Pipeline], Awaitable[None]],
        put: Callable[[str, Parts], None],
    ) -> Reloader | None:
        path = policy_path(name or self.settings.policy)
        if path is None:
            return None

        def applied(parts: Parts) -> None:
            self.parts[name] = parts
            put(name, parts)

        return Reloader(path, self.parts[name], self._recomposed, warm, applied)

    def _recomposed(self, parts: Parts, policy: Policy) -> Parts:
        return recompose(self.settings, _lent(parts, list(self.parts.values())), policy)


def choose(settings: Settings, *, root: bytes | None = None) -> Choice:
    """Load everything once and wire every policy.

    Args:
        settings: All settings.
        root: The root key; read from the key file when not given.

    Raises:
        Refused: A policy, key, model or index is missing or wrong.
    """
    tenants = read_tenants(settings.policies_file)
    policies = read_policies(settings)
    last = compose(settings, root=root)
    parts = {DEFAULT: last}
    for name in tenants.names():
        last = parts[name] = recompose(settings, _lent(last, list(parts.values())), policies[name])
    return Choice(settings, tenants, parts)


def _lent(parts: Parts, others: list[Parts]) -> Parts:
    """Give parts what others have loaded; a dictionary is of one policy and is not lent."""
    had = dict(parts.models.recognizers)
    for other in others:
        for name, recognizer in other.models.recognizers.items():
            if name is not RecognizerName.DICTIONARY:
                had.setdefault(name, recognizer)
    models = replace(parts.models, recognizers=had)
    return replace(parts, models=models)
