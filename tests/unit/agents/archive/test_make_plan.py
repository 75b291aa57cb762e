"""Shards have about one size."""

from deidstream.agents.archive.make_plan import balance


def test_buckets_are_shared_out_and_the_largest_shard_comes_first() -> None:
    sizes = {0: 90, 1: 10, 2: 40, 3: 50, 4: 45, 5: 5}
    shards = balance(dict.fromkeys(sizes, 2), sizes, 3)
    assert [shard.size_bytes for shard in shards] == [90, 85, 65]
    assert sorted(bucket for shard in shards for bucket in shard.buckets) == [*sizes]
    assert [shard.number for shard in shards] == [0, 1, 2]


def test_no_shard_is_empty() -> None:
    (shard,) = balance({2: 1}, {2: 100}, 4)
    assert (shard.buckets, shard.notes) == ((2,), 1)
    assert balance({}, {}, 4) == ()
