"""Orders, referrals and schedules of three vendors come out in form and identify nobody."""

import pytest

from deidstream.agents.deidentifier import DeidentifiedNote, Deidentifier
from deidstream.models.messages.hl7.make_notes import MessageSource, make_notes
from deidstream.models.messages.hl7.message import read_message
from support.hl7_messages import named_fields, shape
from support.hl7_orders import TYPES, VENDORS, write_message


@pytest.mark.slow
def test_what_is_taken_comes_out_in_form_and_without_what_it_names() -> None:
    given = {
        (vendor.name, kind): write_message(vendor, kind) for vendor in VENDORS for kind in TYPES
    }
    notes = {
        name: next(iter(make_notes(read_message(one.text), MessageSource("general"))))
        for name, one in given.items()
    }
    with Deidentifier.load("surrogate", key=bytes(range(32))) as deidentifier:
        outputs = deidentifier.deidentify([*notes.values()])
    left: dict[tuple[str, str], list[str]] = {}
    for name, output in zip(notes, outputs, strict=True):
        assert isinstance(output, DeidentifiedNote), (name, output)
        assert shape(output.text) == shape("\r".join(given[name].text.splitlines()))
        assert named_fields(output.text)
        if found := given[name].left_in(output.text):
            left[name] = found
    assert left == {}
