"""The plain date of a feast reads in the sentence of the feast."""

import pytest

from support.marked_dates import shifted


@pytest.mark.parametrize(
    ("written", "moved"),
    [
        ("Stopped it at [Easter].", "Stopped it at around May 19."),
        ("STOPPED IT AT [EASTER].", "STOPPED IT AT AROUND MAY 19."),
        ("stopped it at [easter]", "stopped it at around may 19"),
        ("A cold over [Easter] and no more.", "A cold over the days around May 10 and no more."),
        ("Began in the [New Year].", "Began in the days around February 10."),
        ("For the [Easter] orders", "For the May 10 orders"),
        ("Since [Easter], worse.", "Since May 19, worse."),
        ("On [New Year's Day] at noon", "On February 10 at noon"),
        ("Last [Easter] he fell.", "Last May 19 he fell."),
        ("Fasts in [Lent].", "Fasts in the weeks from March 25 to May 9."),
        ("The [Lent] of that year", "The weeks from March 25 to May 9 of that year"),
    ],
)
def test_the_words_before_a_feast_take_its_date(written: str, moved: str) -> None:
    assert shifted(f"{written} Seen [2 March 2024]", 40) == f"{moved} Seen 11 April 2024"
