from collections import Counter
from itertools import chain, product

import pytest

from deidstream.models.keyring import Draw, Keyring
from deidstream.models.mention import Draws, Identity
from deidstream.models.phi.names.identity import FAMILY, GIVEN, identify_name
from deidstream.models.phi.names.initials import ALPHABET, FILLED, initial
from deidstream.models.phi.names.name_lists import (
    ENGLISH,
    census,
    family_people,
    given_people,
    peoples,
)
from deidstream.models.phi.names.name_pools import LEAST, NamePool, find_pools, rank_names
from deidstream.models.phi.names.spellings import is_short, nicknames, to_plain_letters
from deidstream.models.phi.names.write_name import draw_name
from deidstream.models.phi.not_phi import common_words, eponyms

MONTHS = "january february march april may june july august september october november december"
DAYS = "monday tuesday wednesday thursday friday saturday sunday"


@pytest.mark.parametrize(
    ("name", "people"),
    [
        ("hernandez", "hispanic"), ("nguyen", "vietnamese"), ("moloney", "irish"),
        ("nxumalo", "nguni"), ("boateng", "akan"), ("otieno", "kenyan"),
        ("patel", "indian"), ("haddad", "arabic"), ("kovalenko", "slavic"),
        ("schneider", "germanic"),
        ("bergstrom", "nordic"), ("papadopoulos", "greek"), ("petrosyan", "caucasian"),
        ("tanaka", "japanese"), ("zhang", "chinese"), ("choi", "korean"), ("virtanen", "finnish"),
        ("ashgrove", "english"),
    ],
)  # fmt: skip
def test_a_surname_stays_among_its_people(name: str, people: str) -> None:
    assert family_people(name) == people
    drawn = {_draw(Identity(FAMILY, name), "t", scope) for scope in range(60)}
    assert len(drawn) >= LEAST
    assert {family_people(to_plain_letters(one.split()[0])) for one in drawn} == {people}


def test_a_people_without_names_of_that_initial_borrows_from_its_neighbours() -> None:
    *near, last = find_pools("korean", "family", "a")
    nearby = {"chinese", "japanese", "korean", "vietnamese", "malay"}
    assert near
    assert {family_people(name) for some in near for name in some.names} <= nearby
    assert last == find_pools(ENGLISH, "family", "a")[0]


def test_given_names_stay_among_their_people() -> None:
    drawn = {_draw(Identity(GIVEN, "priya"), "a", scope) for scope in range(20)}
    assert {given_people(one.casefold()) for one in drawn} == {"indian"}


def test_no_surrogate_reads_as_a_date_or_as_what_stands_beside_a_name() -> None:
    strange = {*MONTHS.split(), *DAYS.split(), "doctor", "junior", "van", "baby"}
    for sort in ("family", "f", "m"):
        assert strange.isdisjoint(chain(*(find_pools(ENGLISH, sort, c)[0].names for c in FILLED)))


def test_no_rare_word_and_no_rare_eponym_is_drawn() -> None:
    lists = census().family
    drawn = {name for c in FILLED for name in find_pools(ENGLISH, "family", c)[0].names}
    assert all(lists[name] >= 0.01 for name in drawn & common_words())
    assert all(lists[name] >= 0.005 for name in drawn & eponyms())


def test_common_names_are_drawn_as_often_as_people_have_them() -> None:
    drawn = Counter(_draw(Identity(FAMILY, "mondragon"), "s", scope) for scope in range(3000))
    pool = find_pools("hispanic", "family", "s")[0]
    share = pool.sums[0] / pool.sums[-1]
    assert pool.names[0] == "sanchez"
    assert abs(drawn["Sanchez"] / 3000 - share) < 0.03
    drawn = Counter(_draw(Identity(FAMILY, "achterbrook"), "s", scope) for scope in range(2000))
    assert drawn.most_common(1)[0][0] == "Smith"
    drawn = Counter(_draw(Identity(GIVEN, "kevin"), "j", scope) for scope in range(2000))
    assert {"James Jim", "John Johnny"} == {name for name, _ in drawn.most_common(2)}


@pytest.mark.parametrize(("sort", "most"), [("family", 0.04), ("f", 0.06), ("m", 0.06)])
def test_hardly_any_person_has_a_name_that_is_no_surrogate(sort: str, most: float) -> None:
    lists = census()
    shares_of_sorts = {"family": lists.family, "f": lists.female, "m": lists.male}
    shares = shares_of_sorts[sort]
    # A surname that is read as a given name, such as Daniel, is drawn as one.
    drawn: set[str] = set()
    for people in {ENGLISH, *peoples().family.values()}:
        for first, drawn_sort in product(FILLED, shares_of_sorts):
            for name in find_pools(people, drawn_sort, first)[0].names:
                drawn.update(name.split("/"))
    missed = sum(share for name, share in shares.items() if name not in drawn)
    assert missed / sum(shares.values()) < most


