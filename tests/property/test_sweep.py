"""Laws of folding, of the search, and of the sweep that rests on both."""

from collections.abc import Callable

from hypothesis import given
from hypothesis import strategies as st

from deidstream.models.detection.sweep import sweep
from deidstream.models.phi.terms import leak_terms
from deidstream.models.text.folding import add_word_edges, fold, fold_all
from deidstream.models.text.search import Term, find_occurrences
from deidstream.schemas.label import PhiLabel
from deidstream.schemas.span import Span

ODD = "\u0130\u00df\ufb01\u0301\u00ad\u200b\u0131\u1e9e\U0001d412\u2019\ue000\0 \n-.'"
odd_text = st.text(st.sampled_from("abkS15" + ODD) | st.characters(), max_size=40)
names = st.from_regex(r"[B-DF-H][aeiou][zxkv][aeiou][zxkv]{2}", fullmatch=True)
gaps = st.sampled_from([" ", ", ", "\n", " - ", "'s ", " (", ") ", ". "])
Case = Callable[[str], str]
cases: st.SearchStrategy[Case] = st.sampled_from([str, str.upper, str.lower, str.title])


@given(odd_text)
def test_each_folded_character_has_its_place_in_the_text(text: str) -> None:
    folded = fold(text)
    assert len(folded.text) == len(folded.starts) == len(folded.ends)
    assert all(folded.starts[:-1] <= folded.starts[1:])
    assert all((folded.starts < folded.ends) & (folded.ends <= len(text)))


@given(odd_text)
def test_folding_twice_changes_nothing(text: str) -> None:
    once = fold(text).text
    assert fold(once).text == once


@given(odd_text)
def test_marks_can_be_taken_away_again(text: str) -> None:
    folded = fold(text).text
    assert add_word_edges(folded).text.replace("\0", "") == folded


@given(st.lists(odd_text, min_size=1, max_size=4))
def test_texts_fold_together_as_they_fold_alone(texts: list[str]) -> None:
    alone = [fold(text.replace("\ue000", " ").strip()).text for text in texts]
    assert fold_all(texts) == alone


@given(odd_text, odd_text, odd_text)
def test_what_is_found_folds_to_what_was_sought(before: str, term: str, after: str) -> None:
    text = before + term + after
    for found in find_occurrences(
        text, [Term(term), Term("a"), Term("ss"), Term("15", loose=True)]
    ):
        match = fold(text[found.start : found.end]).text
        sought = fold(found.term.text.replace("\ue000", " ").strip()).text
        squeezed = "".join(filter(str.isalnum, match))
        assert sought in (squeezed if found.term.loose else match)


@given(odd_text, names, cases, odd_text)
def test_a_name_between_spaces_is_found_in_any_case(
    before: str, name: str, case: Case, after: str
) -> None:
    shown = case(name)
    start = len(before) + 1
    places = {(f.start, f.end) for f in find_occurrences(f"{before} {shown} {after}", [Term(name)])}
    assert (start, start + len(shown)) in places


@given(st.lists(st.tuples(names, cases, gaps), min_size=1, max_size=12), st.integers(0, 11))
def test_nothing_that_the_sweep_seeks_is_left_outside_its_spans(
    pieces: list[tuple[str, Case, str]], chosen: int
) -> None:
    shown = [case(name) + gap for name, case, gap in pieces]
    text = "".join(shown)
    place = chosen % len(pieces)
    start = sum(map(len, shown[:place]))
    spans = [Span(start, start + len(pieces[place][0]), PhiLabel.PATIENT, 0.9, "tagger")]
    out = sweep(text, spans)
    for found in find_occurrences(text, leak_terms(spans, text)):
        assert any(span.start <= found.start and found.end <= span.end for span in out)
    assert sweep(text, out) == out


@given(st.integers(10**8, 10**9 - 1), st.sampled_from(["", "-", " ", "."]), st.integers(1, 3))
def test_a_number_is_found_with_other_separators(number: int, separator: str, size: int) -> None:
    digits = str(number)
    other = separator.join(digits[i : i + size] for i in range(0, len(digits), size))
    text = f"{digits}, again {other}, end"
    out = sweep(text, [Span(0, len(digits), PhiLabel.IDNUM, 1.0, "rules:x")])
    assert [text[span.start : span.end] for span in out] == [digits, other]
