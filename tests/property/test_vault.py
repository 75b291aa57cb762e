"""Laws of the vault and of what is written, on a store in memory."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.note_laws import NOTE_LAWS
from support.profiles import few
from support.vault import World
from support.vault_laws import LAWS, Law


@pytest.mark.slow
@pytest.mark.parametrize("law", [*LAWS, *NOTE_LAWS], ids=lambda law: law.__name__)
@few(25)
@given(st.data())
def test_in_memory(law: Law, data: st.DataObject) -> None:
    law(World, data)
