"""Derived keys, draws and sealed values."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deidstream.models.keyring import Draw, Keyring, canonical, join_prefixed

ROOT = bytes(range(32))
RING = Keyring(ROOT, 1, "t")


def test_no_key_is_shown() -> None:
    assert ROOT.hex() not in repr(RING)
    assert str(list(ROOT))[1:20] not in repr(RING)


def test_tenant_version_purpose_and_key_each_change_everything() -> None:
    others = [Keyring(ROOT, 1, "u"), Keyring(ROOT, 2, "t"), Keyring(ROOT[::-1], 1, "t")]
    digests = {ring.digest("p", "x") for ring in [RING, *others]} | {RING.digest("q", "x")}
    assert len(digests) == 5


def test_parts_do_not_run_together() -> None:
    assert join_prefixed("ab", "c") != join_prefixed("a", "bc")
    assert RING.digest("p", "ab", "c") != RING.digest("p", "a", "bc")


def test_a_draw_is_repeatable_and_within_its_bound() -> None:
    draws = [[Draw(b"s" * 16).below(7) for _ in range(3)] for _ in range(2)]
    assert draws[0] == draws[1]
    stream = Draw(b"s" * 16)
    drawn = [stream.below(7) for _ in range(7000)]
    assert all(850 < drawn.count(number) < 1150 for number in range(7))


def test_there_is_nothing_to_draw_from_nothing() -> None:
    with pytest.raises(ValueError, match="nothing"):
        Draw(b"s" * 16).below(0)


@given(st.text(), st.binary(min_size=1, max_size=20))
def test_what_is_sealed_is_unsealed_under_its_name_alone(value: str, name: bytes) -> None:
    value = value.encode(errors="ignore").decode()
    sealed = RING.seal(name, value)
    assert RING.unseal(name, sealed) == value
    assert RING.seal(name, value) == sealed
    with pytest.raises(ValueError, match="another key"):
        RING.unseal(name + b"x", sealed)
    with pytest.raises(ValueError, match="another key"):
        Keyring(ROOT, 1, "u").unseal(name, sealed)


def test_a_sealed_value_shows_nothing() -> None:
    assert b"Vanterpool" not in RING.seal(b"n", "Vanterpool")


@pytest.mark.parametrize(
    ("one", "other"),
    [("SMITH", "smith"), ("ﬁ", "fi"), (" a  b\n", "a b"), ("Smi\u200bth", "smith"), ("ß", "SS")],
)
def test_forms_of_one_text_have_one_normal_form(one: str, other: str) -> None:
    assert canonical(one) == canonical(other)


@given(st.text(st.characters(max_codepoint=126), max_size=30))
def test_plain_text_is_normalised_the_short_way_as_the_long_way(text: str) -> None:
    assert canonical(text) == canonical(text + "\u200b")


def test_what_an_older_root_sealed_is_read_and_the_newest_seals() -> None:
    old = Keyring(ROOT, 1, "t").seal(b"n", "value")
    newest = Keyring(ROOT[::-1], 2, "t", {1: ROOT})
    assert newest.unseal(b"n", old) == "value"
    assert newest.seal(b"n", "value") == Keyring(ROOT[::-1], 2, "t").seal(b"n", "value")
    with pytest.raises(ValueError, match="another key"):
        Keyring(ROOT[::-1], 2, "u", {1: ROOT}).unseal(b"n", old)
    with pytest.raises(ValueError, match="not kept"):
        Keyring(ROOT[::-1], 2, "t").unseal(b"n", old)
    with pytest.raises(ValueError, match="another key"):
        newest.unseal(b"n", old[:2])


def test_the_anchor_is_the_oldest_root_that_is_kept() -> None:
    newest = Keyring(b"c" * 32, 3, "t", {2: b"b" * 32, 1: ROOT})
    assert newest.anchor() == RING
    assert newest.anchor().owner("P1") == RING.owner("P1") != newest.owner("P1")
    assert RING.anchor() is RING


def test_older_keys_are_not_shown_and_do_not_keep_a_ring_from_being_hashed() -> None:
    newest = Keyring(ROOT[::-1], 2, "t", {1: ROOT})
    assert str(ROOT)[2:20] not in repr(newest)
    assert hash(newest) == hash(Keyring(ROOT[::-1], 2, "t"))


def test_an_owner_is_16_bytes_of_one_tenant_and_patient() -> None:
    owners = {RING.owner("P1"), RING.owner("P2"), Keyring(ROOT, 1, "u").owner("P1")}
    assert {len(owner) for owner in owners} == {16}
    assert len(owners) == 3
