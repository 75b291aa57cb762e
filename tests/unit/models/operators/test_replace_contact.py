import ipaddress
import re
from collections.abc import Callable

import pytest

from deidstream.models.keyring import Keyring
from deidstream.models.mention import Draws, Mention, NoteFacts
from deidstream.models.operators.replace_code import ReplaceCode
from deidstream.models.operators.replace_contact import DOMAINS, ReplaceContact
from deidstream.models.operators.replace_name import ReplaceName
from deidstream.models.operators.replace_phone import ReplacePhone
from deidstream.models.operators.replace_region import ReplaceRegion
from deidstream.models.operators.replace_username import ReplaceUsername
from deidstream.models.phi.contacts.handles import read_login, read_user_name
from deidstream.models.phi.contacts.network import NETWORKS
from deidstream.models.phi.names.name_use import NamedPlace, find_uses
from deidstream.models.phi.places.address import provinces
from deidstream.models.surrogates.mentions import mentions
from deidstream.models.text.word_files import sections
from deidstream.schemas.label import PhiLabel
from deidstream.schemas.note import RawNote
from deidstream.schemas.span import Span

Replace = Callable[..., str]
PHONE, CONTACT = ReplacePhone(), ReplaceContact()


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("814.555.0172", r"[2-9]\d\d\.555\.01\d\d"),
        ("(225)664-0130", r"\([2-9]\d\d\)555-01\d\d"),
        ("+1 (814) 664-0172", r"\+1 \(\d{3}\) 555-01\d\d"),
        ("664-0160", r"555-01\d\d"),
        ("1 (844) 664-0105 ext 31", r"1 \(\d{3}\) 555-01\d\d ext \d\d"),
        ("2214", r"\d{4}"),
        ("07911 123456", r"07700 900\d{3}"),
        ("+44 7911 123456", r"\+44 7700 900\d{3}"),
        ("+44 (0)20 7123 4567", r"\+44 \(0\)20 7946 0\d{3}"),
        ("0808 123 4567", r"0808 157 0\d{3}"),
        ("+233 24 555 0142", r"\+999 \d\d \d{3} \d{4}"),
        ("08 5551 0147", r"08 5550 \d{4}"),
        ("086 123 4567", r"020 91\d \d{4}"),
        ("0803 123 4567", r"0100 \d{3} \d{4}"),
        ("0917 123 4567", r"0100 \d{3} \d{4}"),
        ("98765 43210", r"100\d\d \d{5}"),
        ("098765 43210", r"0100\d\d \d{5}"),
        ("138 0013 8000", r"129 \d{4} \d{4}"),
        ("+86 13800138000", r"\+86 129\d{8}"),
        ("050 123 4567", r"020 91\d \d{4}"),
        ("0712 345678", r"0209 1\d{5}"),
        ("(11) 91234-5678", r"\(10\) 0\d{4}-\d{4}"),
        ("55 1234 5678", r"10 0\d{3} \d{4}"),
        ("07 12 34 56 78", r"06 39 98 \d\d \d\d"),
        ("0417 123 456", r"0491 57\d \d{3}"),
        ("(212) 664-7665/7666", r"\([2-9]\d\d\) 555-01\d\d/\d{4}"),
        ("+61 412 345 678", r"\+61 491 57\d \d{3}"),
        ("1300 123 456", r"1300 975 7\d\d"),
        ("+353 87 123 4567", r"\+353 20 91\d \d{4}"),
        ("+49 171 1234567", r"\+49 (302|699|406|221|899|171) \d{7}"),
        ("+33 1 42 68 53 00", r"\+33 1 99 00 \d\d \d\d"),
        ("6123 4567", r"999\d \d{4}"),
        ("00000099", r"0{5}\d{3}"),
        ("(6O8) 664-Ol07", r"\(\d{3}\) 555-01\d\d"),
        ("1-800-FLOWERS", r"1-\d{3}-55501\d\d"),
        ("cell 814-664-0172", r"cell \d{3}-555-01\d\d"),
    ],
)
def test_phones_ring_nowhere_in_the_form_they_had(replace: Replace, text: str, form: str) -> None:
    assert re.fullmatch(form, replace(PHONE, PhiLabel.PHONE, text))


