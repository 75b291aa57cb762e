"""A root key that a service has wrapped, and its file: two lines, neither of them secret."""

from dataclasses import dataclass

LINES = 2


@dataclass(frozen=True, slots=True)
class WrappedKey:
    """A wrapped root key."""

    address: str
    """The key that wraps it."""
    text: str
    """What the service made of the root key."""

    def render(self) -> str:
        """Return the content of its file."""
        return f"{self.address}\n{self.text}\n"


def parse_wrapped(content: str) -> WrappedKey | None:
    """Return the wrapped key that a file holds; ``None`` if it holds something else."""
    lines = content.split()
    return WrappedKey(*lines) if len(lines) == LINES else None
