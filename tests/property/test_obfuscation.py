"""Laws of the plain text of a note and of the readings beside it."""

from hypothesis import given
from hypothesis import strategies as st

from deidstream.models.detection.obfuscation.line_ends import find_joins
from deidstream.models.detection.obfuscation.plain_text import plain_text_of
from deidstream.models.detection.obfuscation.readings import read_obfuscated_note
from deidstream.schemas.label import PhiLabel
from deidstream.schemas.span import Span

UNSEEN = "\u200b\u200d\u2060\ufeff\u202e\u034f\ufe0f"
ODD = (
    UNSEEN + "\u00ad\u0301\u0410\u043e\u03b1\u03bd\u00b5\uff21\u0663\U0001d412\ufb01\u2013\u2011"
    "\u00d7\u0417\u01c0\u13aa\u00a0\u2028\x85\r\x00"
)
odd_text = st.text(st.sampled_from("abZ015-@.,:( \n" + ODD) | st.characters(), max_size=60)
PIECES = (
    *("MRN ", "Dr. ", "Quil", "lon", "Okafor", "12", "0143", "-", "\n", " ", "@x", ".org", "May "),
    *("\u200b", "\u0430", "1 2 3 4 5 6 7 8", "J o h n", "(", ")", ",", "MA 02118", "St"),
)
torn_text = st.lists(st.sampled_from(PIECES), max_size=25).map("".join)
texts = odd_text | torn_text


@given(texts)
def test_each_character_has_its_place_in_the_text(text: str) -> None:
    plain = plain_text_of(text)
    starts, ends = plain.sources[:, 0], plain.sources[:, 1]
    assert len(starts) == len(plain.text)
    assert all(starts < ends)
    assert all(starts[1:] >= starts[:-1])
    assert all(ends[1:] >= ends[:-1])
    assert all(ends <= len(text))


@given(texts)
def test_plain_text_is_its_own_plain_text(text: str) -> None:
    once = plain_text_of(text).text
    assert plain_text_of(once).text == once


@given(texts, st.data())
def test_a_span_comes_back_from_the_text(text: str, data: st.DataObject) -> None:
    plain = plain_text_of(text)
    if plain.text:
        start = data.draw(st.integers(0, len(plain.text) - 1))
        end = data.draw(st.integers(start + 1, len(plain.text)))
        first, last = plain.image(*plain.origin(start, end))
        assert first <= start
        assert end <= last


# Without capitals: before a capitalised word an invisible character is a blank (``characters``).
@given(st.text(st.sampled_from("abz015-@., \n"), max_size=40), st.data())
def test_invisible_characters_change_no_plain_text(text: str, data: st.DataObject) -> None:
    letters = list(text)
    for _ in range(data.draw(st.integers(0, 6))):
        place = data.draw(st.integers(0, len(letters)))
        letters.insert(place, data.draw(st.sampled_from(UNSEEN)))
    assert plain_text_of("".join(letters)).text == plain_text_of(text).text


@given(texts)
def test_joins_are_disjoint_and_in_order(text: str) -> None:
    end = 0
    for join in find_joins(plain_text_of(text).text):
        assert end <= join.start < join.end
        assert 1 <= len(join.forms) <= 2
        end = join.end


@given(texts)
def test_what_is_read_beside_a_note_lies_in_it_and_is_bounded(text: str) -> None:
    readings = read_obfuscated_note(text)
    parting = 5
    length = len(plain_text_of(text).text)
    for part in readings.parts:
        plain = part.plain
        assert len(plain.sources) == len(plain.text)
        assert len(plain.text) <= length + parting * plain.text.count("\x1e")
        every = [Span(n, n + 1, PhiLabel.IDNUM) for n in range(len(plain.text))]
        assert all(0 <= s.start < s.end <= len(text) for s in part.place_in_note(every))
    assert len(readings.parts) <= 3
    assert (readings.whole is None) == (not readings.parts)
