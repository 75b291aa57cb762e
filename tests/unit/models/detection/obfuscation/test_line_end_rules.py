"""Lines are joined at a date only if both halves need it."""

import pytest

from deidstream.models.detection.obfuscation.line_ends import join_forms


@pytest.mark.parametrize(
    ("line", "next_line"),
    [
        ("Lactate 03/04/2024", "2.1"),
        ("Pain 03/04/2024", "3/10"),
        ("Platelets 2024-03-04", "212"),
        ("Sodium 3/4/24", "138"),
        ("Weight (03/04/2024)", "81 kg"),
        ("Ferritin March 4, 2024", "212"),
        ("Ferritin 4 March 2024,", "12 to 150"),
        ("Dose 212", "03/04/2024 given"),
        ("bolus,4.85,rate 0.30", "2025-03-08T12:40:33,stopped,"),
        ("Dose 212", "03/04/2024: given"),
    ],
)
def test_a_value_beside_a_whole_date_is_not_joined_to_it(line: str, next_line: str) -> None:
    assert join_forms(line, next_line) == ()


@pytest.mark.parametrize(
    ("line", "next_line", "joined"),
    [
        ("seen 3/1", "2/2024 again", "seen 3/12/2024 again"),
        ("seen 03/04/20", "24 again", "seen 03/04/2024 again"),
        ("seen 2024-03-0", "4 again", "seen 2024-03-04 again"),
        ("seen 1", "2/03/2024 again", "seen 12/03/2024 again"),
        ("seen May 3, 20", "24 again", "seen May 3, 2024 again"),
        ("seen May 3,", "2024 again", "seen May 3, 2024 again"),
    ],
)
def test_a_torn_date_is_joined(line: str, next_line: str, joined: str) -> None:
    assert joined in {f"{line}{form}{next_line}" for form in join_forms(line, next_line)}


@pytest.mark.parametrize(
    ("line", "next_line"),
    [
        ("12 Mar | morphine | 65 | 3,415", "13 Mar | morphine | 40 | 3,375"),
        ("4;OUT;Call Ann Fenn 0720 555 013", "770039;IN;0720 555 013"),
        ("reg. MP 0877141", "04h45 seen again"),
        ("bed 3, ring 318-555-0190", "206-1  FENN, ANN"),
        ("Taken by Mr. Ann Fenn", "INTERMENT  Long Lane"),
        ("Dr. Ann Fenn", "Centre for Bone Health"),
    ],
)
def test_a_row_or_a_line_of_its_own_continues_nothing(line: str, next_line: str) -> None:
    assert join_forms(line, next_line) == ()
