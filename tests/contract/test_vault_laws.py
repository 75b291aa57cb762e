"""The laws of the vault and of what is written, on a real Redis, asked as workers ask it."""

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.note_laws import NOTE_LAWS
from support.profiles import few
from support.redis_server import running_redis
from support.redis_world import Databases, databases
from support.vault_laws import LAWS, Law

pytestmark = pytest.mark.broker


@pytest.fixture(scope="module")
def empty(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Databases]:
    """Databases of a Redis that nobody else asks."""
    with (
        running_redis(tmp_path_factory.mktemp("redis")) as server,
        databases(server.url) as made,
    ):
        yield made


@pytest.mark.parametrize("law", [*LAWS, *NOTE_LAWS], ids=lambda law: law.__name__)
@few(10)
@given(st.data())
def test_on_redis(empty: Databases, law: Law, data: st.DataObject) -> None:
    law(empty.opened, data)
