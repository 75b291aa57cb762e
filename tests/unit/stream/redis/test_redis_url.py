"""The URL of a Redis, read without connecting."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deidstream.stream.redis.redis_url import RedisUrl, read_redis_url

USUAL, OF_SENTINELS = 6379, 26379
HOSTS = st.from_regex(r"[a-z][a-z0-9-]{0,8}(\.[a-z]{2,3})?", fullmatch=True)
PORTS = st.integers(1, 65_535)


@pytest.mark.parametrize(
    ("url", "read"),
    [
        ("redis://cache", RedisUrl(encrypted=False, servers=(("cache", USUAL),))),
        (
            "rediss://worker:drawn%40@[::1]:7000/3",
            RedisUrl(
                encrypted=True,
                servers=(("::1", 7000),),
                database=3,
                user="worker",
                password="drawn@",
            ),
        ),
        ("redis://cache?db=4", RedisUrl(encrypted=False, servers=(("cache", USUAL),), database=4)),
        ("unix:///run/redis.sock", RedisUrl(encrypted=False, servers=(), socket="/run/redis.sock")),
        (
            "rediss+sentinel://worker:drawn@one:1,two/surrogates/2?sentinel_password=other",
            RedisUrl(
                encrypted=True,
                servers=(("one", 1), ("two", OF_SENTINELS)),
                service="surrogates",
                database=2,
                user="worker",
                password="drawn",
                sentinel_password="other",
            ),
        ),
    ],
)
def test_what_a_url_says(url: str, read: RedisUrl) -> None:
    assert read_redis_url(url) == read


@pytest.mark.parametrize(
    ("url", "remedy"),
    [
        ("http://cache", "redis[+]sentinel://"),
        ("redis://", "name a host"),
        ("redis://one,two/0", "name a host"),
        ("redis://cache/surrogates", "name a host"),
        ("redis://cache:0", "a port from 1"),
        ("unix://", "name a socket"),
        ("redis+sentinel://one,two", "name the service"),
        ("redis+sentinel://one/surrogates/two", "number of a database"),
        ("redis+sentinel://one,,two/surrogates", "HOST:PORT,HOST:PORT"),
        ("redis+sentinel://one/surrogates?password=drawn", "no options but"),
        ("redis://[::1/0", "must be a URL"),
    ],
)
def test_what_is_wrong_is_said_without_the_url(url: str, remedy: str) -> None:
    with pytest.raises(ValueError, match=remedy) as refusal:
        read_redis_url(url)
    assert "drawn" not in str(refusal.value)


@given(st.lists(st.tuples(HOSTS, PORTS), min_size=1, max_size=5), HOSTS, st.integers(0, 15))
def test_sentinels_are_read_in_their_order(
    sentinels: list[tuple[str, int]], service: str, database: int
) -> None:
    at = ",".join(f"{host}:{port}" for host, port in sentinels)
    read = read_redis_url(f"redis+sentinel://{at}/{service}/{database}")
    assert (read.servers, read.service, read.database) == (tuple(sentinels), service, database)


def test_a_record_does_not_show_passwords() -> None:
    url = "redis+sentinel://worker:drawn@one/surrogates?sentinel_password=hidden"
    assert not {"drawn", "hidden"} & set(repr(read_redis_url(url)).split("'"))
