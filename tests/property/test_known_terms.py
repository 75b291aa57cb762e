"""Leaving out the known terms that a text cannot hold leaves nothing unfound."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deidstream.models.phi.known_terms import known_terms
from deidstream.models.text.search import SeenWords, find_occurrences
from deidstream.schemas.note import KnownIdentifiers, RawNote

NAMES = ("Quill, Ada Beth", "O'Neil-May J", "Ng, Xiu", "\u0141ukasz \u00d8re")
DATES = ("02/19/1956", "3/4/24", "1er mars 1999", "May")
KNOWN = [
    *(KnownIdentifiers(names=(name,)) for name in NAMES),
    *(KnownIdentifiers(dates=(day,)) for day in DATES),
]
EVERY = [known_terms(RawNote("n", "p", "", known=known)) for known in KNOWN]
AROUND = st.text("a1b. -/\n\u200b\u00ad\uff11J", max_size=3)


@pytest.mark.slow
@given(st.data())
def test_the_same_is_found(data: st.DataObject) -> None:
    place = data.draw(st.integers(0, len(KNOWN) - 1))
    forms = st.sampled_from([term.text for term in EVERY[place]])
    text = "".join(data.draw(AROUND) + data.draw(forms) for _ in range(3)) + data.draw(AROUND)
    note = RawNote("n", "p", text, known=KNOWN[place])
    some = known_terms(note, SeenWords.of_text(text))
    assert some.items() <= EVERY[place].items()
    assert find_occurrences(text, some) == find_occurrences(text, EVERY[place])
