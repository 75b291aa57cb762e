"""The permit without which nothing is emitted.

An output record is built from an :class:`EmitPermit`, never from a string, and a permit needs the
seal. The seal is handed out once in the life of a process, to ``models.verification.verifier``; a
second request is refused. So an output that no verifier saw cannot be built by mistake.
"""

from dataclasses import dataclass, field
from typing import final

from deidstream.schemas.span import Replacement


@final
class Seal:
    """Proof that a permit comes from the verifier."""

    __slots__ = ()


_seals: list[Seal] = [Seal()]
_ISSUED = _seals[0]


def take_seal() -> Seal:
    """Hand out the only seal, once.

    Raises:
        RuntimeError: It was taken before.
    """
    if not _seals:
        msg = "the seal belongs to the verifier"
        raise RuntimeError(msg)
    return _seals.pop()


@dataclass(frozen=True, slots=True)
class EmitPermit:
    """The verifier's permission that ``text`` may leave."""

    seal: Seal = field(repr=False)
    text: str = field(repr=False)
    replacements: tuple[Replacement, ...] = field(repr=False)

    def __post_init__(self) -> None:
        """Refuse a permit without the seal."""
        if self.seal is not _ISSUED:
            msg = "a permit needs the verifier's seal"
            raise RuntimeError(msg)
