"""Towns go where their note says that they lie: by what stands behind them, else as a whole."""

import re
from collections.abc import Mapping
from types import MappingProxyType

import pytest

from deidstream.models.keyring import Keyring
from deidstream.models.mention import Draws
from deidstream.models.operators.operator import Operator
from deidstream.models.operators.table import operators
from deidstream.models.phi.places.address import find_province, province_of, provinces_by_name
from deidstream.models.phi.places.cities import (
    cities,
    city_key,
    find_home,
    fold_place,
)
from deidstream.models.phi.places.country_codes import country_code, parts_of_the_world
from deidstream.models.phi.places.place_pools import class_pool
from deidstream.models.phi.places.regions import groups_of, state_of
from deidstream.models.surrogates.mentions import mentions
from deidstream.schemas.label import PhiLabel
from deidstream.schemas.note import RawNote
from deidstream.schemas.policy import OperatorName, Policy, Technique
from deidstream.schemas.span import Span

RING = Keyring(b"k" * 32, 1, "tenant")
NAMED: Mapping[str, OperatorName] = MappingProxyType(
    dict.fromkeys(PhiLabel, OperatorName.SURROGATE)
)
OPERATORS: Mapping[str, Operator] = operators(
    Policy("laws", Technique.SURROGATE, frozenset(), NAMED)
)
_MARKED = re.compile(r"<([A-Z_]+) ([^>]*)>")
SCOPES = tuple(map(str, range(12)))


def written(marked: str, scope: str) -> list[str]:
    """Return the surrogates of ``<LABEL text>`` in a text, in order."""
    text, spans = "", list[Span]()
    at = 0
    for found in _MARKED.finditer(marked):
        text += marked[at : found.start()]
        spans.append(Span(len(text), len(text) + len(found[2]), PhiLabel(found[1])))
        text, at = text + found[2], found.end()
    text += marked[at:]
    drawn: list[str] = []
    for mention in mentions(RawNote("n", "p", text), spans):
        operator, draws = OPERATORS[mention.label], Draws(RING, scope)
        named = operator.identities(mention)
        drawn.append(operator.render(mention, {one: operator.derive(one, draws) for one in named}))
    return drawn


@pytest.mark.parametrize(
    "country", ["Trinidad and Tobago", "Fiji", "Kenya", "Sri Lanka", "Pakistan"]
)
def test_an_unknown_town_goes_to_the_country_to_which_its_own_moves(country: str) -> None:
    for scope in SCOPES:
        town, moved = written(f"from <CITY Quenbyhole>, <COUNTRY {country}>", scope)
        assert town in cities().pool[country_code(moved)]


@pytest.mark.parametrize("town", ["Hope", "Battle Creek", "Quenbyhole"])
def test_the_state_behind_a_town_says_where_it_lies(town: str) -> None:
    for scope in SCOPES:
        city, state, zip_code = written(f"<CITY {town}> <STATE NE> <ZIP 68715>", scope)
        known = state_of(state)
        assert known
        province = provinces_by_name()[known.full.casefold()]
        assert city in cities().pool[province.code]
        assert province_of(zip_code) == province


def test_a_postcode_behind_a_town_says_its_country() -> None:
    for scope in SCOPES:
        assert written("<CITY Reading>, <ZIP RG4 9ZZ>", scope)[0] in cities().pool["GB"]


def test_a_british_postcode_moves_with_its_nation() -> None:
    for scope in SCOPES:
        town, nation, postcode = written("<CITY Bangor>, <COUNTRY Wales> <ZIP LL57 9ZZ>", scope)
        province = provinces_by_name()[nation.casefold()]
        assert town in cities().pool[province.code]
        assert province_of(postcode.replace(" ", "").casefold()) == province
        near, there = written("<ZIP RG4 9ZZ>; <ZIP RG7 1AA>", scope)
        assert near[:2] == there[:2]
        assert written("<CITY Quenbyhole> <ZIP EX4 9ZZ>", scope)[0] in cities().pool["GB"]


def test_five_digits_are_no_american_postcode_where_the_note_lies_elsewhere() -> None:
    for scope in SCOPES:
        note = "<CITY Quenbyhole> <ZIP 88450>. <CITY Kuching>, <COUNTRY Malaysia>; <CITY Miri>."
        town, _, _, country, _ = written(note, scope)
        assert town in cities().pool[country_code(country)]


