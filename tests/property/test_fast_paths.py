"""What is done faster for ASCII is what is done for any text."""

import re
import unicodedata
from itertools import groupby
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deidstream.models.keyring import canonical, join_prefixed
from deidstream.models.mention import Identity
from deidstream.models.phi.dates import fields
from deidstream.models.phi.names import kept_words
from deidstream.models.records import ConsistencyScope, ScopedIdentity
from deidstream.models.risk import suspects
from deidstream.models.risk.suspects import find_suspects
from deidstream.models.text.folding import fold_short, words_of
from deidstream.models.text.runs import Run, runs, sort_of, words
from deidstream.schemas.policy import Scope
from support.risk import emitted

short = st.text("ab", max_size=2)
digests = st.sampled_from([b"", b"a", b"b"])
scopes = st.builds(ConsistencyScope, digests, digests, st.sampled_from(Scope))
scoped_identities = st.builds(ScopedIdentity, scopes, st.builds(Identity, short, short))
ascii_texts = st.text(st.characters(codec="ascii"), max_size=40)
names = st.text(st.sampled_from("abZO'`-. 019"), max_size=20)


@given(ascii_texts | names)
def test_runs_are_cut_by_the_sort_of_each_character(text: str) -> None:
    assert runs(text) == [Run(sort, "".join(c)) for sort, c in groupby(text, sort_of)]


@given(ascii_texts | names)
def test_words_differ_from_runs_by_apostrophes_alone(text: str) -> None:
    # The sign that stands for an apostrophe elsewhere takes the general way.
    general = [run.text for run in words(text + "'")]
    ours = [run.text for run in words(text)]
    assert "".join(ours) == text
    if not set(text) & set("'`"):
        assert ours == general[:-1] or (ours and general[-1] == ours[-1] + "'")


@given(st.text(max_size=40))
def test_words_are_split_at_all_but_letters_and_digits(text: str) -> None:
    folded = fold_short(text)
    assert words_of(text) == "".join(c if c.isalnum() else " " for c in folded).split()


@given(ascii_texts)
def test_the_normal_form_is_that_of_any_text(text: str) -> None:
    folded = unicodedata.normalize("NFKC", text).casefold()
    kept = (c for c in folded if unicodedata.category(c) not in {"Cc", "Cf"} or c.isspace())
    assert canonical(text) == " ".join("".join(kept).split())


@given(st.lists(st.sampled_from(("Rose", "XK47-PL", "12", "and", "a.b@c", "Zzyzx")), max_size=9))
def test_suspects_are_those_of_every_token(tokens: list[str]) -> None:
    item = emitted("he sawé\u2028Ann\r\n" + "\n\u00e9".join(tokens) + " ".join(tokens))

    token: Any = vars(suspects)["_TOKEN"]

    def cut_all(text: str) -> list[tuple[int, str]]:
        return [(match.start(), match.group()) for match in token.finditer(text)]

    def may(_: str) -> bool:
        return True

    found = [(one.start, one.end) for one in find_suspects(item.planned.detected)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(suspects, "_may_look_identifying", may)
        patch.setattr(suspects, "_cut_tokens", cut_all)
        every = [(one.start, one.end) for one in find_suspects(item.planned.detected)]
    assert found == every


@given(st.lists(scoped_identities, max_size=6))
def test_identities_are_sorted_as_they_compare(items: list[ScopedIdentity]) -> None:
    assert sorted(items, key=ScopedIdentity.sorting_key) == sorted(items)


@given(st.lists(st.text(max_size=5) | st.binary(max_size=5), max_size=4))
def test_each_part_is_joined_behind_its_length(parts: list[str | bytes]) -> None:
    raw = [part.encode() if isinstance(part, str) else part for part in parts]
    assert join_prefixed(*parts) == b"".join(len(part).to_bytes(4, "big") + part for part in raw)


@given(st.text(st.sampled_from("0123456789/.-a "), max_size=24))
def test_the_fields_of_a_numeric_date_are_those_of_any_date(text: str) -> None:
    fast = fields.split_fields(text)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(fields, "_NUMERIC", re.compile("(?!)"))
        assert fields.split_fields(text) == fast


@given(st.lists(st.sampled_from(("t", "Zed", "BG", "/", "PA", "-", "C", "o", "' ", " ", "baby"))))
def test_a_word_of_no_list_may_stay_for_what_is_beside_it_alone(tokens: list[str]) -> None:
    kept = [kept_words.may_stay(tokens, place) for place in range(len(tokens))]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(kept_words, "_REASONS_OF_ANY", vars(kept_words)["_OTHER_REASONS"])
        assert [kept_words.may_stay(tokens, place) for place in range(len(tokens))] == kept
