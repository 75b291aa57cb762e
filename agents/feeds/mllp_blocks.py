r"""Read the blocks of the Minimal Lower Layer Protocol, and write them.

A block is ``\x0b``, the message, ``\x1c\r``. Source: HL7 v2.5.1, appendix C of the implementation
guide; "MLLP Release 2" for the bytes. Bytes that are no block end at most their own connection.
``\x1c`` alone stands within a text and ends nothing: half a message must never be acknowledged.
"""

import asyncio
import re
from dataclasses import dataclass, field

from deidstream.models.messages.hl7.message_faults import MessageFault

START, END = b"\x0b", b"\x1c\r"
READ_BYTES = 64 * 1024
HEAD_BYTES = 4 * 1024
"""What is kept of a block that is too long: its header, which the answer needs."""
_BEGUN = re.compile(rb"\x0b(?:\xef\xbb\xbf)?\s*(?:MSH|FHS|BHS)")
"""The next block, where the end of one was lost; texts of word processors hold its first byte."""
_BETWEEN = b"\r\n \t\x00"
"""What some senders write between two blocks."""


@dataclass(frozen=True, slots=True)
class MllpBlock:
    """One block, or what is wrong with it."""

    body: bytes = field(repr=False)
    """The message; only its beginning where the block is too long."""
    fault: MessageFault | None = None
    is_last: bool = False
    """The connection has to end: where the next block begins is not known."""


@dataclass(slots=True)
class BlockReader:
    """Reads the blocks of one connection; it never holds more than the longest and one read."""

    reader: asyncio.StreamReader
    most_bytes: int
    most_seconds: float
    """Longest time from the first byte of a block to its last."""
    _held: bytearray = field(default_factory=bytearray, repr=False)

    async def read_block(self) -> MllpBlock | None:
        """Return the next block; ``None`` when the sender has closed the connection."""
        while not self._held.strip(_BETWEEN):
            self._held.clear()
            if not await self._read_more():
                return None
        self._held = self._held.lstrip(_BETWEEN)
        if not self._held.startswith(START):
            return MllpBlock(b"", MessageFault.BAD_FRAME, is_last=True)
        del self._held[:1]
        try:
            async with asyncio.timeout(self.most_seconds):
                return await self._read_body()
        except TimeoutError:
            head = bytes(self._held[:HEAD_BYTES])
            return MllpBlock(head, MessageFault.UNFINISHED, is_last=True)

    async def _read_body(self) -> MllpBlock:
        searched = 0
        while (end := self._held.find(END, searched)) < 0:
            if len(self._held) > self.most_bytes:
                return await self._skip_body()
            searched = max(len(self._held) - 1, 0)
            if not await self._read_more():
                return MllpBlock(bytes(self._held), MessageFault.BAD_FRAME, is_last=True)
        body = bytes(self._held[:end])
        if (begun := _BEGUN.search(body)) is not None:
            # The end of this block was lost; the next one has begun within it.
            del self._held[: begun.start()]
            return MllpBlock(body[: begun.start()], MessageFault.BAD_FRAME)
        del self._held[: end + len(END)]
        following = self._held.lstrip(_BETWEEN)
        if following and not following.startswith(START):
            # It goes on behind what looked like its end, so this may be half a message.
            return MllpBlock(body, MessageFault.BAD_FRAME, is_last=True)
        return MllpBlock(body, MessageFault.TOO_LARGE if end > self.most_bytes else None)

    async def _skip_body(self) -> MllpBlock:
        """Drop what is left of a block that is too long."""
        head = bytes(self._held[:HEAD_BYTES])
        while (end := self._held.find(END)) < 0:
            # The last byte may be the first of the end.
            del self._held[:-1]
            if not await self._read_more():
                return MllpBlock(head, MessageFault.TOO_LARGE, is_last=True)
        del self._held[: end + len(END)]
        return MllpBlock(head, MessageFault.TOO_LARGE)

    async def _read_more(self) -> bool:
        read = await self.reader.read(READ_BYTES)
        self._held += read
        return bool(read)


def write_block(message: str) -> bytes:
    """Return a message as a block, in UTF-8."""
    return START + message.encode() + END
