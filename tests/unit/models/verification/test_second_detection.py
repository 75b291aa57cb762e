"""What a rule finds in the output beside the surrogates is a leak, where the policy trusts it."""

import re
from dataclasses import replace

import pytest

from deidstream.models.phi.hl7.hl7_guard import Hl7Guard
from deidstream.models.policy.reader import read_shipped_policy
from deidstream.models.recognizers.rules.recognizer import RulesRecognizer
from deidstream.models.recognizers.rules.rule import Rule, compile_rule
from deidstream.models.records import Substituted
from deidstream.models.verification import second_detection
from deidstream.models.verification.issued_surrogates import IssuedSurrogates
from deidstream.models.verification.second_detection import FORMATS
from deidstream.models.verification.verifier import find_leak
from deidstream.schemas.errors import LeakKind
from deidstream.schemas.label import PhiLabel
from deidstream.schemas.note import RawNote
from deidstream.schemas.policy import OperatorName, Policy, RecognizerName
from deidstream.schemas.site_pattern import SitePattern
from deidstream.schemas.span import Span
from support.outputs import output, with_added

POLICY = read_shipped_policy("surrogate")
UNION = read_shipped_policy("safe-harbor")
MADE = output("Seen by {DOCTOR:Rosalind Zyxwvut}. ")
FORMED = {
    *("contact.email", "contact.url", "contact.host", "contact.ipv4", "contact.ipv6"),
    *("contact.phone", "contact.phone_abroad", "id.ssn", "id.ssn_cued", "id.nhs"),
    *("licence.npi", "licence.dea", "vehicle.vin"),
}
_REDACT = OperatorName.REDACT
TITLED = " Dr. Babatunde Oyelaran came."


def kind_of(left: str, policy: Policy = POLICY) -> LeakKind | None:
    return find_leak(with_added(MADE, f" Then {left} too."), policy)


@pytest.mark.parametrize(
    "left",
    [
        "123-45-6789",
        "4111 1111 1111 1111",
        "378282246310005",
        "943 476 5919",
        "1234567893",
        "(419) 555-0137",
        "+44 20 7946 0958",
        "t.winter@maple.example",
        "https://ann:secret@a.example/q",
        "198.51.100.17",
        "host 10.1.20.7",
        "2001:db8::4417",
        "1HGCM82633A004352",
    ],
)
def test_a_number_or_address_of_a_known_form_is_seen(left: str) -> None:
    assert kind_of(left) is LeakKind.FORMAT


@pytest.mark.parametrize("rule", FORMATS, ids=lambda rule: rule.id)
def test_every_form_is_seen_whatever_else_the_policy_believes(rule: Rule) -> None:
    shown = [re.sub(r"\[\[|\]\]", "", example) for example in rule.found]
    ruleless = replace(UNION, recognizers=UNION.recognizers - {RecognizerName.RULES})
    assert LeakKind.FORMAT in {kind_of(example, ruleless) for example in shown}


def test_the_forms_are_those_that_were_chosen() -> None:
    assert {rule.id for rule in FORMATS} == FORMED | {"id.card"}


@pytest.mark.parametrize(
    "kept",
    [
        "4111 1111 1111 1112",
        "140 103 1200",
        "1-800-222-1222",
        "(888) 222-1222",
        "943 476 5918",
        "1.2.3",
        "BP 120/80",
        "12/31",
        "v1.2.3.4",
        "CAP 4.3.0.0",
        "I:E 1::2",
        "titer 1::64",
        "6.6.6.10 units",
        "120.30.140.50 ml",
        "pump 10.1.20.7, rate 12.5 mL/h",
    ],
)
def test_a_number_of_no_such_form_is_left(kept: str) -> None:
    assert kind_of(kept) is None


def test_what_the_rules_alone_are_believed_for_depends_on_the_policy() -> None:
    # Under "corroborated" the tagger may have refused the name, under "union" nobody can.
    assert find_leak(with_added(MADE, TITLED), UNION) is LeakKind.DETECTED
    assert find_leak(with_added(MADE, TITLED), POLICY) is None
    untagged = replace(POLICY, recognizers=POLICY.recognizers - {RecognizerName.TAGGER})
    assert find_leak(with_added(MADE, TITLED), untagged) is LeakKind.DETECTED


