"""A message names a file, and never what may be a secret in the place of one."""

import base64

import pytest

from deidstream.schemas.shown_file import HIDDEN, show_file

ROOT = bytes(range(7, 250))


@pytest.mark.parametrize(
    "secret",
    [
        ROOT[:32].hex(),
        ROOT[:32].hex().upper() + "\n",
        f"/{ROOT[:32].hex()}",
        *(base64.b64encode(ROOT[n : n + 32]).decode() for n in range(0, 200, 11)),
        "eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJ3b3JrZXIifQ.c2lnbmF0dXJl-_x",
        "-----BEGIN PRIVATE KEY-----\nMIIEvQ\n-----END PRIVATE KEY-----\n",
    ],
)
def test_what_may_be_a_secret_is_hidden(secret: str) -> None:
    assert show_file(secret) == HIDDEN


@pytest.mark.parametrize(
    "file",
    ["root.key", "", "/etc/deidstream/root.key.v2", "keys/a-file-with-a-long-name-of-its-own.pem"],
)
def test_the_name_of_a_file_is_shown(file: str) -> None:
    assert show_file(file) == file
