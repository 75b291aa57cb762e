"""Write a surrogate in the case of its original."""


def recase(surrogate: str, like: str) -> str:
    """Copy the case pattern of ``like``: upper, lower, or as the surrogate comes.

    >>> recase("McKee", "ORR"), recase("McKee", "orr"), recase("McKee", "Orr")
    ('MCKEE', 'mckee', 'McKee')
    """
    if like.isupper() and sum(map(str.isalpha, like)) > 1:
        return surrogate.upper()
    return surrogate.lower() if like.islower() else surrogate


def recase_char(surrogate: str, like: str) -> str:
    """Copy the case of one letter; scripts without case give upper case."""
    return surrogate.lower() if like.islower() else surrogate.upper()
