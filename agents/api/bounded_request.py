"""Limit the mistakes that are collected of a request that does not fit its schema.

Pydantic describes every mistake before a reply names the first of them: a body of 5 MB has room for
some 600,000, which took seconds of the event loop and a gigabyte.
"""

from typing import Any

from pydantic import BaseModel, FailFast, model_validator
from pydantic_core import PydanticCustomError

MOST_FIELDS = 64
"""More than any request has. Lists need no such limit: ``StopAtMistake`` ends them."""


class StopAtMistake(FailFast):
    """``FailFast`` for lists within unions, whose members Python hashes."""

    def __hash__(self) -> int:
        """Return one value for all instances, as they are equal."""
        return hash(StopAtMistake)


class BoundedRequest(BaseModel):
    """An object of a request whose fields are few."""

    @model_validator(mode="before")
    @classmethod
    def refuse_many_fields(cls, value: Any) -> Any:  # noqa: ANN401 - whatever JSON holds
        """Refuse an object with more fields than any request has, as one mistake."""
        if isinstance(value, dict) and len(value) > MOST_FIELDS:  # pyright: ignore[reportUnknownArgumentType]
            kind, sentence = "too_many_fields", "More fields than any request has"
            raise PydanticCustomError(kind, sentence)
        return value  # pyright: ignore[reportUnknownVariableType]
