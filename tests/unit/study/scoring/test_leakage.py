"""The leak simulation against what can be worked out by hand."""

import math
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deidstream.schemas.label import PhiLabel
from deidstream.schemas.labelled import LabelledNote
from deidstream.schemas.note import RawNote
from deidstream.schemas.policy import Scope
from deidstream.schemas.span import Span
from deidstream.study.scoring.leakage import (
    READINGS,
    SCOPES,
    Corpus,
    Setup,
    Trial,
    gather,
    simulate,
)

MISS = 0.2


def labelled(*names: str, patient: str = "P", label: PhiLabel = PhiLabel.PATIENT) -> LabelledNote:
    """A note of nothing but names."""
    text, spans = "", list[Span]()
    for name in names:
        spans.append(Span(len(text), len(text) + len(name), label))
        text += name + ". "
    return LabelledNote(RawNote("n", patient, text), tuple(spans))


def told(
    corpus: Corpus, scope: Scope | None, reading: Scope | None, *, sweep: bool, miss: float = MISS
) -> float:
    shares = simulate(corpus, Trial((miss,), 40, 7))
    return shares[Setup(sweep, miss, reading, scope, None)].share


def near(found: float, share: float, documents: int) -> bool:
    return abs(found - share) < 4 * math.sqrt(share * (1 - share) / (documents * 40)) + 1e-9


@pytest.fixture(scope="module")
def alone() -> Corpus:
    """300 patients with a note each, in which a name stands three times."""
    return gather(labelled(*[f"Name{n}x"] * 3, patient=f"P{n}") for n in range(300))


@pytest.mark.slow
def test_consistent_surrogates_tell_all_but_what_is_overlooked_wholly(alone: Corpus) -> None:
    expected = 1 - (1 - MISS) ** 3 - MISS**3
    for scope in (Scope.DOCUMENT, Scope.PATIENT, Scope.TENANT):
        assert near(told(alone, scope, Scope.DOCUMENT, sweep=False), expected, 300)


def test_surrogates_of_each_mention_tell_what_is_overlooked_twice(alone: Corpus) -> None:
    expected = 1 - (1 - MISS) ** 3 - 3 * MISS * (1 - MISS) ** 2
    assert near(told(alone, Scope.MENTION, Scope.DOCUMENT, sweep=False), expected, 300)


@pytest.mark.slow
def test_the_sweep_leaves_only_what_is_overlooked_wholly(alone: Corpus) -> None:
    assert near(told(alone, None, None, sweep=True), MISS**3, 300)
    assert near(told(alone, None, None, sweep=False), 1 - (1 - MISS) ** 3, 300)
    assert told(alone, Scope.PATIENT, Scope.DOCUMENT, sweep=True) == 0
    assert near(told(alone, Scope.MENTION, Scope.DOCUMENT, sweep=True), MISS**3, 300)


@pytest.mark.slow
def test_a_surrogate_in_another_note_tells_within_its_scope_alone() -> None:
    notes = [labelled(f"Name{n}x", patient=f"P{n}") for n in range(200) for _ in range(2)]
    corpus = gather(notes)
    assert corpus.patients == 200
    for scope in (Scope.MENTION, Scope.DOCUMENT):
        # One mention a document: told when the other document leaks it too.
        assert near(told(corpus, scope, Scope.PATIENT, sweep=True), MISS**2, 400)
    assert told(corpus, Scope.PATIENT, Scope.DOCUMENT, sweep=False) == 0
    expected = MISS * (1 - MISS)
    assert near(told(corpus, Scope.PATIENT, Scope.PATIENT, sweep=True), expected, 400)


def test_a_tenant_s_surrogate_tells_across_patients() -> None:
    corpus = gather(labelled(f"Name{n // 2}x", patient=f"P{n}") for n in range(400))
    assert told(corpus, Scope.PATIENT, Scope.PATIENT, sweep=False) == 0
    assert near(told(corpus, Scope.TENANT, Scope.TENANT, sweep=False), MISS * (1 - MISS), 400)
    assert near(told(corpus, Scope.PATIENT, Scope.TENANT, sweep=False), MISS**2, 400)


def test_a_surname_is_the_person_it_is_part_of() -> None:
    corpus = gather([labelled("John Vanterpool", "Mr. Vanterpool", "VANTERPOOL, J.")])
    identities = [mention.identities for mention in corpus.mentions]
    assert len(frozenset.intersection(*identities)) == 1
    other = gather([labelled("55-12", "5512", "5513", label=PhiLabel.IDNUM)])
    assert len({mention.identities for mention in other.mentions}) == 2


def test_a_note_without_a_patient_is_a_patient_of_its_own() -> None:
    assert gather([labelled("Ada", patient=""), labelled("Ada", patient="")]).patients == 2


def test_dates_and_ages_do_not_count_unless_named() -> None:
    notes = [labelled("3/4/2019", label=PhiLabel.DATE)]
    assert gather(notes).mentions == ()
    assert len(gather(notes, [PhiLabel.DATE]).mentions) == 1


@given(st.lists(st.lists(st.sampled_from(["Ada", "Ada Venn", "Brook", "Orla"]), max_size=5)))
def test_wider_reading_and_more_misses_never_tell_less(texts: list[list[str]]) -> None:
    notes = [labelled(*names, patient=f"P{n % 3}") for n, names in enumerate(texts)]
    misses = (0.0, 0.3, 1.0)
    shares = simulate(gather(notes), Trial(misses, 3, 1))
    for sweep in (False, True):
        for miss in misses:
            leaking = shares[Setup(sweep, miss, None, None, None)].mean
            assert leaking == 0 or miss > 0
            for scope in SCOPES:
                by_reading = [shares[Setup(sweep, miss, r, scope, None)].mean for r in READINGS]
                assert by_reading == sorted(by_reading)
                assert by_reading[-1] <= leaking
        for one, more in pairwise(misses):
            low, high = (shares[Setup(sweep, m, None, None, None)].mean for m in (one, more))
            assert low <= high


def test_the_same_seed_gives_the_same(alone: Corpus) -> None:
    trial = Trial((0.1,), 3, 5)
    assert simulate(alone, trial) == simulate(alone, trial)
    assert simulate(alone, trial) != simulate(alone, Trial((0.1,), 3, 6))
