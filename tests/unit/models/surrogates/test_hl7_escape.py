"""A surrogate never brings a separator into a message."""

from typing import Any

import hl7.parser
import pytest

from deidstream.models.phi.hl7.message_grammar import Signs, escape
from deidstream.models.surrogates.hl7_escape import escape_in_hl7
from deidstream.schemas.label import PhiLabel
from deidstream.schemas.span import Replacement, Span

TEXT = "Mail of Ward\nMSH|^~\\&|A|GH\nPID|1||44||SHAW^ANN\nWard again"


def put(place: int, written: str) -> str:
    one = Replacement(Span(place, place + 4, PhiLabel.HOSPITAL), written, "surrogate")
    return escape_in_hl7(TEXT, [one])[0].text


def test_signs_are_escaped_inside_a_message_alone() -> None:
    inside = TEXT.index("SHAW")
    assert put(inside, "Ward & Sons") == "Ward \\T\\ Sons"
    assert put(TEXT.index("Ward"), "Ward & Sons") == "Ward & Sons"
    assert put(TEXT.rindex("Ward"), "Ward & Sons") == "Ward & Sons"


@pytest.mark.parametrize("written", ["a|b", "a^b~c", "a\\b", "a & b", "a\nb", "a\r\nb", "|^~\\&"])
def test_what_is_escaped_is_one_value(written: str) -> None:
    message: Any = hl7.parser.parse("MSH|^~\\&|A|B\rZZZ|1|" + escape(written, Signs()) + "|2")
    assert str(message[1][2]) == escape(written, Signs())
    assert message.unescape(str(message[1][2])) == " ".join(written.splitlines())


def test_signs_of_the_header_are_escaped() -> None:
    assert escape("a*b|c", Signs("$", "*", "!", "\\", "%")) == "a\\S\\b|c"
