import numpy as np
import pytest

from deidstream.models.keyring import Keyring
from deidstream.models.kneo.drafts import NoteDraft
from deidstream.models.kneo.kneo_query import KneoQuery
from deidstream.models.kneo.revealing import TracedDraft, TracePart, weigh_units
from deidstream.models.references.own_attack import ComparedNotes, NoteTrace, attack_output
from deidstream.models.references.reference_notes import mean_vector
from deidstream.models.references.word_sketch import sketch_text
from support.embedding import HashEmbedder
from support.references import make_notes

EMBEDDER = HashEmbedder(dimension=64)
TEXTS = [
    f"The {organ} is fine on {test} today."
    for organ in ("heart", "liver", "skin", "gait")
    for test in ("x", "y", "z")
]
NOTES = make_notes(TEXTS, EMBEDDER, count=12, size=4)
COMPARED = ComparedNotes.choose(NOTES)
ORIGINAL = ["A wombat bit the beekeeper.", "The heart is fine on x today."]


def part(text: str) -> TracePart:
    return TracePart(sketch_text(text, NOTES.salt), EMBEDDER.embed([text])[0])


def traced(lines: list[str]) -> TracedDraft:
    query = KneoQuery("", (), "n", frozenset(), Keyring(b"k" * 32, 1, "t"), lambda _: False)
    own = NoteTrace(
        sketch_text("\n".join(ORIGINAL), NOTES.salt), mean_vector(EMBEDDER.embed(ORIGINAL))
    )
    draft = NoteDraft(query, [], np.zeros((0, 64), np.float32), own, None, [], [])
    return TracedDraft(draft, own, frozenset(), [part(line) for line in lines], [0] * len(lines))


def weights(lines: list[str]) -> list[float]:
    state = traced(lines)
    attack = attack_output(state.original, state.output(), COMPARED)
    return weigh_units(state, attack, COMPARED, COMPARED.keep_but([]))


def test_what_only_the_original_has_weighs_most() -> None:
    own, common, _ = weights([ORIGINAL[0], TEXTS[0], TEXTS[7]])
    assert own > common
    assert own > 0


def test_what_only_others_have_hides() -> None:
    assert weights([ORIGINAL[0], TEXTS[7]])[1] < 0


def test_a_dropped_unit_weighs_nothing() -> None:
    state = traced([ORIGINAL[0], TEXTS[7]])
    state.parts.append(TracePart.nothing(64))
    attack = attack_output(state.original, state.output(), COMPARED)
    assert weigh_units(state, attack, COMPARED, COMPARED.keep_but([]))[2] == 0


def test_words_of_two_units_are_not_lost_with_one() -> None:
    twice = weights([ORIGINAL[0], ORIGINAL[0], TEXTS[7]])
    assert twice[0] == twice[1] < weights([ORIGINAL[0], TEXTS[7]])[0]


def test_the_margin_without_a_unit_is_that_of_the_attack_without_it() -> None:
    lines = [ORIGINAL[0], TEXTS[3], TEXTS[8]]
    state, without = traced(lines), traced(lines[1:])
    few = ComparedNotes.choose(NOTES, 4)  # fewer than are looked at, so that all count
    before, after = (attack_output(one.original, one.output(), few) for one in (state, without))
    kept = few.keep_but([])
    expected = 0.0
    for attack in ("jaccard", "dense"):
        found, left = getattr(before, attack), getattr(after, attack)
        compare = few.compare_words if attack == "jaccard" else few.compare_vector
        field = "words" if attack == "jaccard" else "vector"
        means = [float(compare(getattr(one.output(), field)).mean()) for one in (state, without)]
        expected += ((found.own - means[0]) - (left.own - means[1])) / found.rank
    assert weigh_units(state, before, few, kept)[0] == pytest.approx(expected, abs=2e-5)
