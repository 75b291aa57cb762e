"""Mentions of one name or number are as sure as the surest of them."""

from hypothesis import given, settings
from hypothesis import strategies as st

from deidstream.models.detection.repeated_mentions import (
    cut_unsure_words,
    raise_repeated_scores,
    settle_kinds,
)
from deidstream.schemas.label import TIMES, PhiLabel
from deidstream.schemas.span import Span

NAMES = ("Kaur", "Simran", "Simran Kaur", "4471", "3/7", "Ward 4")


def find_spans(text: str, *found: tuple[str, PhiLabel, float]) -> list[Span]:
    """Spans of words in their order in the text."""
    spans: list[Span] = []
    at = 0
    for word, label, score in found:
        start = text.index(word, at)
        at = start + len(word)
        spans.append(Span(start, at, label, score, "tagger"))
    return spans


def scores(text: str, *found: tuple[str, PhiLabel, float]) -> list[float]:
    return [span.score for span in raise_repeated_scores(text, find_spans(text, *found))]


def test_a_part_of_a_name_is_as_sure_as_the_whole() -> None:
    text = "Simran Kaur, 41. later: KAUR slept"
    found = (("Simran Kaur", PhiLabel.PATIENT, 0.99), ("KAUR", PhiLabel.DOCTOR, 0.5))
    assert scores(text, *found) == [0.99, 0.99]


def test_a_name_with_a_word_of_its_own_is_not() -> None:
    text = "Simran Kaur, 41. later: Kaur Ward"
    found = (("Simran Kaur", PhiLabel.PATIENT, 0.99), ("Kaur Ward", PhiLabel.DOCTOR, 0.5))
    assert scores(text, *found) == [0.99, 0.5]


def test_initials_and_letters_of_a_name_make_nothing_sure() -> None:
    text = "Farah F. Noor HD; sex F, HD x3"
    found = (
        ("Farah F. Noor HD", PhiLabel.PATIENT, 0.99),
        ("F", PhiLabel.PATIENT, 0.5),
        ("HD", PhiLabel.DOCTOR, 0.4),
    )
    assert scores(text, *found) == [0.99, 0.5, 0.4]
    assert scores(
        "李明, 李明", ("李明", PhiLabel.PATIENT, 0.99), ("李明", PhiLabel.PATIENT, 0.5)
    ) == [
        0.99,
        0.99,
    ]


def test_a_number_is_compared_as_a_whole_and_with_its_label() -> None:
    text = "MRN 44-71, 4471, 4471"
    found = (
        ("44-71", PhiLabel.MEDICALRECORD, 0.99),
        ("4471", PhiLabel.MEDICALRECORD, 0.5),
        ("4471", PhiLabel.PHONE, 0.4),
    )
    assert scores(text, *found) == [0.99, 0.5, 0.4]


def test_a_long_number_is_as_sure_as_the_surest_whatever_kind_it_is_taken_for() -> None:
    text = "MRN QX-771902, lot QX-771902, tel QX-771902, bed 4471, 4471"
    found = (
        ("QX-771902", PhiLabel.MEDICALRECORD, 0.99),
        ("QX-771902", PhiLabel.DEVICE, 0.5),
        ("QX-771902", PhiLabel.PHONE, 0.4),
        ("4471", PhiLabel.IDNUM, 0.99),
        ("4471", PhiLabel.DEVICE, 0.5),
    )
    assert scores(text, *found) == [0.99, 0.99, 0.4, 0.99, 0.5]


def test_dates_are_not_compared() -> None:
    text = "seen 3/7, for 3/7"
    assert scores(text, ("3/7", PhiLabel.DATE, 0.99), ("3/7", PhiLabel.DATE, 0.3)) == [0.99, 0.3]


@settings(max_examples=60)
@given(
    st.lists(
        st.tuples(st.sampled_from(NAMES), st.sampled_from(PhiLabel), st.floats(0, 1)), max_size=6
    )
)
def test_nothing_but_scores_is_changed_and_none_is_lowered(
    found: list[tuple[str, PhiLabel, float]],
) -> None:
    text = " | ".join(word for word, _, _ in found)
    before = find_spans(text, *found)
    after = raise_repeated_scores(text, before)
    bare = [(span.start, span.end, span.label, span.source) for span in after]
    assert bare == [(span.start, span.end, span.label, span.source) for span in before]
    for one, other in zip(before, after, strict=True):
        assert other.score >= one.score
        assert other.score == one.score or one.label not in TIMES
    assert raise_repeated_scores(text, after) == after


