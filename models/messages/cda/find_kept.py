"""Find the values that a template of a document keeps as they came."""

from collections.abc import Iterator

from deidstream.models.messages.cda.document_template import Kept, OpenTag, Template


def find_kept(template: Template) -> Iterator[str]:
    """Yield every value that came with the document and stays."""
    for piece in template:
        if isinstance(piece, OpenTag):
            for _, value in piece.attributes:
                if isinstance(value, Kept):
                    yield value.value
