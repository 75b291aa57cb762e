"""The rights of the users of Redis, as they are shipped."""

import re
from pathlib import Path

USERS = Path(__file__).parents[2] / "deploy/redis/users.acl"


def shipped_rights(user: str, password: str) -> list[str]:
    """The words of ``ACL SETUSER`` for one user; a selector in brackets is one word."""
    (line,) = (each for each in USERS.read_text().splitlines() if each.split()[1] == user)
    said = line.replace(f"#@{user}@", f">{password}").partition(f"user {user} ")[2]
    return re.findall(r"\([^)]*\)|\S+", said)
