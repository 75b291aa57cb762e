import pytest

from deidstream.models.detection.reconcile import apply_tagger_borders
from deidstream.schemas.errors import InvalidSpan
from deidstream.schemas.label import PhiLabel
from deidstream.schemas.span import Span

CITY, STATE, DATE, PATIENT = PhiLabel.CITY, PhiLabel.STATE, PhiLabel.DATE, PhiLabel.PATIENT
TEXT = "in Port Vesper, Indiana."
TOWN = Span(3, 14, CITY, 0.8, "tagger")
COUNTY = Span(16, 23, STATE, 0.7, "tagger")
PLACE = Span(3, 23, CITY, 0.95, "rules:place.city_state")


def test_what_a_rule_took_for_one_the_tagger_cuts_in_two() -> None:
    assert apply_tagger_borders([PLACE, TOWN, COUNTY], TEXT) == (TOWN, COUNTY)


def test_the_tagger_names_what_a_surer_rule_found() -> None:
    rule = Span(3, 14, PATIENT, 0.99, "rules:name.titled")
    assert apply_tagger_borders([rule, TOWN], TEXT) == (TOWN,)


def test_punctuation_around_it_is_left_out() -> None:
    rule = Span(16, 24, STATE, 0.9, "rules:place.state")
    assert apply_tagger_borders([rule, COUNTY], TEXT) == (COUNTY,)


def test_no_word_is_lost() -> None:
    late = Span(8, 14, CITY, 0.8, "tagger")
    assert apply_tagger_borders([PLACE, late], TEXT) == (Span(3, 23, CITY, 0.8, "tagger"),)


def test_words_between_two_borders_go_to_the_span_before() -> None:
    text = "Ann Old York"
    rule = Span(0, 12, CITY, 0.9, "rules:x")
    ann, york = Span(0, 3, PATIENT, 0.9, "tagger"), Span(8, 12, CITY, 0.9, "tagger")
    assert apply_tagger_borders([rule, ann, york], text) == (
        Span(0, 7, PATIENT, 0.9, "tagger"),
        york,
    )


@pytest.mark.parametrize("between", [" of ", " at the ", ", from\n", " and, "])
def test_small_words_between_two_borders_go_to_neither(between: str) -> None:
    text = f"Ann{between}York"
    rule = Span(0, len(text), CITY, 0.9, "rules:x")
    ann = Span(0, 3, PATIENT, 0.9, "tagger")
    york = Span(len(text) - 4, len(text), CITY, 0.9, "tagger")
    assert apply_tagger_borders([rule, ann, york], text) == (ann, york)


@pytest.mark.parametrize("between", [" Of ", "of ", "'of ", " de ", " of Old "])
def test_what_may_be_part_of_a_name_stays(between: str) -> None:
    text = f"Ann{between}York"
    rule = Span(0, len(text), CITY, 0.9, "rules:x")
    ann = Span(0, 3, PATIENT, 0.9, "tagger")
    york = Span(len(text) - 4, len(text), CITY, 0.9, "tagger")
    found = apply_tagger_borders([rule, ann, york], text)
    assert found == (Span(0, len(text) - 5, PATIENT, 0.9, "tagger"), york)


def test_many_small_words_take_no_long() -> None:
    text = "Ann " + "at " * 100_000 + "York"
    rule = Span(0, len(text), CITY, 0.9, "rules:x")
    ann = Span(0, 3, PATIENT, 0.9, "tagger")
    york = Span(len(text) - 4, len(text), CITY, 0.9, "tagger")
    assert apply_tagger_borders([rule, ann, york], text) == (ann, york)


def test_neighbours_of_one_label_stay_one() -> None:
    text = "555-0172 x3"
    whole = Span(0, 11, DATE, 0.9, "rules:x")
    one, two = Span(0, 8, DATE, 0.6, "tagger"), Span(9, 11, DATE, 0.8, "tagger")
    assert apply_tagger_borders([whole, one, two], text) == (Span(0, 11, DATE, 0.8, "tagger"),)


@pytest.mark.parametrize("source", ["known", "dictionary:deny"])
def test_nobody_corrects_the_sender_or_the_site(source: str) -> None:
    given = Span(3, 23, PATIENT, 0.9, source)
    assert apply_tagger_borders([given, TOWN, COUNTY], TEXT) == (given,)


def test_without_the_tagger_overlaps_unite() -> None:
    other = Span(10, 24, STATE, 0.5, "rules:x")
    assert apply_tagger_borders([PLACE, other], TEXT) == (Span(3, 24, CITY, 0.95, PLACE.source),)


def test_a_span_beyond_the_text_is_refused() -> None:
    with pytest.raises(InvalidSpan):
        apply_tagger_borders([Span(3, 25, CITY)], TEXT)
