"""The languages that a note may be in, as far as outputs and policies name them (BCP 47)."""

ENGLISH = "en"
"""The language that recognizers and models are made for."""
UNDETERMINED = "und"
"""There is too little prose to say; such a note is processed as English."""


def is_other_language(code: str) -> bool:
    """Return whether a code names a language that recognizers and models are not made for."""
    return code not in {ENGLISH, UNDETERMINED}
