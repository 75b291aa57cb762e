"""List what is compared: this project's policies and taggers, and the peers."""

from collections.abc import Iterator, Mapping
from dataclasses import fields, replace
from pathlib import Path

from measure import OURS, Entrant, peer_entrants

from deidstream.agents.settings import TaggerSettings

POLICIES = {"": "surrogate", "-kneo": "kneo"}
TAGGERS = ("fast", "accurate")


def list_entrants(environments: Path, threads: int) -> dict[str, Entrant]:
    """List all by name, ours first; the first of ours is what the others are compared with."""
    patterns = Entrant("presidio-patterns", "presidio", {"PRESIDIO_MODEL": "patterns"})
    transformers = Entrant("transformers", "transformers", _tagger_of(TAGGERS[-1]))
    every = [*_list_ours(), patterns, *peer_entrants(environments).values(), transformers]
    given = {"OMP_NUM_THREADS": str(threads)}
    return {each.name: replace(each, settings={**each.settings, **given}) for each in every}


def _list_ours() -> Iterator[Entrant]:
    for ending, policy in POLICIES.items():
        for tagger in TAGGERS if _has_two_taggers() else ("",):
            name = f"{OURS}{ending}-{tagger}".removesuffix("-")
            yield Entrant(name, "pipeline", {"DEIDSTREAM_POLICY": policy, **_tagger_of(tagger)})


def _tagger_of(model: str) -> Mapping[str, str]:
    return {"DEIDSTREAM_TAGGER_MODEL": model} if model and _has_two_taggers() else {}


def _has_two_taggers() -> bool:
    return "model" in {each.name for each in fields(TaggerSettings)}
