import pytest

from deidstream.models.kneo.guards.negation import find_cues, split_by_negation
from deidstream.models.kneo.guards.tokens import tokens_of


def split(text: str) -> tuple[set[str], set[str]]:
    tokens = tokens_of(text)
    return split_by_negation(tokens, find_cues(tokens))


@pytest.mark.parametrize(
    ("text", "negated", "others"),
    [
        ("No fever or chills.", {"fever", "chills"}, set[str]()),
        ("Lungs clear without wheezes.", {"wheezes"}, {"lungs", "clear"}),
        ("Denies fever, but has cough.", {"fever"}, {"cough"}),
        ("Denies fever, has cough.", {"fever"}, {"cough"}),
        ("Fracture was ruled out.", {"fracture", "out"}, set[str]()),
        ("A fracture is unlikely.", {"fracture"}, set[str]()),
        ("Gallop absent; murmur heard.", {"gallop"}, {"murmur", "heard"}),
        ("She doesn't smoke; drinks.", {"smoke"}, {"drinks"}),
        ("Margins free of tumour.", {"tumour"}, {"margins"}),
        ("Blood group O negative.", set[str](), {"blood", "group", "negative"}),
        ("Blade no. 15 used.", set[str](), {"blade", "used"}),
        ("Not only cough.", set[str](), {"not", "only", "cough"}),
    ],
)
def test_the_scope_of_a_cue(text: str, negated: set[str], others: set[str]) -> None:
    assert split(text) == (negated, others)


def test_a_sentence_without_cue_negates_nothing() -> None:
    assert find_cues(tokens_of("Fever and cough for a while")) == frozenset()


def test_a_typographic_apostrophe_negates_too() -> None:
    assert len(find_cues(tokens_of("She didn\u2019t fall"))) == 1
