import pytest

from deidstream.models.detection.reconcile import (
    apply_tagger_borders,
    drop_possible,
    drop_uncorroborated_spans,
    is_confirmed,
    resolve,
)
from deidstream.schemas.errors import InvalidSpan, Reason, Stage
from deidstream.schemas.label import PhiLabel
from deidstream.schemas.span import POSSIBLE, Span

CITY, STATE, DATE = PhiLabel.CITY, PhiLabel.STATE, PhiLabel.DATE
PATIENT, DOCTOR = PhiLabel.PATIENT, PhiLabel.DOCTOR
TEXT = "in Port Vesper, Indiana."
TOWN = Span(3, 14, CITY, 0.8, "tagger")
COUNTY = Span(16, 23, STATE, 0.7, "tagger")
PLACE = Span(3, 23, CITY, 0.95, "rules:place.city_state")
POSSIBLE_NAME = Span(5, 9, PATIENT, 0.01, POSSIBLE)


def test_nothing_resolves_to_nothing() -> None:
    assert resolve([], length=0) == ()


def test_spans_apart_come_back_in_order() -> None:
    spans = Span(5, 8, CITY), Span(0, 3, PATIENT)
    assert resolve(spans, length=8) == (Span(0, 3, PATIENT), Span(5, 8, CITY))


def test_spans_that_touch_stay_apart() -> None:
    spans = Span(0, 3, PATIENT), Span(3, 6, PATIENT)
    assert resolve(spans, length=6) == spans


def test_a_partial_overlap_becomes_one_span_of_the_surer_label() -> None:
    spans = Span(0, 5, PATIENT, 0.5, "tagger"), Span(3, 9, DOCTOR, 0.9, "rules:x")
    assert resolve(spans, length=9) == (Span(0, 9, DOCTOR, 0.9, "rules:x"),)


def test_a_less_sure_span_disappears_into_the_one_around_it() -> None:
    spans = Span(0, 9, PATIENT, 0.9), Span(3, 5, CITY, 0.4)
    assert resolve(spans, length=9) == (Span(0, 9, PATIENT, 0.9),)


def test_a_surer_short_span_gives_its_label_to_the_long_one_around_it() -> None:
    spans = Span(0, 9, PATIENT, 0.4), Span(3, 5, CITY, 0.9)
    assert resolve(spans, length=9) == (Span(0, 9, CITY, 0.9),)


def test_a_chain_of_overlaps_becomes_one_span() -> None:
    spans = Span(0, 4, CITY, 0.2), Span(3, 7, PATIENT, 0.8), Span(6, 9, CITY, 0.1)
    assert resolve(spans, length=9) == (Span(0, 9, PATIENT, 0.8),)


def test_of_equal_scores_the_longer_wins() -> None:
    spans = Span(0, 6, CITY, 0.5), Span(4, 7, PATIENT, 0.5)
    assert resolve(spans, length=7) == (Span(0, 7, CITY, 0.5),)


@pytest.mark.parametrize(
    ("weaker", "stronger"),
    [
        ("sweep", "dictionary:person.forward"),
        ("dictionary:person.forward", "tagger"),
        ("tagger", "rules:date.iso"),
        ("rules:date.iso", "pattern:ward"),
        ("pattern:ward", "list:wards"),
        ("list:wards", "dictionary:deny"),
        ("dictionary:deny", "known"),
    ],
)
def test_of_equal_spans_the_better_source_wins(weaker: str, stronger: str) -> None:
    spans = Span(0, 3, PATIENT, 1.0, stronger), Span(0, 3, CITY, 1.0, weaker)
    assert resolve(spans, length=3) == (spans[0],)
    assert resolve(reversed(spans), length=3) == (spans[0],)


def test_resolve_refuses_a_span_beyond_the_text() -> None:
    with pytest.raises(InvalidSpan) as caught:
        resolve([Span(0, 4, CITY)], length=3)
    assert (caught.value.reason, caught.value.stage) == (Reason.INVALID_SPAN, Stage.DETECT)


def test_the_tagger_cuts_one_span_of_a_rule_in_two() -> None:
    assert apply_tagger_borders([PLACE, TOWN, COUNTY], TEXT) == (TOWN, COUNTY)


def test_the_tagger_gives_the_label_of_what_a_surer_rule_found() -> None:
    rule = Span(3, 14, PATIENT, 0.99, "rules:name.titled")
    assert apply_tagger_borders([rule, TOWN], TEXT) == (TOWN,)


def test_a_form_that_is_a_date_alone_keeps_its_borders_and_label() -> None:
    text = "2021-W09-1"
    week = Span(0, 10, PhiLabel.DATE, 1.0, "rules:date.iso_week")
    digit = Span(9, 10, PhiLabel.IDNUM, 0.6, "tagger")
    assert apply_tagger_borders([week, digit], text) == (week,)
    assert apply_tagger_borders([week.scored(0.95), digit], text) != (week,)