def labels(text: str, *found: tuple[str, PhiLabel, float]) -> list[PhiLabel]:
    return [span.label for span in settle_kinds(text, find_spans(text, *found))]


def test_a_lone_word_is_the_person_that_is_named_in_full() -> None:
    text = "with Tjapaltjarri, um, Lyle Tjapaltjarri"
    found = (
        ("Tjapaltjarri", PhiLabel.CITY, 0.9),
        ("Lyle Tjapaltjarri", PhiLabel.PATIENT, 0.9),
    )
    assert labels(text, *found) == [PhiLabel.PATIENT, PhiLabel.PATIENT]


def test_a_word_that_says_where_keeps_a_place() -> None:
    text = "Mary Jackson from Jackson"
    found = (("Mary Jackson", PhiLabel.PATIENT, 0.9), ("Jackson", PhiLabel.CITY, 0.9))
    assert labels(text, *found) == [PhiLabel.PATIENT, PhiLabel.CITY]


def test_a_lone_word_is_the_place_that_it_is_as_often() -> None:
    text = "52 | Adare | x. D/O Adare"
    found = (("Adare", PhiLabel.CITY, 0.9), ("Adare", PhiLabel.DOCTOR, 0.5))
    assert labels(text, *found) == [PhiLabel.CITY, PhiLabel.CITY]
    titled = "52 in Adare, x. Dr Adare"
    assert labels(titled, *found) == [PhiLabel.CITY, PhiLabel.DOCTOR]


def test_an_institution_is_not_called_as_a_person_that_no_list_has() -> None:
    text = "CHIKONDI HEALTH CENTRE. NRU Chikondi"
    found = (("CHIKONDI HEALTH CENTRE", PhiLabel.HOSPITAL, 0.9), ("Chikondi", PhiLabel.DOCTOR, 0.9))
    assert labels(text, *found) == [PhiLabel.HOSPITAL, PhiLabel.HOSPITAL]


def cut(text: str, *found: tuple[str, PhiLabel, float]) -> list[tuple[str, float]]:
    spans = cut_unsure_words(text, find_spans(text, *found), lambda _, score: score < 0.9)
    return [(text[span.start : span.end], span.score) for span in spans]


def test_sure_words_are_cut_off_doubtful_names() -> None:
    text = "CRYSTAL WINTERS. RE: WINTERS PROT/CREAT"
    found = (("CRYSTAL WINTERS", PhiLabel.PATIENT, 0.99), ("WINTERS PROT", PhiLabel.PATIENT, 0.5))
    assert cut(text, *found) == [("CRYSTAL WINTERS", 0.99), ("WINTERS", 0.99), ("PROT", 0.5)]
    whole = (("CRYSTAL WINTERS", PhiLabel.PATIENT, 0.99), ("WINTERS PROT", PhiLabel.PATIENT, 0.95))
    assert cut(text, *whole) == [("CRYSTAL WINTERS", 0.99), ("WINTERS PROT", 0.95)]
    text = "Health Partners. Family Health"
    ordinary = (
        ("Health Partners", PhiLabel.HOSPITAL, 0.99),
        ("Family Health", PhiLabel.HOSPITAL, 0.5),
    )
    assert cut(text, *ordinary) == [("Health Partners", 0.99), ("Family Health", 0.5)]


def test_initials_and_a_user_name_are_as_sure_as_the_full_name_that_they_are_of() -> None:
    text = "Jane Nakashima-Boyle RN. d/w JNB, j.n.b. HD; typed jboyle2"
    found = (
        ("Jane Nakashima-Boyle", PhiLabel.DOCTOR, 0.99),
        ("JNB", PhiLabel.DOCTOR, 0.5),
        ("HD", PhiLabel.DOCTOR, 0.4),
        ("jboyle2", PhiLabel.USERNAME, 0.3),
    )
    assert scores(text, *found) == [0.99, 0.99, 0.4, 0.99]


def test_neither_initials_of_nobody_nor_letters_of_a_word_become_sure() -> None:
    text = "Jane Hollis; jh pain, JHO seen; Hollis alone H"
    found = (
        ("Jane Hollis", PhiLabel.PATIENT, 0.99),
        ("jh", PhiLabel.DOCTOR, 0.4),
        ("JHO", PhiLabel.DOCTOR, 0.5),
        ("H", PhiLabel.PATIENT, 0.3),
    )
    assert scores(text, *found) == [0.99, 0.4, 0.5, 0.3]


