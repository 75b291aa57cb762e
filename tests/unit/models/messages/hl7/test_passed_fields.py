"""What no list lets pass is empty, and every separator is where it was."""

from base64 import b64encode

import pytest

from deidstream.models.messages.hl7.message import read_message
from deidstream.models.messages.hl7.passed_fields import keep_passed
from support.hl7_messages import shape

HEAD = "MSH|^~\\&|A|GH|||20240311||ADT^A01|1|P|2.5"


def kept(line: str) -> str:
    return keep_passed(read_message(f"{HEAD}\r{line}")).write().split("\r")[1]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("ZPI|Shaw^Ann&Bo~Lee|4410|", "ZPI|^&~||"),
        ("ROL|1|Shaw^Ann", "ROL||^"),
        ("PID|1||44^^^GH||Shaw^Ann||||alias~two", "PID|1||44^^^GH||Shaw^Ann||||~"),
        ("PID|1||44||Shaw" + "|" * 15 + "D417^WI|x", "PID|1||44||Shaw" + "|" * 15 + "^|"),
        ("NTE|1||text|RE|Shaw^Ann|20240311", "NTE|1||text|RE|^|"),
        (r"ZPI|a\T\b", "ZPI|"),
        ("OBX|1|TX|N||text||||||F||secret", "OBX|1|TX|N||text||||||F||"),
        ("OBX|1|TX|N||text^a~b||||||W", "OBX|1|TX|N||^~||||||W"),
        ("OBX|1|TX|N||text||||||D", "OBX|1|TX|N||||||||D"),
        ("OBX|1|tx|N||text^a~b||||||w", "OBX|1|tx|N||^~||||||w"),
        (r"OBX|1|rp|N||\\srv\shaw.pdf^A||||||F", "OBX|1|rp|N||^||||||F"),
        (r"OBX|1|RP|N||\\srv\shaw.pdf^A||||||F", "OBX|1|RP|N||^||||||F"),
        ("OBX|1|ED|N||^TEXT^PLAIN||||||F", "OBX|1|ED|N||^^||||||F"),
    ],
)
def test_values_that_are_not_listed_are_emptied(line: str, expected: str) -> None:
    assert kept(line) == expected


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        (r"\X4A6F65\ Shaw", "Joe Shaw"),
        (r"\x4A6f65\ Shaw", "Joe Shaw"),
        (r"\X4A7C65\ Shaw", r"J\F\e Shaw"),
        (r"a\X0D0A\b", r"a\.br\b"),
        (r"a\X0\b", "ab"),
        (r"M\XFC\ller, Ren\XC3\\XA9\e", "Müller, Renée"),
        (r"a\C2842\b\M244A\c\Z12\d", "abcd"),
        (r"\H\bold\N\ \T\ \.br\ \.sp2\ C:\temp\new", r"\H\bold\N\ \T\ \.br\ \.sp2\ C:\temp\new"),
    ],
)
def test_what_escapes_hide_is_shown(written: str, shown: str) -> None:
    assert kept(f"NTE|1||{written}") == f"NTE|1||{shown}"


FILE = b64encode(rb"{\rtf1\ansi Ann Shaw was seen by her mother | at home today.\par She is well}")
CODED = FILE.decode()
SEEN = r"Ann Shaw was seen by her mother \F\ at home today.\.br\She is well"


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        (CODED, SEEN),
        (f"Report: {CODED}", f"Report: {SEEN}"),
        (rf"{CODED[:76]}\.br\{CODED[76:]}", SEEN),
        (b64encode(b"Ann Shaw is well. " * 9).decode(), "Ann Shaw is well. " * 9),
        (b64encode(bytes(range(256))).decode(), "[file not read: unknown type]"),
        ("ACGTTGCA" * 20, "ACGTTGCA" * 20),
        ("/" * 90, "/" * 90),
        ("Ann/Bo+Cy " * 20, "Ann/Bo+Cy " * 20),
    ],
)
def test_a_file_in_a_text_is_shown_as_one_in_a_file_is(written: str, shown: str) -> None:
    for line in ("OBX|1|TX|N||{}||||||F", "NTE|1||{}"):
        assert kept(line.format(written)) == line.format(shown)


def test_the_character_set_is_that_of_the_output() -> None:
    header = HEAD + "|" * 6 + "8859/1"
    assert keep_passed(read_message(header)).write().rstrip("\r").endswith("|UNICODE UTF-8")
    assert keep_passed(read_message(HEAD)).write().rstrip("\r") == HEAD


def test_the_shape_stays() -> None:
    text = f"{HEAD}\rZAB|a^b&c~d|e\rPID|1||4~5^6||S^A|m|19420605|F|al^b||a&b^c~d|county|1~2"
    assert shape(keep_passed(read_message(text)).write()) == shape(text)
