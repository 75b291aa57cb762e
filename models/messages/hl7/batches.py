"""Cut a batch, or a file of batches, into its messages.

A batch is ``FHS``, ``BHS``, messages, ``BTS`` and ``FTS``, of which all but the messages may be
missing. Source: HL7 v2.5.1, section 2.10.3.
"""

import re
from collections.abc import Iterable, Iterator

_BATCH = re.compile(rb"\s*(?:FHS|BHS)[^\w\s]")
_BEGUN = re.compile(rb"(?:^|(?<=[\r\n\x0b]))(MSH|FHS|BHS|BTS|FTS)(?=[^\w\s]|[\r\n]|$)")
_MESSAGE = b"MSH"
_AROUND = b"\x0b\x1c\r\n \t\x00"
"""What stands between two messages, in a file of MLLP blocks too."""
_LONGEST_BEGIN = 8


def is_batch(body: bytes) -> bool:
    """Return whether a block begins with the header of a batch, or of a file of batches."""
    return _BATCH.match(body) is not None


def split_batch(chunks: Iterable[bytes], most_bytes: int) -> Iterator[bytes]:
    """Yield the messages of a batch in order; each as it is written.

    Args:
        chunks: The batch, in pieces of any length; never more than a message and a piece is held.
        most_bytes: Longest message; nothing is yielded of a longer one but as much and a byte.
    """
    held = bytearray()
    for chunk in chunks:
        held += chunk
        start = 0
        for begun in _BEGUN.finditer(held):
            # What may be the beginning of a name is looked at again with the next piece.
            if begun.start() < len(held) - _LONGEST_BEGIN:
                yield from _message_of(held[start : begun.start()], most_bytes)
                start = begun.start()
        del held[:start]
        # Of a message that is too long, its beginning and its last bytes are enough.
        del held[most_bytes + 1 : -_LONGEST_BEGIN]
    starts = [one.start() for one in _BEGUN.finditer(held)]
    for start, end in zip([0, *starts], [*starts, len(held)], strict=True):
        yield from _message_of(held[start:end], most_bytes)


def _message_of(part: bytearray, most_bytes: int) -> Iterator[bytes]:
    body = bytes(part).strip(_AROUND)
    if body.startswith(_MESSAGE):
        yield body[: most_bytes + 1]
