"""The union of recognizers, on the note and on what it hides."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType

import pytest

from deidstream.models.detection.detector import Detector
from deidstream.models.recognizers.known import KnownRecognizer
from deidstream.models.recognizers.rules.recognizer import RulesRecognizer
from deidstream.schemas.errors import InvalidSpan
from deidstream.schemas.label import PhiLabel
from deidstream.schemas.note import KnownIdentifiers, RawNote
from deidstream.schemas.policy import OperatorName, Policy, RecognizerName, Technique
from deidstream.schemas.ports import Recognizer
from deidstream.schemas.span import POSSIBLE, Span


def policy(allow: tuple[str, ...] = (), least: float = 0) -> Policy:
    return Policy(
        "test",
        Technique.REDACT,
        frozenset({RecognizerName.RULES}),
        MappingProxyType(dict.fromkeys(PhiLabel, OperatorName.REDACT)),
        allow=allow,
        thresholds=MappingProxyType({PhiLabel.PATIENT: least, PhiLabel.HOSPITAL: least}),
    )


@dataclass(frozen=True, slots=True)
class Finds:
    """Finds one literal term and keeps what it was given."""

    term: str
    label: PhiLabel = PhiLabel.PATIENT
    score: float = 0.9
    beyond: int = 0
    name: str = "rules"
    seen: list[RawNote] = field(default_factory=list[RawNote])

    def recognize(self, notes: Sequence[RawNote]) -> list[tuple[Span, ...]]:
        self.seen.extend(notes)
        return [tuple(self._spans(note.text)) for note in notes]

    def _spans(self, text: str) -> list[Span]:
        at = text.find(self.term)
        end = at + len(self.term) + self.beyond
        return [] if at < 0 else [Span(at, end, self.label, self.score, f"{self.name}:x")]


def note(text: str, known: KnownIdentifiers | None = None) -> RawNote:
    return RawNote("note-1", "", text, known=known or KnownIdentifiers())


def found(text: str, *recognizers: Recognizer, using: Policy | None = None) -> list[str]:
    spans = Detector(using or policy(), recognizers).detect([note(text)])[0].spans
    return [text[span.start : span.end] for span in spans]


@pytest.mark.parametrize(
    ("text", "match"),
    [
        ("Mr. Okafor left", "Okafor"),
        ("Mr. Oka\u200bfor left", "Oka\u200bfor"),
        ("Mr. \u041ek\u0430for left", "\u041ek\u0430for"),
        ("Mr. Ok\u00adafor\u200d left", "Ok\u00adafor\u200d"),
        ("Mr. Oka-\nfor left", "Oka-\nfor"),
        ("Mr. Okaf\nor left", "Okaf\nor"),
        ("O k a f o r left", "O k a f o r"),
    ],
)
def test_a_hidden_name_is_found_whole(text: str, match: str) -> None:
    assert found(text, Finds("Okafor")) == [match]


def test_a_name_with_entities_is_found_whole_wherever_it_stands() -> None:
    text = "Seen by O&apos;Okafor &amp; kin. Mrs O&#39;Okafor is well."
    assert found(text, Finds("O'Okafor")) == ["O&apos;Okafor", "O&#39;Okafor"]


def test_a_plain_note_is_read_once() -> None:
    finds = Finds("Okafor")
    found("Mr. Okafor was seen.\nHe is well on 5 \u00b5g.", finds)
    assert len(finds.seen) == 1


def test_the_plain_text_of_a_note_keeps_all_but_its_text() -> None:
    finds = Finds("Okafor")
    known = KnownIdentifiers(names=("Jo Okafor",))
    given = RawNote("n-7", "P-7", "Mr. Oka\u200bfor", "north", "letter", "en", "2024", known)
    Detector(policy(), (finds,)).detect([given])
    plain = finds.seen[1]
    assert plain.text == "Mr. Okafor"
    kept = ("note_id", "patient_id", "tenant", "note_type", "language", "authored_at", "known")
    assert all(getattr(plain, name) == getattr(given, name) for name in kept)


def test_what_the_sender_knows_is_found_where_it_is_hidden() -> None:
    text = "It is Quil-\nlon who came, \u041ekafor by name, born 1\u200b2/\n03/1961."
    known = KnownIdentifiers(names=("Quillon Okafor",), dates=("1961-12-03",))
    spans = Detector(policy(), (KnownRecognizer(),)).detect([note(text, known)])[0].spans
    matches = [text[span.start : span.end] for span in spans]
    assert matches == ["Quil-\nlon", "\u041ekafor", "1\u200b2/\n03/1961"]


@pytest.mark.parametrize(
    "hidden", ["Oka-\nfor", "\u041ek\u0430for", "Oka\u200bfor", "Oka\u00adfor"]
)
def test_a_hidden_echo_is_found_and_echoes_of_the_hidden_too(hidden: str) -> None:
    for text in (f"Mr. Okafor; {hidden} left", f"Mr. {hidden}; Okafor left"):
        first = Finds(text.partition(";")[0].removeprefix("Mr. "))
        assert sorted(found(text, first)) == sorted(["Okafor", hidden])


def test_a_term_that_is_allowed_is_so_in_the_plain_text_too() -> None:
    for hidden in ("Parkin\u200bson", "Parkin-\nson", "P\u0430rkinson"):
        assert found(f"known {hidden} disease", Finds("Parkinson")) == []
    assert found("Mr. Oka-\nfor", Finds("Okafor"), using=policy(("okafor",))) == []


def test_a_threshold_holds_in_the_plain_text_too() -> None:
    assert found("Mr. Oka\u200bfor", Finds("Okafor"), using=policy(least=0.95)) == []


def test_what_a_joined_reading_only_repeats_adds_nothing() -> None:
    text = "Okafor, MRN 0077\n2391 merged"
    finds = Finds("Okafor")
    assert found(text, finds) == ["Okafor"]
    assert len(finds.seen) > 1


def test_a_span_outside_its_note_is_refused() -> None:
    with pytest.raises(InvalidSpan):
        found("Mr. Okafor", Finds("Okafor", beyond=1))
    with pytest.raises(InvalidSpan):
        found("Mr. Oka\u200bfor", Finds("Okafor", beyond=1))


def test_a_note_alone_is_as_in_a_batch() -> None:
    texts = ["Mr. Oka-\nfor", "nothing", "MRN 0077\n2391", "Mr. Okafor", "Ok\u0430for\n12/\n3/2024"]
    detector = Detector(policy(), (Finds("Okafor"), Finds("00772391", PhiLabel.IDNUM)))
    together = detector.detect([note(text) for text in texts])
    alone = [detector.detect([note(text)])[0] for text in texts]
    assert together == alone
    assert [len(one.spans) for one in alone] == [1, 0, 1, 1, 1]


def test_no_notes_give_nothing() -> None:
    assert Detector(policy(), (Finds("x"),)).detect([]) == []


@dataclass(frozen=True, slots=True)
class Halves:
    """Halves every score, and keeps what it was given."""

    seen: list[tuple[Sequence[Span], Sequence[Span]]] = field(
        default_factory=list[tuple[Sequence[Span], Sequence[Span]]]
    )

    def calibrate(
        self,
        text: str,  # noqa: ARG002  named as the protocol has it
        spans: Sequence[Span],
        reports: Sequence[Span],
    ) -> tuple[Span, ...]:
        self.seen.append((spans, reports))
        return tuple(replace(span, score=span.score / 2) for span in spans)


def test_every_span_is_calibrated_the_swept_ones_too() -> None:
    halves = Halves()
    detector = Detector(policy(), (Finds("Okafor", PhiLabel.HOSPITAL),), halves)
    (detected,) = detector.detect([note("At Okafor; Okafor closed")])
    # What is swept has nine tenths of the score of what it echoes, and is calibrated by itself;
    # in the end a name is as sure as its surest mention.
    assert [span.score for span in halves.seen[1][0]] == [pytest.approx(0.9 * 0.45)]
    assert [span.source for span in halves.seen[1][0]] == ["sweep"]
    assert [span.score for span in detected.spans] == [0.45, 0.45]
    assert detected.counted[0].score == 0.9


def test_a_degree_in_the_line_below_a_name_is_no_name_once_the_span_is_cut() -> None:
    text = "Farouk Nunez\nFRCOphth, Consultant"
    tagger = Finds("Farouk Nunez\nFRCOphth", PhiLabel.DOCTOR, name="tagger")
    assert found(text, tagger) == ["Farouk Nunez"]


def test_a_unit_behind_a_name_stays_where_a_rule_takes_both_for_a_place() -> None:
    place = Finds("Ruan Ortho", PhiLabel.HOSPITAL, 0.8)
    assert found("06:41 - Ruan Ortho: more", Finds("Ruan Ortho"), place) == ["Ruan"]


def test_what_a_date_leaves_of_a_direct_identifier_stays() -> None:
    form, date = Finds("QX 14/3", PhiLabel.IDNUM), Finds("14/3", PhiLabel.DATE, 1.0)
    assert found("form QX 14/3 below", form, date) == ["QX", "14/3"]


def test_a_hospital_day_is_not_joined_to_the_date_of_the_next_line() -> None:
    text = "Progress Note - HD 3\n1/10/24  0740 seen"
    assert found(text, RulesRecognizer()) == ["1/10/24"]


def test_the_spans_of_a_note_are_in_order_the_swept_ones_too() -> None:
    found = Finds("Okafor", PhiLabel.HOSPITAL), Finds("Tamar", PhiLabel.HOSPITAL)
    (detected,) = Detector(policy(), found).detect([note("At Okafor; Tamar; Okafor closed")])
    assert [span.start for span in detected.spans] == [3, 11, 18]


def test_what_is_possible_to_the_tagger_is_evidence_and_no_more() -> None:
    halves = Halves()
    detector = Detector(policy(), (Finds("Okafor"), _Possible("left")), halves)
    (detected,) = detector.detect([note("Mr. Okafor left")])
    assert len(detected.spans) == 1
    assert [span.source for span in halves.seen[0][1]] == ["rules:x", POSSIBLE]


@dataclass(frozen=True, slots=True)
class _Possible:
    term: str
    name: str = "tagger"

    def recognize(self, notes: Sequence[RawNote]) -> list[tuple[Span, ...]]:
        places = [(each.text.find(self.term), len(self.term)) for each in notes]
        return [(Span(at, at + size, PhiLabel.CITY, 0.2, POSSIBLE),) for at, size in places]


def test_a_threshold_applies_to_the_probability_and_drops_before_the_sweep() -> None:
    text = "At. Okafor; Okafor closed"
    for least, kept in ((0.45, 2), (0.46, 0)):
        finds = Finds("Okafor", PhiLabel.HOSPITAL)
        detector = Detector(policy(least=least), (finds,), Halves())
        (detected,) = detector.detect([note(text)])
        assert len(detected.spans) == kept
        assert [(span.start, span.end) for span in detected.dropped] == [(4, 10)] * (not kept)


def test_spans_are_in_order_where_the_sweep_adds_one_before_what_it_echoes() -> None:
    text = "Okafor left; Mrs. Adaeze Okafor came"
    assert found(text, Finds("Adaeze Okafor", score=1)) == ["Okafor", "Adaeze Okafor"]
