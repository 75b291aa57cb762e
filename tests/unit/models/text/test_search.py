import gc
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from deidstream.models.text.context import Condition
from deidstream.models.text.search import MOST_WORDS, Term, find_occurrences


def found(text: str, *terms: Term) -> list[str]:
    return [text[one.start : one.end] for one in find_occurrences(text, terms)]


def test_no_terms_find_nothing() -> None:
    assert find_occurrences("Smith", ()) == []


def test_every_case_form_is_found() -> None:
    text = "Smith SMITH smith"
    assert found(text, Term("Smith")) == ["Smith", "SMITH", "smith"]


@pytest.mark.parametrize("text", ["Smithson", "Goldsmith", "Smith2", "2Smith"])
def test_a_letter_or_digit_beside_it_refuses_a_match(text: str) -> None:
    assert found(text, Term("Smith")) == []


@pytest.mark.parametrize("text", ["Smith's", "Smith\u2019s", "(Smith)", "a_Smith_b", "O'Smith-Lee"])
def test_punctuation_beside_it_allows_a_match(text: str) -> None:
    assert found(text, Term("Smith")) == ["Smith"]


@pytest.mark.parametrize(
    ("text", "term", "match"),
    [
        ("the \ufb01sher man", "Fisher", "\ufb01sher"),
        ("x Stra\u00dfe y", "strasse", "Stra\u00dfe"),
        ("x \u0130brahim y", "ibrahim", "\u0130brahim"),
        ("x Jose\u0301 y", "Jos\u00e9", "Jose\u0301"),
        ("x Jos\u00e9 y", "Jose", "Jos\u00e9"),
        ("x Sm\u00adith y", "Smith", "Sm\u00adith"),
        ("x Smi\u200bth y", "Smith", "Smi\u200bth"),
        ("x \U0001d412mith y", "Smith", "\U0001d412mith"),
        ("x O\u2019Brien y", "O'Brien", "O\u2019Brien"),
        ("\U0001f600 Smith", "Smith", "Smith"),
    ],
)
def test_folds_that_change_lengths_map_back(text: str, term: str, match: str) -> None:
    assert found(text, Term(term)) == [match]


def test_a_name_broken_over_lines_is_found() -> None:
    assert found("to Ada\r\n   Quill.", Term("Ada Quill")) == ["Ada\r\n   Quill"]


def test_half_a_ligature_is_no_match() -> None:
    assert found("Stra\u00df", Term("stras")) == []


@pytest.mark.parametrize(
    "text",
    [
        "(410) 555-0163",
        "410.555.0163",
        "4105550163",
        "410 555 0163",
        "410-\n555-0163",
        "+410/555 0163",
    ],
)
def test_a_loose_term_is_found_whatever_its_separators(text: str) -> None:
    (one,) = find_occurrences(f"x {text} y", [Term("410-555-0163", loose=True)])
    assert "".join(c for c in text if c.isdigit()) == "4105550163"
    assert f"x {text} y"[one.start : one.end].strip("+") == text.strip("+")


@pytest.mark.parametrize(
    "text", ["410 555", "105550163", "14105550163", "410, 555, 0163", "410 - - 5550163"]
)
def test_a_loose_term_is_not_found_in_other_numbers(text: str) -> None:
    assert found(text, Term("4105550163", loose=True)) == []


def test_a_loose_number_may_touch_a_letter() -> None:
    assert found("MRN4471093", Term("447-1093", loose=True)) == ["4471093"]


@pytest.mark.parametrize(
    ("text", "matches"),
    [
        ("You may go.", []),
        ("May be given. Dose: May repeat.", []),
        ("PATIENT MAY GO", []),
        ("Seen with May today", ["May"]),
        ("Told Mrs. May today", ["May"]),
        ("May denies pain", ["May"]),
        ("Dr. MAY", ["MAY"]),
        ("to A. May", ["May"]),
    ],
)
def test_a_name_that_is_a_word_counts_only_where_written_as_a_name(
    text: str, matches: list[str]
) -> None:
    assert found(text, Term("May", Condition.AMID)) == matches


@pytest.mark.parametrize(
    ("text", "matches"),
    [
        ("has Wilson disease", []),
        ("has Wilson's disease", []),
        ("Wilson score 4", []),
        ("Wells 4.5", []),
        ("Swan-Ganz", []),
        ("wells", []),
        ("Wilson walked", ["Wilson"]),
        ("Mr. Wilson disease-free", ["Wilson"]),
    ],
)
def test_a_name_that_is_an_eponym_does_not_count_before_its_noun(
    text: str, matches: list[str]
) -> None:
    terms = [Term(name, Condition.NOT_EPONYM) for name in ("Wilson", "Wells", "Swan")]
    assert found(text, *terms) == matches


def test_a_titled_term_needs_its_title_in_the_same_sentence() -> None:
    text = "Ng tube. Dr. Ng. Dr Ng said. Seen by the nurse.\n\nNg tube"
    assert [one.start for one in find_occurrences(text, [Term("Ng", Condition.TITLED)])] == [13, 20]


