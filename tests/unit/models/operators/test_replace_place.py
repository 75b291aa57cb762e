import re
from collections import Counter
from collections.abc import Callable

import pytest

from deidstream.models.keyring import Keyring
from deidstream.models.mention import Draws, Mention
from deidstream.models.operators.replace_place import ReplacePlace
from deidstream.models.operators.replace_postcode import ReplacePostcode
from deidstream.models.operators.replace_profession import ReplaceProfession
from deidstream.models.operators.replace_region import ReplaceRegion
from deidstream.models.operators.table import PLACES, STREETS
from deidstream.models.phi.names.identity import gender_of
from deidstream.models.phi.names.name_lists import is_given
from deidstream.models.phi.places.address import provinces_by_name
from deidstream.models.phi.places.cities import cities, city_key
from deidstream.models.phi.places.country_codes import country_names
from deidstream.models.phi.places.kind_words import INSTITUTIONS
from deidstream.models.phi.places.phrases import PieceRole
from deidstream.models.phi.places.regions import state_of, states, write_state
from deidstream.models.phi.professions import jobs_like
from deidstream.models.surrogates.mentions import mentions
from deidstream.models.text.word_files import lines, sections
from deidstream.schemas.label import PhiLabel
from deidstream.schemas.note import RawNote
from deidstream.schemas.span import Span

Replace = Callable[..., str]
REGION, PROFESSION = ReplaceRegion(), ReplaceProfession()