def test_a_policy_without_rules_is_held_to_the_formats_alone() -> None:
    ruleless = replace(UNION, recognizers=UNION.recognizers - {RecognizerName.RULES})
    assert find_leak(with_added(MADE, TITLED), ruleless) is None
    assert kind_of("123-45-6789", ruleless) is LeakKind.FORMAT


def test_what_the_policy_let_stay_is_no_leak() -> None:
    text = "123-45-6789"
    kept = {**POLICY.operators, PhiLabel.SSN: OperatorName.KEEP}
    assert kind_of(text, replace(POLICY, operators=kept)) is None
    assert kind_of(text, replace(POLICY, allow=(text,))) is None


def test_what_scored_too_little_is_no_leak() -> None:
    left = with_added(MADE, " Then 123-45-6789 too.")
    note = replace(left.planned.note, text=f"{left.planned.note.text} Then 123-45-6789 too.")
    noted, start = Hl7Guard.read(note.text), note.text.index("123")
    whole = Span(start, start + 11, PhiLabel.SSN, 0.3, "rules:id.ssn")
    part = Span(start + 4, start + 11, PhiLabel.SSN, 0.3, "rules:id.ssn")
    cases = (
        ((), (), LeakKind.FORMAT),
        ((whole,), (), None),
        # The tagger's borders left a part of what the rule reported.
        ((part,), (), LeakKind.FORMAT),
        ((part,), (whole,), None),
    )
    for dropped, counted, leak in cases:
        detected = replace(
            left.planned.detected, note=note, messages=noted, dropped=dropped, counted=counted
        )
        seen = replace(left, planned=replace(left.planned, detected=detected))
        issued, made = IssuedSurrogates.of_output(left.replacements), Hl7Guard.read(left.text)
        assert second_detection.find_detected(seen, made, POLICY, issued) is leak


def test_what_is_kept_may_be_found_again_under_another_label() -> None:
    keeping = replace(UNION, operators={**UNION.operators, PhiLabel.DEVICE: OperatorName.KEEP})
    made = output("Pump s/n {DEVICE:TS-9163-72120} in place.", keeping)
    assert "TS-9163-72120" in made.text
    assert find_leak(made, keeping) is None
    assert find_leak(with_added(made, " Pump s/n TS-9163-72121."), keeping) is LeakKind.DETECTED


def with_pattern(policy: Policy, pattern: SitePattern) -> Policy:
    return replace(policy, patterns={"case": pattern})


CASE = SitePattern(r"KB-\d{4}", PhiLabel.IDNUM)


@pytest.mark.parametrize(
    ("policy", "leak"),
    [
        (POLICY, None),
        (with_pattern(POLICY, CASE), LeakKind.DETECTED),
        (with_pattern(POLICY, replace(CASE, score=0.9)), None),
        (with_pattern(UNION, replace(CASE, score=0.9)), LeakKind.DETECTED),
        (with_pattern(POLICY, replace(CASE, label=PhiLabel.CITY)), None),
        (replace(with_pattern(POLICY, CASE), allow=("KB-1042",)), None),
    ],
)
def test_what_a_pattern_of_the_site_finds_is_a_leak(policy: Policy, leak: LeakKind | None) -> None:
    assert kind_of("KB-1042", policy) is leak


def test_a_surrogate_may_have_the_form_of_a_pattern() -> None:
    policy = with_pattern(UNION, SitePattern(r"[A-Z]{2}-\d{4}", PhiLabel.IDNUM))
    assert find_leak(output("See {IDNUM:KB-1042}.", policy), policy) is None


def test_a_quasi_identifier_is_no_matter_of_this_check() -> None:
    assert find_leak(with_added(MADE, " Born in Boston, MA on 3/4/1956, aged 67."), UNION) is None


