"""Messages are read whatever ends their lines; what cannot be placed is refused."""

import time

import pytest

from deidstream.models.messages.hl7.message import read_message
from deidstream.models.messages.hl7.message_faults import MessageFault, MessageRefused
from support.hl7_samples import PATIENT, document


@pytest.mark.parametrize("end", ["\r", "\n", "\r\n"])
def test_line_ends_become_those_of_the_standard(end: str) -> None:
    given = document()
    assert read_message(given.replace("\r", end)).write() == given


@pytest.mark.parametrize("end", ["\r", "\r\n"])
def test_a_line_end_within_a_text_becomes_the_escape_for_one(end: str) -> None:
    given = document(text="First line.\nSecond | line.").replace("|| line", "|| line")
    read = read_message(given.replace("\r", end))
    assert read.value(read.first("OBX"), 5) == "First line.\\.br\\Second".replace("\\.br\\", "\n")


def test_lines_after_a_text_are_the_rest_of_it_with_their_separators() -> None:
    given = ["MSH|^~\\&|A|B", PATIENT, "NTE|1||Seen today.", "Wound 3|4 cm", "PID of kin: none"]
    read = read_message("\n".join(given))
    written = read.first("NTE").field(3)
    assert written == r"Seen today.\.br\Wound 3\F\4 cm\.br\PID of kin: none"
    assert [segment.name for segment in read.segments] == ["MSH", "PID", "NTE"]


@pytest.mark.parametrize(
    "text",
    [
        "MSH|^~\\&|A|B\rAnn Shaw",
        "MSH|^~\\&|A|B\rpid|1||4410",
        "MSH|^~\\&|A|B\rPID|1||4410||Shaw^Ann\rAnn|Shaw",
        "MSH|^~\\&|A|B\rLEE|Ann",
        "MSH|^~\\&|A|B\rOBX|1|TX|N||text||||||F\rmore",
    ],
)
def test_a_line_that_belongs_nowhere_is_refused(text: str) -> None:
    with pytest.raises(MessageRefused) as refused:
        read_message(text)
    assert refused.value.fault is MessageFault.BAD_SEGMENT


@pytest.mark.parametrize(
    "text",
    [
        "",
        "PID|1",
        "MSH",
        "MSH|^^\\&|A",
        "MSHA^~\\&A",
        " MSH|^~\\&|A",
        "msh|^~\\&|A",
        "FHS|^~\\&|A",
        # What the guard does not read as a header is none: its message would lose its form.
        "MSHé^~\\&éA",
        "MSH\xa0^~\\&\xa0A",
        "MSH\\^~|&\\A",
    ],
)
def test_what_has_no_header_is_refused(text: str) -> None:
    with pytest.raises(MessageRefused) as refused:
        read_message(text)
    assert refused.value.fault is MessageFault.NO_HEADER


def test_the_separators_are_those_of_the_header() -> None:
    read = read_message("MSH#@!$%#A#B\rPID#1##44@@@GH##Shaw%Van@Ann$T$Bo")
    assert read.value(read.first("PID"), 5) == "Shaw"
    assert read.value(read.first("PID"), 5, 2) == "Ann%Bo"


def test_control_characters_do_not_pass() -> None:
    read = read_message("MSH|^~\\&|A|B\rNTE|1||a\x00b\x07c\td")
    assert read.first("NTE").field(3) == "a b c\td"


@pytest.mark.parametrize("second", ["MSH|^~\\&|A|B", "MSH|@!$%|A|B", "BTS|1"])
def test_several_messages_in_one_block_are_refused(second: str) -> None:
    with pytest.raises(MessageRefused) as refused:
        read_message(f"MSH|^~\\&|A|B\r{PATIENT}\r{second}")
    assert refused.value.fault is MessageFault.SEVERAL_MESSAGES


def test_a_text_of_many_lines_is_joined_once() -> None:
    """Joined line by line, they took the square of their time."""

    def seconds(lines: int) -> float:
        text = "\r".join(["MSH|^~\\&|A|B", "NTE|1||a", *["x|y"] * lines])
        start = time.thread_time()
        written = read_message(text).first("NTE").field(3)
        taken = time.thread_time() - start
        assert written == "a" + r"\.br\x\F\y" * lines
        return taken

    assert seconds(70_000) < 20 * seconds(14_000) + 0.05


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        (r"Pain \F\X\F\ yes", r"Pain \F\X\F\ yes"),
        ("\\F\\X4A\\F\\", "\\F\\X4A\\F\\"),
        ("\\F\\\\X4A\\\\F\\", "\\F\\J\\F\\"),
        ("\\X4A6F65\\X\\T\\", "JoeX\\T\\"),
    ],
)
def test_hidden_text_begins_where_no_other_escape_ends(written: str, shown: str) -> None:
    read = read_message(document(text=written))
    assert read.first("OBX").field(5) == shown
