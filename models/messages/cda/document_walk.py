"""Walk through a CDA document: make a template of what may stay, and text of what is replaced."""

from collections.abc import Callable, Mapping
from types import MappingProxyType

from deidstream.models.messages.attachments.markup_text import Element
from deidstream.models.messages.cda.attributes import keep_language
from deidstream.models.messages.cda.cda_lists import element_kinds
from deidstream.models.messages.cda.document_data import walk_data, walk_value
from deidstream.models.messages.cda.document_template import AttributeValue, Template
from deidstream.models.messages.cda.parse_document import name_of
from deidstream.models.messages.cda.person_values import walk_address, walk_name, walk_telecom
from deidstream.models.messages.cda.simple_values import (
    walk_boolean,
    walk_code,
    walk_id,
    walk_quantity,
    walk_status,
    walk_template,
    walk_time,
)
from deidstream.models.messages.cda.walk_state import WalkState, blanks_of
from deidstream.models.messages.forms.form_text import FormText, StatedPersons


def walk_document(root: Element, text: FormText, stated: StatedPersons) -> Template:
    """Return the template of a document, and add its text and its persons to those of a note.

    Raises:
        UnscannableAttachment: The text of a file in it cannot be read.
        OutOfTime: The budget of processor time is used up.
    """
    walk = WalkState(text, stated, "\n".join(root.itertext()))
    _walk_holder(walk, root)
    return tuple(walk.pieces)


def _walk_holder(walk: WalkState, element: Element) -> None:
    kinds = element_kinds()
    attributes: list[tuple[str, AttributeValue]] = [*keep_language(element)]
    identity = element.get("ID", "").strip()
    if identity:
        attributes.append(("ID", walk.rename(identity)))

    def fill() -> None:
        walk.pieces.append(blanks_of(element.text))
        for inner in element:
            reader = READERS.get(kinds.get(name_of(inner), ""))
            if reader is not None:
                reader(walk, inner)
                walk.pieces.append(blanks_of(inner.tail))

    walk.write_element(element, attributes, fill)


READERS: Mapping[str, Callable[[WalkState, Element], None]] = MappingProxyType(
    {
        "holder": _walk_holder,
        "template": walk_template,
        "id": walk_id,
        "code": walk_code,
        "status": walk_status,
        "time": walk_time,
        "birth": walk_time,
        "quantity": walk_quantity,
        "boolean": walk_boolean,
        "value": walk_value,
        "data": walk_data,
        "name": walk_name,
        "address": walk_address,
        "telecom": walk_telecom,
    }
)
"""Readers of the kinds of the element list."""
