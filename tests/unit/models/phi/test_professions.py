import pytest

from deidstream.models.phi.not_phi import common_words
from deidstream.models.phi.professions import jobs_abroad, jobs_like, read_job
from deidstream.models.text.word_files import lines


def test_every_listed_occupation_has_others_like_it() -> None:
    few = [job for job in lines("professions.txt") if len(set(jobs_like(job)) - {job}) < 2]
    assert not few


@pytest.mark.parametrize(
    ("original", "alike", "unlike"),
    [
        ("coal face worker", "tunneller", "flight attendant"),
        ("hairdresser", "manicurist", "translator"),
        ("bank manager", "property manager", "farm manager"),
        ("crayfisherman", "deckhand", "accounts clerk"),
        ("truck drivers", "courier", "physicist"),
        ("sewing machine operator", "textile worker", "crane operator"),
    ],
)
def test_what_stands_for_an_occupation_has_its_setting(
    original: str, alike: str, unlike: str
) -> None:
    assert alike in jobs_like(original)
    assert unlike not in jobs_like(original)


def test_nobody_is_raised_to_a_post_late_in_life() -> None:
    for job in ("lawyer", "barista", "teacher", "court clerk"):
        assert {"judge", "professor", "school principal"}.isdisjoint(jobs_like(job))


@pytest.mark.parametrize(
    ("text", "grade"),
    [
        ("retired judge", "retired "),
        ("ex-miner", "ex-"),
        ("trainee electrician", "trainee "),
        ("student nurse", "student "),
        ("student", ""),
        ("volunteer", ""),
        ("exterminator", ""),
    ],
)
def test_words_of_grade_are_cut_off(text: str, grade: str) -> None:
    assert read_job(text).grade == grade


@pytest.mark.parametrize(
    ("job", "other"),
    [
        ("truck driver", "bus driver"),
        ("sportscaster", "news presenter"),
        ("bee keeper", "beekeeper"),
        ("slate splitter", "stonecutter"),
        ("cellist", "violinist"),
        ("lollipop lady", "playground supervisor"),
    ],
)
def test_a_trade_becomes_one_that_the_history_does_not_contradict(job: str, other: str) -> None:
    assert other in jobs_like(job)
    assert not {"nurse", "accountant", "welder"} & set(jobs_like(job))


def test_no_occupation_abroad_is_an_english_word() -> None:
    """A rule finds them wherever they stand."""
    assert not {job for job in jobs_abroad() if job in common_words() or job != job.strip()}
