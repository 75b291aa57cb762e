"""Word ids: their order, and the notes of each word."""

from deidstream.study.attacks.word_rows import read_words


def test_ids_follow_the_order_of_words() -> None:
    table = read_words(["knee hip knee"], ["Arm, hip"])
    (candidate,), (output,) = table.candidates, table.outputs
    assert (candidate.ids.tolist(), candidate.counts.tolist()) == ([1, 2], [1, 2])
    assert (output.ids.tolist(), output.counts.tolist()) == ([0, 1], [1, 1])
    assert table.words == 3


def test_postings_name_the_candidates_of_a_word() -> None:
    table = read_words(["knee", "hip knee", "knee knee", ""], ["arm"])
    postings = table.index_candidates()
    assert postings.held_by.tolist() == [0, 1, 3]
    places = postings.gather(table.candidates[1].ids)
    assert postings.candidates[places].tolist() == [1, 0, 1, 2]
    assert postings.counts[places].tolist() == [1, 1, 1, 2]


def test_a_hostile_text_takes_linear_time() -> None:
    table = read_words(["a" * 1_000_000, "\u0301" * 100_000], ["a1-" * 300_000])
    assert len(table.outputs[0].ids) == 1
