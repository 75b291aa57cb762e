"""Words beside a name in a person's mention that stay as they are."""

import re
from collections.abc import Callable

import pytest

from deidstream.models.operators.replace_name import ReplaceName
from deidstream.schemas.label import PhiLabel

Replace = Callable[..., str]


@pytest.fixture
def rename(replace: Replace) -> Callable[[str], str]:
    return lambda text: replace(ReplaceName(), PhiLabel.PATIENT, text)


@pytest.mark.parametrize(
    "text",
    [
        "{}, 3rd", "{} 2nd", "{} Jnr", "{} J\u00fanior", "the {}", "The {} family", "THE {}",
        "Mr. and Mrs. {}", "Mr & Mrs {}", "MR/MRS {}", "his wife {}", "Master {}", "Baby {}",
        "Baby Girl {}", "BABY BOY {}", "{}, Babygirl", "{} Twin", "BG {}", "B/G {}", "{}, BB",
        "Pell^{}^^^DR", "PELL^{}^MRS", "Pell s/o {}", "Pell D/O {}", "Pell a/p {}", "Al-{}",
        "Abu {}", "Pell van 't {}", "Pell Van \u2019t {}", "O' {}", "X. \u00d3 {}",
        "{}, M.D.", "{} R.N.", "{}`s", "{} (mother)", "Infant of {}", "Ebusuapanyin {}", "{} garu",
        "Mad. {}", "Cmdr {}", "Kaum\u0101tua {}", "Sta. {}", "Pell sa {}",
    ],
)  # fmt: skip
def test_what_is_no_name_stays_beside_one(rename: Callable[[str], str], text: str) -> None:
    for name in ("Hassan", "Hassan".upper()):
        kept = text.replace("Pell", rename("Pell")).replace("PELL", rename("PELL"))
        initial = kept.replace("X.", rename("X.")).format(rename(name))
        assert rename(text.format(name)) == initial


def test_the_letters_behind_those_of_the_author_are_initials(rename: Callable[[str], str]) -> None:
    assert re.fullmatch(r"[A-Z]{3}/[a-z]{2}", rename("TKS/ma"))


def test_two_persons_of_one_surname_are_two_persons(rename: Callable[[str], str]) -> None:
    wanted = f"{rename('John')} and {rename('Anne')} {rename('Smith')}"
    assert rename("John and Anne Smith") == wanted
    assert rename("JOHN AND ANNE SMITH") == wanted.upper().replace(" and ", " AND ")


@pytest.mark.parametrize(
    "text", ["Thomas, Baby", "Boyd Girling", "Al Bell", "B.B. King", "Lord, The", "And Bell"]
)
def test_a_word_of_the_lists_that_is_the_name_does_not_stay(
    rename: Callable[[str], str], text: str
) -> None:
    words = set(text.replace(",", "").replace(".", " ").casefold().split()) - {"b"}
    assert words.isdisjoint(rename(text).replace(",", "").casefold().split())


@pytest.mark.parametrize("text", ["Baby Girl", "the family", "Twin", "BG", "Mr. and Mrs."])
def test_what_holds_no_name_at_all_does_not_stay_whole(
    rename: Callable[[str], str], text: str
) -> None:
    assert rename(text).casefold() != text.casefold()


def test_children_without_a_name_are_told_apart(rename: Callable[[str], str]) -> None:
    one, other = rename("Twin A"), rename("Twin B")
    assert one.startswith("Twin ")
    assert one != other
    assert rename("Baby Boy A") == one.replace("Twin", "Baby Boy")


@pytest.mark.parametrize("middle", ["Th\u1ecb", "Thi", "V\u0103n", "VAN"])
def test_what_tells_a_vietnamese_gender_stays(rename: Callable[[str], str], middle: str) -> None:
    assert f" {middle} " in rename(f"Nguy\u1ec5n {middle} Khai")
    assert " Thi " not in rename("Smith Thi Khai")
