"""The laws of the vault and of what is written, on a real Redis, asked as workers ask it."""

import os
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from support.note_laws import NOTE_LAWS
from support.redis_server import running_redis
from support.redis_world import Databases, databases
from support.vault_laws import LAWS, Law

pytestmark = pytest.mark.broker
EXAMPLES = int(os.environ.get("VAULT_EXAMPLES", "15"))


@pytest.fixture(scope="module")
def empty(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Databases]:
    """Databases of a Redis that nobody else asks."""
    with (
        running_redis(tmp_path_factory.mktemp("redis")) as server,
        databases(server.url) as made,
    ):
        yield made


@pytest.mark.parametrize("law", [*LAWS, *NOTE_LAWS], ids=lambda law: law.__name__)
@settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.data())
def test_on_redis(empty: Databases, law: Law, data: st.DataObject) -> None:
    law(empty.opened, data)
