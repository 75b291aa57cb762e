"""The patterns of a site: what they find, and what is refused."""

from dataclasses import replace

import pytest

from deidstream.models.recognizers.rules.recognizer import RulesRecognizer
from deidstream.models.recognizers.rules.site_patterns import find_faults
from deidstream.schemas.label import PhiLabel
from deidstream.schemas.note import RawNote
from deidstream.schemas.site_pattern import LONGEST_PATTERN, SitePattern
from deidstream.schemas.span import Span

CASE = SitePattern(r"KB-\d{6}", PhiLabel.IDNUM)
BED = SitePattern(r"\d{3}[A-Z]", PhiLabel.LOCATION_OTHER, before=("rm", "bed no"), within=3)

NO_LOOKING = "look-ahead and look-behind are not in re2; use before and behind"


def spans(text: str, pattern: SitePattern) -> list[Span]:
    recognizer = RulesRecognizer(()).with_patterns({"own": pattern})
    (found,) = recognizer.recognize([RawNote("n", "p", text)])
    return list(found)


def found(text: str, pattern: SitePattern) -> list[str]:
    return [text[span.start : span.end] for span in spans(text, pattern)]


def faults(pattern: SitePattern) -> list[tuple[str, int, str]]:
    return [(fault.key, fault.item, fault.message) for fault in find_faults(pattern)]


def test_a_match_is_a_span_of_the_pattern() -> None:
    (span,) = spans("Ä note: see KB-104233.", CASE)
    assert span == Span(12, 21, PhiLabel.IDNUM, 1.0, "pattern:own")
    (unsure,) = spans("KB-104233", replace(CASE, score=0.4))
    assert unsure.score == 0.4


def test_every_match_counts_as_words_of_its_own() -> None:
    assert found("KB-104233, KB-104234/KB-104235", CASE) == ["KB-104233", "KB-104234", "KB-104235"]
    assert found("KB-1042331 XKB-104233 kb-104233 KB-10423", CASE) == []


def test_a_group_alone_hides_nothing_of_the_match() -> None:
    assert found("see KX-104233", SitePattern(r"(KB|KX)-(\d{6})", PhiLabel.IDNUM)) == ["KX-104233"]


def test_the_group_phi_is_what_is_found() -> None:
    ticket = SitePattern(r"(?i)(ticket|tkt) (?P<phi>\d{5})", PhiLabel.IDNUM)
    assert found("Tkt 10423 and ticket 10424", ticket) == ["10423", "10424"]


def test_expressions_see_characters() -> None:
    ward = SitePattern(r"Öst.\d", PhiLabel.HOSPITAL)
    assert found("auf Östä5 gelegt", ward) == ["Östä5"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("moved to rm 214B", ["214B"]),
        ("RM: a b 214B and 215C", ["214B"]),
        ("bed no. 101C, 102C", ["101C", "102C"]),
        ("bed 101C", []),
        ("rm is not a cue here: 214B", []),
        ("arm 214B", []),
        ("214B rm", []),
    ],
)
def test_a_cue_stands_before_a_match(text: str, expected: list[str]) -> None:
    assert found(text, BED) == expected


def test_a_cue_on_either_side_is_enough() -> None:
    either = replace(BED, behind=("Zimmer",))
    assert found("rm 214B; 215C is the zimmer. The other is 216D", either) == ["214B", "215C"]


def test_a_cue_is_seen_over_long_words() -> None:
    far = replace(BED, before=("unit",), within=20)
    assert found("unit " + "abcdefghijklmnopqrstuv " * 19 + "214B", far) == ["214B"]


@pytest.mark.parametrize(
    ("expression", "why"),
    [
        ("KB-([0-9]", "re2 refuses it: missing )"),
        (
            "(?<=KB)[0-9]",
            f"re2 refuses it: invalid perl operator ({NO_LOOKING})",
        ),
        (
            r"([0-9])\1",
            "re2 refuses it: invalid escape sequence (back-references are not in re2)",
        ),
        ("", "matches where there is nothing: it must match a character at least"),
        ("[0-9]*", "matches where there is nothing: it must match a character at least"),
        (r"\b", "matches where there is nothing: it must match a character at least"),
        ("x" * (LONGEST_PATTERN + 1), "must have no more than 1000 characters"),
    ],
)
def test_an_expression_is_refused(expression: str, why: str) -> None:
    assert faults(SitePattern(expression, PhiLabel.IDNUM)) == [("pattern", 0, why)]


def test_an_expression_of_full_length_is_right() -> None:
    assert faults(SitePattern("x" * LONGEST_PATTERN, PhiLabel.IDNUM)) == []


def test_a_cue_is_some_words_that_can_be_near_enough() -> None:
    wrong = replace(BED, before=("rm", "--"), behind=("one two three four",))
    assert faults(wrong) == [
        ("before", 2, "must have a letter or a digit"),
        ("behind", 1, "has more words than are looked at: see within"),
    ]


def test_examples_are_run() -> None:
    right = replace(
        CASE,
        examples=("see [[KB-104233]], [[KB-104234]]", "é [[KB-104233]]"),
        counter_examples=("KB-10423",),
    )
    assert faults(right) == []
    wrong = replace(
        CASE,
        examples=("KB-104233", "[[KB-104233", "[[KB-1]]", "[[KB-104233]], KB-104234"),
        counter_examples=("no [[KB]]", "né KB-104233"),
    )
    marking = "must mark what is to be found, [[so]]"
    assert faults(wrong) == [
        ("examples", 1, marking),
        ("examples", 2, marking),
        ("examples", 3, "nothing is found in it"),
        ("examples", 4, "something else is found than what it marks"),
        ("counter_examples", 1, "must mark nothing"),
        (
            "counter_examples",
            2,
            (
                "characters 4 to 12 are found: make the pattern narrower, say what stands before "
                "or behind it, or leave this text out"
            ),
        ),
    ]
