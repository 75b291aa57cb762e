import pytest

from deidstream.models.kneo.slots import Filled, fill_slots
from deidstream.schemas.label import PhiLabel

VALUES = [
    (PhiLabel.DOCTOR, "Dr. Lane"),
    (PhiLabel.DATE, "3/4/2019"),
    (PhiLabel.DOCTOR, "Dr. Orr"),
]


def test_slots_take_the_values_of_their_label_in_order() -> None:
    filled = fill_slots("[DOCTOR] met [DOCTOR].", VALUES)
    assert filled is not None
    assert filled.text == "Dr. Lane met Dr. Orr."
    shown = [filled.text[start:end] for _, start, end in filled.places]
    assert shown == [VALUES[number][1] for number, _, _ in filled.places]


@pytest.mark.parametrize(
    "text", ["Seen with [AGE].", "[DATE] and [DATE]", "On [DATE] [DOCTOR] met [DOCTOR]."]
)
def test_a_slot_without_a_value_is_not_filled(text: str) -> None:
    assert fill_slots(text, VALUES) is None


def test_a_sentence_without_slots_is_itself() -> None:
    assert fill_slots("She is well [x] [OTHER].", []) == Filled("She is well [x] [OTHER].", ())


def test_a_value_is_not_read_for_slots() -> None:
    filled = fill_slots("Seen by [DOCTOR] on [DATE].", [(PhiLabel.DOCTOR, "[DATE]"), VALUES[1]])
    assert filled is not None
    assert filled.text == "Seen by [DATE] on 3/4/2019."
