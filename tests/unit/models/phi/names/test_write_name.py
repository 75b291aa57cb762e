from collections import Counter
from itertools import chain

import pytest

from deidstream.models.keyring import Keyring
from deidstream.models.mention import Draws, Identity
from deidstream.models.phi.names.identity import FAMILY, GIVEN, identify_name
from deidstream.models.phi.names.initials import FILLED, initial
from deidstream.models.phi.names.name_lists import (
    ENGLISH,
    LEAST,
    family_people,
    find_pools,
    given_people,
    peoples,
)
from deidstream.models.phi.names.spellings import is_short, nicknames, to_plain_letters
from deidstream.models.phi.names.write_name import SMALL, draw_name
from deidstream.models.phi.not_phi import abbreviations, common_words, eponyms

MONTHS = "january february march april may june july august september october november december"
DAYS = "monday tuesday wednesday thursday friday saturday sunday"


@pytest.mark.parametrize(
    ("name", "people"),
    [
        ("hernandez", "hispanic"), ("okonkwo", "african"), ("nguyen", "vietnamese"),
        ("patel", "indian"), ("haddad", "arabic"), ("kovalenko", "slavic"),
        ("schneider", "germanic"),
        ("bergstrom", "nordic"), ("papadopoulos", "greek"), ("petrosyan", "caucasian"),
        ("tanaka", "japanese"), ("zhang", "chinese"), ("choi", "korean"), ("virtanen", "finnish"),
        ("ashgrove", "english"),
    ],
)  # fmt: skip
def test_a_surname_stays_among_its_people(name: str, people: str) -> None:
    assert family_people(name) == people
    drawn = {_draw(Identity(FAMILY, name), "t", scope) for scope in range(20)}
    assert len(drawn) >= LEAST
    assert {family_people(to_plain_letters(one.split()[0])) for one in drawn} == {people}


def test_a_people_without_names_of_that_initial_borrows_from_its_neighbours() -> None:
    *near, last = find_pools("korean", "family", "a")
    nearby = {"chinese", "japanese", "korean", "vietnamese", "malay"}
    assert near
    assert {family_people(name) for some in near for name in some} <= nearby
    assert last == find_pools(ENGLISH, "family", "a")[0]


def test_given_names_stay_among_their_people() -> None:
    drawn = {_draw(Identity(GIVEN, "priya"), "a", scope) for scope in range(20)}
    assert {given_people(one.casefold()) for one in drawn} == {"indian"}


def test_no_surrogate_reads_as_a_word() -> None:
    lists = peoples()
    surnames = {
        name for (_, sort, _), some in lists.drawn.items() if sort == "family" for name in some
    }
    words = common_words() | abbreviations() | set(MONTHS.split()) | set(DAYS.split())
    assert not surnames & words
    assert not surnames & eponyms()
    assert not set(chain(*lists.drawn.values())) & set(MONTHS.split())


def test_pools_are_plain_letters_of_their_initial() -> None:
    for (_, _, first), some in peoples().drawn.items():
        assert all(to_plain_letters(name) == name and name[0] == first for name in some)
        assert len(set(some)) == len(some)


def test_english_pools_are_ample() -> None:
    assert (
        min(len(find_pools(ENGLISH, sort, c)[-1]) for sort in ("family", "f", "m") for c in FILLED)
        > 9
    )
    called = peoples().called
    assert min(len(called[sex, c]) for sex in "fm" for c in FILLED) >= 7


def test_a_short_form_of_a_surrogate_shortens_one_name_and_keeps_its_initial() -> None:
    for some in peoples().called.values():
        pairs = [pair.split("/") for pair in some]
        assert all(long[0] == short[0] and long != short for long, short in pairs)
        assert max(Counter(short for _, short in pairs).values()) == 1


def test_a_short_form_of_a_surrogate_is_of_nobody_with_another_initial() -> None:
    # Else Peggy, who is Margaret, could become the Peg of a name that begins with what M maps to.
    heads = nicknames().heads
    for pair in chain(*peoples().called.values()):
        long, short = pair.split("/")
        assert all(heads.get(form, form)[0] == form[0] for form in (long, short))


def test_every_form_is_in_one_group_and_is_plain() -> None:
    heads = nicknames().heads
    assert len(set(heads.values())) > 300
    assert all(to_plain_letters(form) == form for form in heads)
    assert all(heads[head] == head for head in heads.values())


@pytest.mark.parametrize(
    ("form", "head", "short"),
    [
        ("jon", "jonathan", True), ("jonathon", "jonathan", False), ("peggy", "margaret", True),
        ("steven", "stephen", False), ("eddie", "edward", True), ("mary", "mary", False),
    ],
)  # fmt: skip
def test_a_short_form_is_told_from_a_spelling(form: str, head: str, short: bool) -> None:  # noqa: FBT001
    assert is_short(form, head) is short


def test_frequent_names_of_one_initial_never_meet() -> None:
    for names in (["john", "james", "joseph", "joshua", "jacob"], ["chen", "cheng", "chu", "chow"]):
        for scope in range(30):
            drawn = [_draw(identify_name(name), "s", scope) for name in names]
            assert len(set(drawn)) == len(names)


@pytest.mark.parametrize("name", ["chen", "john", "garcia", "achterberg"])
def test_each_probe_gives_another_name_of_the_same_initial(name: str) -> None:
    drawn = [_draw(identify_name(name), "t", 1, probe) for probe in range(12)]
    assert len(set(drawn)) > 10
    assert {initial(one) for one in drawn} == {"t"}


def test_a_small_pool_is_used_up_before_another_is_opened() -> None:
    key, pools = identify_name("nguyen"), find_pools("vietnamese", "family", "t")
    assert LEAST <= len(pools[0]) <= SMALL
    drawn = [_draw(key, "t", 1, probe).casefold() for probe in range(len(pools[0]))]
    assert set(drawn) == set(pools[0])


def test_what_is_random_does_not_derive_from_the_name() -> None:
    draws = Draws(Keyring(b"k" * 32, 1, "tenant"), "patient", seed=b"s" * 32, common=b"c" * 32)
    drawn = {draw_name(Identity(FAMILY, name), "s", draws) for name in ("chen", "cheng", "chu")}
    assert len(drawn) == 1


def _draw(key: Identity, first: str, scope: int, probe: int = 0) -> str:
    return draw_name(key, first, Draws(Keyring(b"k" * 32, 1, "tenant"), str(scope), probe))
