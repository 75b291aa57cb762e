"""Why a file or a port is refused is said in the words of the system, and nothing is quoted."""

import errno

import pytest

from deidstream.schemas.system_faults import say_why


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (FileNotFoundError(errno.ENOENT, "Mr. Quill"), "No such file or directory"),
        (OSError(errno.EADDRINUSE, "Mr. Quill"), "Address already in use"),
        (OSError("Mr. Quill"), "OSError"),
        (EOFError("Mr. Quill"), "EOFError"),
    ],
)
def test_the_number_of_an_error_becomes_words_and_its_message_is_left_out(
    error: Exception, words: str
) -> None:
    assert say_why(error) == words
