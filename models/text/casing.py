"""Write a surrogate in the case of its original."""

_SHORTEST_SCANNED = 4


def recase(surrogate: str, like: str) -> str:
    """Copy the case pattern of ``like``: upper, lower, or as the surrogate comes.

    >>> recase("McKee", "ORR"), recase("McKee", "orr"), recase("McKee", "Orr")
    ('MCKEE', 'mckee', 'McKee')
    """
    if _is_upper(like) and sum(map(str.isalpha, like)) > 1:
        return surrogate.upper()
    return surrogate.lower() if like.islower() else surrogate


def _is_upper(like: str) -> bool:
    # A scanner reads a capital I as a small l.
    return like.isupper() or (len(like) > _SHORTEST_SCANNED and like.replace("l", "I").isupper())


def recase_char(surrogate: str, like: str) -> str:
    """Copy the case of one letter; scripts without case give upper case."""
    return surrogate.lower() if like.islower() else surrogate.upper()
