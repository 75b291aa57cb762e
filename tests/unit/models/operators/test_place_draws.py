"""Words of places are drawn by share; probes differ, and no draw resembles its original."""

from collections import Counter

from deidstream.models.keyring import Draw
from deidstream.models.phi.names.initials import derange_by_share
from deidstream.models.phi.places.place_pools import draw_unlike, town_pool, word_pools


def test_no_word_of_the_original_stands_within_the_surrogate() -> None:
    drawn = {
        draw_unlike("wood", word_pools("wood", "w"), Draw(bytes([n]) * 32), 0).casefold()
        for n in range(200)
    }
    assert len(drawn) > 8
    assert not any("wood" in one for one in drawn)
    pools = (town_pool(),)
    draws = [Draw(bytes([n]) * 32) for n in range(200)]
    towns = {draw_unlike("mount gap", pools, draw, 0).casefold() for draw in draws}
    assert not any("mount" in one for one in towns)


def test_each_probe_gives_another_word_of_the_initial() -> None:
    for value in ("main", "quenby", "mercy"):
        drawn = [
            draw_unlike(value, word_pools(value, "h"), Draw(b"k" * 32), probe)
            for probe in range(30)
        ]
        assert len(set(drawn)) == 30
        assert {one[0] for one in drawn} == {"H"}


def test_items_map_by_share_and_none_to_itself() -> None:
    shares = {"a": 900, "b": 90, "c": 9, "d": 1}
    often = Counter[str]()
    for seed in range(300):
        table = derange_by_share(Draw(bytes([seed % 256, seed // 256]) * 16), shares)
        assert sorted(table.values()) == sorted(shares)
        assert all(one != other for one, other in table.items())
        often[table["b"]] += 1
    assert often["a"] > 200