def test_a_town_alone_lies_where_the_note_does() -> None:
    note = "<CITY Lagos>, <COUNTRY Nigeria>; <CITY Nsukka>. <CITY Quenbyhole>. To <CITY Boston>."
    for scope in SCOPES:
        drawn = written(note, scope)
        assert drawn[3] in cities().pool[country_code(drawn[1])]
        english = written("<CITY Lisburn>, <CITY Bristol>, <CITY Leeds>. <CITY Hull>", scope)
        assert english[3] in cities().pool["GB"]


def test_a_town_has_one_surrogate_in_its_note() -> None:
    drawn = written("<CITY Hope>, <STATE AR>. Back in <CITY Hope>. <HOSPITAL Hope Clinic>", "a")
    assert drawn[0] == drawn[2]
    assert drawn[3] == f"{drawn[0]} Clinic"


@pytest.mark.parametrize(
    "mention",
    [
        "<ORGANIZATION {} FCS>",
        "<ORGANIZATION {} Rural PS>",
        "<LOCATION_OTHER Dist. {}>",
        "<LOCATION_OTHER {}>",
    ],
)
def test_a_town_of_the_note_is_that_town_within_a_name(mention: str) -> None:
    town, named = written("<CITY Gugulethu>; " + mention.format("Gugulethu"), "a")
    assert town in named


def test_a_county_that_is_called_like_a_town_stays_a_county() -> None:
    town, county = written("<CITY Sligo>; <LOCATION_OTHER Co. Sligo>", "a")
    assert town not in county


@pytest.mark.parametrize(
    ("name", "acronym"),
    [
        ("St Brigid's Hospital", "SBH"),
        ("Johnstone Coast Hosp", "JCH"),
        ("Brigham & Cutler Hospital", "BCH"),
        ("Cut Bank Care of the Aged", "CBCA"),
        ("Great Pine Mutual Health", "GPM"),
    ],
)
def test_an_acronym_has_the_initials_of_what_its_name_becomes(name: str, acronym: str) -> None:
    for scope in SCOPES:
        marked = f"<HOSPITAL {acronym}> <HOSPITAL {name}> <HOSPITAL {acronym}>"
        first, whole, again = written(marked, scope)
        words = [word for word in whole.split() if word[0].isupper()]
        assert first == again == "".join(word[0] for word in words)[: len(acronym)]


def test_an_acronym_of_no_name_of_the_note_is_mapped_by_its_letters() -> None:
    alone = written("<HOSPITAL SBH>", "a")
    assert alone == written("<HOSPITAL SBH> <HOSPITAL Johnstone Coast Hosp>", "a")[:1]
    assert alone == written("<HOSPITAL SBH> <HOSPITAL General Hospital>", "a")[:1]


def test_an_ambiguous_state_is_one_of_the_country_of_the_note() -> None:
    for scope in SCOPES:
        state = written("<CITY Quenbyhole> <STATE NT>. <CITY Darwin>. <CITY Perth WA>", scope)[1]
        known = state_of(state, "AU")
        assert known
        assert known.group == "AU"


def test_where_nothing_tells_a_town_is_the_same_in_all_notes() -> None:
    alone = written("born in <CITY Quenbyhole>", "a")
    among = written("born in <CITY Quenbyhole>, not <CITY Seattle>; <CITY Boston>", "a")
    assert alone[0] == among[0]


def test_a_state_of_no_list_lies_where_the_city_of_its_name_does() -> None:
    for scope in SCOPES:
        town, state = written("<CITY Delicias>, <STATE Chihuahua>", scope)
        known = state_of(state)
        assert known
        assert town in cities().pool[known.group]


@pytest.mark.parametrize(
    "note",
    [
        "<CITY Abeokuta>, <STATE Quenby State>",
        "<CITY Iloilo City>, <STATE Quenby> <ZIP 5000>",
        "<CITY Sargodha>, <STATE Punjab>",
        "<CITY Ludhiana>, <STATE Punjab>",
        "<CITY Eldoret>, <STATE Quenby>",
    ],
)
def test_a_state_that_the_lists_leave_open_lies_in_the_country_of_its_town(note: str) -> None:
    for scope in SCOPES:
        town, state, *_ = written(note, scope)
        lands = {land for land, names in cities().pool.items() if town in names}
        known = state_of(state)
        if known:
            assert known.group in lands
        else:
            assert any(state in cities().pool[land] for land in lands)


