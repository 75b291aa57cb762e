"""Several outputs as one text."""

from deidstream.study.attacks.releases import choose_counts, intersect_releases, join_releases


def test_an_output_that_is_there_again_adds_nothing() -> None:
    assert join_releases(["Knee pain.", "Hip pain.", "Knee pain."]) == "Knee pain.\n\nHip pain."


def test_common_words_are_those_of_every_output() -> None:
    assert intersect_releases(["Left KNEE pain.", "pain, knee", "The knee: pain"]) == "knee pain"
    assert intersect_releases(["Knee.", "Hip."]) == ""


def test_counts_double_up_to_all() -> None:
    assert [choose_counts(n) for n in (1, 2, 3, 8)] == [[1], [1, 2], [1, 2, 3], [1, 2, 4, 8]]
