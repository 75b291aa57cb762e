import hashlib
import re

import pytest

from deidstream.models.phi.names.credentials import (
    CAPITAL_CREDENTIALS,
    CREDENTIALS,
    ENDING,
    EVIDENT,
    KEPT_CREDENTIALS,
    NEVER_NAMES,
    STATE_CODES,
)
from deidstream.models.phi.names.name_cues import DEGREE
from deidstream.models.phi.names.stops import STOPS, ends_name
from deidstream.models.phi.terms import leak_terms
from deidstream.models.text.word_files import lines
from deidstream.schemas.label import PhiLabel
from deidstream.schemas.span import Span

MARKS = {"kept", "capitals", "degree", "state", "name", "run"}


def test_every_credential_has_one_row_and_known_marks() -> None:
    rows = [line.split() for line in lines("names.credentials.txt")]
    assert len({word.lower() for word, *_ in rows}) == len(rows)
    assert {mark for _, *marks in rows for mark in marks} <= MARKS


def test_every_use_takes_its_credentials_from_the_one_list() -> None:
    for used in (KEPT_CREDENTIALS, CAPITAL_CREDENTIALS, NEVER_NAMES, ENDING):
        assert used < CREDENTIALS
    assert ENDING <= STOPS
    for written in (EVIDENT, STATE_CODES):
        assert {word.lower() for word in written} < CREDENTIALS


def test_the_credentials_that_the_name_operator_keeps_never_change() -> None:
    # Another one would change the identity of a name that is written alike, and so the surrogates
    # of notes already released.
    kept = " ".join(sorted(KEPT_CREDENTIALS)), " ".join(sorted(CAPITAL_CREDENTIALS))
    assert hashlib.sha256("; ".join(kept).encode()).hexdigest()[:16] == "d8d7c2f295664357"


@pytest.mark.parametrize("written", ["MD", "M.D.", "PharmD", "PA-C", "NNP-BC", "PGY-2", "FRACS"])
def test_a_degree_in_its_forms(written: str) -> None:
    assert re.fullmatch(DEGREE, written)


def test_a_credential_is_not_looked_for_and_ends_a_name() -> None:
    assert ends_name("FRACS")
    assert _looked_for("Alistair Broome FRACS") >= {"Alistair", "Broome"}
    assert "FRACS" not in _looked_for("Alistair Broome FRACS")


@pytest.mark.parametrize("name", ["Ran", "Chew", "Edd"])
def test_a_credential_that_is_also_a_name_is_looked_for(name: str) -> None:
    assert name in _looked_for(f"{name} Broome")
    assert not ends_name(name)


def _looked_for(text: str) -> set[str]:
    span = Span(0, len(text), PhiLabel.DOCTOR, 0.9, "rules:name.doctor")
    return {term.text for term in leak_terms([span], text)}
