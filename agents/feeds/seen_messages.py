"""Remember which messages of a sender were stored, so that none is stored twice."""

import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum, auto
from hashlib import blake2b

from deidstream.models.messages.hl7.message import WrittenMessage

DIGEST_BYTES = 16
_TIME_OF_MESSAGE = 7


class Seen(Enum):
    """What is known of a message."""

    NEW = auto()
    STORED = auto()
    CHANGED = auto()
    """Its sender has used its control id for another message."""


@dataclass(frozen=True, slots=True)
class MessageDigest:
    """Digests of a message: of its sender and control id, and of all but its time of sending."""

    key: bytes
    content: bytes

    @classmethod
    def of(cls, message: WrittenMessage) -> "MessageDigest":
        """Digest a message."""
        named = [message.header.field(number) for number in (3, 4, 10)]
        resent = message.header.with_field(_TIME_OF_MESSAGE, "")
        lines = [message.signs.field.join((one.name, *one.fields)) for one in message.segments[1:]]
        return cls(_digest("\r".join(named)), _digest("\r".join(["|".join(resent.fields), *lines])))


def _digest(text: str) -> bytes:
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=DIGEST_BYTES).digest()


@dataclass(slots=True)
class SeenMessages:
    """The last messages that were stored; it keeps digests alone."""

    most: int
    seconds: float
    clock: Callable[[], float] = time.monotonic
    _stored: OrderedDict[bytes, tuple[bytes, float]] = field(
        default_factory=OrderedDict[bytes, tuple[bytes, float]], repr=False
    )

    def look_up(self, digest: MessageDigest) -> Seen:
        """Return what is known of a message."""
        content, until = self._stored.get(digest.key, (b"", 0.0))
        if until <= self.clock():
            return Seen.NEW
        return Seen.STORED if content == digest.content else Seen.CHANGED

    def add(self, digest: MessageDigest) -> None:
        """Remember a message that the broker has."""
        self._stored[digest.key] = (digest.content, self.clock() + self.seconds)
        self._stored.move_to_end(digest.key)
        while len(self._stored) > self.most:
            self._stored.popitem(last=False)
