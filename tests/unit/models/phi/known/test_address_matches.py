import pytest

from deidstream.models.phi.known.address_matches import find_addresses
from deidstream.models.phi.known.stated_addresses import StatedAddresses
from deidstream.models.phi.known.written_words import WrittenText
from deidstream.schemas.label import PhiLabel

STATED = StatedAddresses.of_addresses(
    (
        "318 Zoarwell Loop, Ardenquay, OH 44199",
        "Apt 4B, 12 N Main Street, Reading PA 19601-1234",
        "5150 Corn Quern Ln N Lakemere Heights Minnesota 55999",
        "Flat 2, 9 Oldwick",
    )
)


def found(text: str, stated: StatedAddresses = STATED) -> list[str]:
    matches = find_addresses(WrittenText.of_text(text), stated)
    return [text[one.start : one.end] for one in matches]


@pytest.mark.parametrize(
    "form",
    [
        "Zoarwell Loop", "318 Zoarwell", "318 ZOARWELL LOOP", "zoarwell", "Ardenquay Ohio",
        "Ardenquay, OH 44199", "44199", "12 North Main St", "Main St", "12 N. Main St",
        "Reading, Pennsylvania 19601", "Apt 4B", "apartment 4b", "Corn\nQuern Lane North",
        "Lakemere Heights MN", "9 Oldwick Road",
    ],
)  # fmt: skip
def test_the_forms_of_a_stated_address_are_found(form: str) -> None:
    assert found(f"she went to {form}.") == [form]


@pytest.mark.parametrize(
    "text",
    [
        "the main street he is reading on", "12 main points", "PA 120/80 and OH 3", "12 N",
        "in Minnesota and Ohio", "MAIN FINDINGS: READING GLASSES", "Apt to fall, 4B",
        "318 and 5150", "Zoarwell-Smith syndrome", "Main finding. Corn on toe.",
    ],
)  # fmt: skip
def test_words_that_addresses_share_with_notes_are_left(text: str) -> None:
    assert found(text) == []


@pytest.mark.parametrize("silly", ["Street", "Unknown", "1", "N", "MA", "", "No 1", "Home", "of"])
def test_an_address_that_names_no_place_finds_nothing(silly: str) -> None:
    text = "Unknown at Home, No. 1 of 2 N/A. Street drugs: no. MA 1 Street."
    assert found(text, StatedAddresses.of_addresses((silly,))) == []


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("Zoarwell", PhiLabel.STREET),
        ("Ardenquay", PhiLabel.CITY),
        ("44199", PhiLabel.ZIP),
        ("Reading PA", PhiLabel.CITY),
    ],
)
def test_a_part_has_the_label_of_its_kind(text: str, label: PhiLabel) -> None:
    (one,) = find_addresses(WrittenText.of_text(f"in {text}."), STATED)
    assert (one.label, one.exact) == (label, False)
