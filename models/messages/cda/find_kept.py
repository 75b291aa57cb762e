"""Find the values that a template of a document keeps as they came."""

from collections.abc import Iterator

from deidstream.models.messages.cda.document_template import Kept, OpenTag, Template


def find_kept(template: Template) -> Iterator[str]:
    """Yield every value that came with the document and stays."""
    yield from (value for _, value in find_kept_attributes(template))


def find_kept_attributes(template: Template) -> Iterator[tuple[str, str]]:
    """Yield what :func:`find_kept` does, each value behind its ``element@attribute``."""
    for piece in template:
        if isinstance(piece, OpenTag):
            for name, value in piece.attributes:
                if isinstance(value, Kept):
                    yield f"{piece.name}@{name}", value.value