@pytest.mark.parametrize(
    ("label", "kept", "text", "form"),
    [
        (PhiLabel.HOSPITAL, INSTITUTIONS, "Dry Creek Medical Center", r"\w+ \w+ Medical Center"),
        (PhiLabel.HOSPITAL, INSTITUTIONS, "St. Osyth's Hospital", r"St\. \w+'s Hospital"),
        (PhiLabel.HOSPITAL, INSTITUTIONS, "4 West", r"[1-9] West"),
        (PhiLabel.STREET, STREETS, "Tigh na Mara, 4 Ash Pde", r"\w+ na \w+, [1-9] \w+ Pde"),
        (PhiLabel.HOSPITAL, INSTITUTIONS, "Ward 7B", r"Ward [1-9][A-Z]"),
        (PhiLabel.HOSPITAL, INSTITUTIONS, "KAURI BAY GENERAL", r"[A-Z]+ [A-Z]+ GENERAL"),
        (PhiLabel.HOSPITAL, INSTITUTIONS, "MGH", r"[A-Z]{3}"),
        (PhiLabel.HOSPITAL, INSTITUTIONS, "Boston VA", r"\w+ VA"),
        (PhiLabel.HOSPITAL, INSTITUTIONS, "Dover Rehab", r"\w+ Rehab"),
        (PhiLabel.HOSPITAL, INSTITUTIONS, "Boston Children's", r"\w+ Children's"),
        (PhiLabel.HOSPITAL, INSTITUTIONS, "Canal Street Surgery", r"\w+ Street Surgery"),
        (PhiLabel.ORGANIZATION, INSTITUTIONS, "Harrow & Fitch LLP", r"\w+ & \w+ LLP"),
        (PhiLabel.HOSPITAL, INSTITUTIONS, "Harrow Thyroid Centre", r"(?!Harrow)\w+ Thyroid Centre"),
        (
            PhiLabel.ORGANIZATION,
            INSTITUTIONS,
            "Quenby Analytical Laboratory",
            r"(?!Quenby)\w+ Analytical Laboratory",
        ),
        (PhiLabel.ORGANIZATION, INSTITUTIONS, "Quenby Massage Parlor", r"\w+ Massage Parlor"),
        (PhiLabel.ORGANIZATION, INSTITUTIONS, "Quenby Orchard", r"(?!Quenby)\w+ Orchard"),
        (PhiLabel.ORGANIZATION, INSTITUTIONS, "Quenby Shipyard", r"(?!Quenby)\w+ Shipyard"),
        (PhiLabel.ORGANIZATION, INSTITUTIONS, "Quenby Sugar Factory", r"\w+ \w+ Factory"),
        (PhiLabel.HOSPITAL, INSTITUTIONS, "Quenby Hepatitis Clinic", r"\w+ Hepatitis Clinic"),
        (PhiLabel.HOSPITAL, INSTITUTIONS, "Tansley Walk-In", r"\w+ Walk-In"),
        (PhiLabel.HOSPITAL, INSTITUTIONS, "The Abbey Medical Centre", r"\w+ \w+ Medical Centre"),
        (
            PhiLabel.HOSPITAL,
            INSTITUTIONS,
            "Iron Barber Hospital",
            r"(?!Iron)\w+ (?!Barber)\w+ Hospital",
        ),
        (PhiLabel.LOCATION_OTHER, PLACES, "Quenby Heart Centre", r"\w+ Heart Centre"),
        (PhiLabel.LOCATION_OTHER, PLACES, "South Shore Sport & Spine", r"South Shore \w+ & Spine"),
        (PhiLabel.STREET, STREETS, "4 Thyroid Rd", r"[1-9] (?!Thyroid)\w+ Rd"),
        (PhiLabel.STREET, STREETS, "415 Larkspur Rd, Apt 2R", r"[1-9]\d\d \w+ Rd, Apt [1-9][A-Z]"),
        (PhiLabel.STREET, STREETS, "P.O. Box 31", r"P\.O\. Box [1-9]\d"),
        (PhiLabel.STREET, STREETS, "12 11th Ave NE", r"[1-9]\d [1-9]\d(st|nd|rd|th) Ave NE"),
        (PhiLabel.STREET, STREETS, "450 Park Ave", r"[1-9]\d\d (?!Park)\w+ Ave"),
        (PhiLabel.STREET, STREETS, "12 N Hill St", r"[1-9]\d N (?!Hill)\w+ St"),
        (PhiLabel.STREET, STREETS, "7 West St.", r"[1-9] (?!West)\w+ St\."),
        (PhiLabel.STREET, STREETS, "3 Alder West, Court 2", r"[1-9] \w+ West, Court [1-9]"),
        (PhiLabel.STREET, STREETS, "Park Rd 5", r"Park Rd [1-9]"),
        (
            PhiLabel.ORGANIZATION,
            INSTITUTIONS,
            "Harbor Mill Co. 4",
            r"(?!Harbor)\w+ Mill Co\. [1-9]",
        ),
        (PhiLabel.HOSPITAL, INSTITUTIONS, "Bay 4", r"Bay [1-9]"),
        (PhiLabel.STREET, STREETS, "HC 61 Box 7", r"HC [1-9]\d Box [1-9]"),
        (
            PhiLabel.STREET,
            STREETS,
            "corner of Elm and 5th",
            r"corner of \w+ and [1-9](st|nd|rd|th)",
        ),
        (PhiLabel.STREET, STREETS, "Hauptstr. 14", r"\w+str\. [1-9]\d"),
        (PhiLabel.LOCATION_OTHER, PLACES, "I-95 exit 14", r"I-[1-9]\d exit [1-9]\d"),
        (PhiLabel.LOCATION_OTHER, PLACES, "Lake Tillery", r"Lake \w+"),
        (PhiLabel.LOCATION_OTHER, PLACES, "Route 9 truck stop", r"Route [1-8] truck stop"),
    ],
)
def test_the_kind_of_place_stays(
    replace: Replace, label: PhiLabel, kept: str, text: str, form: str
) -> None:
    for scope in map(str, range(10)):
        written = replace(ReplacePlace(kept), label, text, scope=scope)
        assert re.fullmatch(form, written)
        assert written != text


def test_a_mere_description_gets_a_name(replace: Replace) -> None:
    written = replace(ReplacePlace(INSTITUTIONS), PhiLabel.HOSPITAL, "Women's Health Center")
    assert re.fullmatch(r"\w+ \w+ Health Center", written)


def test_the_proper_name_agrees_between_labels(replace: Replace) -> None:
    whole = replace(ReplacePlace(INSTITUTIONS), PhiLabel.HOSPITAL, "Kerrow Ridge Hospital")
    alone = replace(ReplacePlace(PLACES), PhiLabel.LOCATION_OTHER, "kerrow ridge")
    assert replace(ReplacePlace(INSTITUTIONS), PhiLabel.ORGANIZATION, "Kerrow Ridge") in whole
    assert alone.islower()