def test_an_unknown_state_where_nothing_tells_is_no_american_one() -> None:
    for scope in SCOPES:
        town, state = written("<CITY Quenbyhole>, <STATE Tansleyshire>", scope)
        assert state_of(state) is None
        assert not {city_key(town), city_key(state)} & cities().home.keys()


def test_a_country_behind_a_postcode_is_believed_before_it() -> None:
    for scope in SCOPES:
        town, *_ = written("<CITY Quenbyhole> <ZIP 3204>, <COUNTRY NZ>", scope)
        assert town in cities().pool["NZ"]


def test_fields_of_json_join_a_town_and_its_postcode() -> None:
    note = '"city": "<CITY Quenbyhole>", "state": "<STATE SA>", "postalCode": "<ZIP 5091>"'
    american = '"city": "<CITY Quenbyhole>", "postal": "<ZIP 89820>"; <CITY Apia>, <COUNTRY Samoa>'
    for scope in SCOPES:
        town, state, postcode, _ = written(note + "; <CITY Perth WA>", scope)
        province = province_of(postcode)
        assert province
        assert town in cities().pool[province.code]
        assert state_of(state, "AU") == state_of(province.full, "AU")
        town, postcode, *_ = written(american, scope)
        province = province_of(postcode)
        assert province
        assert town in cities().pool[province.code]


def test_a_postcode_of_another_form_keeps_a_town_from_the_country_of_the_note() -> None:
    for scope in SCOPES:
        town, *_ = written("<CITY Quenbyhole> <ZIP 7010>. Once in <CITY Apia>, Samoa.", scope)
        assert city_key(town) not in cities().home
        town, *_ = written("<CITY Quenbyhole> <ZIP 7010>. <CITY Rotorua>, <CITY Tauranga>.", scope)
        assert town in cities().pool["NZ"]


@pytest.mark.parametrize(
    "country", ["Ethiopia", "Barbados", "Suriname", "Vietnam", "Norway", "Togo"]
)
def test_a_country_becomes_another_of_its_part_of_the_world(country: str) -> None:
    parts = parts_of_the_world()
    for scope in SCOPES:
        moved = country_code(written(f"<COUNTRY {country}>", scope)[0])
        assert moved != country_code(country)
        assert parts[moved] == parts[country_code(country)]


@pytest.mark.parametrize(
    ("town", "state", "land"),
    [
        ("Ludhiana", "Punjab", "IN"),
        ("Sargodha", "Punjab", "PK"),
        ("Nashik", "Maharashtra", "IN"),
        ("Ibadan", "Oyo", "NG"),
        ("Zapopan", "Jalisco", "MX"),
        ("Durban", "KwaZulu-Natal", "ZA"),
    ],
)
def test_a_town_abroad_lies_in_the_state_beside_it(town: str, state: str, land: str) -> None:
    for scope in SCOPES:
        city, moved = written(f"<CITY {town}>, <STATE {state}>", scope)
        province = find_province(fold_place(moved), land)
        assert province
        assert moved != state
        assert city in cities().pool[province.code]


def test_puerto_rico_stays_and_its_towns_and_postcodes_in_it() -> None:
    for scope in SCOPES:
        city, island, postcode = written("<CITY Aguadilla>, <STATE PR> <ZIP 00603>", scope)
        assert city in cities().pool["PR"]
        assert island == "PR"
        assert postcode[:3] in {"006", "007", "009"}


def test_a_county_between_a_town_and_its_postcode_is_read_over() -> None:
    for scope in SCOPES:
        note = "<CITY Newcastle>, <LOCATION_OTHER Co Down> <ZIP BT33 9ZX>"
        town, county, postcode = written(note, scope)
        province = province_of(postcode.replace(" ", "").casefold())
        assert province
        assert town in cities().pool[province.code]
        assert county.removeprefix("Co ") in class_pool("GB.NIR").names