def test_a_surname_is_no_name_that_reads_as_a_given_one_and_the_reverse() -> None:
    surnames = {name for c in FILLED for name in find_pools(ENGLISH, "family", c)[0].names}
    assert surnames.isdisjoint({"frank", "daniel", "marek", "sharron", "simona"})
    assert {"thomas", "scott", "martin", "smith"} <= surnames
    men = {name for c in FILLED for name in find_pools(ENGLISH, "m", c)[0].names}
    assert men.isdisjoint({"wilson", "davis", "walker"})
    assert {"lee", "scott", "allen"} <= men


def test_pools_are_plain_letters_of_their_initial() -> None:
    for sort in ("family", "f", "m"):
        for first in FILLED:
            for pool in find_pools("slavic", sort, first):
                forms = [form for name in pool.names for form in name.split("/")]
                assert all(to_plain_letters(one) == one and one[0] == first for one in forms)
                assert len(set(pool.names)) == len(pool.names)


def test_pools_are_ample() -> None:
    for sort in ("family", "f", "m", "n"):
        assert all(len(find_pools(ENGLISH, sort, c)[-1].names) >= LEAST for c in ALPHABET)
    called = peoples().called
    assert min(len(called[sex, c]) for sex in "fm" for c in "abcdegjlmnrst") >= 7


def test_a_short_form_of_a_surrogate_keeps_its_initial() -> None:
    for some in peoples().called.values():
        pairs = [pair.split("/") for pair in some]
        assert all(long[0] == short[0] and long != short for long, short in pairs)
        assert max(Counter(long for long, _ in pairs).values()) == 1


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
    for names in (["john", "james", "joseph", "jeffrey"], ["chen", "chan", "chang"]):
        for scope in range(30):
            drawn = [_draw(identify_name(name), "g", scope) for name in names]
            assert len(set(drawn)) == len(names)


@pytest.mark.parametrize("name", ["chen", "john", "garcia", "achterberg"])
def test_each_probe_gives_another_name_of_the_same_initial(name: str) -> None:
    drawn = [_draw(identify_name(name), "t", 1, probe) for probe in range(12)]
    assert len(set(drawn)) > 10
    assert {initial(one) for one in drawn} == {"t"}


def test_a_small_pool_is_used_up_before_another_is_opened() -> None:
    key, pools = identify_name("nguyen"), find_pools("vietnamese", "family", "d")
    names = pools[0].names
    assert len(names) >= LEAST
    drawn = [_draw(key, "d", 1, probe).casefold() for probe in range(len(names))]
    assert set(drawn) == set(names)


def test_a_pool_gives_each_name_once_and_heavy_ones_early() -> None:
    pool = NamePool.of_weights({"rare": 1, "heavy": 5_000, "light": 40})
    orders = [list(pool.draw_all(Draw(bytes([n]) * 32))) for n in range(200)]
    assert all(sorted(order) == ["heavy", "light", "rare"] for order in orders)
    assert Counter(order[0] for order in orders)["heavy"] > 190
    assert list(NamePool((), ()).draw_all(Draw(b"k" * 32))) == []


def test_no_form_of_the_own_name_is_drawn() -> None:
    # Peggy is Margaret: where M becomes P, Margaret must not become Peggy.
    drawn = {_draw(identify_name("peggy"), "p", scope) for scope in range(2000)}
    assert "Pamela Pam" in drawn
    assert not {"Peggy", "Peg"} & {form for pair in drawn for form in pair.split()}


def test_frequent_names_have_ranks_of_their_own() -> None:
    ranks = rank_names(FAMILY, ENGLISH, "family", "s")
    assert ranks["smith"] == 0
    assert sorted(ranks.values()) == list(range(len(ranks)))
    assert rank_names(GIVEN, ENGLISH, "m", "j")["james"] < 3
    assert rank_names(GIVEN, ENGLISH, "n", "j") == {}


def test_what_is_random_does_not_derive_from_the_name() -> None:
    draws = Draws(Keyring(b"k" * 32, 1, "tenant"), "patient", seed=b"s" * 32, common=b"c" * 32)
    drawn = {draw_name(Identity(FAMILY, name), "s", draws) for name in ("cai", "chen", "chu")}
    assert len(drawn) == 1


def _draw(key: Identity, first: str, scope: int, probe: int = 0) -> str:
    return draw_name(key, first, Draws(Keyring(b"k" * 32, 1, "tenant"), str(scope), probe))
