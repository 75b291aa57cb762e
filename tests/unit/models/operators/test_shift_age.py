import pytest

from deidstream.models.keyring import Keyring
from deidstream.models.mention import Draws, Mention
from deidstream.models.operators.shift_age import SHIFT, ShiftAge
from deidstream.models.phi.read_age import read_age
from deidstream.schemas.label import PhiLabel


def shifted(text: str, years: int, cap: int = 89) -> str:
    return ShiftAge(cap).render(Mention(text, PhiLabel.AGE), {SHIFT: f"{years:+d}"})


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("43", "46"),
        ("43-year-old", "46-year-old"),
        ("43 y/o", "46 y/o"),
        ("43yo", "46yo"),
        ("68 y.o.", "71 y.o."),
        ("<5", "<8"),
        ("forty-three", "forty-six"),
        ("Forty Three years old", "Forty-six years old"),
        ("FORTY-THREE", "FORTY-SIX"),
        ("nineteen", "twenty-two"),
        ("41st", "44th"),
        ("19th", "22nd"),
        ("40-45", "43-48"),
        ("8 years 4 months", "11 years 4 months"),
        ("6 m 4 d", "9 m 4 d"),
        ("14/12", "17/12"),
        ("40 weeks", "43 weeks"),
        ("4l", "44"),
    ],
)
def test_an_age_moves_in_its_written_form(text: str, written: str) -> None:
    assert shifted(text, 3) == written


@pytest.mark.parametrize(
    ("text", "years", "written"),
    [("88", 4, "84"), ("86", 4, "82"), ("85", 4, "89"), ("2", -3, "5"), ("4", -3, "1"),
     ("0", -2, "2"), ("eighty-eight", 4, "eighty-four")],
)  # fmt: skip
def test_a_move_out_of_the_ages_that_there_are_goes_the_other_way(
    text: str, years: int, written: str
) -> None:
    assert shifted(text, years) == written


@pytest.mark.parametrize("years", [-5, 5])
@pytest.mark.parametrize("text", ["93", "90", "ninety-one", "102"])
def test_ages_over_the_cap_are_one_class_and_need_no_shift(text: str, years: int) -> None:
    assert shifted(text, years) == "90 or older"
    assert ShiftAge().identities(Mention(text, PhiLabel.AGE)) == ()


@pytest.mark.parametrize("text", ["80s", "twenties", "octogenarian"])
def test_decades_stay(text: str) -> None:
    assert shifted(text, 3) == text


@pytest.mark.parametrize("text", ["old", "Smith", "newborn", "43 Smith"])
def test_what_cannot_be_read_is_redacted(text: str) -> None:
    assert shifted(text, 3) == "[AGE]"


@pytest.mark.parametrize("jitter", [1, 2, 5, 50])
def test_the_shift_is_of_one_to_so_many_years(jitter: int) -> None:
    ring = Keyring(b"k" * 32, 1, "tenant")
    drawn = {
        int(ShiftAge(jitter=jitter).derive(SHIFT, Draws(ring, str(patient))))
        for patient in range(600)
    }
    assert drawn <= {*range(-jitter, 0), *range(1, jitter + 1)}
    assert jitter > 5 or len(drawn) == 2 * jitter


@pytest.mark.parametrize("years", [-5, -1, 1, 5])
@pytest.mark.parametrize("age", range(90))
def test_an_age_never_stays_and_never_passes_the_cap(age: int, years: int) -> None:
    moved = read_age(shifted(str(age), years))
    assert moved is not None
    assert moved.years != age
    assert abs(moved.years - age) <= 5
    assert 0 < moved.years <= 89