def test_a_county_moves_with_its_nation() -> None:
    for scope in SCOPES:
        town, county, postcode = written(
            "<CITY Lindow>, <LOCATION_OTHER Devon> <ZIP TQ9 5DX>", scope
        )
        province = province_of(postcode.replace(" ", "").casefold())
        assert province
        assert town in cities().pool[province.code]
        assert county in class_pool(province.code).names


def test_a_county_as_a_state_lies_in_its_country() -> None:
    for scope in SCOPES:
        town, county = written("<CITY Whitby>, <STATE North Yorkshire>", scope)
        moved = [one for one in ("GB.SCT", "GB.WLS", "GB.NIR") if county in class_pool(one).names]
        assert town in cities().pool[moved[0]]


def test_the_number_of_a_postal_district_is_no_postcode() -> None:
    for scope in SCOPES:
        town, _ = written("<CITY Dublin 24>, <CITY Tralee> <ZIP V92 X3F8>", scope)[:2]
        assert town.rstrip("0123456789 ") in cities().pool["IE"]


def test_the_word_for_a_district_stays_behind_its_name() -> None:
    for scope in SCOPES:
        assert written("<CITY Karkala Taluk>", scope)[0].endswith(" Taluk")


def test_a_town_leads_its_institutions_and_may_stand_for_one() -> None:
    for scope in SCOPES:
        note = "<CITY Hastings>, <COUNTRY New Zealand> <ORGANIZATION Hastings Police>"
        town, _, police = written(note, scope)
        assert police == f"{town} Police"
        assert written("phoned <HOSPITAL Sydney>", scope)[0] in cities().pool["AU"]


def test_one_town_abroad_does_not_say_that_the_note_is_written_there() -> None:
    for scope in SCOPES:
        town, _ = written("<CITY Quenbyhole>. From <CITY Nairobi>", scope)
        assert city_key(town) not in cities().home


def test_a_town_lies_where_the_signs_of_its_note_say() -> None:
    told = "HSE letter, Eircode on file. <CITY Quenbyhole>, sister in <CITY Perth>"
    for scope in SCOPES:
        town, _ = written(told, scope)
        assert town in cities().pool["IE"]
        town, *_ = written("<CITY Quenbyhole>, <PHONE +254 711 555 063>. Now <CITY Perth>", scope)
        assert town in cities().pool["KE"]


def test_a_town_that_no_other_country_has_tells_the_country_of_its_note() -> None:
    assert "nenagh" not in cities().home
    for scope in SCOPES:
        assert written("<CITY Quenbyhole>, <CITY Nenagh>", scope)[0] in cities().pool["IE"]


def test_a_town_that_is_known_elsewhere_lies_in_the_country_of_its_note() -> None:
    assert find_home("gretna") == "US.LA"
    for scope in SCOPES:
        town, _ = written("NHS no on file, HMP. <CITY Gretna>, <CITY Workington>", scope)
        assert town in cities().pool["GB"]


@pytest.mark.parametrize(
    ("text", "land"),
    [("<CITY Madurai>, TN", "IN"), ("<CITY Quenbyhole>, <STATE TN>, PMJAY card, taluk", "IN")],
)
def test_the_code_of_states_of_two_countries_is_that_of_the_note(text: str, land: str) -> None:
    for scope in SCOPES:
        town, *state = written(text, scope)
        assert town in cities().pool[land]
        for one in state:
            assert "IN" in groups_of(one)
    town, american = written("<CITY Quenbyhole>, <STATE TN>", "s")
    assert groups_of(american) == {"US"}
    assert any(town in names for code, names in cities().pool.items() if code.startswith("US."))


@pytest.mark.parametrize("name", ["<HOSPITAL Quenbyhole Clinic>", "<STREET 4 Quenbyhole Street>"])
def test_an_institution_is_called_after_a_town_of_the_country_of_its_note(name: str) -> None:
    for scope in SCOPES:
        (named,) = written(f"HPCSA no, SASSA grant. {name}", scope)
        words = re.findall("[A-Z][a-z]+", named)
        assert _is_town_word(words[0], "ZA"), named
    assert not all(_is_town_word(written(name, s)[0].split()[-2], "ZA") for s in SCOPES)


def _is_town_word(word: str, land: str) -> bool:
    return word in cities().pool[land] or cities().small.get(city_key(word)) == land
