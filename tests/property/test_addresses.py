"""Laws of places, identifiers and contacts: their parts agree, and they are nobody's."""

import ipaddress
import re
from collections.abc import Mapping
from types import MappingProxyType

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from deidstream.models.keyring import Keyring, canonical
from deidstream.models.mention import Draws, Mention
from deidstream.models.operators.operator import Operator
from deidstream.models.operators.replace_contact import DOMAINS
from deidstream.models.operators.table import operators
from deidstream.models.phi.codes.checksums import passes_a_check
from deidstream.models.phi.codes.draw_code import code_of
from deidstream.models.phi.places.address import (
    find_province,
    province_of,
    provinces,
    provinces_by_name,
)
from deidstream.models.phi.places.cities import cities, city_key, fold_place
from deidstream.models.phi.places.regions import state_of, states
from deidstream.models.text.word_files import split_list
from deidstream.schemas.label import PhiLabel
from deidstream.schemas.policy import OperatorName, Policy, Technique

RING = Keyring(b"k" * 32, 1, "tenant")
NAMED: Mapping[str, OperatorName] = MappingProxyType(
    dict.fromkeys(PhiLabel, OperatorName.SURROGATE)
)
OPERATORS: Mapping[str, Operator] = operators(
    Policy("laws", Technique.SURROGATE, frozenset(), NAMED)
)
PLACES = [PhiLabel.CITY, PhiLabel.STATE, PhiLabel.COUNTRY, PhiLabel.ZIP]
CODES = [
    PhiLabel(name)
    for name in split_list("MEDICALRECORD HEALTHPLAN ACCOUNT LICENSE VEHICLE DEVICE BIOID IDNUM")
]
CONTACTS = [PhiLabel.EMAIL, PhiLabel.URL, PhiLabel.IPADDR, PhiLabel.PHONE, PhiLabel.FAX]
SHAPES = (
    r"[0-9]{8,13}", r"[0-9]{15,16}", r"[A-Z]{2}[0-9]{7}", r"[A-HJ-NPR-Z0-9]{17}",
    r"[A-Z]{3}[0-9]{4}", r"[1-9][A-Z][A-Z0-9][0-9]-[A-Z][A-Z0-9][0-9]-[A-Z]{2}[0-9]{2}",
    r"[A-Z][0-9]{7}[A-Z]",
    r"[A-Z][0-9]{6}\([0-9A]\)", r"GB[0-9]{2}[A-Z]{4}[0-9]{14}", r"[0-9]{3}-[0-9]{2}-[0-9]{4}",
)  # fmt: skip

scopes = st.text(st.characters(codec="ascii"), min_size=1, max_size=8)
_TOWNS = sorted(
    key
    for key, home in cities().home.items()
    # Behind a town a number is read as its postcode; one is called Seremban 2.
    if home[2:3] == "." and key[-1].isalpha()
)
towns = st.sampled_from([key for key in _TOWNS if cities().home[key] in provinces()])
of_districts = st.sampled_from([key for key in _TOWNS if cities().home[key] not in provinces()])
american = st.sampled_from([code for code, p in provinces().items() if p.land == "US"])
codes = st.sampled_from(SHAPES).flatmap(lambda shape: st.from_regex(shape, fullmatch=True))
phones = st.from_regex(
    r"(\+(1|44|61|353|49|33|91) ?)?\(?0?[1-9][0-9]{1,3}\)?[ .-][0-9]{3}[ .-][0-9]{3,4}"
    r"( (x|ext) ?[0-9]{2,4})?",
    fullmatch=True,
)


def replaced(label: PhiLabel, text: str, scope: str = "patient") -> str:
    mention, operator = Mention(text, label), OPERATORS[label]
    draws = Draws(RING, scope)
    named = operator.identities(mention)
    return operator.render(mention, {one: operator.derive(one, draws) for one in named})


def mask(text: str) -> str:
    return re.sub(r"[A-Z]", "A", re.sub(r"[a-z]", "a", re.sub(r"[0-9]", "0", text)))


@given(towns, scopes)
def test_a_city_lies_in_the_state_to_which_its_own_moves(town: str, scope: str) -> None:
    home = provinces()[cities().home[town]]
    # Of two countries with a state of that name (Punjab), the note tells which it is.
    assume(fold_place(home.full) in provinces_by_name())
    moved = replaced(PhiLabel.STATE, home.full, scope)
    assert moved != home.full
    province = find_province(fold_place(moved), home.land)
    assert province
    assert replaced(PhiLabel.CITY, town.title(), scope) in cities().pool[province.code]


@given(of_districts, scopes)
def test_a_city_of_a_district_that_is_no_state_stays_in_its_country(town: str, scope: str) -> None:
    land = cities().home[town].partition(".")[0]
    assert replaced(PhiLabel.CITY, town.title(), scope) in cities().pool[land]


@given(american, st.integers(0, 9999), scopes)
def test_a_zip_code_lies_in_the_state_to_which_its_own_moves(
    home: str, rest: int, scope: str
) -> None:
    province = provinces()[home]
    code = province.prefixes[rest % len(province.prefixes)] + f"{rest % 100:02d}"
    found = province_of(replaced(PhiLabel.ZIP, code, scope))
    assert found
    assert found.full == replaced(PhiLabel.STATE, province.full, scope)


