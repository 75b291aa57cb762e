import ipaddress
import re
from collections.abc import Callable

import pytest

from deidstream.models.operators.contacts import DOMAINS, NETWORKS, ReplaceContact
from deidstream.models.operators.phones import ReplacePhone
from deidstream.schemas.label import PhiLabel

Replace = Callable[..., str]
PHONE, CONTACT = ReplacePhone(), ReplaceContact()


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("814.555.0172", r"[2-9][0-8][2-9]\.555\.01\d\d"),
        ("(225)664-0130", r"\([2-9][0-8][2-9]\)555-01\d\d"),
        ("+1 (814) 664-0172", r"\+1 \(\d{3}\) 555-01\d\d"),
        ("664-0160", r"555-01\d\d"),
        ("1 (844) 664-0105 ext 31", r"1 \(\d{3}\) 555-01\d\d ext \d\d"),
        ("2214", r"\d{4}"),
        ("07911 123456", r"07700 900\d{3}"),
        ("+44 7911 123456", r"\+44 7700 900\d{3}"),
        ("+233 24 555 0142", r"\+[1-9]\d\d \d\d \d{3} \d{4}"),
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
    assert replace(CONTACT, PhiLabel.EMAIL, "H.OBUYA@harvestmoon.example") == written
    assert "obuya" not in written


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("https://www.riverkeep.example/r/77", r"https://www\.example\.(org|com|net)/\w{6}"),
        ("HTTPS://riverkeep.example", r"HTTPS://example\.(org|com|net)"),
        ("riverkeep.example/r?id=77", r"example\.(org|com|net)/\w{6}"),
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


@pytest.mark.parametrize("text", ["1.2.3", "host-jane", "10.41.6.118 jane", "1" * 100])
def test_what_is_no_network_address_is_redacted(replace: Replace, text: str) -> None:
    assert replace(CONTACT, PhiLabel.IPADDR, text) == "[IPADDR]"
