"""Laws of the vault and of what is written, on a store in memory."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.note_laws import NOTE_LAWS
from support.vault import World
from support.vault_laws import LAWS, Law


@pytest.mark.parametrize("law", [*LAWS, *NOTE_LAWS], ids=lambda law: law.__name__)
@settings(max_examples=25, deadline=None)
@given(st.data())
def test_in_memory(law: Law, data: st.DataObject) -> None:
    law(World, data)