def test_phones_agree_whatever_the_form_and_label(replace: Replace) -> None:
    digits = re.sub(r"\D", "", replace(PHONE, PhiLabel.PHONE, "814.664.0172"))
    assert re.sub(r"\D", "", replace(PHONE, PhiLabel.FAX, "+1 (814) 664-0172"))[1:] == digits


@pytest.mark.parametrize(
    ("area", "state"), [("617", "Massachusetts"), ("416", "Ontario"), ("204", "Manitoba")]
)
def test_an_area_code_moves_with_its_state(replace: Replace, area: str, state: str) -> None:
    moved = replace(ReplaceRegion(), PhiLabel.STATE, state)
    province = next(one for one in provinces().values() if one.full == moved)
    numbers = [replace(PHONE, PhiLabel.PHONE, f"{area}-664-{n:04d}") for n in range(100, 180)]
    drawn = {number[:3] for number in numbers}
    assert drawn == set(sections("phones.areas.txt")[province.code])


@pytest.mark.parametrize("other", ["+44 7911 123456", "0044 7911 123456", "+44 (0)7911 123456"])
def test_a_number_is_one_from_home_and_from_abroad(replace: Replace, other: str) -> None:
    home = re.sub(r"\D", "", replace(PHONE, PhiLabel.PHONE, "07911 123456"))
    assert re.sub(r"\D", "", replace(PHONE, PhiLabel.PHONE, other)).endswith(home[1:])


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("086 123 4567", "+353 86 123 4567"),
        ("0803 123 4567", "+234 803 123 4567"),
        ("098765 43210", "+91 98765 43210"),
        ("138 0013 8000", "+86 138 0013 8000"),
        ("08 5551 0147", "+61 8 5551 0147"),
        ("55 1234 5678", "+52 55 1234 5678"),
    ],
)
def test_other_countries_numbers_are_one_from_abroad_too(
    replace: Replace, one: str, other: str
) -> None:
    home = re.sub(r"\D", "", replace(PHONE, PhiLabel.PHONE, one)).removeprefix("0")
    assert re.sub(r"\D", "", replace(PHONE, PhiLabel.PHONE, other)).endswith(home)


@pytest.mark.parametrize("joint", [" or ", ", ", "; ", " ", "\n", " and "])
def test_several_numbers_of_a_span_are_numbers_of_their_own(replace: Replace, joint: str) -> None:
    texts = "(212) 664-7665", "(212) 664-7666 ext 12"
    alone = [replace(PHONE, PhiLabel.PHONE, text) for text in texts]
    assert replace(PHONE, PhiLabel.PHONE, joint.join(texts)) == joint.join(alone)


def test_a_free_call_stays_one(replace: Replace) -> None:
    assert re.match(r"8(00|33|44|55|66|77|88)-", replace(PHONE, PhiLabel.PHONE, "888-664-0172"))


def test_an_extension_agrees_with_itself_alone(replace: Replace) -> None:
    whole = replace(PHONE, PhiLabel.PHONE, "814-664-0172 x2218")
    assert replace(PHONE, PhiLabel.PHONE, "2218") == whole[-4:]


def test_dictated_phones_stay_in_words(replace: Replace) -> None:
    spoken = replace(PHONE, PhiLabel.PHONE, "five five five oh one four five")
    assert spoken.startswith("five five five zero one ")


def test_a_phone_without_digits_is_redacted(replace: Replace) -> None:
    assert replace(PHONE, PhiLabel.PHONE, "none") == "[PHONE]"


def test_mail_goes_to_example_domains(replace: Replace) -> None:
    written = replace(CONTACT, PhiLabel.EMAIL, "h.obuya@harvestmoon.example")
    assert written.partition("@")[2] in DOMAINS
    assert replace(CONTACT, PhiLabel.EMAIL, "H.OBUYA@harvestmoon.example").lower() == written
    assert "obuya" not in written


@pytest.mark.parametrize("host", DOMAINS)
def test_mail_leaves_its_example_domain_too(replace: Replace, host: str) -> None:
    assert not replace(CONTACT, PhiLabel.EMAIL, f"records@{host}").endswith(host)


