"""The corpus of the fuzzer keeps every law; what it once broke stays mended."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.hostile_laws import LAWS, Law

CORPUS = Path(__file__).parent / "corpus"
INPUTS = sorted(CORPUS.iterdir())
PIECES = (
    *("Dr. ", "Mr. Fenn", "MRN: ", "4471-0982", "3/4/2024", "aged 87", "(200) 555-0143", "a@b.cd"),
    *("\n", "\t", " ", "-", ".", "\u200b", "\u00ad", "\u202e", "\u0301", "\u0430", "\uff11"),
    *("\ufb01", "\u0130", "\u00df", "\U0001f469\u200d\u2695", "\ud800", "\x00", "\x85", "\u674e"),
)
hostile = st.lists(st.sampled_from(PIECES) | st.characters(), max_size=24).map(
    lambda pieces: "".join(pieces).encode("utf-8", "surrogatepass")
)


@pytest.mark.parametrize("path", INPUTS, ids=lambda path: path.name)
def test_every_law_holds_of_the_corpus(path: Path) -> None:
    data = path.read_bytes()
    for law in LAWS:
        law(data)
        law(data[1:])


@pytest.mark.slow
@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.__name__)
@given(data=hostile | st.binary(max_size=60))
def test_every_law_holds_of_anything(law: Law, data: bytes) -> None:
    law(data)
