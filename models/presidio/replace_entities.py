"""Replace entities by the operators of presidio-anonymizer: replace, redact, mask, hash, keep.

The result is not verified, and replacements do not agree between texts; ``models.pipeline``
de-identifies notes.
"""

import secrets
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from hashlib import sha256, sha512
from typing import Protocol

from deidstream.models.presidio.entity_spans import EntitySpan, resolve_overlaps

DEFAULT_ENTITY = "DEFAULT"
"""Key of the operator of all entities that have none of their own."""
LEAST_SALT = 16
"""Bytes of the shortest salt."""
_SALT_BYTES = 32


class ReplacedTextTooLong(Exception):
    """A text with its entities replaced is longer than it may be."""


class EntityOperator(Protocol):
    """Replaces the text of one entity."""

    @property
    def name(self) -> str:
        """Its name in requests and replies."""
        ...

    def replace(self, text: str, entity: str) -> str:
        """Return the replacement of a text."""
        ...


@dataclass(frozen=True, slots=True)
class ReplaceEntity:
    """Puts a given text, or the entity in angle brackets, in the place."""

    new_value: str = ""
    name: str = "replace"

    def replace(self, text: str, entity: str) -> str:  # noqa: ARG002 - the port's form
        """Return the given text."""
        return self.new_value or f"<{entity}>"


@dataclass(frozen=True, slots=True)
class RedactEntity:
    """Leaves nothing."""

    name: str = "redact"

    def replace(self, text: str, entity: str) -> str:  # noqa: ARG002 - the port's form
        """Return the empty text."""
        return ""


@dataclass(frozen=True, slots=True)
class KeepEntity:
    """Leaves the text."""

    name: str = "keep"

    def replace(self, text: str, entity: str) -> str:  # noqa: ARG002 - the port's form
        """Return the text."""
        return text


@dataclass(frozen=True, slots=True)
class MaskEntity:
    """Puts a character in the place of each of the first or last ones."""

    masking_char: str
    chars_to_mask: int
    from_end: bool
    name: str = "mask"

    def replace(self, text: str, entity: str) -> str:  # noqa: ARG002 - the port's form
        """Return the text with so many characters masked."""
        masked = max(0, min(len(text), self.chars_to_mask))
        rest = len(text) - masked
        if self.from_end:
            return text[:rest] + self.masking_char * masked
        return self.masking_char * masked + text[masked:]


@dataclass(frozen=True, slots=True)
class HashEntity:
    """Puts a salted digest in the place; without a salt, each entity gets a random one."""

    salt: bytes = field(default=b"", repr=False)
    digest: Callable[[bytes], "_Digest"] = sha256
    name: str = "hash"

    def replace(self, text: str, entity: str) -> str:  # noqa: ARG002 - the port's form
        """Return the digest of text and salt, in hexadecimal digits."""
        salt = self.salt or secrets.token_bytes(_SALT_BYTES)
        return self.digest(text.encode("utf-8", "surrogatepass") + salt).hexdigest()


class _Digest(Protocol):
    def hexdigest(self) -> str: ...


HASHES: Mapping[str, Callable[[bytes], _Digest]] = {"sha256": sha256, "sha512": sha512}


@dataclass(frozen=True, slots=True)
class ReplacedEntity:
    """What stands in the place of one entity, and where that is in the output."""

    entity: str
    operator: str
    text: str = field(repr=False)
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class ReplacedText:
    """A text whose entities are replaced, and the replacements from its end to its start."""

    text: str = field(repr=False)
    items: tuple[ReplacedEntity, ...]


def replace_entities(
    text: str,
    spans: Iterable[EntitySpan],
    operators: Mapping[str, EntityOperator],
    most_characters: int = 10_000_000,
) -> ReplacedText:
    """Replace entities in a text.

    Where two entities overlap in part, the operators of both see the characters that they share.

    Args:
        text: The text.
        spans: Where entities are; none reaches past the end of the text.
        operators: By entity; that of ``DEFAULT_ENTITY`` for all others.
        most_characters: Longest text that is made: a value of a request may stand in thousands of
            places, and entities that overlap in part repeat what they share.

    Raises:
        ReplacedTextTooLong: It would be longer.
    """
    otherwise = operators.get(DEFAULT_ENTITY, ReplaceEntity())
    pieces: list[str] = []
    places: list[tuple[EntitySpan, EntityOperator, str, int]] = []
    position = length = 0
    resolved = resolve_overlaps(spans, text)
    for number, span in enumerate(resolved):
        kept = text[position : span.start]
        operator = operators.get(span.entity, otherwise)
        new = operator.replace(text[span.start : span.end], span.entity)
        length += len(kept)
        places.append((span, operator, new, length))
        pieces += [kept, new]
        length += len(new)
        if length > most_characters:
            raise ReplacedTextTooLong
        follows = resolved[number + 1].start if number + 1 < len(resolved) else len(text)
        position = min(span.end, follows)
    items = (
        ReplacedEntity(span.entity, operator.name, new, start, start + len(new))
        for span, operator, new, start in reversed(places)
    )
    return ReplacedText("".join([*pieces, text[position:]]), tuple(items))
