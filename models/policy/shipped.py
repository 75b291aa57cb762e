"""The policies that come with deidstream."""

from importlib.resources import files

_SUFFIX = ".toml"


def list_policies() -> tuple[str, ...]:
    """Return the names of the policies that come with deidstream."""
    found = files("deidstream.models").joinpath("policies").iterdir()
    return tuple(sorted(path.name.removesuffix(_SUFFIX) for path in found))


def read_shipped_source(name: str) -> bytes:
    """Return the TOML file of a policy that is among ``list_policies``."""
    return files("deidstream.models").joinpath("policies", f"{name}{_SUFFIX}").read_bytes()
