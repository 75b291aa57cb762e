"""What is right in a policy's lists and yet worth a second look."""

from collections.abc import Iterator

from deidstream.agents.policy_files import PolicyFiles
from deidstream.models.policy.term_lists import read_list
from deidstream.schemas.policy import Policy

MANY_ALLOWED = 10_000
"""Allowed terms from which on somebody may have meant another list."""


def notices(files: PolicyFiles, policy: Policy) -> Iterator[str]:
    """Say how many terms each list holds, and whether so many are likely; no term is shown."""
    for path, content in files.lists.items():
        terms = read_list(path, content)[0] if isinstance(content, bytes) else []
        yield f"{path}: {_counted(len(terms))}"
    if len(policy.allow) > MANY_ALLOWED:
        yield (
            f"{len(policy.allow):,} terms are allowed: whatever is found and is one of them stays "
            "in the text, also if it is somebody's name. Is that meant?"
        )


def _counted(terms: int) -> str:
    if not terms:
        return "holds no term. Is that meant?"
    return f"{terms:,} terms" if terms > 1 else "1 term"
