"""Read the operators of a request to ``/anonymize``, with the sentences of Presidio's errors."""

from collections.abc import Mapping
from typing import Any

from deidstream.models.presidio.replace_entities import (
    HASHES,
    LEAST_SALT,
    EntityOperator,
    HashEntity,
    KeepEntity,
    MaskEntity,
    RedactEntity,
    ReplaceEntity,
)

OFFERED = ("hash", "keep", "mask", "redact", "replace")


class WrongOperator(Exception):
    """An operator of a request is wrong; the message quotes none of its values."""


class CustomOperator(WrongOperator):
    """The operator would be code of the request, which is never run."""


def read_operators(stated: Mapping[str, Mapping[str, Any]] | None) -> dict[str, EntityOperator]:
    """Read the operators by entity.

    Raises:
        WrongOperator: One of them is not offered, or a parameter is missing or wrong.
    """
    return {entity: _read_operator(parameters) for entity, parameters in (stated or {}).items()}


def _read_operator(parameters: Mapping[str, Any]) -> EntityOperator:
    name = parameters.get("type")
    if name == "custom":
        msg = "Custom type anonymizer is not supported"
        raise CustomOperator(msg)
    if not name:
        msg = "Invalid input, operator config must contain operator_name"
        raise WrongOperator(msg)
    if not isinstance(name, str) or name not in OFFERED:
        msg = f"Invalid operator: this server offers {', '.join(OFFERED)}"
        raise WrongOperator(msg)
    match name:
        case "replace":
            return ReplaceEntity(_read(parameters, "new_value", str, ""))
        case "redact":
            return RedactEntity()
        case "keep":
            return KeepEntity()
        case "hash":
            return _read_hash(parameters)
        case _:
            return _read_mask(parameters)


def _read_hash(parameters: Mapping[str, Any]) -> HashEntity:
    kind = _read(parameters, "hash_type", str, "sha256")
    if kind not in HASHES:
        msg = "Parameter hash_type is not in range of values ['sha256', 'sha512']"
        raise WrongOperator(msg)
    salt = _read(parameters, "salt", str, "").encode("utf-8", "surrogatepass")
    if "salt" in parameters and len(salt) < LEAST_SALT:
        msg = f"Salt must be at least {LEAST_SALT} bytes (128 bits)."
        raise WrongOperator(msg)
    return HashEntity(salt, HASHES[kind])


def _read_mask(parameters: Mapping[str, Any]) -> MaskEntity:
    character = _require(parameters, "masking_char", str)
    if len(character) > 1:
        msg = "Invalid input, masking_char must be a character"
        raise WrongOperator(msg)
    count = _require(parameters, "chars_to_mask", int)
    return MaskEntity(character, count, bool(_read(parameters, "from_end", bool, None)))


def _require(parameters: Mapping[str, Any], name: str, kind: type) -> Any:  # noqa: ANN401
    if parameters.get(name) is None:
        msg = f"Expected parameter {name}"
        raise WrongOperator(msg)
    return _read(parameters, name, kind, None)


def _read(
    parameters: Mapping[str, Any],
    name: str,
    kind: type,
    default: Any,  # noqa: ANN401
) -> Any:  # noqa: ANN401
    value = parameters.get(name)
    if value is None:
        return default
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        msg = f"Invalid parameter value for {name}. Expecting '{_KINDS[kind]}'."
        raise WrongOperator(msg)
    return value


_KINDS: Mapping[type, str] = {str: "string", bool: "boolean", int: "number"}