@pytest.mark.parametrize(
    ("whole", "acronym"),
    [
        ("Mount Sable Hospital", "MSH"),
        ("Elderstead Bay Medical Center", "EBMC"),
        ("University of Quenby Medical Center", "UQMC"),
        ("Corran General Hospital", "CGH"),
        ("Hollis Pike Clinic", "HPC"),
    ],
)
def test_an_acronym_is_made_of_the_initials_of_the_whole_name(
    replace: Replace, whole: str, acronym: str
) -> None:
    for scope in map(str, range(30)):
        written = replace(ReplacePlace(INSTITUTIONS), PhiLabel.HOSPITAL, whole, scope=scope)
        initials = "".join(word[0] for word in written.split() if word != "of")
        short = replace(ReplacePlace(INSTITUTIONS), PhiLabel.HOSPITAL, acronym, scope=scope)
        assert short == initials != acronym


def test_part_of_a_name_becomes_the_part_that_answers_to_it(replace: Replace) -> None:
    def hospital(text: str) -> str:
        return replace(ReplacePlace(INSTITUTIONS), PhiLabel.HOSPITAL, text)

    apollo, kaveri = hospital("Apollo Kaveri Hospitals").split()[:2]
    assert hospital("Kaveri hospital") == f"{kaveri} hospital"
    assert hospital("Kaveri & Apollo Clinic") == f"{kaveri} & {apollo} Clinic"


def test_words_of_the_landscape_with_one_initial_get_different_ones(replace: Replace) -> None:
    words = ("Bay", "Bluff", "Bridge", "Brook", "Bend", "Beach")
    for scope in map(str, range(30)):
        names = {
            replace(ReplacePlace(INSTITUTIONS), PhiLabel.HOSPITAL, f"Corran {word}", scope=scope)
            for word in words
        }
        assert len(names) == len(words)


def test_no_word_of_the_proper_name_comes_back(replace: Replace) -> None:
    for scope in map(str, range(50)):
        written = replace(
            ReplacePlace(INSTITUTIONS), PhiLabel.HOSPITAL, "Cedar Creek Clinic", scope=scope
        )
        assert not {"Cedar", "Creek"} & set(written.split())


def test_a_city_becomes_one_of_its_country(replace: Replace) -> None:
    written = replace(REGION, PhiLabel.CITY, "Leicester")
    assert written in cities().pool["GB"]
    assert replace(REGION, PhiLabel.CITY, "LEICESTER") == written.upper()


@pytest.mark.parametrize(
    ("city", "state", "land"),
    [
        ("Boston", "MA", "US"),
        ("St. Louis", "MO", "US"),
        ("Saint Paul", "MN", "US"),
        ("Toronto", "Ontario", "CA"),
        ("Brisbane", "Queensland", "AU"),
    ],
)
def test_a_city_lies_in_the_state_beside_it(
    replace: Replace, city: str, state: str, land: str
) -> None:
    for scope in map(str, range(30)):
        moved = state_of(replace(REGION, PhiLabel.STATE, state, scope=scope))
        assert moved
        code = provinces_by_name()[moved.full.casefold()].code
        assert code.startswith(land)
        assert replace(REGION, PhiLabel.CITY, city, scope=scope) in cities().pool[code]


@pytest.mark.parametrize("city", ["Nowhere Gap", "Springfield", "Lima", "Cambridge"])
def test_a_city_of_no_certain_place_becomes_one_of_none(replace: Replace, city: str) -> None:
    for scope in map(str, range(30)):
        written = replace(REGION, PhiLabel.CITY, city, scope=scope)
        assert city_key(written) not in cities().home


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("Boston, MA 02115", r"[A-Z][A-Za-z ]+, [A-Z]{2} \d{5}"),
        ("BOSTON MA", r"[A-Z ]+ [A-Z]{2}"),
        ("Kigali, Rwanda", r"[A-Z][A-Za-z ]+, [A-Z][A-Za-z ]+"),
        ("Boston,  ", r"[A-Z][A-Za-z ]+,  "),
        ("NYC", r"[A-Z][a-z]+( [A-Z][a-z]+)*"),
    ],
)
def test_whatever_stands_in_one_mention_is_replaced(replace: Replace, text: str, form: str) -> None:
    written = replace(REGION, PhiLabel.CITY, text)
    assert re.fullmatch(form, written)
    parts = [part for part in re.split(r"[ ,]+", text) if part]
    assert not set(parts) & set(re.split(r"[ ,]+", written))


