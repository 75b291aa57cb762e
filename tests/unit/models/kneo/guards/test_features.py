from deidstream.models.kneo.guards.cues import Cue
from deidstream.models.kneo.guards.features import Features, read_features
from deidstream.models.kneo.guards.tokens import codes_of_terms


def test_the_features_of_a_sentence() -> None:
    read = read_features("Left arm: no rash, aspirin 5 mg held.")
    assert read == Features(
        int(Cue.LEFT | Cue.HELD | Cue.NEGATED),
        codes_of_terms(["5 mg"]),
        codes_of_terms(["aspirin"]),
        codes_of_terms(["rash", "aspirin", "held"]),
        codes_of_terms(["left", "arm"]),
    )


def test_an_empty_text_has_none() -> None:
    assert read_features("") == Features()


def test_a_repr_shows_no_word() -> None:
    assert repr(read_features("aspirin 5 mg")) == "Features(cues=0)"
