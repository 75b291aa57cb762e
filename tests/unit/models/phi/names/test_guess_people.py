import pytest

from deidstream.models.mention import NameUse
from deidstream.models.phi.names.guess_people import guess_people
from deidstream.models.phi.names.identity import identify_name, read_key


@pytest.mark.parametrize(
    ("name", "people"),
    [
        ("mzwandile", "nguni"),
        ("oluwaseyifunmi", "yoruba"),
        ("eknath", "indian"),
        ("brannock", "english"),
        ("x", "english"),
    ],
)
def test_a_name_that_no_list_has_is_of_the_people_whose_names_are_made_so(
    name: str, people: str
) -> None:
    assert guess_people(name) == people


def test_an_unlisted_given_name_keeps_its_people_and_a_surname_its_key() -> None:
    given = identify_name("mzwandile", NameUse(given=True, sex="m"))
    assert read_key(given.value).people == "nguni"
    assert read_key(given.value).sex == "m"
    assert identify_name("mzwandile", NameUse(given=False)) == identify_name("mzwandile")
