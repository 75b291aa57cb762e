"""Logins end, passwords are hashed, and guessing is slowed down."""

import stat
from pathlib import Path

import orjson
import pytest

from deidstream.agents.review.users import ReviewRole, ReviewUser, UserFile
from deidstream.agents.review.visits import LONGEST_VISIT, TRIES, TRY_SECONDS, LoginLimit, Visits
from deidstream.schemas.errors import InvalidSettings, MissingArtefact

RITA = ReviewUser("rita", ReviewRole.REVIEWER)


class Clock:
    def __init__(self) -> None:
        self.now = 1_000.0

    def __call__(self) -> float:
        return self.now


def test_visit_ends_when_idle_and_after_half_a_day() -> None:
    clock = Clock()
    visits = Visits(60, clock)
    token, visit = visits.begin(RITA)
    assert visits.find(token) is visit
    assert visits.find(token + "x") is None
    clock.now += 59
    assert visits.find(token) is visit
    clock.now += 61
    assert visits.find(token) is None
    token, _ = visits.begin(RITA)
    for _ in range(LONGEST_VISIT // 50 + 1):
        clock.now += 50
        visits.find(token)
    assert visits.find(token) is None


def test_what_a_page_asks_by_itself_keeps_no_visit() -> None:
    clock = Clock()
    visits = Visits(60, clock)
    token, visit = visits.begin(RITA)
    for _ in range(5):
        clock.now += 10
        assert visits.find(token, used=False) is visit
    clock.now += 10
    assert visits.find(token, used=False) is None


HERE = "127.0.0.1"


def test_name_waits_after_wrong_passwords() -> None:
    clock = Clock()
    limit = LoginLimit(clock)
    for _ in range(TRIES):
        assert limit.wait_seconds("rita", HERE) == 0
        limit.count_failure("rita", HERE)
    assert 0 < limit.wait_seconds("rita", HERE) <= TRY_SECONDS
    assert limit.wait_seconds("rita", "192.0.2.7") > 0
    assert limit.wait_seconds("rob", HERE) == 0
    clock.now += TRY_SECONDS + 1
    assert limit.wait_seconds("rita", HERE) == 0


@pytest.mark.parametrize(
    ("hostile", "same", "other"),
    [
        ("192.0.2.7", "192.0.2.7", "192.0.2.8"),
        ("2001:db8::1", "2001:db8::ffff:1", "2001:db8:0:1::1"),
        ("fe80::1%eth0", "fe80::1%eth0", ""),
    ],
)
def test_an_address_of_many_names_waits_and_no_other_does(
    hostile: str, same: str, other: str
) -> None:
    limit = LoginLimit(Clock())
    for number in range(10 * TRIES):
        limit.count_failure(f"name-{number}", hostile)
    assert limit.wait_seconds("rita", same) > 0
    assert limit.wait_seconds("rita", other) == 0


def test_users_are_kept_as_hashes(tmp_path: Path) -> None:
    file = UserFile(tmp_path / "deep" / "users.json")
    assert file.check("rita", "correct horse") is None
    file.add(RITA, "correct horse")
    assert file.check("rita", "correct horse") == RITA
    assert file.check("rita", "correct hors") is None
    assert file.check("rob", "correct horse") is None
    assert stat.S_IMODE(file.path.stat().st_mode) == 0o600
    assert "correct" not in file.path.read_text()
    salts = orjson.loads(file.path.read_bytes())["rita"]["salt"]
    file.add(RITA, "correct horse")
    assert orjson.loads(file.path.read_bytes())["rita"]["salt"] != salts
    assert file.remove("rita")
    assert not file.remove("rita")


def test_users_are_admitted_as_long_as_they_are_in_the_file(tmp_path: Path) -> None:
    file = UserFile(tmp_path / "users.json")
    file.add(RITA, "correct horse")
    user = file.check("rita", "correct horse")
    assert user is not None
    assert file.admits(user)
    file.add(RITA, "another horse")
    assert not file.admits(user)
    file.add(ReviewUser("rita", ReviewRole.READER), "correct horse")
    assert not file.admits(user)
    file.remove("rita")
    assert not file.admits(user)
    assert file.admits(ReviewUser("olga", ReviewRole.READER, subject="u-1"))


@pytest.mark.parametrize(("name", "password"), [("", "x" * 10), ("a\n", "x" * 10), ("a", "short")])
def test_bad_users_are_refused(tmp_path: Path, name: str, password: str) -> None:
    with pytest.raises(InvalidSettings):
        UserFile(tmp_path / "u").add(ReviewUser(name, ReviewRole.READER), password)


@pytest.mark.parametrize("content", [b"{", b"[]", b'{"a": 1}', b'{"a": {"role": "king"}}'])
def test_other_files_are_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "users.json"
    path.write_bytes(content)
    with pytest.raises(MissingArtefact):
        UserFile(path).read()
