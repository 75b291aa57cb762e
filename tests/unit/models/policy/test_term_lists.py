"""Lists of allowed and denied terms beside a policy."""

import pytest

from deidstream.models.policy.reader import read_policy
from deidstream.models.policy.term_lists import Lists, list_paths
from deidstream.schemas.errors import InvalidPolicy
from deidstream.schemas.label import PhiLabel
from deidstream.schemas.site_list import ListedTerms, Spelling

LEAST = b'technique = "surrogate"\nrecognizers = ["rules"]\n'


def mistakes(source: bytes, lists: Lists | None = None) -> list[str]:
    with pytest.raises(InvalidPolicy) as caught:
        read_policy(source, name="p", lists=lists or {})
    return str(caught.value).splitlines()


LISTED = (
    b'technique = "surrogate"\nrecognizers = ["dictionary"]\nallow = ["Zellig sign"]\n'
    b'allow_files = ["a.txt"]\n[deny]\nHOSPITAL = ["Old Annexe"]\n'
    b'[dictionaries]\nHOSPITAL = ["w.txt"]\nCITY = ["c.txt", "w.txt"]\n'
)


def lists(**more: bytes) -> dict[str, bytes]:
    return {"a.txt": b"", "w.txt": b"", "c.txt": b""} | {f"{k}.txt": v for k, v in more.items()}


def test_lists_join_the_terms_of_the_file() -> None:
    given = lists(a=b"Pike\n", w=b"# wards\n\n  Hill #4 \r\nOld Annexe\n", c=b"\xef\xbb\xbfAnkh")
    policy = read_policy(LISTED, name="p", lists=given)
    assert policy.allow == ("Zellig sign", "Pike")
    assert policy.deny == {
        PhiLabel.HOSPITAL: ("Old Annexe", "Hill #4"),
        PhiLabel.CITY: ("Ankh", "Hill #4", "Old Annexe"),
    }


def test_a_list_names_the_lines_that_are_wrong_and_not_their_terms() -> None:
    wrong = b"Secretname\n---\nSecret\xff\nSecret\0name\n" + b"Secretname" * 30
    found = mistakes(LISTED, lists(a=wrong))
    assert [line.partition(": ")[0] for line in found] == [f"a.txt:{n}" for n in (2, 3, 4, 5)]
    assert "ecret" not in "".join(found)


def test_of_a_list_of_another_kind_some_lines_are_named() -> None:
    found = mistakes(LISTED, lists(a=b"\xff\n" * 1000))
    assert len(found) == 21
    assert found[-1] == "a.txt: allow_files: 980 more lines are wrong"


def test_a_list_that_is_not_there_is_named() -> None:
    found = mistakes(LISTED, {"a.txt": b"", "w.txt": "the file cannot be read (X)"})
    assert "p.toml:8: dictionaries.HOSPITAL: w.txt: the file cannot be read (X)" in found
    assert "p.toml:9: dictionaries.CITY: c.txt: there is no such file" in found


def test_a_term_that_is_allowed_and_denied_is_refused_with_both_places() -> None:
    assert mistakes(LISTED, lists(a=b"x1\nhill  unit", w=b"Hill Unit\xe2\x80\x99s")) == [
        "a.txt:2: allow_files: is denied too, by w.txt:1"
    ]
    assert mistakes(LISTED, lists(c=b"Old Town\nzellig SIGN")) == [
        "p.toml:3: allow: is denied too, by c.txt:2"
    ]
    assert mistakes(LISTED, lists(a=b"old annexe")) == [
        "a.txt:1: allow_files: is denied too, by deny.HOSPITAL"
    ]


def test_denied_terms_need_the_dictionary() -> None:
    found = mistakes(LISTED.replace(b"dictionary", b"rules"), lists())
    assert [line.split(": ")[1] for line in found] == ["deny", "dictionaries"]


def test_a_term_that_nothing_could_be_found_by_is_refused() -> None:
    source = LEAST.replace(b"rules", b"dictionary") + "allow = ['ab', '--', '\u200b']".encode()
    assert mistakes(source) == ["p.toml:3: allow: a term must have a letter or a digit"]


def test_the_digest_covers_every_list() -> None:
    digests = {
        read_policy(LISTED, name="p", lists=given).sha256
        for given in (lists(), lists(a=b"x"), lists(w=b"x"), lists(c=b"x"), lists(c=b"y"))
    }
    assert len(digests) == 5


NAMED = b"""technique = "surrogate"
recognizers = ["dictionary"]
allow = ["Pike sign"]
[lists.codes]
label = "HOSPITAL"
terms = ["ICE", "ICE"]
files = ["c.txt"]
spelling = "exact"
"""


def test_a_named_list_joins_its_terms_and_files() -> None:
    policy = read_policy(NAMED, name="p", lists=lists(c=b"ACE 2\nICE\n"))
    assert policy.lists == {
        "codes": ListedTerms(PhiLabel.HOSPITAL, Spelling.EXACT, ("ICE", "ACE 2"))
    }
    assert policy.deny == {}
    assert list_paths(NAMED) == ("c.txt",)
    assert list_paths(b"[lists]\na = 1\nb.files = 'x'\nc.files = [1, 'y']") == ("y",)


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ('"ICE"]', '"--"]', "p.toml:6: lists.codes.terms: item 2: a term must have a letter or"),
        ("c.txt", "d.txt", "p.toml:7: lists.codes.files: d.txt: there is no such file"),
        ('"exact"', '"loose"', "p.toml:8: lists.codes.spelling: must be one of fold, fold-case,"),
        ('"HOSPITAL"', '"WARD"', "p.toml:5: lists.codes.label: must be one of PATIENT, DOCTOR"),
        ('label = "HOSPITAL"', "", "p.toml:4: lists.codes.label: is required"),
        ('"dictionary"', '"rules"', "p.toml:4: lists: needs the recognizer dictionary"),
        ("Pike sign", "ace 2", "p.toml:3: allow: is denied too, by c.txt:1"),
    ],
)
def test_a_named_list_that_is_wrong_is_told_with_its_line(old: str, new: str, told: str) -> None:
    (mistake,) = mistakes(NAMED.replace(old.encode(), new.encode()), lists(c=b"ACE 2"))
    assert mistake.startswith(told)


def test_a_named_list_holds_something() -> None:
    assert mistakes(NAMED.partition(b"terms")[0]) == [
        "p.toml:4: lists.codes: must have terms or files"
    ]


def test_paths_of_lists_are_found_in_what_is_half_right() -> None:
    assert list_paths(LISTED) == ("a.txt", "c.txt", "w.txt")
    assert list_paths(b"allow_files = [1, 'x']\n[dictionaries]\nNO = ['y', [2]]\nA = 3") == (
        "x",
        "y",
    )
    assert list_paths(b"allow_files = 1\ndictionaries = 2") == ()
    assert list_paths(b"=") == list_paths(b"\xff") == ()