@given(st.sampled_from(sorted({s.code for s in states().values() if s.code})), scopes)
def test_a_state_keeps_its_length(code: str, scope: str) -> None:
    written = replaced(PhiLabel.STATE, code, scope)
    assert written.isupper()
    assert written != code
    assert state_of(written) is not None


@pytest.mark.slow
@given(st.from_regex(r"[A-Z][a-z]{2,8}( [A-Z][a-z]{2,8})?", fullmatch=True), scopes)
def test_a_town_of_no_list_becomes_one_of_none(town: str, scope: str) -> None:
    assume(city_key(town) not in cities().home)
    written = replaced(PhiLabel.CITY, town, scope)
    assert city_key(written) not in cities().home
    assert not set(written.casefold().split()) & set(town.casefold().split())


@given(st.sampled_from(PLACES + CODES + CONTACTS), st.text(max_size=30), scopes)
@example(PhiLabel.CITY, "Boston,,MA 1", "a")
@example(PhiLabel.PHONE, "00000099", "a")
@example(PhiLabel.EMAIL, "@", "a")
@example(PhiLabel.URL, "https://", "a")
def test_nothing_comes_out_as_it_went_in(label: PhiLabel, text: str, scope: str) -> None:
    assert canonical(replaced(label, text, scope)) != canonical(text) or not canonical(text)


@given(st.sampled_from(CODES), codes, scopes)
def test_an_identifier_is_nobodys_in_the_form_that_it_had(
    label: PhiLabel, text: str, scope: str
) -> None:
    written = replaced(label, text, scope)
    assert mask(written) == mask(text)
    assert written != text
    assert not passes_a_check(code_of(written))


@given(
    st.sampled_from(CODES),
    st.from_regex(r"[1-9][0-9]{5,7}", fullmatch=True),
    st.from_regex(r"[A-Z0-9-]{0,6}", fullmatch=True),
    scopes,
)
def test_a_number_in_an_identifier_does_not_come_back(
    label: PhiLabel, inner: str, around: str, scope: str
) -> None:
    written = code_of(replaced(label, around + inner + around, scope))
    grams = {inner[start : start + 5] for start in range(len(inner) - 4)}
    # Zeros before a number stay, and with the first digit behind them they tell nothing.
    grams = {gram for gram in grams if len(gram.strip("0")) > 1}
    assert not any(gram in written for gram in grams)


@given(st.sampled_from(CODES), st.from_regex(r"[A-Z]{0,3}[0-9]{6,9}", fullmatch=True), st.data())
def test_separators_make_no_other_identifier(
    label: PhiLabel, text: str, data: st.DataObject
) -> None:
    cut = data.draw(st.integers(1, len(text) - 1))
    parted = f"{text[:cut]}-{text[cut:]}"
    assert code_of(replaced(label, text)) == code_of(replaced(label, parted))


@given(phones, scopes)
def test_a_phone_keeps_its_form(text: str, scope: str) -> None:
    written = replaced(PhiLabel.PHONE, text, scope)
    assert mask(written) == mask(text)
    assert written != text


@given(st.from_regex(r"\(?[2-9][0-9]{2}\)?[ .-][2-9][0-9]{2}[ .-][0-9]{4}", fullmatch=True), scopes)
def test_an_american_phone_rings_nowhere(text: str, scope: str) -> None:
    digits = re.sub(r"\D", "", replaced(PhiLabel.PHONE, text, scope))
    assert digits[3:8] == "55501"


@given(st.emails(), scopes)
def test_mail_goes_to_an_example_domain(text: str, scope: str) -> None:
    local, _, domain = replaced(PhiLabel.EMAIL, text, scope).rpartition("@")
    assert re.fullmatch(r"[A-Za-z0-9._+-]+", local)
    assert domain.casefold() in DOMAINS


@given(
    st.from_regex(r"https?://[a-z]{3,8}\.(com|org)(/[a-z0-9]{1,8}){0,5}", fullmatch=True), scopes
)
def test_a_link_keeps_its_depth(text: str, scope: str) -> None:
    written = replaced(PhiLabel.URL, text, scope)
    assert written.count("/") == text.count("/")
    assert written.split("/")[2] in DOMAINS


@given(st.ip_addresses(), scopes)
def test_a_network_address_is_for_documentation(
    address: ipaddress.IPv4Address | ipaddress.IPv6Address, scope: str
) -> None:
    written = ipaddress.ip_address(replaced(PhiLabel.IPADDR, str(address), scope))
    assert written.version == address.version
    assert written.is_private
    assert written != address


@pytest.mark.slow
@pytest.mark.parametrize(
    "hostile", [" ", "a", "1", "1-", "a,", ", ", "a.", "@", "/", "St. ", "MA ", "+", "0", "a 1 "]
)
def test_hostile_text_takes_linear_time(hostile: str) -> None:
    for label in [*PLACES, *CODES[:1], *CONTACTS, PhiLabel.USERNAME, PhiLabel.HOSPITAL]:
        assert replaced(label, hostile * (20_000 // len(hostile)))