@pytest.mark.parametrize(
    "text", ["dora.summers@x.example", "dsummers@x.example", "summersd@x.example"]
)
def test_the_owner_of_mail_is_called_as_in_the_note(replace: Replace, text: str) -> None:
    given, family = replace(ReplaceName(), PhiLabel.PATIENT, "Dora Summers").lower().split()
    local = replace(CONTACT, PhiLabel.EMAIL, text).partition("@")[0]
    assert local in {f"{given}.{family}", f"{given[0]}{family}", f"{family}{given[0]}"}


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("jsmith", "{g}{f}"), ("smithja", "{f}{g}{a}"), ("johnsmith", "{given}{f}"),
        ("johnasmith", "{given}{a}{f}"), ("smithjohn1970", r"{f}{given}\d\d\d\d"),
        ("John.A.Smith", "{given}.{a}.{f}"), ("smith-family", "{f}-family"),
        ("john.van.der.smith", "{given}.van.der.{f}"),
    ],
)  # fmt: skip
def test_names_run_together_in_a_handle_are_read(replace: Replace, text: str, form: str) -> None:
    called = replace(ReplaceName(), PhiLabel.PATIENT, "John A. Smith").lower()
    given, a, f = re.sub("[.']", "", called).split()
    wanted = form.format(g=given[0], a=a, f=f, given=given)
    assert re.fullmatch(wanted, replace(ReplaceUsername(), PhiLabel.USERNAME, text).lower())
    mail = replace(CONTACT, PhiLabel.EMAIL, f"{text}@x.example").lower()
    assert re.fullmatch(wanted, mail.partition("@")[0])


@pytest.mark.parametrize("text", ["a.o'sullivan", "a.o\u2019sullivan", "a.osullivan"])
def test_an_apostrophe_in_a_handle_changes_nobody(replace: Replace, text: str) -> None:
    first, family = replace(ReplaceName(), PhiLabel.PATIENT, "A. O'Sullivan").lower().split()
    local = replace(CONTACT, PhiLabel.EMAIL, f"{text}@x.example").partition("@")[0]
    assert local == f"{first}{family}".replace("'", "")


@pytest.mark.parametrize("name", ["Eze", "Obi", "Lee", "Kim"])
def test_a_name_of_three_letters_is_one_in_lower_case_too(replace: Replace, name: str) -> None:
    family = replace(ReplaceName(), PhiLabel.PATIENT, name).lower()
    for text in (f"mary.{name.lower()}@x.example", f"MARY.{name.upper()}@X.EXAMPLE"):
        local = replace(CONTACT, PhiLabel.EMAIL, text).partition("@")[0]
        assert local.lower().endswith(f".{family}")
        assert local.isupper() == text.isupper()


def test_a_name_in_an_address_need_not_be_in_plain_letters(replace: Replace) -> None:
    family = replace(ReplaceName(), PhiLabel.PATIENT, "M\u00fcller").lower()
    assert replace(CONTACT, PhiLabel.EMAIL, "m\u00fcller@x.example").startswith(f"{family}@")


def test_the_name_before_an_address_is_a_name(replace: Replace) -> None:
    name = replace(ReplaceName(), PhiLabel.PATIENT, "John Smith")
    written = replace(CONTACT, PhiLabel.EMAIL, "John Smith <jsmith@x.example>; mailto:a@y.example")
    assert re.fullmatch(
        rf"{name} <\w+@example\.(org|com|net)>; mailto:\w@example\.(org|com|net)", written
    )


@pytest.mark.parametrize("text", ["jsmith (at) x dot example", "j smith AT x DOT example"])
def test_a_dictated_address_stays_dictated(replace: Replace, text: str) -> None:
    local = replace(CONTACT, PhiLabel.EMAIL, "jsmith@x.example").partition("@")[0]
    assert re.fullmatch(
        rf"{local} (\(at\)|at) example dot (org|com|net)",
        replace(CONTACT, PhiLabel.EMAIL, text).lower(),
    )


