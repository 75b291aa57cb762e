"""Laws of names: whatever the person, the forms of a name are forms of one surrogate."""

import re
import time

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from deidstream.models.keyring import Keyring, canonical
from deidstream.models.mention import Draws, Mention
from deidstream.models.operators.replace_name import ReplaceName
from deidstream.models.phi.names.identity import FAMILY, GIVEN, identify_name
from deidstream.models.phi.names.initials import draw_letter_table, map_char
from deidstream.models.phi.names.name_lists import census, peoples
from deidstream.models.phi.names.spellings import nicknames, to_plain_letters
from deidstream.models.text.titles import KEPT
from deidstream.schemas.label import PhiLabel

NAME = ReplaceName()
RING = Keyring(b"k" * 32, 1, "tenant")
FORMS = (
    "{g} {f}", "{f}, {g}", "{G} {F}", "{F}, {G}", "{F}^{G}", "Mr. {f}", "Dr. {F}", "{f}'s",
    "{g} {f}, MD", "{f}, {g} Jr.", "{g} van der {f}", "{g}-{f}", "{i}. {f}", "{i}.{j}.", "{F} {i}",
    "{f} ({g})", "{g}\n{f}",
)  # fmt: skip

_GIVEN = sorted({*nicknames().heads, *list(census().female)[:600], *peoples().given} - {""})
_FAMILY = sorted({*list(census().family)[:4000], *peoples().family} - {""})
# A name that is a title too (Gogo, a grandmother) stays before a name.
given_names = st.sampled_from(
    [n for n in _GIVEN[::9] if len(n) > 3 and n not in KEPT and identify_name(n).kind == GIVEN]
)
surnames = st.sampled_from(
    [n for n in _FAMILY[::9] if len(n) > 3 and identify_name(n).kind == FAMILY]
)
_COMMON = [n for n in list(census().family)[:500] if len(n) > 5 and identify_name(n).kind == FAMILY]
scopes = st.text(st.characters(codec="ascii"), min_size=1, max_size=8)
letters = st.text("abcdefghijklmnopqrstuvwxyz", min_size=4, max_size=14)


def renamed(text: str, scope: str) -> str:
    mention, draws = Mention(text, PhiLabel.PATIENT), Draws(RING, scope)
    surrogates = {one: NAME.derive(one, draws) for one in NAME.identities(mention)}
    return NAME.render(mention, surrogates)


def _written(form: str, one: str, other: str) -> str:
    return form.format(g=one, f=other, G=one.upper(), F=other.upper(), i=one[0], j=other[0])


@given(given_names, surnames, st.sampled_from(FORMS), scopes)
def test_every_form_of_a_name_is_the_same_form_of_one_surrogate(
    one: str, other: str, form: str, scope: str
) -> None:
    # What shortens another initial (Bill, William) has two initials; bare ones cannot tell.
    assume(identify_name(one).value[0] == one[0] or "{i}" not in form)
    one, other = one.capitalize(), other.capitalize()
    given_name, family = renamed(one, scope), renamed(other, scope)
    assert renamed(_written(form, one, other), scope) == _written(form, given_name, family)


@given(given_names | surnames | letters, scopes)
def test_a_surrogate_shares_neither_word_nor_initial_with_its_name(name: str, scope: str) -> None:
    key = identify_name(name)
    table = draw_letter_table(Draws(RING, scope))
    for form in NAME.derive(key, Draws(RING, scope)).split():
        assert to_plain_letters(canonical(form)) not in {name, key.value}
        assert canonical(form)[0] == map_char(key.value[0], table) != key.value[0]


@given(given_names | surnames | letters, scopes)
def test_case_is_kept(name: str, scope: str) -> None:
    written = renamed(name.capitalize(), scope)
    assert renamed(name.upper(), scope) == written.upper()
    assert renamed(name, scope) == written.lower()


@given(surnames, surnames, scopes)
def test_what_joins_and_ends_a_name_is_kept(one: str, other: str, scope: str) -> None:
    text = f"{one.title()}-{other.title()}'s"
    assert re.fullmatch(r"[^-]+-[^-]+'s", renamed(text, scope))


@given(st.sampled_from(_COMMON), st.data())
def test_two_swapped_letters_are_the_same_name(name: str, data: st.DataObject) -> None:
    place = data.draw(st.integers(1, len(name) - 3))
    swapped = name[:place] + name[place + 1] + name[place] + name[place + 2 :]
    known = max(
        ranked.get(swapped, 0.0) for ranked in (census().female, census().male, census().family)
    )
    assume(known < 0.001 and swapped not in _FAMILY and swapped not in _GIVEN)
    assert identify_name(swapped) == identify_name(name) or _has_a_commoner_twin(swapped, name)


def _has_a_commoner_twin(swapped: str, name: str) -> bool:
    meant = identify_name(swapped).value
    return census().family.get(meant, 0.0) >= census().family.get(name, 0.0) or len(meant) != len(
        name
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    "hostile",
    ["a", "ab", "Mc", "o'", "Dr. ", "al-", "n\u00e9e ", "smtih ", "\u00e9", "\u0301", "-", "PA-C "],
)
def test_a_name_of_any_length_takes_linear_time(hostile: str) -> None:
    def seconds(count: int) -> float:
        begin = time.process_time()
        renamed(hostile * (count // len(hostile)), "scope")
        return time.process_time() - begin

    renamed("warm", "scope")
    # A collection of garbage may fall into either.
    short, long = (min(seconds(count) for _ in range(2)) for count in (10_000, 80_000))
    assert long < 24 * short + 0.5