def test_forms_of_initials_are_as_sure_as_the_full_name() -> None:
    text = "Senga O'Donnachie; A.O. seen S.O'D. and SO'D; Anselm Okoro (A.O"
    found = (
        ("Senga O'Donnachie", PhiLabel.DOCTOR, 0.99),
        ("A.O.", PhiLabel.DOCTOR, 0.2),
        ("S.O'D.", PhiLabel.PATIENT, 0.5),
        ("SO'D", PhiLabel.PATIENT, 0.5),
        ("Anselm Okoro", PhiLabel.DOCTOR, 0.99),
        ("A.O", PhiLabel.DOCTOR, 0.2),
    )
    assert scores(text, *found) == [0.99] * 6


def test_an_acronym_is_as_sure_as_the_institution_that_it_is_of() -> None:
    text = "Tarn Moor Wound Clinic. TMWC, HDU"
    found = (
        ("Tarn Moor Wound Clinic", PhiLabel.HOSPITAL, 0.99),
        ("TMWC", PhiLabel.ORGANIZATION, 0.6),
        ("HDU", PhiLabel.HOSPITAL, 0.6),
    )
    assert scores(text, *found) == [0.99, 0.99, 0.6]


def test_zeros_and_separators_do_not_make_a_number_less_sure() -> None:
    text = "0038-1219 bed 1; 381219 temp; 381-219; 81219"
    found = (
        ("0038-1219", PhiLabel.MEDICALRECORD, 0.99),
        ("381219", PhiLabel.MEDICALRECORD, 0.5),
        ("381-219", PhiLabel.IDNUM, 0.5),
        ("81219", PhiLabel.IDNUM, 0.5),
    )
    assert scores(text, *found) == [0.99, 0.99, 0.99, 0.5]


def test_mentions_of_a_number_are_of_the_kind_of_most() -> None:
    number, phone = PhiLabel.IDNUM, PhiLabel.PHONE
    text = "84901555014 / 0901 555 014 / +84 901 555 014"
    found = (
        ("84901555014", number, 1.0),
        ("0901 555 014", phone, 0.9),
        ("+84 901 555 014", phone, 0.9),
    )
    assert labels(text, *found) == [phone] * 3
    text = "bed 000381166, call 381166 pain"
    record = PhiLabel.MEDICALRECORD
    assert labels(text, ("000381166", record, 1.0), ("381166", phone, 0.9)) == [record] * 2
    text = "user KT04417, id KT-04417, KT-04417"
    user = (
        ("KT04417", PhiLabel.USERNAME, 0.9),
        ("KT-04417", number, 0.9),
        ("KT-04417", number, 0.9),
    )
    assert labels(text, *user) == [number] * 3
    text = "900-12-3456 then 900123456"
    assert (
        labels(text, ("900-12-3456", PhiLabel.SSN, 1.0), ("900123456", number, 0.9))
        == [PhiLabel.SSN] * 2
    )


def test_numbers_that_agree_keep_their_own_labels() -> None:
    text = "44710982, 4471-0982, 1204; 1204"
    found = (
        ("44710982", PhiLabel.DEVICE, 0.9),
        ("4471-0982", PhiLabel.MEDICALRECORD, 1.0),
        ("1204", PhiLabel.PHONE, 0.9),
        ("1204", PhiLabel.IDNUM, 1.0),
    )
    assert labels(text, *found) == [label for _, label, _ in found]


def test_several_words_of_persons_are_a_person() -> None:
    text = "ELK HORN, ROSE; kin ELK HORN, VERN. Vern Elk; the Elk-Horns; Elk Clinic; in Elk Horn"
    found = (
        ("ELK HORN, ROSE", PhiLabel.PATIENT, 0.9),
        ("ELK HORN, VERN", PhiLabel.CITY, 1.0),
        ("Vern Elk", PhiLabel.PATIENT, 0.9),
        ("Elk-Horns", PhiLabel.ORGANIZATION, 0.9),
        ("Elk Clinic", PhiLabel.HOSPITAL, 0.9),
        ("Elk Horn", PhiLabel.CITY, 0.9),
    )
    assert labels(text, *found) == [PhiLabel.PATIENT] * 4 + [PhiLabel.HOSPITAL, PhiLabel.CITY]