def test_a_name_that_leads_into_a_date_ends_before_it() -> None:
    text = "Achieng Ijumaa 16/5"
    name = Span(0, 14, PhiLabel.PATIENT, 0.9, "tagger")
    date = Span(8, 19, PhiLabel.DATE, 1.0, "rules:date.weekday_foreign")
    parts = apply_tagger_borders([name, date], text)
    assert [text[one.start : one.end].strip() for one in parts] == ["Achieng", "Ijumaa 16/5"]


def test_a_form_that_is_a_number_alone_keeps_its_borders_and_label() -> None:
    text = "1 1984 8 0033912 1 07"
    formed = Span(0, len(text), PhiLabel.IDNUM, 1.0, "rules:national.grouped")
    year = Span(2, 8, PhiLabel.DATE, 0.9, "tagger")

    assert apply_tagger_borders([formed, year], text) == (formed,)


def test_a_form_that_is_a_ward_alone_counts_without_the_tagger() -> None:
    ward = Span(3, 10, PhiLabel.HOSPITAL, 1.0, "rules:hospital.numbered")
    assert is_confirmed(ward)
    assert not is_confirmed(ward.scored(0.97))


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


def test_many_small_words_are_fast() -> None:
    text = "Ann " + "at " * 100_000 + "York"
    rule = Span(0, len(text), CITY, 0.9, "rules:x")
    ann = Span(0, 3, PATIENT, 0.9, "tagger")
    york = Span(len(text) - 4, len(text), CITY, 0.9, "tagger")
    assert apply_tagger_borders([rule, ann, york], text) == (ann, york)


def test_neighbours_of_one_label_stay_one_span() -> None:
    text = "555-0172 x3"
    whole = Span(0, 11, DATE, 0.9, "rules:x")
    one, two = Span(0, 8, DATE, 0.6, "tagger"), Span(9, 11, DATE, 0.8, "tagger")
    assert apply_tagger_borders([whole, one, two], text) == (Span(0, 11, DATE, 0.8, "tagger"),)


@pytest.mark.parametrize("source", ["known", "dictionary:deny", "list:wards", "pattern:ward"])
def test_spans_of_the_sender_and_the_site_keep_their_borders(source: str) -> None:
    given = Span(3, 23, PATIENT, 0.9, source)
    assert apply_tagger_borders([given, TOWN, COUNTY], TEXT) == (given,)


def test_without_the_tagger_overlaps_unite() -> None:
    other = Span(10, 24, STATE, 0.5, "rules:x")
    assert apply_tagger_borders([PLACE, other], TEXT) == (Span(3, 24, CITY, 0.95, PLACE.source),)


def test_tagger_borders_refuse_a_span_beyond_the_text() -> None:
    with pytest.raises(InvalidSpan):
        apply_tagger_borders([Span(3, 25, CITY)], TEXT)


def _places_left(*spans: Span) -> list[tuple[int, int]]:
    return [(span.start, span.end) for span in drop_uncorroborated_spans(spans)]


@pytest.mark.parametrize(
    ("source", "score", "stays"),
    [
        ("rules:name.agent", 0.65, False),
        ("dictionary:person.alone", 0.5, False),
        ("rules:ssn", 0.96, True),
        ("pattern:ward", 0.95, False),
        ("pattern:ward", 0.96, True),
        ("dictionary:deny", 0.5, True),
        ("list:wards", 0.5, True),
        ("known", 0.5, True),
        ("tagger", 0.2, True),
        ("site-model", 0.2, True),
    ],
)
def test_only_a_doubtful_rule_can_be_contradicted(
    source: str,
    score: float,
    stays: bool,  # noqa: FBT001
) -> None:
    alone = Span(12, 20, DOCTOR, score, source)
    assert _places_left(POSSIBLE_NAME, alone) == ([(12, 20)] if stays else [])


def test_a_doubtful_span_keeps_what_the_tagger_thinks_possible() -> None:
    assert _places_left(POSSIBLE_NAME, Span(0, 20, PATIENT, 0.6, "rules:name")) == [(5, 9)]
    assert _places_left(POSSIBLE_NAME, Span(7, 20, PATIENT, 0.6, "rules:name")) == [(7, 9)]


def test_a_span_of_the_tagger_corroborates_too() -> None:
    found = Span(2, 9, PATIENT, 0.99, "tagger")
    assert _places_left(found, Span(0, 5, DOCTOR, 0.6, "rules:name")) == [(2, 9), (2, 5)]


def test_what_is_only_possible_is_no_finding() -> None:
    sure = Span(0, 4, DATE, 0.96, "rules:date")
    assert drop_possible((POSSIBLE_NAME, sure)) == (sure,)
    assert _places_left(POSSIBLE_NAME) == []
