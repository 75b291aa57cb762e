"""Settings that cannot be right are refused before anything is connected to."""

import pytest

from deidstream.agents.settings import read_settings
from deidstream.schemas.errors import InvalidSettings

WRONG = {
    "DEIDSTREAM_REDIS_URL": [
        "nonsense",
        "",
        "http://redis:6379",
        "redis://",
        "redis://redis:0",
        "redis://redis:99999",
        "redis://redis:port",
        "redis://redis:6379/first",
        "redis://[::1",
        "unix://",
    ],
    "DEIDSTREAM_REVERSE_REDIS_URL": ["nonsense", "redis:6379"],
    "DEIDSTREAM_KAFKA_BROKERS": [
        "",
        "kafka",
        "kafka:9092,",
        "kafka://kafka:9092",
        "kafka:0",
        "a:b",
    ],
    "DEIDSTREAM_KAFKA_RAW_TOPIC": ["", "notes raw", "..", "n" * 250],
    "DEIDSTREAM_KAFKA_GROUP": ["", "  "],
    "DEIDSTREAM_HTTP_HOST": ["", "http://0.0.0.0", "0.0.0.0/0"],
    "DEIDSTREAM_HTTP_PORT": ["65536", "-1"],
    "DEIDSTREAM_TRACES_ENDPOINT": [
        "collector:4318",
        "http://collector:4318",
        "grpc://collector:4317/v1/traces",
        "http://collector:0/v1/traces",
        "http://collector:port/v1/traces",
        "http:///v1/traces",
        "http://[::1/v1/traces",
    ],
    "DEIDSTREAM_TRACES_SHARE": ["1.5", "-0.1"],
}
RIGHT = {
    "DEIDSTREAM_TRACES_ENDPOINT": [
        "",
        "https://collector/v1/traces",
        "http://[::1]:4318/v1/traces",
    ],
    "DEIDSTREAM_TRACES_SHARE": ["0", "0.1", "1"],
    "DEIDSTREAM_REDIS_URL": [
        "redis://redis",
        "redis://user:pass@redis:6379/0",
        "rediss://[::1]:6379",
        "unix:///tmp/redis.sock",
        "redis://redis:6379/0?socket_timeout=3",
    ],
    "DEIDSTREAM_REVERSE_REDIS_URL": ["", "redis://redis:6379/1"],
    "DEIDSTREAM_KAFKA_BROKERS": ["a:1,b.example.org:9092", "[::1]:9092", "10.0.0.1:9092, b:9092"],
    "DEIDSTREAM_HTTP_HOST": ["10.0.0.1", "::", "localhost"],
    "DEIDSTREAM_HTTP_PORT": ["0", "65535"],
}


@pytest.mark.parametrize(("name", "value"), [(n, v) for n, some in WRONG.items() for v in some])
def test_a_value_of_the_wrong_form_is_refused_by_its_name(name: str, value: str) -> None:
    with pytest.raises(InvalidSettings, match=name) as caught:
        read_settings({name: value})
    assert "pass" not in str(caught.value)


@pytest.mark.parametrize(("name", "value"), [(n, v) for n, some in RIGHT.items() for v in some])
def test_a_value_of_the_right_form_passes(name: str, value: str) -> None:
    read_settings({name: value})
