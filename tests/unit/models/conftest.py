from collections.abc import Callable

import pytest

from deidstream.models.keyring import Keyring
from deidstream.models.mention import Draws, Mention, NoteFacts
from deidstream.models.operators.operator import Operator
from deidstream.schemas.label import PhiLabel

Replace = Callable[..., str]


@pytest.fixture
def replace() -> Replace:
    """Replace one mention as the pipeline does, without a store."""

    def once(
        operator: Operator,
        label: PhiLabel,
        text: str,
        *,
        scope: str = "patient",
        facts: NoteFacts | None = None,
    ) -> str:
        mention = Mention(text, label, facts or NoteFacts())
        draws = Draws(Keyring(b"k" * 32, 1, "tenant"), scope)
        named = operator.identities(mention)
        return operator.render(mention, {one: operator.derive(one, draws) for one in named})

    return once
