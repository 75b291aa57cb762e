"""List what is compared: this project's policies and taggers, and the peers."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from measure import OURS, Entrant, peer_entrants

from deidstream.models.neural.weights import ACCURATE, FAST

POLICIES = {"": "surrogate", "-kneo": "kneo"}
TAGGER = "DEIDSTREAM_TAGGER_MODEL"


def list_entrants(environments: Path, threads: int) -> dict[str, Entrant]:
    """List all by name, ours first."""
    patterns = Entrant("presidio-patterns", "presidio", {"PRESIDIO_MODEL": "patterns"})
    transformers = Entrant("transformers", "transformers", {TAGGER: ACCURATE})
    every = [*_list_ours(), patterns, *peer_entrants(environments).values(), transformers]
    given = {"OMP_NUM_THREADS": str(threads)}
    return {each.name: replace(each, settings={**each.settings, **given}) for each in every}


def _list_ours() -> Iterator[Entrant]:
    for ending, policy in POLICIES.items():
        for tagger in (FAST, ACCURATE):
            settings = {"DEIDSTREAM_POLICY": policy, TAGGER: tagger}
            yield Entrant(f"{OURS}{ending}-{tagger}", "pipeline", settings)
