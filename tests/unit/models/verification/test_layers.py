"""Each layer of the verifier alone sees a leak of its kind: switched off, it is missed."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import pytest

from deidstream.models.policy.reader import read_shipped_policy
from deidstream.models.records import Substituted
from deidstream.models.surrogates.substitute import substitute
from deidstream.models.verification import left_identifiers, second_detection, verifier
from deidstream.models.verification.verifier import find_leak
from deidstream.schemas.errors import LeakKind
from deidstream.schemas.label import PhiLabel
from deidstream.schemas.note import KnownIdentifiers
from deidstream.schemas.policy import Policy
from deidstream.schemas.span import Span
from support.outputs import output, with_added

SURROGATE, UNION, KNEO = map(read_shipped_policy, ("surrogate", "safe-harbor", "kneo"))
KNOWN = KnownIdentifiers(names=("Zyxwvut, Rosalind",))
FOUND = "{PATIENT:Rosalind Zyxwvut} (MRN {MEDICALRECORD:44-71-0982}). "
SwitchOff = Callable[[pytest.MonkeyPatch], None]


@dataclass(frozen=True, slots=True)
class Layer:
    """What one layer is for, and how it is switched off."""

    name: str
    kind: LeakKind
    leak: Callable[[], Substituted]
    switch_off: SwitchOff
    policy: Policy = SURROGATE


def answer(module: object, name: str, value: object) -> SwitchOff:
    """Let a function of a module return one value, whatever it is given."""

    def give(*_: object) -> object:
        return value

    def switch_off(patch: pytest.MonkeyPatch) -> None:
        patch.setattr(module, name, give)

    return switch_off


def ignore_found_terms(patch: pytest.MonkeyPatch) -> None:
    look = left_identifiers.find_identifier

    def without_terms(text: str, planned: object, *others: object) -> object:
        return look(text, replace(planned, leak_terms=()), *others)  # type: ignore[type-var,arg-type]

    patch.setattr(verifier, "find_identifier", without_terms)


def ignore_hidden_text(patch: pytest.MonkeyPatch) -> None:
    look = left_identifiers.left_terms

    def without_hidden(*given: Any) -> object:
        return look(*given[:3])

    patch.setattr(left_identifiers, "left_terms", without_hidden)


def without_formats(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(second_detection, "FORMATS", ())
    # Rules are kept by the least score that they must have; no policy asks for this one.
    answer(second_detection, "_least_score", 3)(patch)


def copied() -> Substituted:
    words = (f"{a}a{b}e{c}ing" for a in "bc" for b in "dfgh" for c in "klmnp")
    return output(f"Then {' '.join(words)}.", KNEO)


def lost() -> Substituted:
    made = output("Dr. {DOCTOR:Ann Zyxwvut} came.")
    detected = replace(made.planned.detected, counted=(Span(0, 15, PhiLabel.DOCTOR),))
    return replace(made, planned=replace(made.planned, detected=detected))


def unchanged() -> Substituted:
    made = output("Of {CITY:Zyxwv}.")
    (one,) = made.replacements
    text, placed = substitute(made.planned.note.text, [replace(one, text="ZYXWV")])
    return replace(made, text=text, replacements=placed)


LAYERS = (
    Layer(
        "known terms",
        LeakKind.KNOWN,
        lambda: with_added(output("Seen. ", known=KNOWN), "Zyxwvut left."),
        answer(left_identifiers, "find_stated_names", []),
    ),
    Layer(
        "terms of found spans",
        LeakKind.REPEATED,
        lambda: with_added(output(FOUND), "File 44710982."),
        ignore_found_terms,
    ),
    Layer(
        "hidden text",
        LeakKind.REPEATED,
        lambda: with_added(output(FOUND), "Then Zyx-\nwvut left."),
        ignore_hidden_text,
    ),
    Layer(
        "formats",
        LeakKind.FORMAT,
        lambda: with_added(output("Seen. "), "Then 4111 1111 1111 1111 too."),
        without_formats,
    ),
    Layer(
        "second detection",
        LeakKind.DETECTED,
        lambda: with_added(output("Seen. ", UNION), "Dr. Babatunde Oyelaran came."),
        answer(second_detection, "_least_score", 2),
        UNION,
    ),
    Layer("lost spans", LeakKind.LOST, lost, answer(verifier, "is_span_lost", value=False)),
    Layer(
        "surrogate equals original",
        LeakKind.UNCHANGED,
        unchanged,
        answer(verifier, "is_unchanged", value=False),
    ),
    Layer(
        "longest run", LeakKind.COPIED, copied, answer(verifier, "copies_words", value=False), KNEO
    ),
)


@pytest.mark.parametrize("layer", LAYERS, ids=lambda layer: layer.name)
def test_a_leak_is_seen_by_its_layer_alone(layer: Layer, monkeypatch: pytest.MonkeyPatch) -> None:
    made = layer.leak()
    assert find_leak(made, layer.policy) is layer.kind
    layer.switch_off(monkeypatch)
    assert find_leak(made, layer.policy) is None


def test_every_kind_of_leak_has_a_layer() -> None:
    assert {layer.kind for layer in LAYERS} == set(LeakKind)
