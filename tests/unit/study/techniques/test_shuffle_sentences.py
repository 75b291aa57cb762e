"""ShS against an example; its law is in tests/property."""

from deidstream.study.techniques.shuffle_sentences import ShuffleSentences
from support.study_notes import study_note

NOTE = study_note("PLAN:\nHe coughs. He has no fever.\nShe will call us tomorrow morning.\n")


def test_sentences_change_places_and_lines_stay() -> None:
    (output,) = ShuffleSentences(2).anonymize([NOTE])
    assert output.text == "She will call us tomorrow morning.\nPLAN: He has no fever.\nHe coughs.\n"


def test_a_seed_gives_one_output() -> None:
    texts = [next(ShuffleSentences(seed).anonymize([NOTE])).text for seed in (1, 1, 2, 3, 4)]
    assert texts[0] == texts[1]
    assert len(set(texts)) > 1