def test_a_surrogate_of_ours_is_no_leak_nor_is_what_reaches_into_it() -> None:
    made = output("Tel {PHONE:(419) 555-0137}, {EMAIL:a.b@maple.example}, Dr. {DOCTOR:Ann Zyxwvu}.")
    assert find_leak(made, POLICY) is None
    assert find_leak(made, UNION) is None


def test_the_rule_of_cards_finds_its_examples() -> None:
    rule = next(rule for rule in FORMATS if rule.id == "id.card")
    recognizer = RulesRecognizer((compile_rule(rule),))
    for example in rule.found:
        before, marked, _ = re.split(r"\[\[|\]\]", example)
        text = example.replace("[[", "").replace("]]", "")
        (span,) = recognizer.recognize([RawNote("n", "p", text)])[0]
        assert (span.start, text[span.start : span.end]) == (len(before), marked)
    for example in rule.passed:
        assert recognizer.recognize([RawNote("n", "p", example)]) == [()]


UNTAGGED = replace(POLICY, recognizers=POLICY.recognizers - {RecognizerName.TAGGER})


def beside_surrogate(original: str, surrogate: str, rest: str) -> Substituted:
    """An output whose first words are a surrogate, before words that no stage touched."""
    made = output(f"Retired {{PROFESSION:{original}}} {rest}", UNTAGGED)
    (one,) = made.replacements
    moved = len(surrogate) - len(one.text)
    ours = replace(one, text=surrogate, out_end=one.out_end + moved)
    return replace(
        made,
        text=f"Retired {surrogate} {rest}",
        replacements=(ours,),
    )


def test_what_only_a_surrogate_makes_look_like_a_name_is_no_leak() -> None:
    made = beside_surrogate("shirt inspector", "vending technician", "(Keystone Collar) left.")
    assert find_leak(made, UNTAGGED) is None


def test_a_name_found_in_the_note_is_a_leak_also_beside_a_surrogate() -> None:
    made = beside_surrogate("shirt technician", "vending technician", "(Keystone Collar) left.")
    assert find_leak(made, UNTAGGED) is LeakKind.DETECTED


@pytest.mark.parametrize(
    ("start", "end", "leak"),
    [(-2, 0, False), (-2, 1, True), (1, 2, True), (4, 6, True), (5, 7, False)],
)
def test_a_find_stands_alone_where_another_shares_a_character_with_it(
    monkeypatch: pytest.MonkeyPatch, start: int, end: int, *, leak: bool
) -> None:
    made = with_added(output("{DOCTOR:Rosalind Zyxwvut}"), " " + "x" * 30)
    first = len(made.text) - 20
    found = Span(first, first + 5, PhiLabel.DOCTOR)
    without_ours = Span(first + start, first + end, PhiLabel.DOCTOR)

    def detect(read: Hl7Guard, _: Policy, __: object) -> tuple[Span, ...]:
        return (found,) if read.text == made.text else (without_ours,)

    monkeypatch.setattr(second_detection, "_detect", detect)
    assert find_leak(made, POLICY) is (LeakKind.DETECTED if leak else None)


@pytest.mark.parametrize("code", ["|1|I10|L03.115^Cellulitis^I10||", "NDC 57894-061-03"])
def test_a_code_of_a_terminology_is_no_leak(code: str) -> None:
    assert kind_of(code, UNION) is None


@pytest.mark.parametrize(
    ("note", "leak"),
    [
        ("the {ORGANIZATION:NDC} 50419-0402-03 today", None),
        # The note has the number elsewhere too, where nothing makes it a code.
        ("the {ORGANIZATION:NDC} 50419-0402-03, file 50419-0402-03", LeakKind.DETECTED),
    ],
)
def test_a_code_whose_terminology_was_replaced_is_no_leak(note: str, leak: LeakKind | None) -> None:
    keeping = replace(UNION, operators={**UNION.operators, PhiLabel.ORGANIZATION: _REDACT})
    made = output(note, keeping)
    assert "NDC" not in made.text
    assert find_leak(made, keeping) is leak
