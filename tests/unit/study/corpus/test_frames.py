import random
from dataclasses import dataclass

import pytest

from deidstream.schemas.label import PhiLabel
from deidstream.schemas.span import Span
from deidstream.study.corpus.frames import Alternatives, Draft, TemplateSlot, template


@dataclass(frozen=True, slots=True)
class Echo:
    """Says the name of each slot."""

    rng: random.Random

    def say(self, slot: TemplateSlot) -> str:
        return slot.name


def written(text: str, seed: int = 0) -> Draft:
    draft = Draft()
    draft.write(template(text), Echo(random.Random(seed)))
    return draft


def test_a_slot_has_a_label_a_number_and_a_part() -> None:
    assert template("{DOCTOR:2.last}") == (TemplateSlot(PhiLabel.DOCTOR, "DOCTOR", "2", "last"),)


def test_a_word_in_lower_case_is_no_phi() -> None:
    assert template("at {time}") == ("at ", TemplateSlot(None, "time"))


def test_a_misspelled_label_is_refused() -> None:
    with pytest.raises(ValueError, match="no label is named DOCTR"):
        template("{DOCTR}")


@pytest.mark.parametrize(
    "text", ["BP < 90 or > 180", "<b>x</b>", "{not a slot}", "a | b", "x <", "<a|"]
)
def test_other_brackets_stand_for_themselves(text: str) -> None:
    assert "".join(written(text).parts) == text


def test_one_option_of_a_choice_is_written() -> None:
    assert {"".join(written("x<a|b|>", seed).parts) for seed in range(30)} == {"xa", "xb", "x"}


def test_choices_may_stand_in_choices() -> None:
    (choice,) = template("<a|b<c|d>>")
    assert isinstance(choice, Alternatives)
    assert isinstance(choice.options[1][1], Alternatives)


def test_spans_lie_where_the_values_were_written() -> None:
    draft = written("Seen by Dr. {DOCTOR} at {time}, {CITY}.")
    note = draft.note("n", "k")
    assert note.spans == (Span(12, 18, PhiLabel.DOCTOR), Span(28, 32, PhiLabel.CITY))
    assert note.note.text[12:18] == "DOCTOR"


def test_an_empty_value_leaves_no_span() -> None:
    draft = Draft()
    draft.add("", PhiLabel.CITY)
    assert draft.spans == []
