"""HL7 v2 is recognised in the text of a note, and read as the standard says."""

import time
from typing import Any

import hl7.parser
import pytest

from deidstream.models.phi.hl7.message_grammar import (
    Hl7Segment,
    Signs,
    escape,
    join_fields,
    read_hl7,
    read_signs,
    split_fields,
    unescape,
)

HEADER = "MSH|^~\\&|ADT|GH||LAB|20240717||ADT^A01|77|P|2.5"


def written(text: str, segment: Hl7Segment) -> dict[tuple[int, int, int], str]:
    return {
        (value.field, value.component, value.subcomponent): text[value.start : value.end]
        for value in segment.values
    }


def test_fields_components_and_repetitions_are_counted_as_the_standard_does() -> None:
    text = HEADER + "\rPID|1||44^^^GH&2.16&ISO~55^^^SSA|x"
    header, patient = read_hl7(text)
    assert (header.name, patient.name) == ("MSH", "PID")
    assert written(text, header)[2, 1, 1] == "^~\\&"
    assert written(text, header)[9, 2, 1] == "A01"
    assert written(text, patient) == {
        (1, 1, 1): "1",
        (3, 1, 1): "55",
        (3, 4, 1): "SSA",
        (3, 4, 2): "2.16",
        (3, 4, 3): "ISO",
        (4, 1, 1): "x",
    }
    assert [text[v.start : v.end] for v in patient.fields(3)] == [
        "44", "GH", "2.16", "ISO", "55", "SSA"
    ]  # fmt: skip


def test_the_header_says_what_separates() -> None:
    text = "MSH$*!\\%$A$B*1\nPID$1$$4*5%6\n"
    header, patient = read_hl7(text)
    assert header.signs == Signs("$", "*", "!", "\\", "%")
    assert written(text, patient)[3, 2, 2] == "6"


@pytest.mark.parametrize("end", ["\r", "\n", "\r\n", "<0D>\n", "\x1c\r"])
def test_segments_end_as_logs_write_it(end: str) -> None:
    text = f"<0B>{HEADER}{end}PID|1||44{end}ZAU|x{end}"
    found = read_hl7(text)
    assert [segment.name for segment in found] == ["MSH", "PID", "ZAU"]
    assert written(text, found[1])[3, 1, 1] == "44"
    assert text[found[2].start : found[2].end] == "ZAU|x"


def test_a_log_may_write_before_a_segment() -> None:
    text = f"in lower case: {HEADER.lower()}\n(2) fix: PID|1||44\nsee log|page|4|5\nand more\n"
    assert [segment.name for segment in read_hl7(text)] == ["MSH", "PID"]


def test_segments_without_a_header_need_company() -> None:
    alone, two = "PID|1||44||SHAW^ANN\n", "PID|1||44||SHAW^ANN\nNK1|1|SHAW^BO|SPO\n"
    assert read_hl7(alone) == []
    assert [segment.name for segment in read_hl7(two)] == ["PID", "NK1"]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Seen in clinic.",
        "Temp | 37.2 | oral\nHR | 88 | regular\nBP | 120/80 | left",
        "| med | dose | route |\n| --- | --- | --- |\n| ASA | 81 | PO |",
        "MSH | the segment | is | missing",
        "The MSH|PID|NK1|PV1 segments were checked.",
    ],
)
def test_tables_and_prose_are_no_messages(text: str) -> None:
    assert read_hl7(text) == []


HOSTILE = {
    "components": HEADER + "\rZZZ|" + "a^" * 30_000,
    "segments": HEADER + "\rPID|1|||" * 7_000,
    "headers": "MSH|^~\\&|" * 7_000,
    "fragments": "PID|||\n" * 9_000,
    "words": HEADER + "\rNTE|1|L|" + "ab " * 20_000,
    "ends": HEADER + "<0D>" * 15_000,
}


@pytest.mark.parametrize("name", HOSTILE)
def test_the_time_is_linear(name: str) -> None:
    def seconds(text: str) -> float:
        times = []
        for _ in range(3):
            start = time.thread_time()
            read_hl7(text)
            times.append(time.thread_time() - start)
        return min(times)

    text = HOSTILE[name]
    assert seconds(text) < 20 * seconds(text[: len(text) // 5]) + 0.05


@pytest.mark.parametrize("written", ["a|b", "a^b~c", "a\\b", "a & b", "a\nb", "a\r\nb", "|^~\\&"])
def test_what_is_escaped_is_one_value(written: str) -> None:
    message: Any = hl7.parser.parse("MSH|^~\\&|A|B\rZZZ|1|" + escape(written, Signs()) + "|2")
    assert str(message[1][2]) == escape(written, Signs())
    assert message.unescape(str(message[1][2])) == " ".join(written.splitlines())
    assert unescape(escape(written, Signs()), Signs()) == " ".join(written.splitlines())


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        (r"Pain \F\X\F\ yes", "Pain |X| yes"),
        ("\\F\\X4A\\F\\", "|X4A|"),
        ("\\X4A\\F\\T\\", r"\X4A\F&"),
        ("\\E\\F\\E\\", "\\F\\"),
        (r"C:\temp\F", r"C:\temp\F"),
        (r"a\.br\b", "a\nb"),
    ],
)
def test_escapes_are_read_from_the_left(written: str, meant: str) -> None:
    assert unescape(written, Signs()) == meant


def test_signs_of_the_header_are_escaped() -> None:
    assert escape("a*b|c", Signs("$", "*", "!", "\\", "%")) == "a\\S\\b|c"


def test_a_header_has_the_separator_as_its_first_field() -> None:
    signs = read_signs(HEADER)
    assert signs is not None
    assert signs == Signs()
    fields = split_fields(HEADER, signs)
    assert fields[:3] == ["|", "^~\\&", "ADT"]
    assert join_fields("MSH", fields, signs) == HEADER
    assert split_fields("PID|1||44", signs) == ["1", "", "44"]
    assert join_fields("PID", ["1", "", "44"], signs) == "PID|1||44"


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Rejected: PID|1||44^^^GH||SHAW^ANN||19690308|F", ["PID"]),
        ("PID|1||44^^^GH||SHAW^ANN||19690308|F", ["PID"]),
        ("PID|1||44", []),
        ("Pain|1|2|3|4|5|6|x^2", []),
        ("see RAPID|1||44^^^GH||SHAW^ANN||19690308|F", []),
        ("PID|1||44||SHAW||19690308|F", []),
    ],
)
def test_a_whole_segment_is_read_alone_and_within_a_line(text: str, names: list[str]) -> None:
    assert [segment.name for segment in read_hl7(text)] == names
