"""The file of tenants: who has which policy, and every mistake in it."""

from pathlib import Path

import pytest

from deidstream.agents.cli.main import main
from deidstream.agents.runtime.policy_files import DEFAULT, Tenants, read_policies, read_tenants
from deidstream.agents.settings import read_settings
from deidstream.schemas.errors import InvalidPolicy, InvalidSettings
from support.tenants import TENANTS, write_site


@pytest.fixture
def site(tmp_path: Path) -> Path:
    return write_site(tmp_path)


def test_a_path_counts_from_the_file_and_a_shipped_name_stays(site: Path) -> None:
    anne = str(site / "own" / "anne.toml")
    found = read_tenants(str(site / "tenants.toml"))
    assert found == Tenants({"mercy": "redact", "St Anne": anne, "third": anne}, DEFAULT)
    assert found.names() == sorted([anne, "redact"])
    assert read_tenants("") == Tenants()


@pytest.mark.parametrize(
    ("head", "otherwise"),
    [("", DEFAULT), ('otherwise = "redact"\n', "redact"), ('otherwise = "refuse"\n', None)],
)
def test_what_all_other_tenants_get(site: Path, head: str, otherwise: str | None) -> None:
    (site / "tenants.toml").write_text(head + TENANTS)
    assert read_tenants(str(site / "tenants.toml")).otherwise == otherwise
    (site / "tenants.toml").write_text('otherwise = "own/anne.toml"\n' + TENANTS)
    assert read_tenants(str(site / "tenants.toml")).otherwise == str(site / "own" / "anne.toml")


def refusal(file: Path) -> list[str]:
    with pytest.raises(InvalidSettings) as caught:
        read_tenants(str(file))
    return [line.removeprefix(str(file)) for line in str(caught.value).splitlines()]


def test_every_mistake_of_the_file_is_told_with_its_line(site: Path) -> None:
    file = site / "tenants.toml"
    file.write_text(
        'colour = 1\notherwise = ""\n\n[tenants]\na = 1\nb = ""\nc = "redact"\n"" = "redact"\n'
        '"d.e" = 2\nf.g = "redact"\notherwise = "redact"\n'
    )
    assert [": ".join(line.split(": ")[:2]) for line in refusal(file)] == [
        ":1: colour",
        ":2: otherwise",
        ":5: tenants.a",
        ":6: tenants.b",
        ':8: tenants.""',
        ':9: tenants."d.e"',
        ":10: tenants.f",
        ":11: tenants.otherwise",
    ]
    assert refusal(file)[4].endswith("a tenant must have a name")


@pytest.mark.parametrize(
    ("source", "told"),
    [
        (b'[tenant]\nmercy = "redact"\n', ":1: tenant: unknown key; there are [tenants] and"),
        (b'otherwise = "redact"\n', ": tenants: must be a table [tenants]"),
        (b"", ": tenants: must be a table [tenants]"),
        (b"\ntenants = 3\n", ":2: tenants: must be a table"),
        (
            b'[tenants]\nmercy = "a"\nmercy = "b"',
            ":3: not TOML: mercy is already defined",
        ),
        (b"\n[tenants", ":2: not TOML: "),
        (b"a = 1\n\xff", ":2: not TOML: it is not UTF-8"),
    ],
)
def test_one_slip_is_told_once(site: Path, source: bytes, told: str) -> None:
    file = site / "tenants.toml"
    file.write_bytes(source)
    (said,) = refusal(file)
    assert said.startswith(told)


def test_a_file_that_is_not_there_is_told_by_its_setting(site: Path) -> None:
    for path, why in ((site / "nowhere.toml", "no such file"), (site / "own", "a folder")):
        (said,) = refusal(path)
        assert said.startswith("DEIDSTREAM_POLICIES_FILE: ")
        assert why in said


def test_the_mistakes_of_all_policies_are_told_together(site: Path) -> None:
    (site / "own" / "anne.toml").write_text("technique = 1\n")
    (site / "tenants.toml").write_text(TENANTS + 'more = "own/none.toml"\n')
    given_ = {"DEIDSTREAM_POLICIES_FILE": str(site / "tenants.toml")}
    with pytest.raises(InvalidPolicy) as caught:
        read_policies(read_settings(given_))
    assert "anne.toml:1" in str(caught.value)
    assert "none.toml" in str(caught.value)


def test_config_check_reads_every_policy(
    site: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("DEIDSTREAM_POLICIES_FILE", str(site / "tenants.toml"))
    assert main(["config", "check"]) == 0
    said = capsys.readouterr().err
    assert "policy anne is valid" in said
    assert "tenants that are not listed have the policy surrogate" in said
    (site / "tenants.toml").write_text('otherwise = "refuse"\n' + TENANTS)
    assert main(["config", "check"]) == 0
    assert "tenants that are not listed are refused" in capsys.readouterr().err
    (site / "own" / "anne.toml").unlink()
    assert main(["config", "check"]) == 78
