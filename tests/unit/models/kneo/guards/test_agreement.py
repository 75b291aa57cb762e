import pytest
from hypothesis import given
from hypothesis import strategies as st

from deidstream.models.kneo.guards.agreement import contradicts
from deidstream.models.kneo.guards.features import Features, read_features
from deidstream.schemas.kneo_policy import Guard

ALL = tuple(Guard)


def refusing(own: str, theirs: str) -> set[Guard]:
    """The guards that refuse ``theirs`` in the place of ``own``."""
    one, other = read_features(own), read_features(theirs)
    return {guard for guard in Guard if contradicts(one, other, (guard,))}


@pytest.mark.parametrize(
    ("own", "theirs", "guard"),
    [
        ("No fever today.", "Fever today.", Guard.NEGATION),
        ("Fever today.", "Denies fever today.", Guard.NEGATION),
        ("No fever but has cough.", "No cough but has fever.", Guard.NEGATION),
        ("Effusion was not seen.", "Effusion was seen.", Guard.NEGATION),
        ("The left knee hurts.", "The right knee hurts.", Guard.LATERALITY),
        ("The knee hurts.", "Both knees hurt.", Guard.LATERALITY),
        ("Swelling of both legs.", "Swelling of the LLE.", Guard.LATERALITY),
        ("The patient is well.", "He is well.", Guard.SEX),
        ("She was examined.", "The prostate was examined.", Guard.SEX),
        ("Takes 5 mg daily.", "Takes 10 mg daily.", Guard.NUMBERS),
        ("Takes 5 mg daily.", "Seen for 5 days.", Guard.NUMBERS),
        ("Return in two weeks.", "Return in three weeks.", Guard.NUMBERS),
        ("Fusion at the neck.", "Fusion at C5.", Guard.NUMBERS),
        ("Takes aspirin.", "Takes warfarin.", Guard.DRUGS),
        ("Warfarin was held.", "Warfarin was continued.", Guard.DRUGS),
        ("Warfarin was held.", "Takes warfarin.", Guard.DRUGS),
        ("Warfarin was increased.", "Warfarin was reduced.", Guard.DRUGS),
        ("Treatment was started.", "Treatment was stopped.", Guard.DRUGS),
        ("She gained weight.", "She lost weight.", Guard.CHANGE),
        ("The pain has improved.", "The pain has worsened.", Guard.CHANGE),
        ("Her weight is the same.", "Weight gain was seen.", Guard.CHANGE),
        ("Her ECG showed ST elevation.", "Her ECG was normal.", Guard.FINDINGS),
        ("The biopsy was discussed.", "The carcinoma was discussed.", Guard.FINDINGS),
        ("Wishes were discussed.", "She is DNR.", Guard.FINDINGS),
        ("Rash after penicillin.", "Allergic to penicillin.", Guard.FINDINGS),
    ],
)
def test_a_contradiction_is_refused(own: str, theirs: str, guard: Guard) -> None:
    assert guard in refusing(own, theirs)


@pytest.mark.parametrize(
    ("own", "theirs"),
    [
        ("No fever or chills.", "Denies nausea and vomiting."),
        ("The left knee hurts.", "The left hip is sore."),
        ("The left knee hurts.", "The knee is sore."),
        ("He was seen with his wife.", "He came alone."),
        ("He was seen today.", "The patient was seen."),
        ("Aspirin 0.5 g was given.", "Received 500 mg of aspirin."),
        ("Return in 14 days.", "See again in two weeks."),
        ("Warfarin was held.", "The medicine was held."),
        ("Aspirin and warfarin were stopped.", "Warfarin was stopped."),
        ("The pain got worse.", "Worsening of the ache."),
        ("Lost 5 pounds in two weeks.", "Lost some weight."),
        ("The carcinoma was removed with clear margins.", "The tumour was removed."),
        ("The chest is clear.", "Normal breath sounds."),
    ],
)
def test_an_agreeing_neighbour_may_stand(own: str, theirs: str) -> None:
    assert refusing(own, theirs) == set()


def test_only_named_guards_refuse() -> None:
    own, theirs = read_features("No fever."), read_features("Fever on the left.")
    assert contradicts(own, theirs, (Guard.NEGATION,))
    assert not contradicts(own, theirs, (Guard.SEX, Guard.NUMBERS))
    assert not contradicts(own, theirs, ())


codes = st.frozensets(st.integers(0, 5), max_size=4)
features = st.builds(Features, st.integers(0, 2**27 - 1), codes, codes, codes, codes)


@given(features, features)
def test_what_only_says_less_of_numbers_sides_and_changes_may_stand(
    one: Features, other: Features
) -> None:
    less = Features(one.cues & other.cues, one.numbers & other.numbers, one.drugs & other.drugs)
    said_less = (Guard.LATERALITY, Guard.SEX, Guard.NUMBERS, Guard.CHANGE, Guard.FINDINGS)
    assert not contradicts(one, less, said_less)


@given(features, features)
def test_negation_is_judged_alike_from_both_sides(one: Features, other: Features) -> None:
    judged = (Guard.NEGATION,)
    assert contradicts(one, other, judged) == contradicts(other, one, judged)


@given(features, features, st.sets(st.sampled_from(Guard)), st.sets(st.sampled_from(Guard)))
def test_more_guards_refuse_no_less(
    one: Features, other: Features, some: set[Guard], more: set[Guard]
) -> None:
    assert contradicts(one, other, some) <= contradicts(one, other, some | more)
