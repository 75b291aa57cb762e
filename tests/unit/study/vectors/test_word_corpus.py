import pytest

from deidstream.schemas.labelled import LabelledNote
from deidstream.schemas.note import RawNote
from deidstream.study.vectors.word_corpus import cut_sentences, is_only_a_name, make_word_corpus
from support.spans import marked


def labelled(text: str, patient: str = "p") -> LabelledNote:
    plain, spans = marked(text)
    return LabelledNote(RawNote("n", patient, plain), tuple(spans))


@pytest.mark.parametrize(
    "text",
    [
        "[PATIENT] has pain",
        "[**Known lastname 12**] has pain",
        "XXX-Name has pain",
        "[...] has pain",
        "HAS 12 Pain!",
    ],
)
def test_labels_and_numbers_are_no_words(text: str) -> None:
    assert make_word_corpus([labelled(text)], 1).notes == (("has", "pain"),)


def test_a_document_is_a_sentence_with_its_numbers() -> None:
    note = labelled("He has pain, 3 of 10. {PATIENT:Bo} denies\u2019s fever.")
    assert make_word_corpus([note], 1, cut_sentences).notes == (
        ("he", "has", "pain", "3", "of", "10"),
        ("denies", "fever"),
    )


def test_labelled_spans_are_left_out() -> None:
    corpus = make_word_corpus([labelled("{PATIENT:Ada Pike} has knee{DATE:March} pain")], 1)
    assert corpus.notes == (("has", "knee", "pain"),)


def test_words_of_too_few_patients_are_left_out() -> None:
    notes = [
        labelled("pain knee elbow", "one"),
        labelled("pain elbow elbow", "one"),
        labelled("pain knee", "two"),
    ]
    corpus = make_word_corpus(notes, 2)
    assert corpus.notes == (("pain", "knee"), ("pain",), ("pain", "knee"))
    assert corpus.left_out == 1
    assert make_word_corpus(notes, 1).left_out == 0


def test_names_that_are_no_ordinary_words_are_left_out() -> None:
    assert is_only_a_name("achterberg") or is_only_a_name("rodriguez")
    assert not is_only_a_name("pain")
    corpus = make_word_corpus([labelled("Rodriguez has pain")], 1)
    assert corpus.notes == (("has", "pain"),)


def test_no_text_is_in_a_repr() -> None:
    assert "pain" not in repr(make_word_corpus([labelled("pain")], 1))
