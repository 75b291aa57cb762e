"""Read the pages of a worker."""

import urllib.error
import urllib.request


def read_page(url: str) -> bytes:
    """Return what a page says; nothing where it does not answer."""
    try:
        with urllib.request.urlopen(url, timeout=3) as answer:  # noqa: S310 - our own worker
            return bytes(answer.read())
    except urllib.error.HTTPError as error:
        return error.read()
    except OSError:
        return b""


def page_fails(url: str) -> bool:
    """Return whether a page answers, and answers that something is wrong."""
    try:
        with urllib.request.urlopen(url, timeout=3):  # noqa: S310 - our own worker
            return False
    except urllib.error.HTTPError:
        return True
    except OSError:
        return False
