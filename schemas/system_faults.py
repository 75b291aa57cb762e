"""Say in words why the system refused a file or a port."""

import os


def say_why(error: Exception) -> str:
    """Return the system's words for an error that has a number, else its class.

    The words never quote what was read.

    >>> say_why(FileNotFoundError(2, "whatever", "notes.csv")), say_why(EOFError("whatever"))
    ('No such file or directory', 'EOFError')
    """
    number = error.errno if isinstance(error, OSError) else None
    return os.strerror(number) if number else type(error).__name__
