"""Group occupations, so that one is replaced by one of its own setting, hazards and grade.

A history speaks of an occupation: of coal and pneumoconiosis, of a boy who learns his trade. What
would contradict it is no stand-in, however well it reads.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache

import re2

from deidstream.models.text.word_files import lines, sections, words_in

_JOBS, _GROUPS = "professions.txt", "professions.groups.txt"
_ABROAD = "professions.abroad.txt"
_VAGUE, _SENIOR = "vague", "senior"
_NEUTRAL = ("shop", "office")
"""Groups to draw from for an occupation that none of the words tells."""
_FEWEST = 3
_SHORTEST_END = 6
"""Letters of a listed word that others may end in."""
_GRADE = re2.compile(
    r"(?i)^(?:(?:retired|semi-retired|former|ex|trainee|apprentice|student|junior|senior"
    r"|part[- ]time|full[- ]time|self[- ]employed|freelance|volunteer|qualified|licensed)[ -]+)+"
)
"""Words that say of what grade or time it is."""


@dataclass(frozen=True, slots=True)
class WrittenJob:
    """A mention of an occupation."""

    grade: str = field(repr=False)
    """Words before it that stay, with the space behind them."""
    job: str = field(repr=False)


def read_job(text: str) -> WrittenJob:
    """Cut a mention of an occupation.

    >>> read_job("trainee electrician").grade, read_job("student").job
    ('trainee ', 'student')
    """
    found = _GRADE.match(text)
    end = found.end() if found else 0
    return WrittenJob(text[:end], text[end:]) if end < len(text) else WrittenJob("", text)


def jobs_like(value: str) -> tuple[str, ...]:
    """Return the occupations that may stand for one: of its group, and no post late in life for one
    that is none.

    Args:
        value: Normal form of the original.
    """  # noqa: D205
    group = _tell_group(value)
    jobs = [job for one in ((group,) if group else _NEUTRAL) for job in _jobs()[one]]
    alike = tuple(job for job in jobs if _is_senior(job) == _is_senior(value))
    return alike if len(alike) >= _FEWEST else tuple(jobs)


@cache
def jobs_abroad() -> frozenset[str]:
    """Return occupations in other languages than English, as they are written there."""
    return frozenset(job for line in lines(_ABROAD) for job in line.split(", "))


def tells_job(word: str) -> bool:
    """Return whether a word, in lower case, is one of an occupation.

    >>> tells_job("welders"), tells_job("ffermwr"), tells_job("pony")
    (True, True, False)
    """
    return word in _words_of_jobs() or bool(_find_telling(word))


@cache
def _words_of_jobs() -> frozenset[str]:
    abroad = frozenset(word.casefold() for job in jobs_abroad() for word in job.split())
    return words_in(_JOBS) | abroad


@cache
def _jobs() -> Mapping[str, list[str]]:
    """Return the listed occupations by group."""
    found: dict[str, list[str]] = {}
    for job in lines(_JOBS):
        found.setdefault(_tell_group(job), []).append(job)
    return found


@cache
def _groups() -> Mapping[str, str]:
    """Return the group of each word that tells one."""
    listed = sections(_GROUPS)
    return {
        word: group
        for group, words in listed.items()
        if group not in {_VAGUE, _SENIOR}
        for word in words
    }


def _tell_group(job: str) -> str:
    """Return the group of an occupation; empty if none of its words tells one."""
    vague = sections(_GROUPS)[_VAGUE]
    said = (_find_telling(word) for word in reversed(job.casefold().replace("-", " ").split()))
    words = [word for word in said if word]
    telling = next((word for word in words if word not in vague), words[0] if words else "")
    return _groups().get(telling, "")


def _find_telling(word: str) -> str:
    """Return the listed word that a word is, is the plural of, or ends in: ``crayfisherman``."""
    for one in (word, word.removesuffix("s")):
        if one in _groups():
            return one
    ends = (word[start:] for start in range(1, len(word) - _SHORTEST_END + 1))
    return next((end for end in ends if end in _groups()), "")


def _is_senior(job: str) -> bool:
    return not set(job.casefold().split()).isdisjoint(sections(_GROUPS)[_SENIOR])
