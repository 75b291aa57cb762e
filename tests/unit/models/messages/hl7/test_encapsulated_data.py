"""A file within a result becomes its text, or says why it has none; its data never passes."""

from base64 import b64encode

import pytest

from deidstream.models.messages.hl7.encapsulated_data import show_encoded, show_file
from deidstream.models.phi.hl7.message_grammar import Signs

SIGNS = Signs()


def shown(written: str) -> str:
    return show_file(written.split("^"), SIGNS)


def coded(text: str) -> str:
    return b64encode(text.encode()).decode()


@pytest.mark.parametrize(
    ("kind", "text", "expected"),
    [
        ("TEXT^PLAIN^Base64", "Ann | Shaw & Bo\nwell", r"Ann \F\ Shaw \T\ Bo\.br\well"),
        ("TEXT^^Base64", "Ann^Shaw", r"Ann\S\Shaw"),
        ("TEXT^HTML^Base64", "<p>Ann <b>Shaw</b></p><script>x</script>", "Ann Shaw"),
        ("Application^RTF^base64", r"{\rtf1\ansi Ann Shaw}", "Ann Shaw"),
        ("Application^Octet-stream^Base64", r"{\rtf1\ansi Ann Shaw}", "Ann Shaw"),
        ("application/rtf^^Base64", r"{\rtf1\ansi Ann Shaw}", "Ann Shaw"),
        ("TEXT^x-hl7-cda-level-one^Base64", "<a><b>Ann</b> <given>Shaw</given></a>", "Ann Shaw"),
    ],
)
def test_what_can_be_read_becomes_text(kind: str, text: str, expected: str) -> None:
    assert shown(f"LAB&1.2^{kind}^{coded(text)}") == f"&^TEXT^PLAIN^A^{expected}"


@pytest.mark.parametrize(
    ("written", "fault"),
    [
        (f"^IM^JPEG^Base64^{coded('Ann Shaw')}", "unknown type"),
        ("^TEXT^PLAIN^Base64^!Ann!", "malformed"),
        ("^TEXT^PLAIN^Hex^Ann", "malformed"),
        (f"^Application^PDF^Base64^{coded('Ann Shaw')}", "malformed"),
        ("^TEXT^PLAIN^Base64^", "empty"),
    ],
)
def test_what_cannot_be_read_is_left_out_with_the_reason(written: str, fault: str) -> None:
    assert shown(written) == f"^TEXT^PLAIN^A^[file not read: {fault}]"


def test_other_encodings() -> None:
    assert shown(f"^TEXT^PLAIN^Hex^{b'Ann Shaw'.hex()}") == "^TEXT^PLAIN^A^Ann Shaw"
    assert shown(r"^TEXT^PLAIN^A^Ann \T\ Bo\.br\well") == r"^TEXT^PLAIN^A^Ann \T\ Bo\.br\well"
    whole = coded("Ann Shaw, well")
    broken = rf"{whole[:8]}\.br\{whole[8:]}"
    assert shown(f"^TEXT^PLAIN^Base64^{broken}") == "^TEXT^PLAIN^A^Ann Shaw, well"


LETTER = "Ann Shaw was seen by her mother at home on 4 May; she is well and sleeps a lot."


@pytest.mark.parametrize("kind", ["TEXT^PLAIN^A", "TEXT^PLAIN^", "TEXT^HTML^", "AP^Octet-stream^"])
def test_base64_that_no_encoding_names_is_read(kind: str) -> None:
    file = coded(rf"{{\rtf1 {LETTER}}}") if "stream" in kind else coded(LETTER)
    assert shown(f"^{kind}^{file}") == f"^TEXT^PLAIN^A^{LETTER}"


def test_files_in_each_other_are_read_but_not_without_end() -> None:
    written = rf"{{\rtf1 {LETTER}}}"
    for _ in range(3):
        assert shown(f"^TEXT^PLAIN^Base64^{coded(written)}") == f"^TEXT^PLAIN^A^{LETTER}"
        written = rf"{{\rtf1 {coded(written)}}}"
    assert shown(f"^TEXT^PLAIN^Base64^{coded(written)}").endswith("^[file not read: too deep]")


def test_what_has_no_data_is_emptied() -> None:
    assert shown("LAB&1.2^TEXT^PLAIN") == "&^^"


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        (coded(LETTER), LETTER),
        (coded("Ann Shaw, well"), "Ann Shaw, well"),
        (f"LAB&1.2^Base64^{coded(LETTER)}", f"&^^{LETTER}"),
        ("JVBERi0xLjQK", "[file not read: malformed]"),
        ("^TEXT^Seen by Ann Shaw", "^^[file not read: malformed]"),
        (f"LAB^{coded('%PDF-1.4' + LETTER)}", "^[file not read: malformed]"),
    ],
)
def test_data_out_of_its_place_is_read_or_says_why_not(written: str, expected: str) -> None:
    assert shown(written) == expected


@pytest.mark.parametrize("text", ["9. Signed by Dr. Pru Zennor", "Ann Shaw, well", "Müller\tCy"])
def test_the_last_lines_of_a_file_in_several_results_are_shown(text: str) -> None:
    assert show_encoded(coded(text), SIGNS) == text
    assert show_encoded(f"a {coded(text)} b", SIGNS) == f"a {text} b"


@pytest.mark.parametrize(
    "written", ["A1b2C3d4E5f6G7h8", "Hypercholesterolaemia", "electrocardiogra", "Thyroperoxidase1"]
)
def test_words_and_numbers_that_hold_no_text_stay(written: str) -> None:
    assert show_encoded(written, SIGNS) == written
