import math
import re
from collections.abc import Callable

import pytest

from deidstream.models.keyring import Keyring
from deidstream.models.mention import Draws, Identity
from deidstream.models.operators.hash import LENGTH, SIGNS, HashToken
from deidstream.schemas.label import PhiLabel

HASH = HashToken()
Replace = Callable[..., str]


@pytest.mark.parametrize("label", PhiLabel)
def test_a_token_names_its_label_and_spells_no_word(replace: Replace, label: PhiLabel) -> None:
    token = replace(HASH, label, "Smith 93")
    assert re.fullmatch(rf"{label}-[{SIGNS}]{{{LENGTH}}}", token)
    assert not set(SIGNS) & set("AEIOU01L")


def test_a_token_has_forty_bits_and_more() -> None:
    assert LENGTH * math.log2(len(set(SIGNS))) > 40


def test_one_original_has_one_token_in_its_scope_and_another_beyond(replace: Replace) -> None:
    token = replace(HASH, PhiLabel.PATIENT, "Mary Smith")
    assert replace(HASH, PhiLabel.PATIENT, "MARY  SMITH") == token
    assert replace(HASH, PhiLabel.PATIENT, "Mary Smythe") != token
    assert replace(HASH, PhiLabel.PATIENT, "Mary Smith", scope="other") != token
    assert replace(HASH, PhiLabel.DOCTOR, "Mary Smith").split("-")[1] != token.split("-")[1]


def test_numbers_agree_whatever_their_separators(replace: Replace) -> None:
    tokens = {replace(HASH, PhiLabel.SSN, text) for text in ("123-45-6789", "123 45 6789")}
    assert len(tokens) == 1
    assert replace(HASH, PhiLabel.DATE, "1/12/24") != replace(HASH, PhiLabel.DATE, "11/2/24")


def test_numbers_agree_with_leading_zeros_and_their_kind_before_them(replace: Replace) -> None:
    texts = ("44710982", "0044-7109-82", "MRN 44710982", "mrn# 0044710982")
    assert len({replace(HASH, PhiLabel.MEDICALRECORD, text) for text in texts}) == 1


def test_a_token_that_is_passed_over_gives_way_to_another() -> None:
    ring, one = Keyring(b"k" * 32, 1, "tenant"), Identity("hash.PATIENT", "mary smith")
    assert len({HASH.derive(one, Draws(ring, "patient", probe)) for probe in range(20)}) == 20


def test_nothing_to_tell_apart_is_redacted(replace: Replace) -> None:
    assert replace(HASH, PhiLabel.PATIENT, "--") == "[PATIENT]"
