"""Tell whether an e-mail address goes on in the next line."""

import re2

from deidstream.models.phi.not_phi import common_words

_DOMAIN = re2.compile(r"^[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*\.[A-Za-z]{2,12}[.,;)>]?$")
_ENDING = re2.compile(r"^[A-Za-z]{1,12}[.,;)>]?$")
_LOCAL_PART = re2.compile(r"^[a-z0-9]+[._][a-z0-9._]+$|^[a-z]+[0-9]+$")
_CUE = re2.compile(r"(?i:e-?mail(?: address)?)\b[: ]*$")


def is_torn_mail(left: str, one: str, other: str) -> bool:
    """Tell whether ``one``, the last word of ``left``, and ``other`` are halves of an address."""
    if "@" in one:
        return _goes_on(one.rpartition("@")[2], other)
    if not (one[-1].isalnum() or one[-1] in "._+-"):
        return False
    stem = one.rstrip("._+-")
    unknown = stem.isalpha() and stem.islower() and stem not in common_words()
    apart = other[0] in "@._+-" or bool(_LOCAL_PART.search(stem))
    return apart or unknown or bool(_CUE.search(left[: len(left) - len(one)]))


def _goes_on(domain: str, other: str) -> bool:
    if other[0] == ".":
        return domain[-1:].isalnum() and bool(_ENDING.search(other.rstrip(".").rpartition(".")[2]))
    if "." not in domain or domain[-1] in ".-":
        return bool(_DOMAIN.search(other)) or (domain[-1:] == "." and bool(_ENDING.search(other)))
    return bool(_DOMAIN.search(other)) and other.islower()