def test_each_address_of_a_span_is_one(replace: Replace) -> None:
    texts = "jsmith@x.example", "mary.okafor@y.example"
    alone = [replace(CONTACT, PhiLabel.EMAIL, text) for text in texts]
    assert replace(CONTACT, PhiLabel.EMAIL, " ".join(texts)) == " ".join(alone)


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("x.example/john.smith.1962", r"/{given}\.{f}\.\d\d\d\d"),
        ("x.example/patients/jsmith3/records?id=7", r"/patients/{g}{f}\d/records\?\w\w=\d"),
        ("x.example/@johnsmith", r"/@{given}{f}"),
    ],
)
def test_a_link_to_a_person_leads_to_the_surrogate(replace: Replace, text: str, form: str) -> None:
    given, f = (
        replace(ReplaceName(), PhiLabel.PATIENT, "John Smith").lower().replace("'", "").split()
    )
    path = replace(CONTACT, PhiLabel.URL, text).partition("/")
    assert re.fullmatch(form.format(given=given, f=f, g=given[0]), "/" + path[2])


def test_what_is_too_long_for_an_address_is_not_read_for_names(replace: Replace) -> None:
    text = "summers." * 100 + "@x.example"
    assert "summers" not in replace(CONTACT, PhiLabel.EMAIL, text)


def test_mail_to_a_desk_stays_with_the_desk(replace: Replace) -> None:
    assert replace(CONTACT, PhiLabel.EMAIL, "records@whitecap.example").startswith(
        "records@example"
    )


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("https://www.riverkeep.example/r/77", r"https://www\.example\.(org|com|net)/[a-z]/\d\d"),
        ("HTTPS://riverkeep.example", r"HTTPS://example\.(org|com|net)"),
        ("riverkeep.example/r?id=77", r"example\.(org|com|net)/[a-z]\?[a-z]{2}=\d\d"),
        (
            "ftp://x.example/pcr/25-00418.pdf",
            r"ftp://example\.(org|com|net)/[a-z]{3}/\d\d-\d{5}\.pdf",
        ),
        ("x.example/", r"example\.(org|com|net)/"),
        ("odd-jane-doe://riverkeep", r"https://example\.(org|com|net)"),
    ],
)
def test_links_lead_to_example_hosts(replace: Replace, text: str, form: str) -> None:
    assert re.fullmatch(form, replace(CONTACT, PhiLabel.URL, text))


@pytest.mark.parametrize("host", DOMAINS)
def test_an_example_host_changes_too(replace: Replace, host: str) -> None:
    for scope in map(str, range(20)):
        assert replace(CONTACT, PhiLabel.URL, host, scope=scope) != host


def test_network_addresses_are_for_documentation(replace: Replace) -> None:
    assert replace(CONTACT, PhiLabel.IPADDR, "10.41.6.118").startswith(NETWORKS)
    assert replace(CONTACT, PhiLabel.IPADDR, "10.41.6.118:8080").endswith(":8080")
    assert replace(CONTACT, PhiLabel.IPADDR, "10.0.0.0/8").endswith("/8")
    six = ipaddress.ip_address(replace(CONTACT, PhiLabel.IPADDR, "fe80::1%eth0"))
    assert six in ipaddress.ip_network("2001:db8::/32")


@pytest.mark.parametrize("text", ["00:1B:44:11:3A:B7", "00-1b-44-11-3a-b7", "001b.4411.3ab7"])
def test_no_maker_gives_a_network_card_its_address(replace: Replace, text: str) -> None:
    written = replace(CONTACT, PhiLabel.IPADDR, text)
    assert written[1].lower() in "26ae"
    assert re.sub("[0-9A-Fa-f]", "0", written) == re.sub("[0-9A-Fa-f]", "0", text)
    assert written.isupper() == text.isupper()
    assert replace(ReplaceCode(), PhiLabel.DEVICE, text) == written


@pytest.mark.parametrize("text", ["1.2.3", "host-jane", "10.41.6.118 jane", "1" * 100])
def test_what_is_no_network_address_is_redacted(replace: Replace, text: str) -> None:
    assert replace(CONTACT, PhiLabel.IPADDR, text) == "[IPADDR]"


