"""The identifiers of a note must not be left in its output, in any form they are written in."""

from dataclasses import replace

import pytest

from deidstream.models.policy.reader import read_shipped_policy
from deidstream.models.verification.verifier import find_leak
from deidstream.schemas.errors import LeakKind
from deidstream.schemas.label import PhiLabel
from deidstream.schemas.note import KnownIdentifiers
from deidstream.schemas.policy import OperatorName
from support.outputs import output, with_added

POLICY = read_shipped_policy("surrogate")
KNOWN = KnownIdentifiers(
    names=("Zyxwvut, Rosalind Ada",),
    identifiers=("ZK-4471-0982",),
    dates=("1956-02-19",),
    phones=("(419) 555-0137",),
    addresses=("12 Orchard Street, Larkmoor",),
)


def kind_of(added: str, known: KnownIdentifiers = KNOWN, note: str = "Seen today. ") -> str | None:
    return find_leak(with_added(output(note, known=known), added), POLICY)


@pytest.mark.parametrize(
    "left",
    [
        "Zyxwvut",
        "ZYXWVUT",
        "Rosalind Zyxwvut",
        "Zyxwvut, Rosalind",
        "R. Zyxwvut",
        "Zyxwvut's",
        "Z\u200byx\u00adwvut",
        "Z\u0443xwvut",
        "\uff3a\uff59\uff58\uff57\uff56\uff55\uff54",
        "Mrs. Zyx-\nwvut",
        "Z y x w v u t",
        "ZK-4471-0982",
        "zk44710982",
        "ZK 4471 0982",
        "ZK-4471\u20110982",
        "419-555-0137",
        "+1 419.555.0137",
        "4195550137",
        "19 February 1956",
        "2/19/56",
        "19560219",
        "02/19/\u200b1956",
        "12 Orchard Street",
        "12 orchard street",
    ],
)
def test_what_the_sender_knows_is_seen_in_every_form(left: str) -> None:
    assert kind_of(f"Then {left} left.") is LeakKind.KNOWN


@pytest.mark.parametrize(
    "kept",
    ["R.", "Ada sat", "19", "1956", "February", "0982", "Orchard", "street", "555", "19 Feb 1957"],
)
def test_what_is_not_specific_is_no_leak(kept: str) -> None:
    known = KnownIdentifiers(
        names=("Zyxwvut, R A",), **{f: getattr(KNOWN, f) for f in ("dates", "phones", "addresses")}
    )
    assert kind_of(f"Then {kept} today.", known) is None


def test_a_known_date_that_names_no_day_is_not_looked_for() -> None:
    assert kind_of("In May.", KnownIdentifiers(dates=("May", "W", "2024"))) is None


def test_the_ids_of_the_message_are_looked_for() -> None:
    made = output("Seen. ", ids=("note-7788", "pat-99-12"))
    assert find_leak(with_added(made, "File PAT 9912."), POLICY) is LeakKind.KNOWN
    assert find_leak(with_added(made, "From note-7788."), POLICY) is LeakKind.KNOWN


def test_a_found_identifier_is_looked_for_in_its_other_forms() -> None:
    note = "{PATIENT:Rosalind Zyxwvut} (MRN {MEDICALRECORD:44-71-0982}). "
    assert kind_of("", KnownIdentifiers(), note) is None
    for left in ("zyxwvut", "Zyx-\nwvut", "44710982", "4471 0982"):
        assert kind_of(f"Then {left} left.", KnownIdentifiers(), note) is LeakKind.REPEATED


def test_what_the_policy_keeps_is_no_leak() -> None:
    kept = (PhiLabel.PATIENT, PhiLabel.IDNUM, PhiLabel.MEDICALRECORD)
    operators: dict[str, OperatorName] = {
        **POLICY.operators,
        **dict.fromkeys(kept, OperatorName.KEEP),
    }
    keeping = replace(POLICY, operators=operators)
    made = output("{PATIENT:Rosalind Zyxwvut} left. ", keeping, KNOWN)
    assert "Zyxwvut" in made.text
    assert find_leak(made, keeping) is None


def test_our_own_surrogates_are_no_leak() -> None:
    # The surrogate of one date may be what is known as another.
    made = output("On {DATE:3/4/2024} and {DATE:4/4/2024}.")
    places = [(one.out_start, one.out_end) for one in made.replacements]
    written = tuple(made.text[start:end] for start, end in places)
    again = output("On {DATE:3/4/2024} and {DATE:4/4/2024}.", known=KnownIdentifiers(dates=written))
    assert again.text == made.text
    assert find_leak(again, POLICY) is None


def test_our_own_surrogates_are_no_leak_beside_hidden_words_either() -> None:
    note = "Of {PATIENT:Rosalind Zyxwvut}. "
    (one,) = output(note).replacements
    torn = "Seen by Mrs. Quil-\nlon. "
    again = output(note + torn, known=KnownIdentifiers(names=(one.text,)))
    assert one.text in again.text
    assert find_leak(again, POLICY) is None
    assert find_leak(with_added(again, f"Then {one.text}."), POLICY) is LeakKind.KNOWN


@pytest.mark.parametrize(("known", "kind"), [("Aabc", LeakKind.KNOWN), ("zzbc", LeakKind.REPEATED)])
def test_of_several_leaks_the_first_term_gives_the_kind(known: str, kind: LeakKind) -> None:
    made = output("{PATIENT:Mwxyz} sat.", known=KnownIdentifiers(identifiers=(known,)))
    assert find_leak(with_added(made, f" {known} and Mwxyz left."), POLICY) is kind
