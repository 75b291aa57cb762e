"""How a note uses the names that no list settles."""

import pytest

from deidstream.models.mention import NameUse
from deidstream.models.phi.names.identity import FAMILY, GIVEN, identify_name, read_key
from deidstream.models.phi.names.name_use import NamedPlace, find_uses

TAVITA = "tuvelani"
"""A name that no list has, and whose ending tells no sex."""


def uses_of(*places: NamedPlace) -> NameUse:
    return find_uses(places)[TAVITA]


@pytest.mark.parametrize(
    ("place", "given"),
    [
        (NamedPlace("Tuvelani Gottesman"), True),
        (NamedPlace("GOTTESMAN, Tuvelani"), True),
        (NamedPlace("Tuvelani, Rosalind"), False),
        (NamedPlace("Rosalind Tuvelani"), False),
        (NamedPlace("TUVELANI Rosalind"), False),
        (NamedPlace("Zandreka TUVELANI"), False),
        (NamedPlace("R. Tuvelani"), False),
        (NamedPlace("Tuvelani R."), False),
        (NamedPlace("Rosalind Tuvelani Smith"), True),
        (NamedPlace("Rosalind Smith-Tuvelani"), False),
        (NamedPlace("Mr Tuvelani"), False),
        (NamedPlace("Tuvelani", before="discussed with Dr. ", of_staff=True), False),
        (NamedPlace("Tuvelani", before="with her grandson "), True),
        (NamedPlace("Tuvelani", before="seen by midwife ", of_staff=True), True),
        (NamedPlace("Tuvelani", before="Sr ", of_staff=True), True),
        (NamedPlace("Tuvelani", before="sat out by Pn ", of_staff=True), True),
        (NamedPlace("Tuvelani", before="feeds the twins Ruth + "), True),
        (NamedPlace("Tuvelani", before="the notes and ", of_staff=True), False),
        (NamedPlace("Tuvelani", before="paged ", of_staff=True), False),
        (NamedPlace("Tuvelani", before="visited by "), True),
        (NamedPlace("Tuvelani", before="Mother's maiden name: "), False),
        (NamedPlace("Tuvelani", before="Maiden name (mother)="), False),
        (NamedPlace("Tuvelani", before="checked by SN ", of_staff=True), True),
        (NamedPlace("Tuvelani", before="PID|1||8837||", behind="^"), False),
        (NamedPlace("Tuvelani", before="PID|1||8837||Smith^", behind="^Ann"), True),
        (NamedPlace("Tuvelani", before="PV1|1|I||||1447^", behind="^"), False),
    ],
)
def test_the_place_of_a_name_says_what_it_is(place: NamedPlace, *, given: bool) -> None:
    assert uses_of(place).given is given


def test_a_name_alone_is_what_the_other_mentions_say() -> None:
    alone = NamedPlace("Tuvelani")
    assert not uses_of(alone, NamedPlace("Mr Tuvelani")).given
    assert not uses_of(alone, NamedPlace("Tuvelani, Rosalind"), alone).given
    assert uses_of(NamedPlace("R. Tuvelani"), NamedPlace("Tuvelani Smith"), alone).given is False


@pytest.mark.parametrize(
    ("before", "behind", "sex"),
    [
        ("her son ", " came along", "m"),
        ("his wife ", " came along", "f"),
        ("Mrs. ", " Smith", "f"),
        ("", " is a 7 year old boy", "m"),
        ("", ", 78F, fell", "f"),
        ("", " (son) called", "m"),
        ("", "'s pain is better. She walks", "f"),
        ("her cousin ", " says he is well", "m"),
        ("Smt. ", " Gottesman", "f"),
        ("", "   M  57y", "m"),
        ("", " (F/67)", "f"),
        ("", " Age / Sex : 56 Yrs / F", "f"),
        ("", " w/o ", "f"),
        ("", "   DOB 2/3/1961  Sex: Male\n", "m"),
        ("", "  Gender: F", "f"),
        ("", "  Sex: M / F", ""),
        ("", " w/o complaints", ""),
        ("Rosalind d/o ", " came", "m"),
        ('her husband "', '" came along', "m"),
        ("her cousin ", " came along", ""),
    ],
)
def test_the_words_around_a_name_say_of_whom_it_is(before: str, behind: str, sex: str) -> None:
    assert uses_of(NamedPlace("Tuvelani", before, behind)).sex == sex


def test_a_surname_that_some_have_as_a_given_name_is_told_too() -> None:
    mother = find_uses([NamedPlace("Blythe", before="Mother ")])["blythe"]
    assert identify_name("blythe", mother).kind == GIVEN
    assert identify_name("blythe").kind == FAMILY


def test_names_that_the_lists_settle_are_what_they_are() -> None:
    uses = find_uses([NamedPlace("Smith, Rosalind"), NamedPlace("Jonathan", before="son ")])
    assert all(identify_name(name, use) == identify_name(name) for name, use in uses.items())


@pytest.mark.parametrize(
    "place",
    [
        NamedPlace("Dr Rosalind"),
        NamedPlace("Rosalind", before="seen by Mrs "),
        NamedPlace("Rosalind, Daisy May"),
        NamedPlace("Rosalind, T.K."),
        NamedPlace("Dr. Rosalind Vanterpool, R.V."),
    ],
)
def test_no_note_decides_what_the_lists_settle(place: NamedPlace) -> None:
    # Another note of the patient calls her so, and one person has one surrogate in all of them.
    assert identify_name("rosalind", find_uses([place])["rosalind"]).kind == GIVEN


