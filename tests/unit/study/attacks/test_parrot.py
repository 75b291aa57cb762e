"""The parrot: what can be told apart is, what cannot is not."""

import random
from collections.abc import Sequence

from deidstream.study.attacks.parrot import Specimen, read_features, tell_apart

NAMES = random.Random(1)


def name(letters: str) -> str:
    return "".join(NAMES.choices(letters, k=7)).title()


def specimens(texts: Sequence[str], patients: int = 20) -> list[Specimen]:
    return [Specimen(text, f"p{number % patients}") for number, text in enumerate(texts)]


def test_other_letters_give_surrogates_away() -> None:
    real = specimens([name("aeiourst") for _ in range(100)])
    surrogates = specimens([name("aeioukzw") for _ in range(100)])
    auc = tell_apart(real, surrogates)
    assert auc is not None
    assert auc.low > 0.95


def test_another_shape_gives_surrogates_away() -> None:
    real = specimens([f"{number:06}" for number in NAMES.sample(range(10**6), 60)])
    surrogates = specimens([f"{number:06}"[:3] + "-" + "123" for number in range(0, 60_000, 1000)])
    auc = tell_apart(real, surrogates)
    assert auc is not None
    assert auc.area == 1


def test_strings_of_one_source_cannot_be_told_apart() -> None:
    real, surrogates = (specimens([name("aeiourst") for _ in range(150)]) for _ in range(2))
    auc = tell_apart(real, surrogates)
    assert auc is not None
    assert 0.4 < auc.area < 0.6
    assert auc.low < 0.5 < auc.high


def test_the_same_strings_are_told_apart_by_nothing() -> None:
    names = specimens([name("aeiourst") for _ in range(60)])
    auc = tell_apart(names, names[::-1])
    assert auc is not None
    assert auc.area == 0.5


def test_a_patient_is_not_trained_on_and_tested() -> None:
    # Each patient's surrogates share a word that tells nothing of another patient's.
    words = [(name("aeiourst"), name("aeiourst")) for _ in range(60)]
    both = [
        (f"{a} {name('aeiourst')}", f"{b} {name('aeiourst')}") for a, b in words for _ in "12345"
    ]
    real, surrogates = ([pair[side] for pair in both] for side in (0, 1))
    owners = [f"p{number // 5}" for number in range(len(both))]
    auc = tell_apart(
        *([Specimen(t, o) for t, o in zip(s, owners, strict=True)] for s in (real, surrogates))
    )
    assert auc is not None
    assert auc.area < 0.65


def test_few_strings_or_patients_are_not_measured() -> None:
    names = specimens([name("aeiourst") for _ in range(40)])
    assert tell_apart(names[:20], names[20:]) is not None
    assert tell_apart(names[:19], names[20:]) is None
    assert tell_apart([*names[:19], *names[:19]], names[20:]) is None
    assert (
        tell_apart(*(specimens([n.text for n in half], 4) for half in (names[:20], names[20:])))
        is None
    )


def test_it_is_the_same_every_time_and_in_any_order() -> None:
    real, surrogates = (specimens([name("aeiourst") for _ in range(30)], 30) for _ in range(2))
    assert tell_apart(real, surrogates) == tell_apart(real[::-1], surrogates)


def test_features_hold_letters_and_shape_but_no_case() -> None:
    assert set(read_features("A-1")) >= {"l^a-1", "s^A-9", "l$", "s^"}
    assert [f for f in read_features("ABC") if f.startswith("l")] == [
        f for f in read_features("abc") if f.startswith("l")
    ]
