"""Which sentences are drawn."""

from deidstream.study.attacks.known_sentences import draw_known

TEXT = (
    "HISTORY OF ILLNESS:\n"
    + "\n\n".join(f"He saw number {n} there." for n in range(9))
    + "\n\nStable.\n"
)


def test_some_different_sentences_are_drawn_in_their_order() -> None:
    drawn = draw_known(TEXT * 2, 3, 0)
    assert len(set(drawn)) == 3
    assert sorted(drawn, key=TEXT.index) == drawn
    assert all(one.startswith("He saw number") for one in drawn)


def test_the_seed_and_the_note_decide() -> None:
    assert draw_known(TEXT, 3, 0) == draw_known(TEXT, 3, 0)
    assert len({tuple(draw_known(TEXT, 3, seed)) for seed in range(20)}) > 10


def test_a_short_note_gives_what_it_has() -> None:
    assert draw_known("Knee pain since May. Stable.", 3, 0) == ["Knee pain since May."]
    assert draw_known("", 3, 0) == []
