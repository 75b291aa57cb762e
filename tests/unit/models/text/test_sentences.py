import time
from pathlib import Path

import pytest

from deidstream.models.text.sentences import split_sentences
from support.layouts import measure_layouts, read_layouts


def cut(text: str) -> list[str]:
    return [text[piece.start : piece.end] for piece in split_sentences(text)]


def headings(text: str) -> list[str]:
    return [text[piece.start : piece.end] for piece in split_sentences(text) if piece.heading]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("No fever. No cough.", ["No fever.", "No cough."]),
        ("Is it worse? Yes! Much.", ["Is it worse?", "Yes!", "Much."]),
        ('He said "stop." Then he left.', ['He said "stop."', "Then he left."]),
        ("Seen by Dr. J. Smith today. Home.", ["Seen by Dr. J. Smith today.", "Home."]),
        ("Aspirin 81 mg q.d. Follow up soon.", ["Aspirin 81 mg q.d.", "Follow up soon."]),
        ("Fluids, e.g. Saline, were given.", ["Fluids, e.g. Saline, were given."]),
        ("Potassium was 3.5 and fell to 2.9.", ["Potassium was 3.5 and fell to 2.9."]),
        ("stable overnight. plan same.", ["stable overnight.", "plan same."]),
        ("approx. ten minutes", ["approx. ten minutes"]),
        ("Served in the U.S. Navy. Well.", ["Served in the U.S. Navy.", "Well."]),
        ("Held 24 h. Lives alone.", ["Held 24 h.", "Lives alone."]),
    ],
)
def test_prose_is_cut_at_sentence_ends_alone(text: str, expected: list[str]) -> None:
    assert cut(text) == expected


def test_list_items_stand_apart_without_their_markers() -> None:
    text = "1. Aspirin 81 mg daily\n2. Statin\n- home tomorrow\n(a) call clinic"
    assert cut(text) == ["Aspirin 81 mg daily", "Statin", "home tomorrow", "call clinic"]


def test_inline_numbers_are_markers() -> None:
    assert cut("Plan is: 1. Rest. 2. Fluids.")[-1] == "Fluids."


def test_a_wrapped_line_goes_on_with_its_sentence() -> None:
    text = "She was admitted with chest pain of two days and was found to\nhave a rise. Home.\n"
    assert cut(text)[0].endswith("to\nhave a rise.")


def test_a_blank_line_ends_a_sentence() -> None:
    text = "She was admitted with chest pain of two days and was found to\n\nhave a rise"
    assert len(cut(text)) == 2


def test_short_lines_are_not_joined() -> None:
    assert cut("no fever\nno cough") == ["no fever", "no cough"]


def test_a_label_is_a_heading_of_its_own() -> None:
    text = "PLAN: Home tomorrow.\nFamily history: none known"
    assert cut(text) == ["PLAN:", "Home tomorrow.", "Family history:", "none known"]
    assert headings(text) == ["PLAN:", "Family history:"]


def test_a_line_of_capitals_is_a_heading() -> None:
    assert headings("HOSPITAL COURSE\nDid well on the ward.") == ["HOSPITAL COURSE"]


def test_a_time_is_no_label() -> None:
    assert cut("Seen at 10:30 in bed") == ["Seen at 10:30 in bed"]


def test_cells_of_a_table_stand_apart() -> None:
    assert cut("Na 138   K 4.1\tCr 0.9 | Hb 12") == ["Na 138", "K 4.1", "Cr 0.9", "Hb 12"]


def test_cells_are_marked_but_no_marker_label_or_line_of_one_cell() -> None:
    text = "Na 138 | K 4.1\n1.\tDoing well\nPLAN:   Home today\nAll fine."
    marked = [text[one.start : one.end] for one in split_sentences(text) if one.cell]
    assert marked == ["Na 138", "K 4.1"]


def test_nothing_comes_of_nothing() -> None:
    assert split_sentences("") == split_sentences(" \n\t ") == ()


def test_odd_layouts_are_cut_as_marked() -> None:
    figures = measure_layouts(read_layouts(Path(__file__).parent / "layouts.txt"))
    # What is wrong is prose broken into a column narrower than 40 characters.
    assert figures.boundary_f1 >= 0.99, figures.wrong
    assert figures.kinds >= 0.98, figures.wrong


def test_a_comma_where_a_line_ended_parts_sentences() -> None:
    text = "She is well.,PLAN: , Home today.,1.  Rest.,Mon., Wed., Fri. and Sunday she swims.,"
    assert cut(text)[:4] == ["She is well.", "PLAN:", "Home today.", "Rest."]
    assert headings(text) == ["PLAN:"]


def test_labels_within_a_line_are_headings() -> None:
    text = "EXAM: HEENT: Throat clear. LUNGS: Clear. He was told the following: rest."
    assert headings(text) == ["EXAM:", "HEENT:", "LUNGS:"]


def test_a_section_without_colon_is_a_heading_and_a_drug_is_none() -> None:
    assert headings("Discharge Medications\nMetformin\nPast history\n") == ["Discharge Medications"]


def test_lines_without_words_are_gaps() -> None:
    assert cut("=====\nAll is well.\n_____\n|---|---|") == ["All is well."]


@pytest.mark.slow
@pytest.mark.parametrize(
    "unit",
    [
        *("a", " ", "1-", ". ", "A. ", "1. ", "\n", "a\n", "a:\n", "- ", "|", "(", "é ", "a  "),
        *(",", ".,", "A: ", "a.,A: ", "AB - ", "aaa.Aa", ": , "),
    ],
)
def test_hostile_text_takes_linear_time(unit: str) -> None:
    def seconds(size: int) -> float:
        text = unit * (size // len(unit))
        start = time.process_time()
        split_sentences(text)
        return time.process_time() - start

    small = min(seconds(15_000) for _ in range(2))
    # A square takes a hundred times as long.
    assert seconds(150_000) < 25 * small + 0.2
