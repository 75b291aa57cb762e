"""The shipped list of Kafka's rights, and how a test puts it in force."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from confluent_kafka.admin import AdminClient
from confluent_kafka.admin._acl import AclBinding, AclOperation, AclPermissionType
from confluent_kafka.admin._resource import ResourcePatternType, ResourceType

LIST = Path(__file__).parents[2] / "deploy/kafka/acls.txt"
_KINDS = {
    "topic": ResourceType.TOPIC,
    "group": ResourceType.GROUP,
    "transactional-id": ResourceType.TRANSACTIONAL_ID,
    "cluster": ResourceType.BROKER,
}


@dataclass(frozen=True, slots=True)
class Right:
    """One line of the list."""

    principal: str
    kind: str
    name: str
    operations: tuple[str, ...]

    @property
    def prefixed(self) -> bool:
        """Whether the name stands for all that begin so."""
        return len(self.name) > 1 and self.name.endswith("*")


def shipped_rights() -> list[Right]:
    """The list."""
    lines = (line.split() for line in LIST.read_text().splitlines())
    rows = (line for line in lines if line and not line[0].startswith("#"))
    return [_right(who, what, how) for who, what, how in rows]


def _right(principal: str, resource: str, operations: str) -> Right:
    kind, _, name = resource.partition(":")
    return Right(principal, kind, name, tuple(operations.split(",")))


def put_in_force(admin: AdminClient, renamed: Mapping[str, str]) -> None:
    """Give a broker the shipped rights, under the names that a test uses.

    Args:
        admin: A client that may do everything.
        renamed: By beginnings of names of the list, those of the test.
    """
    wanted = [binding for right in shipped_rights() for binding in _bindings(right, renamed)]
    for done in admin.create_acls(wanted).values():
        done.result(30)


def _bindings(right: Right, renamed: Mapping[str, str]) -> list[AclBinding]:
    name = right.name.removesuffix("*") if right.prefixed else right.name
    for old, new in renamed.items():
        if name.startswith(old):
            name = new + name.removeprefix(old)
    pattern = ResourcePatternType.PREFIXED if right.prefixed else ResourcePatternType.LITERAL
    return [
        AclBinding(
            _KINDS[right.kind],
            name,
            pattern,
            f"User:{right.principal}",
            "*",
            _operation(operation),
            AclPermissionType.ALLOW,
        )
        for operation in right.operations
    ]


def _operation(name: str) -> AclOperation:
    spelled = {"DescribeConfigs": "DESCRIBE_CONFIGS"}.get(name, name.upper())
    return AclOperation[spelled]
