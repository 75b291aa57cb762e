"""Policies that hold the differences to another one."""

import pytest

from deidstream.models.policy.extension import Bases, gather_bases, list_all_paths
from deidstream.models.policy.reader import read_policy, read_shipped_policy
from deidstream.models.policy.shipped import list_policies, read_shipped_source
from deidstream.models.policy.term_lists import policy_digest
from deidstream.schemas.errors import InvalidPolicy
from deidstream.schemas.label import PhiLabel
from deidstream.schemas.policy import OperatorName, Policy

BASE = b"""technique = "surrogate"
recognizers = ["rules", "dictionary"]
allow = ["Zellig sign"]
allow_files = ["a.txt"]
[operators]
SSN = "redact"
AGE = "redact"
[dictionaries]
HOSPITAL = ["w.txt"]
[lists.codes]
label = "HOSPITAL"
files = ["../c.txt"]
[patterns.badge]
pattern = 'B-\\d{4}'
label = "IDNUM"
"""
OWN = b"""extends = "shared/base.toml"
allow = ["Pike sign"]
[operators]
SSN = "hash"
[lists.codes]
spelling = "exact"
[patterns.badge]
score = 0.5
"""
LISTS = {"shared/a.txt": b"Rose sign", "shared/w.txt": b"Hill Unit", "c.txt": b"ICE"}
BASES: Bases = {"shared/base.toml": BASE}


def read(source: bytes, bases: Bases = BASES) -> Policy:
    return read_policy(source, name="site", lists=LISTS, bases=bases)


def mistakes(source: bytes, bases: Bases = BASES) -> list[str]:
    with pytest.raises(InvalidPolicy) as caught:
        read(source, bases)
    return str(caught.value).splitlines()


def test_tables_are_put_together_and_other_values_take_the_place() -> None:
    policy = read(OWN)
    assert policy.name == "site"
    assert policy.allow == ("Pike sign", "Rose sign")
    assert policy.operators[PhiLabel.SSN] is OperatorName.HASH
    assert policy.operators[PhiLabel.AGE] is OperatorName.REDACT
    assert policy.deny == {PhiLabel.HOSPITAL: ("Hill Unit",)}
    assert (policy.lists["codes"].spelling, policy.lists["codes"].terms) == ("exact", ("ICE",))
    assert (policy.patterns["badge"].score, policy.patterns["badge"].label) == (0.5, "IDNUM")


@pytest.mark.parametrize("name", list_policies())
def test_a_shipped_policy_is_extended_by_name(name: str) -> None:
    shipped = read_shipped_policy(name)
    policy = read_policy(f'extends = "{name}"'.encode(), name="site")
    assert policy.operators == shipped.operators
    assert policy.risk == shipped.risk
    assert policy.sha256 != shipped.sha256


def test_the_digest_covers_what_is_extended() -> None:
    own = read(OWN)
    assert own.sha256 == policy_digest(OWN, {**LISTS, **BASES})
    changed = {"shared/base.toml": BASE + b"# more\n"}
    assert read(OWN, changed).sha256 != own.sha256
    named = b'extends = "redact"'
    digest = policy_digest(named, {"redact": read_shipped_source("redact")})
    assert read_policy(named, name="p").sha256 == digest


def test_files_are_gathered_by_their_paths_from_the_policy() -> None:
    files = {"shared/base.toml": b'extends = "more/x.toml"\nallow_files = ["a.txt"]'}
    files["shared/more/x.toml"] = b'extends = "redact"\nallow_files = ["x.txt", "/all.txt"]'
    bases = gather_bases(OWN, lambda path: files.get(path, "no"))
    assert list(bases) == ["shared/base.toml", "shared/more/x.toml", "redact"]
    assert list_all_paths(b'allow_files = ["../own.txt"]', bases) == (
        "../own.txt",
        "/all.txt",
        "shared/a.txt",
        "shared/more/x.txt",
    )


@pytest.mark.parametrize("source", [b"extends = 3", b"=", b"\xff", b"", b'extends = "gone"'])
def test_what_cannot_be_gathered_is_passed_over(source: bytes) -> None:
    assert gather_bases(source, lambda _: "no") in ({}, {"gone": "no"})


def test_unknown_names_are_refused_with_the_line() -> None:
    (mistake,) = mistakes(
        b'technique = "redact"\nrecognizers = ["rules"]\nextends = "surogate"', {}
    )
    assert mistake == (
        "site.toml:3: extends: there is no such file (did you mean surrogate?); "
        "the shipped policies are " + ", ".join(list_policies())
    )
    (mistake,) = mistakes(OWN, {"shared/base.toml": b'\nextends = "x"'})
    assert mistake.startswith("shared/base.toml:2: extends: there is no such file")
    (mistake,) = mistakes(b'extends = 3\ntechnique = "redact"\nrecognizers = ["rules"]')
    assert mistake == "site.toml:1: extends: must be a string"


@pytest.mark.parametrize("last", ["../site.toml", "base.toml", "../shared/base.toml"])
def test_a_policy_does_not_extend_itself(last: str) -> None:
    bases = {"shared/base.toml": BASE.replace(b"[op", f'extends = "{last}"\n[op'.encode())}
    assert mistakes(OWN, bases) == ["shared/base.toml:5: extends: the policy extends itself by it"]
    assert len(gather_bases(OWN, lambda path: bases.get(path, OWN))) <= 2


def test_a_mistake_is_reported_where_it_stands() -> None:
    wrong = BASE.replace(b'AGE = "redact"', b'AGE = "vanish"').replace(b"B-", b"(B-")
    operators = "redact, mask, surrogate, shift, generalise, hash, keep"
    assert mistakes(OWN.replace(b'"hash"', b'"shift"'), {"shared/base.toml": wrong}) == [
        "site.toml:4: operators.SSN: must be one of redact, mask, surrogate, hash, keep",
        f"shared/base.toml:7: operators.AGE: must be one of {operators}",
        "shared/base.toml:14: patterns.badge.pattern: re2 refuses it: missing )",
    ]
    assert mistakes(OWN, {"shared/base.toml": b"x = ["})[0].startswith(
        "shared/base.toml:1: not TOML: "
    )


def test_what_comes_from_another_file_need_not_have_an_effect() -> None:
    base = BASE.replace(b"[op", b"[risk]\nadversary = 'holds-originals'\nlinkage = 0.3\n[op")
    own = OWN + b"[risk]\nadversary = 'holds-no-originals'\n"
    assert read(own, {"shared/base.toml": base}).risk.linkage == 0.3
    (mistake,) = mistakes(own + b"linkage = 0.2\n")
    assert mistake.startswith("site.toml:11: risk.linkage: has no effect unless")