def test_the_parts_of_an_address_agree_in_one_mention_or_in_three(replace: Replace) -> None:
    whole = replace(REGION, PhiLabel.CITY, "Boston, MA 02115")
    apart = [
        replace(REGION, PhiLabel.CITY, "boston").title(),
        replace(REGION, PhiLabel.STATE, "MA"),
        replace(ReplacePostcode(), PhiLabel.ZIP, "02115"),
    ]
    assert whole == "{}, {} {}".format(*apart)


@pytest.mark.parametrize("forms", [("St. Louis", "SAINT LOUIS"), ("Fort Worth", "Ft. Worth")])
def test_saint_and_fort_may_be_short(replace: Replace, forms: tuple[str, str]) -> None:
    one, other = (replace(REGION, PhiLabel.CITY, form).lower() for form in forms)
    assert one.replace("st.", "saint") == other


def test_the_cities_of_a_far_country_go_where_it_goes(replace: Replace) -> None:
    names = {name: code for code, name in country_names().items()}
    for scope in map(str, range(30)):
        country = replace(REGION, PhiLabel.COUNTRY, "Kenya", scope=scope)
        city = replace(REGION, PhiLabel.CITY, "Nairobi", scope=scope)
        assert city in cities().pool[names[country]]


def test_a_state_is_written_as_long_as_it_was(replace: Replace) -> None:
    full = replace(REGION, PhiLabel.STATE, "New Hampshire")
    state = states()[full.lower()]
    assert state.group == "US"
    assert replace(REGION, PhiLabel.STATE, "NH") == state.code
    assert replace(REGION, PhiLabel.STATE, "nh") == state.code.lower()
    assert replace(REGION, PhiLabel.STATE, "N.H.") == (state.older or full)
    assert replace(REGION, PhiLabel.STATE, "NH.") == state.code + "."
    assert replace(REGION, PhiLabel.STATE, "Lagos State").endswith(" State")
    assert state_of(replace(REGION, PhiLabel.STATE, "Zubrowka")) is None
    assert replace(REGION, PhiLabel.STATE, "ZQ").lower() in states()


def test_a_country_becomes_another(replace: Replace) -> None:
    assert replace(REGION, PhiLabel.COUNTRY, "Rwanda") != "Rwanda"
    forms = {replace(REGION, PhiLabel.COUNTRY, form) for form in ("UAE", "United Arab Emirates")}
    assert len(forms) == 1
    assert replace(REGION, PhiLabel.COUNTRY, "Wales") in {"England", "Scotland", "Northern Ireland"}


@pytest.mark.parametrize("country", ["Canada", "USA", "U.K.", "New Zealand", "Kenya", "Jamaica"])
def test_a_country_whose_cities_stay_in_it_stays(replace: Replace, country: str) -> None:
    for scope in map(str, range(10)):
        assert replace(REGION, PhiLabel.COUNTRY, country, scope=scope) == country


def test_a_state_behind_a_city_is_none_itself() -> None:
    text = "born in Melbourne, Victoria, Australia"
    spans = [Span(8, 17, PhiLabel.CITY), Span(19, 27, PhiLabel.CITY)]
    city, state = mentions(RawNote("n", "p", text), spans)
    assert [one.kind for one in REGION.identities(city)] == ["region.CITY/AU.07"]
    assert [one.kind for one in REGION.identities(state)] == ["region.STATE"]


def test_words_of_streets_become_words_of_streets(replace: Replace) -> None:
    names = set(sections("places.classes.txt")["streets"])
    drawn = [
        replace(ReplacePlace(STREETS), PhiLabel.STREET, "12 Main St", scope=str(n)).split()[1]
        for n in range(300)
    ]
    assert sum(one in names for one in drawn) == 300
    assert len(set(drawn)) > 60


