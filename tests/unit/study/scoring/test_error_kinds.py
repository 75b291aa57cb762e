from deidstream.schemas.label import PhiLabel
from deidstream.study.scoring.error_kinds import ErrorKind, find_mistakes
from deidstream.study.scoring.match import Extent

NAME, CITY = PhiLabel.PATIENT, PhiLabel.CITY
GOLD = Extent(10, 20, NAME)


def kinds(*predicted: Extent, gold: tuple[Extent, ...] = (GOLD,)) -> list[ErrorKind]:
    return [mistake.kind for mistake in find_mistakes(gold, sorted(predicted))]


def test_what_is_right_is_no_mistake() -> None:
    assert kinds(GOLD) == []


def test_each_kind_has_its_name() -> None:
    assert kinds() == [ErrorKind.MISSED]
    assert kinds(Extent(10, 20, CITY)) == [ErrorKind.WRONG_LABEL]
    assert kinds(Extent(12, 25, NAME)) == [ErrorKind.BOUNDARY]
    assert kinds(Extent(12, 25, CITY)) == [ErrorKind.WRONG_LABEL]
    assert kinds(GOLD, Extent(30, 35, NAME)) == [ErrorKind.SPURIOUS]


def test_what_only_touches_is_missed_and_spurious() -> None:
    assert kinds(Extent(20, 25, NAME)) == [ErrorKind.MISSED, ErrorKind.SPURIOUS]


def test_one_gold_span_is_one_mistake() -> None:
    assert kinds(Extent(10, 14, NAME), Extent(15, 20, NAME)) == [ErrorKind.BOUNDARY]


def test_a_span_over_two_is_a_mistake_of_each() -> None:
    gold = (GOLD, Extent(21, 25, NAME))
    assert kinds(Extent(10, 25, NAME), gold=gold) == [ErrorKind.BOUNDARY] * 2


def test_the_same_label_counts_before_the_longer_overlap() -> None:
    (mistake,) = find_mistakes((GOLD,), (Extent(10, 18, CITY), Extent(18, 21, NAME)))
    assert mistake.kind is ErrorKind.BOUNDARY
    assert mistake.predicted == Extent(18, 21, NAME)
    assert mistake.place == (10, 21)


def test_predictions_that_overlap_each_other_count_once() -> None:
    assert kinds(Extent(0, 5, NAME), Extent(2, 8, CITY)) == [ErrorKind.SPURIOUS, ErrorKind.MISSED]
    (spurious, _) = find_mistakes((GOLD,), (Extent(0, 5, NAME), Extent(2, 8, CITY)))
    assert spurious.predicted == Extent(0, 8, CITY)


def test_an_exact_prediction_excuses_the_others_on_it() -> None:
    assert kinds(GOLD, Extent(10, 20, CITY), Extent(8, 22, CITY)) == []
    city = Extent(10, 20, CITY)
    assert kinds(GOLD, city, gold=(city,)) == []
