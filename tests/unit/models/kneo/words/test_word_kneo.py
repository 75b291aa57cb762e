from collections.abc import Callable
from dataclasses import replace

import pytest

from deidstream.models.keyring import Keyring
from deidstream.models.kneo.words.near_words import NearWords
from deidstream.models.kneo.words.spelling import spelling_keys
from deidstream.models.kneo.words.word_kneo import NUMBER, UNKNOWN, WordKneo, WordQuery, WordResult
from deidstream.models.kneo.words.word_vectors import WordModel
from deidstream.schemas.label import PhiLabel
from deidstream.schemas.span import Replacement, Span
from deidstream.schemas.word_policy import CodeRule, DrawnFor, NumberRule, UnknownRule, WordPolicy
from support.word_vectors import WORDS, small_vectors

NEAR = NearWords(small_vectors())
KEYRING = Keyring(b"k" * 32, 1, "default")
NOTE = "Patient denies PAIN of the left knee;  Kidney and heart without swelling.\n\tMild rash!"


def nothing(_: str) -> bool:
    return False


def run(
    text: str = NOTE,
    policy: WordPolicy | None = None,
    *,
    note_id: str = "n1",
    banned: Callable[[str], bool] = nothing,
    near: NearWords = NEAR,
) -> WordResult:
    asked = WordQuery(text, (), note_id, KEYRING, banned)
    return WordKneo(near, policy or WordPolicy()).substitute(asked)


def test_every_word_becomes_a_word_of_the_vocabulary() -> None:
    result = run()
    new = [result.text[start:end].lower() for start, end in result.written]
    report = result.report
    assert (report.units, report.replaced, report.withheld) == (len(new), len(new), 0)
    assert set(new) <= set(WORDS)
    old = NOTE.lower().replace(";", "").replace(".", "").replace("!", "").split()
    assert len(old) == len(new)
    assert all(
        spelling_keys(one).isdisjoint(spelling_keys(two)) for one, two in zip(old, new, strict=True)
    )


def test_case_punctuation_and_white_space_stay() -> None:
    result = run()
    assert [c for c in result.text if not c.isalpha()] == [c for c in NOTE if not c.isalpha()]
    first, _, third = result.text.split()[:3]
    assert first.istitle()
    assert third.isupper()


def test_the_end_of_a_possessive_stays() -> None:
    assert run("patient's knee").text.split()[0].endswith("'s")


@pytest.mark.parametrize("degree", [2, 3, 5, 7, 9])
def test_one_of_the_nearest_is_drawn(degree: int) -> None:
    policy = WordPolicy(degree=degree, degree_to=degree)
    drawn = {run("knee", policy, note_id=str(number)).text for number in range(300)}
    assert drawn == set(NEAR.of("knee")[:degree])


def test_the_degree_is_drawn_from_its_range() -> None:
    policy = WordPolicy(degree=3, degree_to=14)
    texts = [run("knee", policy, note_id=str(number)).text for number in range(3_000)]
    assert set(texts) == set(NEAR.of("knee")[:14])
    # The nearest stand in reach of every degree, the last of the highest alone.
    assert texts.count(NEAR.of("knee")[0]) > 5 * texts.count(NEAR.of("knee")[13])


def test_a_banned_word_is_passed_over() -> None:
    near = NEAR.of("knee")
    policy = WordPolicy(degree=2, degree_to=2)
    texts = {run("knee", policy, note_id=str(n), banned=near[0].__eq__).text for n in range(99)}
    assert texts == {near[1], near[2]}


def test_where_every_word_is_banned_a_label_stands() -> None:
    assert run("knee", banned=lambda _: True).text == UNKNOWN


@pytest.mark.parametrize(("rule", "text"), [(UnknownRule.LABEL, UNKNOWN), (UnknownRule.DROP, "")])
def test_an_unknown_word_is_labelled_or_dropped(rule: UnknownRule, text: str) -> None:
    result = run("Kowalczyk's knee", WordPolicy(unknown=rule))
    assert result.text.startswith(f"{text}'s ")
    assert (result.report.replaced, result.report.withheld) == (1, 1)
    assert all(start < end for start, end in result.written)


def test_an_unknown_word_has_a_neighbour_by_its_ngrams() -> None:
    by_ngrams = NearWords(small_vectors(WordModel.FASTTEXT))
    assert run("Kowalczyk", near=by_ngrams).text.lower() in WORDS


@pytest.mark.parametrize("drawn_for", DrawnFor)
def test_a_word_is_drawn_for_its_mention_or_the_note(drawn_for: DrawnFor) -> None:
    result = run("knee " * 60, WordPolicy(drawn_for=drawn_for))
    assert (len(set(result.text.split())) == 1) == (drawn_for is DrawnFor.NOTE)


