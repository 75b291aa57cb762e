from collections.abc import Callable

import pytest

from deidstream.models.operators.checksums import is_somebodys
from deidstream.models.operators.identifiers import ReplaceCode
from deidstream.models.operators.operator import Identity, Mention
from deidstream.models.operators.wordlists import listed
from deidstream.models.operators.zip3 import ShortenZip
from deidstream.schemas.label import PhiLabel

Replace = Callable[..., str]
CODE = ReplaceCode()


def test_separators_do_not_matter(replace: Replace) -> None:
    plain = replace(CODE, PhiLabel.MEDICALRECORD, "44710982")
    assert replace(CODE, PhiLabel.MEDICALRECORD, "4471-0982") == f"{plain[:4]}-{plain[4:]}"


def test_labels_are_apart(replace: Replace) -> None:
    assert replace(CODE, PhiLabel.ACCOUNT, "44710982") != replace(CODE, PhiLabel.IDNUM, "44710982")


def test_case_and_shape_stay(replace: Replace) -> None:
    written = replace(CODE, PhiLabel.DEVICE, "vt_00-Qx/7")
    assert [c.isdigit() for c in written] == [c.isdigit() for c in "vt_00-Qx/7"]
    assert [c.isupper() for c in written] == [c.isupper() for c in "vt_00-Qx/7"]


def test_the_last_four_of_a_social_security_number_agree(replace: Replace) -> None:
    whole = replace(CODE, PhiLabel.SSN, "987-65-0417")
    assert replace(CODE, PhiLabel.SSN, "0417") == whole[-4:]
    assert replace(CODE, PhiLabel.SSN, "XXX-XX-0417") == f"XXX-XX-{whole[-4:]}"
    assert replace(CODE, PhiLabel.SSN, "***-**-0417") == f"***-**-{whole[-4:]}"


def test_no_social_security_number_was_ever_issued(replace: Replace) -> None:
    for scope in map(str, range(100)):
        area, group, _ = replace(CODE, PhiLabel.SSN, "123-45-6789", scope=scope).split("-")
        assert area[0] == "9"
        assert 1 <= int(group) <= 49


def test_zip_and_zip4_agree(replace: Replace) -> None:
    whole = replace(CODE, PhiLabel.ZIP, "70998-0412")
    assert replace(CODE, PhiLabel.ZIP, "70998") == whole[:5]


def test_dictated_digits_are_written_in_words(replace: Replace) -> None:
    spoken = replace(CODE, PhiLabel.MEDICALRECORD, "six six oh two one nine").split()
    digits = replace(CODE, PhiLabel.MEDICALRECORD, "660219")
    words = list(listed("zero one two three four five six seven eight nine"))
    assert "".join(str(words.index(word)) for word in spoken) == digits


@pytest.mark.parametrize("text", ["8", "a", "\u0663\u0664", "\u00df", "e\u0301", "\u738b1"])
def test_the_smallest_and_the_foreign_change(replace: Replace, text: str) -> None:
    assert replace(CODE, PhiLabel.IDNUM, text) != text
    assert replace(CODE, PhiLabel.IDNUM, text).isascii()


def test_nothing_to_replace_is_redacted(replace: Replace) -> None:
    assert replace(CODE, PhiLabel.IDNUM, "--") == "[IDNUM]"


@pytest.mark.parametrize(
    "number", ["1234567893", "9434765919", "4111111111111111", "ab1234563", "1m8gdm9axkp042788"]
)
def test_numbers_in_use_are_recognised(number: str) -> None:
    assert is_somebodys(number)


@pytest.mark.parametrize(
    "number", ["1234567890", "9434765918", "4111111111111112", "ab1234560", "1m8gdm9a0kp042788"]
)
def test_other_numbers_are_nobodys(number: str) -> None:
    assert not is_somebodys(number)


@pytest.mark.parametrize("text", ["1234567890", "AB1234567", "12345678901234567"])
def test_no_surrogate_is_a_number_in_use(replace: Replace, text: str) -> None:
    drawn = [replace(CODE, PhiLabel.LICENSE, text, scope=str(scope)) for scope in range(200)]
    assert not any(is_somebodys(code.lower()) for code in drawn)


def test_usernames_stay_readable(replace: Replace) -> None:
    written = replace(CODE, PhiLabel.USERNAME, "lfarrow2")
    assert [c in "aeiou" for c in written] == [c in "aeiou" for c in "lfarrow2"]


def test_an_identity_does_not_show_its_value() -> None:
    (identity,) = CODE.identities(Mention("4471-0982", PhiLabel.MEDICALRECORD))
    assert identity == Identity("id.MEDICALRECORD", "44710982")
    assert "4471" not in repr(identity)


@pytest.mark.parametrize(
    ("text", "short"),
    [
        ("70998", "709"),
        ("70998-0412", "709"),
        ("03699", "000"),
        ("LS88 4QT", "[ZIP]"),
        ("7099", "[ZIP]"),
    ],
)
def test_zip_codes_shorten_by_the_restricted_list(text: str, short: str) -> None:
    assert ShortenZip().render(Mention(text, PhiLabel.ZIP), {}) == short
