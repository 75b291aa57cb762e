"""Checksums hold for published examples and fail when one digit is wrong."""

import pytest

from deidstream.models.phi.codes.checksums import (
    digits,
    is_dea,
    is_nhs_number,
    is_npi,
    is_ssn,
    is_vin,
    luhn,
)


def test_digits_are_ascii_and_in_order() -> None:
    assert digits("a1-2٣3") == "123"


@pytest.mark.parametrize("number", ["79927398713", "4111111111111111", "0"])
def test_luhn_holds(number: str) -> None:
    assert luhn(number)


@pytest.mark.parametrize("number", ["79927398710", "4111111111111112", ""])
def test_luhn_fails(number: str) -> None:
    assert not luhn(number)


def test_an_npi_needs_its_prefix_and_first_digit() -> None:
    assert is_npi("1234567893")
    assert not is_npi("1234567890")
    assert not is_npi("3234567893")
    assert not is_npi("123456789")


def test_a_dea_number_checks_its_last_digit() -> None:
    assert is_dea("AB1234563")
    assert not is_dea("AB1234567")
    assert not is_dea("AB12345")
    assert not is_dea("1B1234563")


def test_an_nhs_number_checks_modulo_eleven() -> None:
    assert is_nhs_number("943 476 5919")
    assert not is_nhs_number("943 476 5918")
    assert not is_nhs_number("943 476 591")


def test_a_vin_checks_its_ninth_place() -> None:
    assert is_vin("1M8GDM9AXKP042788")
    assert not is_vin("1M8GDM9A0KP042788")
    assert not is_vin("1M8GDM9AXKP04278")
    assert not is_vin("1M8GDM9AXKPO42788")


def test_an_ssn_has_nine_digits() -> None:
    assert is_ssn("666-41-9920")
    assert not is_ssn("666-41-992")
