"""What a text tells of a person whom others know, and its weight in the load."""

import time

import pytest

from deidstream.models.records import Substituted
from deidstream.models.risk.left_words import LeftWords
from deidstream.models.risk.measured import Measured
from deidstream.models.risk.quasi import QuasiLoad, list_told
from deidstream.models.risk.reason_sentences import explain_risk, explain_told
from deidstream.models.risk.told_facts import SHARES, ToldKind, find_told_facts
from deidstream.schemas.label import PhiLabel
from deidstream.schemas.span import Span
from support.risk import emitted, exchanged, policy


def told(text: str) -> list[tuple[str, str]]:
    return [(one.kind.value, text[one.start : one.end]) for one in find_told_facts(text)]


def measure(item: Substituted) -> Measured:
    return QuasiLoad(policy(), lambda _: True).measure(item, LeftWords.of_output(item))


@pytest.mark.parametrize(
    ("text", "kind", "place"),
    [
        ("He is the Mayor of a town.", "PUBLIC_PERSON", "Mayor"),
        ("A former Olympic\nrower.", "PUBLIC_PERSON", "Olympic\nrower"),
        ("Hurt when the ferry capsized.", "PUBLIC_EVENT", "ferry capsized"),
        ("It was on the evening news.", "PUBLIC_EVENT", "evening news"),
        ("Has Smith Lemli Opitz syndrome.", "RARE_DISEASE", "Smith Lemli Opitz syndrome"),
        ("One of three such patients here.", "ONLY_ONE", "One of three such patients"),
        ("The only known case in the state.", "ONLY_ONE", "only known case in the state"),
        ("He works as a piano tuner.", "OCCUPATION", "piano tuner"),
        ("Occupation: boda boda rider\nLives alone", "OCCUPATION", "boda boda rider"),
        ("She worked as the only falconer at sea.", "OCCUPATION", "falconer"),
        ("Worked as a courier then.", "OCCUPATION", "courier"),
    ],
)
def test_each_kind_is_found_at_its_place(text: str, kind: str, place: str) -> None:
    assert told(text) == [(kind, place)]


@pytest.mark.parametrize(
    "text",
    [
        "First case of the day in OR 2. The only patient of the list who was late.",
        "Good news: the scan is clear. Otitis media. Press on the wound. Car crash at low speed.",
        "Judge the wound daily. Watches television. Trains for a marathon. House fire alarm.",
        "The drain works as expected. It is known that mayors differ: no mayoral matter.",
        "Famously hard to examine. One of two lumens is blocked.",
    ],
)
def test_ordinary_words_tell_nothing(text: str) -> None:
    assert told(text) == []


def test_what_is_told_weighs_and_says_why() -> None:
    found = measure(emitted("the mayor has a cough"))
    assert (found.value, found.reasons) == (0.2, ("TOLD_FACT:PUBLIC_PERSON",))
    assert explain_risk(found.reasons[0]).endswith("public person.")
    both = measure(emitted("the mayor has pompe disease"))
    assert both.value == 1.0
    assert set(both.reasons) == {"TOLD_FACT:PUBLIC_PERSON", "TOLD_FACT:RARE_DISEASE"}
    twice = measure(emitted("the mayor, a celebrity, has a cough"))
    assert twice.value == 0.2  # of one kind, more words tell no more


def test_an_occupation_alone_hardly_weighs() -> None:
    assert measure(emitted("she works as a chef")).value == pytest.approx(0.0003)


def test_what_was_replaced_or_exchanged_tells_nothing() -> None:
    text = "he works as an astronaut now"
    span = Span(15, 24, PhiLabel.PROFESSION)
    assert measure(emitted(text, [span])).value == 0.0
    kept = emitted(text, [span], new="astronaut", operator="keep")
    (public,) = list_told(kept, LeftWords.of_output(kept))
    assert public.kind is ToldKind.PUBLIC_PERSON  # and no occupation: that it stays is known
    assert measure(kept).reasons == ("TOLD_FACT:PUBLIC_PERSON", "TRUE_FACT:PROFESSION")
    assert measure(exchanged(emitted("the mayor coughs"), "no fever")).value == 0.0


def test_every_kind_has_a_share_and_a_sentence() -> None:
    assert set(SHARES) == set(ToldKind)
    for fact in find_told_facts("mayor, evening news, melas, sole survivor. Works as a chef."):
        assert explain_told(fact).endswith(".")


def test_the_time_is_linear_in_the_text() -> None:
    def measure_seconds(copies: int) -> float:
        text = "worked as one of only the only " * copies
        begun = time.process_time()
        find_told_facts(text)
        return time.process_time() - begun

    assert measure_seconds(16_000) < 60 * max(measure_seconds(1_000), 1e-3)