def test_the_term_whose_condition_is_met_is_reported() -> None:
    strict, lax = Term("Rose", Condition.AMID), Term("rose")
    assert [one.term for one in find_occurrences("rose", [strict, lax])] == [lax]


def test_of_terms_that_end_together_the_longest_is_reported() -> None:
    assert found("Ada Quill", Term("Quill"), Term("Ada Quill")) == ["Ada Quill"]


def test_a_shorter_term_is_found_where_the_longer_is_refused() -> None:
    terms = [Term("May Quill", Condition.TITLED), Term("Quill")]
    assert found("to May Quill", *terms) == ["Quill"]


def test_a_very_long_term_is_found_by_its_first_words() -> None:
    words = " ".join(f"word{n}" for n in range(MOST_WORDS + 4))
    (one,) = find_occurrences(words, [Term(words)])
    assert one.start == 0
    assert words[: one.end].endswith(f"word{MOST_WORDS - 1}")


def test_a_term_of_nothing_finds_nothing() -> None:
    assert found(" - ", Term(""), Term(" "), Term("\0"), Term("-", loose=True)) == []


def test_a_lone_surrogate_does_no_harm() -> None:
    assert found("\ud800 Smith", Term("Smith"), Term("\udfff")) == ["Smith"]


def test_representations_hold_no_text() -> None:
    assert "Smith" not in repr(find_occurrences("Smith", [Term("Smith")]))


def test_signs_before_a_term_belong_to_it() -> None:
    assert found("to (Ada) Quill", Term("(Ada) Quill")) == ["(Ada) Quill"]
    assert found("to Ada) Quill", Term("(Ada) Quill")) == []


def test_a_term_behind_many_signs_is_found_with_the_last_of_them() -> None:
    rule = "-" * 80
    (one,) = find_occurrences(f"{rule}Quill", [Term(f"{rule}Quill")])
    assert 0 < one.start < len(rule)
    assert one.end == len(rule) + len("Quill")


@pytest.mark.parametrize("middle", ["q" * 5_000, "-" * 5_000, "q" * 64, "q" * 65, "\u00e9" * 65])
def test_a_term_with_a_long_piece_is_found_whole_and_only_as_it_is(middle: str) -> None:
    term = f"Ada {middle} Quill"
    other = term.replace(middle, middle[:2_000] + "x" + middle[2_001:] if middle[2_000:] else "x")
    text = f"to {term}, {other}, {middle}, {term}."
    assert found(text, Term(term)) == [term, term]


def test_a_long_word_is_a_term_as_a_whole() -> None:
    word = "abcdefghij" * 20
    text = f"{word} x{word} {word}s {word[:-1]} ({word})"
    (first, last) = find_occurrences(text, [Term(word)])
    assert (first.start, first.end) == (0, 200)
    assert text[last.start - 1 : last.end + 1] == f"({word})"


def test_a_name_beside_a_long_row_of_signs_is_found() -> None:
    rule = "_" * 5_000
    text = f"{rule}-Quill-{rule} Quill- -Quill"
    assert found(text, Term("-Quill")) == ["-Quill", "-Quill"]
    assert found(text, Term("Quill-")) == ["Quill-", "Quill-"]


@pytest.mark.parametrize("unit", ["a", "1"])
def test_a_term_of_a_megabyte_ends_no_process(unit: str) -> None:
    term = unit * (1_000_000 // len(unit))
    with ThreadPoolExecutor() as lane:
        assert lane.submit(find_occurrences, f"to {term}b", [Term(term)]).result() is not None


def test_a_long_row_of_signs_is_no_term() -> None:
    assert found("-" * 80, Term("-" * 80)) == []


@pytest.mark.parametrize(
    "unit", ["a", "1", "ab", "Smith", "0123456789", "A1", "\u00e9", "-", "- ", "Ng "], ids=ascii
)
def test_a_term_as_long_as_its_text_takes_linear_time(unit: str) -> None:
    def seconds(length: int) -> float:
        text = "x " + unit * (length // len(unit)) + "z"
        terms = [Term(text[2:]), Term(unit.strip())]
        # One collection of a whole run's objects takes longer than the search.
        gc.disable()
        try:
            started = time.process_time()
            find_occurrences(text, terms)
            return time.process_time() - started
        finally:
            gc.enable()

    seconds(100)
    # A square takes sixteen times as long: more than a second of 40,000 characters.
    assert seconds(40_000) < 8 * seconds(10_000) + 0.1


@pytest.mark.slow
@pytest.mark.parametrize("piece", [" ", "a", "1-", "a/", "\u00e9", "Dr. May "])
def test_half_a_megabyte_of_one_thing_takes_linear_time(piece: str) -> None:
    terms = [Term("1" * n, loose=True) for n in range(5, 30)]
    terms += [Term("a" * n) for n in range(1, 30)] + [Term("May", Condition.AMID)]
    started = time.process_time()
    find_occurrences(piece * (500_000 // len(piece)), terms)
    assert time.process_time() - started < 10