def test_a_name_that_is_english_too_is_foreign_only_beside_others() -> None:
    alone, beside = NamedPlace("Kim", before="mum "), NamedPlace("Kim Min-jun")
    assert not find_uses([alone])["kim"].people
    assert find_uses([beside])["kim"].people == "korean"


@pytest.mark.parametrize(
    ("before", "behind", "sex"),
    [
        ("late husband ", " died", "m"),
        ("calls for ", '" (late husband)', "m"),
        ("", ", 34M, fell", "m"),
        ("", " (M/34)", "m"),
        ("", " came. He is well", ""),
        ("spoke with ", " (son Luis)", ""),
        ("lives with her husband, ", " came", ""),
        ("", ", 34M, fell. Her wife Rosalind came", "m"),
    ],
)
def test_only_what_is_sure_outweighs_the_sex_of_the_lists(
    before: str, behind: str, sex: str
) -> None:
    use = find_uses([NamedPlace("Rosalind", before, behind)]).get("rosalind", NameUse(given=True))
    assert use.sex == sex
    told = identify_name("rosalind", use)
    assert told.value == ("rosalind/m" if sex else identify_name("rosalind").value)
    assert told.kind == GIVEN


def test_a_man_is_not_who_the_nickname_of_a_woman_means() -> None:
    assert identify_name("angel").value == "angela"
    assert identify_name("angel", NameUse(given=True, sex="m")).value == "angel/m"


def test_a_further_name_need_not_be_of_the_sex_of_the_person() -> None:
    assert not find_uses([NamedPlace("Jonathan Mary Smith", before="Mr. ")])["mary"].sex
    for text in ("Ben-Smith", "Ben Smith, Mary", "Tuvelani Ben Smith"):
        assert not find_uses([NamedPlace(text, before="Ms. ")])["ben"].sex
    assert find_uses([NamedPlace("SMITH Rosalind", before="Mr ")])["rosalind"].sex == "m"


def test_a_given_name_before_an_initial_is_one() -> None:
    assert find_uses([NamedPlace("Rowan P", of_staff=True)])["rowan"].given
    assert not find_uses([NamedPlace("Prosser P", of_staff=True)])["prosser"].given


def test_a_use_does_not_change_the_initial_or_a_surname() -> None:
    use = NameUse(given=True, sex="m")
    assert identify_name("smith", use) == identify_name("smith")
    assert identify_name(TAVITA, use).value[0] == identify_name(TAVITA).value[0] == "t"


def test_a_given_name_that_a_list_lacks_gets_one_of_the_sex_that_its_ending_tells() -> None:
    assert identify_name("zomvuleta", NameUse(given=True)).value.endswith("/f")
    assert identify_name("zomvuleta", NameUse(given=True, sex="m")).value.endswith("/m")


def test_alone_a_name_is_a_given_name_unless_it_is_rather_a_surname() -> None:
    found = find_uses([NamedPlace("Rowan"), NamedPlace("Prosser"), NamedPlace("Brzeczkiewicz")])
    assert found["rowan"].given
    assert not found["prosser"].given
    assert not found["brzeczkiewicz"].given


def test_a_field_says_whether_it_holds_given_names() -> None:
    assert find_uses([NamedPlace("Tuvelani Iain", before="Forename: ")])[TAVITA].given
    assert not find_uses([NamedPlace("Tuvelani", before="Surname : ")])[TAVITA].given


def test_jean_before_a_hyphen_is_a_man() -> None:
    assert find_uses([NamedPlace("Jean-Luc Pardo")])["jean"].sex == "m"
    assert not find_uses([NamedPlace("Jean Pardo")])["jean"].sex


@pytest.mark.parametrize(
    ("text", "before", "given"),
    [
        ("Nia Lewis", "", False),
        ("Lewis Carter", "", True),
        ("James Thomas", "", False),
        ("Lewis", "Mr ", False),
        ("Lewis", "his son ", True),
        ("Lewis", "seen with ", True),
        ("LEWIS, Nia", "", False),
        ("Rose Tavita", "", None),
    ],
)
def test_a_given_name_that_is_a_frequent_surname_is_what_its_note_says(
    text: str, before: str, *, given: bool | None
) -> None:
    name = {"James Thomas": "thomas", "Rose Tavita": "rose"}.get(text, "lewis")
    use = find_uses([NamedPlace(text, before=before)])[name]
    assert use.given is (given is not False)
    assert identify_name(name, use).kind == (FAMILY if given is False else GIVEN)
    assert identify_name(name).kind == GIVEN


def test_who_has_another_given_name_for_a_surname_is_called_by_the_first() -> None:
    assert find_uses([NamedPlace("Tuvelani Tariq")])[TAVITA].given
    assert not find_uses([NamedPlace("Tuvelani Denis")])[TAVITA].given


@pytest.mark.parametrize(("title", "sex"), [("Mr", "m"), ("Mrs", "f")])
def test_a_name_of_either_sex_is_of_the_sex_that_its_note_says(title: str, sex: str) -> None:
    use = find_uses([NamedPlace(f"{title} Casey Summers")])["casey"]
    assert read_key(identify_name("casey", use).value).sex == sex
    assert not read_key(identify_name("casey").value).sex
    use = find_uses([NamedPlace(f"{title} Emrys Summers")])["emrys"]
    assert read_key(identify_name("emrys", use).value).sex == sex