def test_real_looking_words_are_drawn_as_often_as_places_have_them(replace: Replace) -> None:
    drawn = Counter(
        replace(ReplacePlace(INSTITUTIONS), PhiLabel.HOSPITAL, "Kerrow Hospital", scope=str(n))
        for n in range(2000)
    )
    assert len(drawn) > 700
    assert drawn["Franklin Hospital"] > 4


def test_a_saint_in_the_plural_becomes_one_in_the_plural(replace: Replace) -> None:
    for scope in map(str, range(30)):
        written = replace(ReplacePlace(INSTITUTIONS), PhiLabel.HOSPITAL, "ST MARYS", scope=scope)
        assert written.startswith("ST ")
        assert written.endswith("S")
        assert written != "ST MARYS"


def test_a_number_of_a_house_keeps_its_zeros_and_is_another(replace: Replace) -> None:
    for number, form in (("100", "[2-9]00"), ("1250", "[1-9][0-9][1-9]0"), ("7", "[1-9]")):
        for scope in map(str, range(60)):
            text = f"{number} Elm St"
            written = replace(ReplacePlace(STREETS), PhiLabel.STREET, text, scope=scope).split()[0]
            assert re.fullmatch(form, written)
            assert written != number


def test_an_occupation_shares_no_word_with_the_original(replace: Replace) -> None:
    for scope in map(str, range(100)):
        assert "driver" not in replace(
            PROFESSION, PhiLabel.PROFESSION, "delivery driver", scope=scope
        )


@pytest.mark.parametrize(
    ("text", "case"), [("ROOFER", str.isupper), ("roofer", str.islower), ("Roofer", str.istitle)]
)
def test_the_case_of_an_occupation_stays(
    replace: Replace, text: str, case: Callable[[str], bool]
) -> None:
    assert case(replace(PROFESSION, PhiLabel.PROFESSION, text))


def test_there_are_enough_occupations() -> None:
    assert len(set(lines("professions.txt"))) >= 300


def test_large_cities_are_drawn_as_often_as_people_live_there(replace: Replace) -> None:
    drawn = Counter(replace(REGION, PhiLabel.CITY, "Boston", scope=str(n)) for n in range(800))
    assert drawn["Chicago"] + drawn["Los Angeles"] + drawn["New York City"] > 20


@pytest.mark.parametrize(
    ("text", "name", "form"),
    [
        ("Strand Road", "Strand", r"[A-Z]\w+ Road"),
        ("14 Front St", "Front", r"\d\d [A-Z]\w+ St"),
        ("State Street", "State", r"[A-Z]\w+ Street"),
        ("County Line Road", "Line", r"County [A-Z]\w+ Road"),
    ],
)
def test_word_right_before_a_kind_of_street_is_its_name(
    replace: Replace, text: str, name: str, form: str
) -> None:
    drawn = replace(ReplacePlace(STREETS), PhiLabel.STREET, text)
    assert re.fullmatch(form, drawn)
    assert name not in drawn


@pytest.mark.parametrize(
    ("kept", "text", "form"),
    [
        (STREETS, "R.R. #2", r"R\.R\. #\d"),
        (STREETS, "State Road 35", r"State Road \d\d"),
        (STREETS, "Co Rd 12", r"Co Rd \d\d"),
        (STREETS, "Private Bag X814", r"Private Bag [A-Z]\d{3}"),
        (STREETS, "Purok 5", r"Purok \d"),
        (PLACES, "Rt 611", r"Rt \d{3}"),
        (PLACES, "Wrenfold House", r"[A-Z]\w+ House"),
    ],
)
def test_kind_of_numbered_road_and_of_building_stays(
    replace: Replace, kept: str, text: str, form: str
) -> None:
    drawn = replace(ReplacePlace(kept), PhiLabel.STREET, text)
    assert re.fullmatch(form, drawn)
    assert drawn != text


def test_state_whose_name_says_so_is_written_once() -> None:
    free = state_of("Free State")
    assert free is not None
    assert write_state("Ogun State", free) == "Free State"
    assert write_state("OGUN STATE", free) == "FREE STATE"
    limpopo = state_of("Limpopo")
    assert limpopo is not None
    assert write_state("Free State", limpopo) == "Limpopo"


