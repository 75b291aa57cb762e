from deidstream.models.kneo.guards.cues import CHANGES, SEXES, SIDES, Cue, read_cues
from deidstream.models.kneo.guards.tokens import tokens_of


def cues(text: str) -> Cue:
    return Cue(read_cues(tokens_of(text)))


def test_words_say_sides_sexes_actions_and_changes() -> None:
    assert cues("Left-sided pain") == Cue.LEFT
    assert cues("RUQ and bilateral pain") == Cue.RIGHT | Cue.BOTH
    assert cues("Mr. PATIENT, a gentleman") == Cue.MALE
    assert cues("Her uterus") == Cue.FEMALE
    assert cues("Restarted, then held") == Cue.STARTED | Cue.HELD
    assert cues("improving") == Cue.BETTER


def test_phrases_say_what_their_words_alone_do_not() -> None:
    assert cues("blood loss, follow up") == Cue.NOTHING
    assert cues("weight loss; trending up") == Cue.LOWERED | Cue.RAISED


def test_no_cue_belongs_to_two_groups() -> None:
    assert SIDES & SEXES == SIDES & CHANGES == SEXES & CHANGES == 0


def test_a_letter_alone_is_a_side_unless_a_number_stands_before_it() -> None:
    assert cues("R > L") == Cue.LEFT | Cue.RIGHT
    assert cues("2 L of oxygen, 3L, L4") == Cue.NOTHING
