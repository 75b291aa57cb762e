"""A note with entities is read as it is meant."""

import pytest

from deidstream.models.detection.obfuscation.entity_text import read_entities
from deidstream.models.detection.obfuscation.meant_text import read_as_meant
from deidstream.models.phi.hl7.message_grammar import read_hl7


def test_entities_are_characters_with_their_places() -> None:
    text = "O&apos;Brien &amp; Nu&ntilde;ez"
    plain = read_entities(text, ())
    assert plain is not None
    assert plain.text == "O'Brien & Nu\u00f1ez"
    start = plain.text.index("Nu")
    assert slice(*plain.origin(start, start + 5)) == slice(text.index("Nu"), len(text))


@pytest.mark.parametrize("text", ["", "R&D; 5 & 6", "MSH|^~\\&|A|B\rPID|1||4^A&apos;B"])
def test_a_text_without_entities_and_a_message_are_read_as_they_are(text: str) -> None:
    assert read_as_meant(text) is None
    assert bool(read_hl7(text)) == text.startswith("MSH")