def test_numbers_get_a_label() -> None:
    result = run("knee 120/80, 38.5")
    assert result.text.endswith(f" {NUMBER}/{NUMBER}, {NUMBER}")
    assert (result.report.withheld, result.report.kept) == (3, {})


def test_numbers_are_kept_where_the_policy_says_so() -> None:
    result = run("knee 120/80", WordPolicy(numbers=NumberRule.KEEP))
    assert result.text.endswith(" 120/80")
    report = result.report
    assert (report.units, report.replaced, report.withheld) == (3, 1, 0)
    assert (report.kept, report.kept_characters) == ({"number": 2}, round(5 / 9, 4))


@pytest.mark.parametrize(
    "number", ["7", "80", "120", "38.5", "0.25", "007", "1,200", "\u0663\u0664"]
)
def test_another_number_has_the_same_form(number: str) -> None:
    policy = WordPolicy(numbers=NumberRule.PERTURB)
    drawn = {run(number, policy, note_id=str(k)).text for k in range(200)}
    assert number not in drawn
    assert len(drawn) > 5
    for one in drawn:
        assert len(one) == len(number)
        assert [c for c in one if not c.isdigit()] == [c for c in number if not c.isdigit()]
        assert len(number) == 1 or (one[0] == "0") == (number[0] == "0")


def test_a_banned_number_gets_a_label() -> None:
    assert run("1234", WordPolicy(numbers=NumberRule.PERTURB), banned=str.isdigit).text == NUMBER


def test_replaced_spans_stay_and_move_along() -> None:
    text = "Patient [PATIENT] of Dr. Ada Lane denies pain"
    landed: list[Replacement] = []
    for number, part in enumerate(("[PATIENT]", "Ada Lane")):
        start = text.index(part)
        span = Span(start + 50, start + 55 + number, PhiLabel.PATIENT)
        landed.append(Replacement(span, part, "surrogate", start, start + len(part)))
    asked = WordQuery(text, tuple(landed), "n", KEYRING, nothing)
    result = WordKneo(NEAR, WordPolicy()).substitute(asked)
    for one, before in zip(result.replacements, landed, strict=True):
        assert result.text[one.out_start : one.out_end] == before.text
        assert replace(one, out_start=before.out_start, out_end=before.out_end) == before
    assert not any(
        start < one.out_end and one.out_start < end
        for one in result.replacements
        for start, end in result.written
    )


def test_a_thousand_replays_have_one_output() -> None:
    assert len({run().text for _ in range(1_000)}) == 1


def test_key_note_and_vectors_decide() -> None:
    other = WordQuery(NOTE, (), "n1", Keyring(b"l" * 32, 1, "default"), nothing)
    texts = {
        run().text,
        run(note_id="n2").text,
        WordKneo(NEAR, WordPolicy()).substitute(other).text,
    }
    assert len(texts) == 3


def test_nothing_of_the_text_is_in_a_repr() -> None:
    result = run()
    assert "knee" not in repr(WordQuery(NOTE, (), "n1", KEYRING, nothing))
    assert not any(word in repr(result) for word in WORDS if len(word) > 5)


KEEPING = WordPolicy(codes=CodeRule.KEEP)


def test_a_kept_code_stays_whole_and_is_no_exchanged_word() -> None:
    text = "T2DM, pain of L4-L5: 40mg"
    result = run(text, KEEPING)
    assert [result.text[start:end] for start, end in result.kept] == [
        *("T", "2", "DM", "L", "4", "L", "5", "40", "mg"),
    ]
    assert result.text.startswith("T2DM, ")
    assert result.text.endswith(" L4-L5: 40mg")
    report = result.report
    assert (report.replaced, report.kept, report.units) == (2, {"code": 9}, 11)


def test_a_code_that_resembles_an_identifier_does_not_stay() -> None:
    result = run("pain of KB-104", KEEPING, banned="kb".__eq__)
    assert "KB" not in result.text
    assert result.kept == ()


def test_a_long_number_is_no_code() -> None:
    assert "10442" not in run("pain AB10442", KEEPING).text


def test_signs_stand_around_what_was_drawn_alone() -> None:
    plain, shown = run("knee 12 's", WordPolicy()), run("knee 12 's", WordPolicy(signs=True))
    word, rest = plain.text.split(" ", 1)
    assert shown.text == f"\u27e6{word}\u27e7 {rest}"
    assert [shown.text[start:end] for start, end in shown.report.exchanged] == [word]
