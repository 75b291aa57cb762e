"""Write the name of a file into a message, unless it may be what the file should hold.

A setting that names a file of a secret is sometimes given the secret itself.
"""

import re

HIDDEN = "***"
_SECRET = re.compile(r"[^/]{32,}|.*[0-9a-f]{32}.*|.*=|.*[\r\n].*", re.IGNORECASE | re.DOTALL)
"""A long word without a folder, or the digits of a key; Base64 ends with ``=``, PEM has lines."""


def show_file(named: str) -> str:
    """Return the name of a file, or ``***`` if it may be a key, a token or a certificate.

    >>> show_file("/run/secrets/deidstream/root.key"), show_file("845e" * 16), show_file("")
    ('/run/secrets/deidstream/root.key', '***', '')
    """
    return HIDDEN if _SECRET.fullmatch(named.strip()) else named
