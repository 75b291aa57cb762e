"""Which names of a note are forms of another name of it."""

import pytest

from deidstream.models.mention import NameUses
from deidstream.models.phi.names.name_use import NamedPlace, find_uses
from deidstream.models.phi.names.spellings import to_plain_letters
from deidstream.models.phi.names.write_name import LETTERS, name_identities, read_name


def uses_of(*mentions: str) -> NameUses:
    return find_uses([NamedPlace(mention) for mention in mentions])


@pytest.mark.parametrize(
    ("form", "name", "others"),
    [
        ("Thiru", "Thiruchelvam", ("Arun Thiruchelvam",)),
        ("Hetti", "Hettiarachchi", ("Hettiarachchi, Nimal",)),
        ("Wielgoz", "Wielgosz", ("Tomasz Wielgosz", "Wielgosz", "Tomas Wielgoz")),
        ("Fairwether", "Fairweather", ("Ann Fairweather", "Ann Fairwether")),
        ("Oakenshaws", "Oakenshaw", ("Philippa Oakenshaw",)),
    ],
)
def test_an_unlisted_form_is_written_as_the_name_it_is_of(
    form: str, name: str, others: tuple[str, ...]
) -> None:
    uses = uses_of(form, *others)
    assert uses[form.casefold()].of == name.casefold()
    assert name_identities(read_name(form, uses)) == name_identities(read_name(name, uses))


@pytest.mark.parametrize(
    ("one", "other", "others"),
    [
        ("Hansen", "Hanson", ()),  # both are names: two patients
        ("Zmaray", "Zmarai", ()),  # the last letter may tell a woman from a man
        ("Dan", "Daniels", ()),  # a name of its own
        ("Amarj", "Amarjitov", ("Amarj Hollis",)),  # with a surname of its own
        ("Thiru", "Thiruchelvam", ("Thirunavu",)),  # which of the two
    ],
)
def test_two_names_stay_two(one: str, other: str, others: tuple[str, ...]) -> None:
    uses = uses_of(one, other, *others)
    read = [name_identities(read_name(name, uses)) for name in (one, other)]
    assert not uses[to_plain_letters(one)].of
    assert read[0] != read[1]


def test_capitals_that_are_initials_of_a_name_are_initials_though_a_list_has_them() -> None:
    uses = uses_of("Tessa A. Kerr", "TAK", "HO", "Hyacinth Obermeyer")
    for initials in ("TAK", "HO"):
        assert name_identities(read_name(initials, uses)) == (LETTERS,)
    assert name_identities(read_name("TAK", uses_of("TAK", "Ann Tak"))) != (LETTERS,)
    both = uses_of("Hyacinth Obermeyer", "HO", "HO, Ann")
    assert name_identities(read_name("HO", both)) != (LETTERS,)


def test_a_pet_name_of_a_people_is_the_name_it_is_short_for() -> None:
    uses = uses_of('Bustamante, Rafael "Rafa"')
    rafa, rafael = (name_identities(read_name(name, uses)) for name in ("Rafa", "Rafael"))
    assert rafa == rafael
