"""A machine has an address that a network hands out; ratios, titres and versions are none."""

import pytest

from deidstream.models.phi.contacts.network import is_host, is_wide


@pytest.mark.parametrize(
    "address",
    ["203.0.113.9", "10.1.20.7", "192.168.4.12", "6.6.6.10", "2001:db8::1", "fe80::1", "fd00::7"],
)
def test_a_host_has_an_address_that_is_handed_out(address: str) -> None:
    assert is_host(address)


@pytest.mark.parametrize(
    "text",
    [
        *("203.0.113.256", "203.0.113", "0.9.0.1", "239.1.2.3", "250.1.1.1"),
        *("1::2", "1::64", "10:20:30:40:50:60:70:80", "12:30:45"),
    ],
)
def test_no_host_has_what_no_network_hands_out(text: str) -> None:
    assert not is_host(text)


def test_a_wide_address_has_two_numbers_of_three_digits() -> None:
    assert is_wide("192.168.4.12")
    assert not is_wide("204.1.0.3")
    assert not is_wide("4.3.0.0")
