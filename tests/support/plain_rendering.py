"""What a resource becomes where no policy replaces anything, and what its text says it is."""

import json
from dataclasses import replace
from hashlib import sha256
from typing import Any

from deidstream.models.messages.read_message import read_message
from deidstream.models.messages.render_form import render_form
from deidstream.schemas.note import RawNote
from support.outcomes import permit


def read(resource: dict[str, Any]) -> RawNote:
    """The note of a resource."""
    return read_message(json.dumps(resource).encode())


def rendered(resource: dict[str, Any], *, in_hex: bool = False) -> Any:
    """The resource of a permit that left the text as it is; ids have ``of-`` before them.

    ``in_hex`` gives them names such as a release gives, of which a clinical document makes ids.
    """
    note = read(resource)
    pseudonym = _hex_name if in_hex else _name
    made = render_form(note, replace(permit("quiet"), text=note.text), pseudonym).resource
    assert made is not None
    return json.loads(made)


def labelled(resource: dict[str, Any]) -> dict[str, str | None]:
    """The parts of the text of a resource, and what the resource says of them."""
    note = read(resource)
    assert note.form is not None
    return {note.text[part.start : part.end]: part.label for part in note.form.parts}


def _name(identifier: str, *, of_patient: bool) -> str:
    return f"{'patient' if of_patient else 'of'}-{identifier.removeprefix('#')}"


def _hex_name(identifier: str, *, of_patient: bool) -> str:
    return sha256(f"{of_patient} {identifier}".encode()).hexdigest()[:32]