def test_grade_of_an_occupation_stays_before_another_of_its_setting(replace: Replace) -> None:
    for scope in map(str, range(20)):
        drawn = replace(PROFESSION, PhiLabel.PROFESSION, "Retired coal miner", scope=scope)
        assert drawn.startswith("Retired ")
        assert drawn.removeprefix("Retired ") in jobs_like("coal miner")


def test_a_hospital_named_after_a_person_is_named_after_another(replace: Replace) -> None:
    given = {"eleanor": "f", "mary": "f", "theodore": "m"}
    for name, sex in given.items():
        text = f"{name.capitalize()} Aikenhead Memorial Hospital"
        for scope in map(str, range(12)):
            first = replace(
                ReplacePlace(INSTITUTIONS), PhiLabel.HOSPITAL, text, scope=scope
            ).split()[0]
            assert gender_of(first.casefold()) == sex
            assert first.casefold() != name


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("Ty Mawr colliery", r"[A-Z]\w+ [A-Z]\w+ colliery"),
        ("Khayelitsha CHC", r"[A-Z]\w+ CHC"),
        ("Royal Derwent Infirmary", r"Royal [A-Z]\w+ Infirmary"),
        ("Queen Margaret Hospital", r"Queen [A-Z]\w+ Hospital"),
    ],
)
def test_the_kind_of_an_institution_stays(replace: Replace, text: str, form: str) -> None:
    for scope in map(str, range(6)):
        drawn = replace(ReplacePlace(INSTITUTIONS), PhiLabel.HOSPITAL, text, scope=scope)
        assert re.fullmatch(form, drawn)


def test_hardly_an_institution_is_called_by_a_given_name_alone(replace: Replace) -> None:
    drawn = [
        replace(ReplacePlace(INSTITUTIONS), PhiLabel.HOSPITAL, "Kerrow Clinic", scope=str(n))
        for n in range(300)
    ]
    assert sum(is_given(one.split()[0].casefold()) for one in drawn) < 30


@pytest.mark.parametrize(
    ("text", "town"),
    [
        ("Tema General Hospital", "tema"),
        ("CMC Vellore", "vellore"),
        ("Lindow Hospital, Tralee", "tralee"),
        ("Lindow Church, Ejisu", "ejisu"),
        ("Lindow Church, Ejisu,", "ejisu"),
    ],
)
def test_an_institution_is_called_after_its_town_before_and_behind_the_kind(
    text: str, town: str
) -> None:
    mention = Mention(text, PhiLabel.HOSPITAL)
    pieces = ReplacePlace(INSTITUTIONS).read_pieces(mention)
    assert [piece.value for piece in pieces if piece.role is PieceRole.TOWN] == [town]


@pytest.mark.parametrize("text", ["Boston Lindow Clinic", "Surgery, Mercy", "Reading & Co"])
def test_what_may_be_no_town_is_none(text: str) -> None:
    pieces = ReplacePlace(INSTITUTIONS).read_pieces(Mention(text, PhiLabel.HOSPITAL))
    assert PieceRole.TOWN not in {piece.role for piece in pieces}


@pytest.mark.parametrize("text", ["Lindow Homecare BD", "Lindow Homecare 4B"])
def test_words_of_kinds_stay_before_numbers_and_letters(replace: Replace, text: str) -> None:
    for label, kept in ((PhiLabel.ORGANIZATION, INSTITUTIONS), (PhiLabel.LOCATION_OTHER, PLACES)):
        assert " Homecare " in replace(ReplacePlace(kept), label, text)


def test_a_town_that_is_words_leads_its_institution_as_a_town() -> None:
    text = "Cut Bank Urgent Care, Cut Bank, MT"
    note = RawNote("n", "p", text)
    clinic, town = mentions(note, [Span(0, 20, PhiLabel.HOSPITAL), Span(22, 30, PhiLabel.CITY)])
    operator = ReplacePlace(INSTITUTIONS)
    assert operator.identities(clinic) == REGION.identities(town)
    identity = operator.identities(clinic)[0]
    draws = Draws(Keyring(b"k" * 32, 1, "t"), "s")
    drawn = operator.derive(identity, draws)
    assert drawn == REGION.derive(identity, draws)
    assert operator.render(clinic, {identity: drawn}) == f"{drawn} Urgent Care"