@pytest.mark.parametrize("surname", ["Fjeld", "Delacroix", "Castellnou", "Penick", "Merced"])
def test_user_name_of_initial_and_rare_surname_follows_the_person(
    replace: Replace, surname: str
) -> None:
    drawn = replace(ReplaceName(), PhiLabel.DOCTOR, f"K. {surname}")
    initial, family = drawn.casefold().split(". ")
    for text, wanted in (
        (f"k{surname}".lower(), initial + family),
        (f"k_{surname}".lower(), f"{initial}_{family}"),
        (f"k{surname}_rn".lower(), f"{initial}{family}_rn"),
    ):
        assert replace(ReplaceUsername(), PhiLabel.USERNAME, text) == wanted


def test_rare_name_beside_an_initial_is_whole(replace: Replace) -> None:
    family = replace(ReplaceName(), PhiLabel.DOCTOR, "Fjeld").lower()
    assert replace(ReplaceUsername(), PhiLabel.USERNAME, "fjeld.k").startswith(family)


@pytest.mark.parametrize("text", ["4471x", "kx77", "q-ab-12"])
def test_user_name_without_a_long_word_is_a_code(replace: Replace, text: str) -> None:
    drawn = replace(ReplaceUsername(), PhiLabel.USERNAME, text)
    assert [c.isdigit() for c in drawn] == [c.isdigit() for c in text]


@pytest.mark.parametrize(
    ("owner", "address"),
    [
        ("Kahu Te Whaitiri", "kahu.tewhaitiri@x.example"),
        ("K. Oyelaran", "koyelaran@x.example"),
        ("Tuvelani Smith", "tuvelanis@x.example"),
    ],
)
def test_an_address_follows_names_of_the_note_that_no_list_has(owner: str, address: str) -> None:
    note = RawNote("n", "p", f"{owner} {address}")
    spans = [
        Span(0, len(owner), PhiLabel.PATIENT),
        Span(len(owner) + 1, len(note.text), PhiLabel.EMAIL),
    ]
    name, mail = mentions(note, spans)
    of_name = set(ReplaceName().identities(name))
    of_mail = {one for one in ReplaceContact().identities(mail) if one.kind.startswith("name.")}
    assert {one for one in of_mail if one.value} <= of_name


@pytest.mark.parametrize(
    ("name", "handle", "pieces"),
    [
        ("Sinclair, Tiffany Grace", "tgsinclair", ["t", "g", "sinclair"]),
        ("Marieke van der Hoek", "mvanderhoek", ["m", "vander", "hoek"]),
        ("Saoirse N\u00ed Chonaill", "snichonaill", ["s", "ni", "chonaill"]),
        ("Adjoa Kwanhema", "akwanhemab", ["a", "kwanhema", "b"]),
        ("Lene Eikrem-Patel", "leikrempatel", ["l", "eikrem", "patel"]),
        ("Izzati Maslin", "izzati.ms", ["izzati", ".", "ms"]),
        ("Hana Tamihana", "f.tamihana", ["f", ".", "tamihana"]),
        ("Ana Ward", "ward4", []),
    ],
)
def test_the_names_of_a_note_cut_its_user_names(name: str, handle: str, pieces: list[str]) -> None:
    uses = find_uses([NamedPlace(name)])
    assert [segment.text for segment in read_user_name(handle, uses)] == pieces


@pytest.mark.parametrize("text", ["Azubiri", "azubiri2", "ana", "zubiri", "amoran"])
def test_what_is_no_user_name_of_a_person_of_the_note_is_a_name(text: str) -> None:
    assert not read_login(text, find_uses([NamedPlace("Ana Zubiri"), NamedPlace(text)]))


def test_a_user_name_in_the_place_of_a_name_is_cut_as_one() -> None:
    uses = find_uses([NamedPlace("Ana Zubiri"), NamedPlace("azubiri")])
    assert [segment.text for segment in read_login("azubiri", uses)] == ["a", "zubiri"]
    facts = NoteFacts(names=uses)
    named = [Mention(text, PhiLabel.DOCTOR, facts) for text in ("azubiri", "Ana Zubiri")]
    operator, draws = ReplaceName(), Draws(Keyring(bytes(32), 1, "t"), "s")
    login, full = (
        operator.render(one, {i: operator.derive(i, draws) for i in operator.identities(one)})
        for one in named
    )
    assert login == full[0].lower() + full.split()[1].lower()
