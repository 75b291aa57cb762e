"""Surrogates are padded where a table needs it, and nowhere else."""

import pytest

from deidstream.models.surrogates.columns import keep_columns
from deidstream.models.surrogates.substitute import substitute
from deidstream.schemas.label import PhiLabel
from deidstream.schemas.span import Replacement, Span
from support.outputs import output


def _written(text: str, **surrogates: str) -> str:
    """The text with each of these words replaced once, in order."""
    placed = [
        Replacement(Span(at, at + len(word), PhiLabel.DOCTOR), surrogate, "surrogate")
        for word, surrogate in surrogates.items()
        for at in [text.index(word)]
    ]
    placed.sort(key=lambda one: one.span.start)
    return substitute(text, keep_columns(text, placed))[0]


def test_shorter_surrogate_keeps_the_columns_behind_it() -> None:
    text = "name         bed  since\nAchterberg   12   noon\nOduya        7    dusk\n"
    assert _written(text, Achterberg="Weir", Oduya="Poe") == (
        "name         bed  since\nWeir         12   noon\nPoe          7    dusk\n"
    )


def test_pipes_stay_under_each_other() -> None:
    text = "| Achterberg | 12 |\n| Oduya      | 7  |"
    assert _written(text, Achterberg="Weir") == "| Weir       | 12 |\n| Oduya      | 7  |"


def test_later_cell_makes_up_for_a_longer_surrogate() -> None:
    text = "Ng    Achterberg   12\nPoe   Oduya        7"
    assert _written(text, Ng="Mercer", Achterberg="Weir") == (
        "Mercer    Weir     12\nPoe   Oduya        7"
    )


@pytest.mark.parametrize(
    "text",
    [
        "Seen by Achterberg  today.\nAll well and fine, no pain.",
        "Seen by Achterberg today.\nBed was empty since noon.",
        "Achterberg   12\n\n\n\nOduya        7",
        "name        bed\nAchterberg\n",
        "Achterberg   12",
    ],
)
def test_running_text_and_lone_lines_are_not_padded(text: str) -> None:
    assert _written(text, Achterberg="Weir") == text.replace("Achterberg", "Weir")


def test_each_line_begins_anew() -> None:
    text = "Ng      1\nOduya   2\nPoe     3"
    assert _written(text, Ng="Mercer", Oduya="Weir") == "Mercer      1\nWeir    2\nPoe     3"


def test_output_of_a_policy_keeps_its_table() -> None:
    head = "seen by                    bed\n"
    made = output(
        f"{head}{{DOCTOR:Wolfeschlegelsteinhausen}}   12\n{{DOCTOR:Papadimitropoulosakis}}      7\n"
    )
    first, second = made.text.splitlines()[1:]
    assert first.index("12") == second.index("7") == head.index("bed")
    assert not made.unread_dates


def test_label_is_not_padded() -> None:
    made = output("day                 bed\n{DATE:whenever that was}   12\nnoon                7\n")
    assert [one.text for one in made.replacements] == ["[DATE]"]
    assert made.unread_dates == 1
