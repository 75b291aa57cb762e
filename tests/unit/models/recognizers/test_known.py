import pytest

from deidstream.models.phi.dates.date_forms import date_forms
from deidstream.models.recognizers.known import KnownRecognizer
from deidstream.schemas.label import PhiLabel
from deidstream.schemas.note import KnownIdentifiers, RawNote

NAMES = KnownIdentifiers(names=("Quill, Ada Beth",))


def found(
    text: str, known: KnownIdentifiers = NAMES, patient: str = "p", note: str = "n"
) -> set[tuple[str, PhiLabel]]:
    (spans,) = KnownRecognizer().recognize([RawNote(note, patient, text, known=known)])
    weights = {(1.0, "known"), (0.9, "known:similar")}
    assert {(span.score, span.source) for span in spans} <= weights
    return {(text[span.start : span.end], span.label) for span in spans}


def test_it_is_called_known() -> None:
    assert KnownRecognizer().name == "known"


def test_a_note_of_which_nothing_is_known_has_nothing() -> None:
    assert found("Ada Quill", KnownIdentifiers()) == set()


@pytest.mark.parametrize(
    "form",
    [
        "Quill, Ada Beth", "Ada Beth Quill", "ADA BETH QUILL", "quill, ada", "Quill,Ada",
        "Ada Quill",
        "A. Quill", "A Quill", "A.Quill", "Quill, A", "Ada B. Quill", "Ada B Quill", "A.B. Quill",
        "Quill, Ada B", "Ada", "beth", "Quill",
    ],
)  # fmt: skip
def test_every_form_of_a_name_is_found(form: str) -> None:
    assert (form, PhiLabel.PATIENT) in found(f"to {form} today")


def test_a_name_given_first_name_first_is_found_inverted() -> None:
    assert ("QUILL, ADA", PhiLabel.PATIENT) in found(
        "QUILL, ADA", KnownIdentifiers(names=("Ada Quill",))
    )


def test_a_name_that_is_a_word_counts_only_where_written_as_a_name() -> None:
    known = KnownIdentifiers(names=("Young, May",))
    text = "You may see young May Young. May repeat."
    assert found(text, known) == {("May Young", PhiLabel.PATIENT)}


def test_a_name_of_staff_is_found_as_that() -> None:
    known = KnownIdentifiers(staff=("Oyelaran, Babatunde",))
    assert ("Babatunde Oyelaran", PhiLabel.DOCTOR) in found("by Babatunde Oyelaran", known)


@pytest.mark.parametrize(
    "form", ["447-10-938", "44710938", "447 10 938", "447.10.938", "#44710938"]
)
def test_every_form_of_an_identifier_is_found(form: str) -> None:
    known = KnownIdentifiers(identifiers=("447-10938",))
    assert (form.strip("#"), PhiLabel.IDNUM) in found(f"id {form}.", known)


@pytest.mark.parametrize("form", ["0048817", "48817", "TR0048817", "tr 0048817", "48-817"])
def test_an_identifier_is_found_without_its_letters_and_leading_zeros(form: str) -> None:
    known = KnownIdentifiers(identifiers=("TR-0048817",))
    assert any(text in form for text, _ in found(f"id {form}.", known))


def test_a_phone_is_found_without_its_area_code() -> None:
    known = KnownIdentifiers(phones=("+1 (410) 555-0163 x12",))
    assert ("555-0163", PhiLabel.PHONE) in found("call 555-0163.", known)


def test_a_short_identifier_counts_as_it_stands() -> None:
    known = KnownIdentifiers(identifiers=("417", "7"))
    assert found("417, 4-17 and 7", known) == {("417", PhiLabel.IDNUM)}


@pytest.mark.parametrize("form", ["(410) 555-0163", "410.555.0163", "4105550163", "1-410-555-0163"])
def test_every_form_of_a_phone_is_found(form: str) -> None:
    known = KnownIdentifiers(phones=("+1 410 555 0163",))
    assert (form, PhiLabel.PHONE) in found(f"call {form}.", known)


@pytest.mark.parametrize(
    "form",
    [
        "1973-02-09", "02/09/1973", "2/9/1973", "2/9/73", "09/02/1973", "9.2.1973", "09-02-73",
        "19730209", "February 9, 1973", "9 February 1973", "Feb 9, 1973", "09-FEB-1973", "9FEB1973",
        "9th of february 1973",
        "Feb. 9, 1973", "February 9th, 1973", "9\nFebruary 1973",
    ],
)  # fmt: skip
@pytest.mark.parametrize(
    "given", ["1973-02-09", "19730209", "9 Feb 1973", "February 9, 1973", "2/9/1973"]
)
def test_every_form_of_a_date_is_found(given: str, form: str) -> None:
    assert (form, PhiLabel.DATE) in found(f"on {form}.", KnownIdentifiers(dates=(given,)))


@pytest.mark.parametrize("date", ["", "soon", "1973", "13/13/1973", "1973-02-40", "0/0/0"])
def test_a_date_that_cannot_be_read_is_only_itself(date: str) -> None:
    assert date_forms(date) == {date} - {""}


def test_a_time_after_a_date_is_left_out() -> None:
    assert "February 9, 1973" in date_forms("1973-02-09T10:11:12Z")


@pytest.mark.parametrize(
    "form", ["12 Zoar Street, Apt 4, Lunden, MA 02111", "12 zoar street", "LUNDEN", "MA 02111"]
)
def test_an_address_and_its_parts_are_found(form: str) -> None:
    known = KnownIdentifiers(addresses=("12 Zoar Street, Apt 4, Lunden, MA 02111",))
    assert (form, PhiLabel.STREET) in found(f"at {form}.", known)


def test_the_ids_of_the_message_are_found() -> None:
    text = "MRN 4471-0938, note A-77-1. Bed 7."
    expected = {("4471-0938", PhiLabel.MEDICALRECORD), ("A-77-1", PhiLabel.IDNUM)}
    assert found(text, KnownIdentifiers(), patient="44710938", note="A-77-1") == expected


def test_a_very_short_id_of_the_message_is_not_sought() -> None:
    assert found("Bed 7, 123", KnownIdentifiers(), patient="7", note="123") == set()


def test_what_one_note_knows_is_not_sought_in_another() -> None:
    notes = [RawNote("1", "p", "Ada", known=NAMES), RawNote("2", "p", "Ada")]
    first, second = KnownRecognizer().recognize(notes)
    assert first
    assert second == ()


def test_a_date_that_reads_both_ways_counts_as_both() -> None:
    assert {"2 September 1973", "February 9, 1973"} <= date_forms("2/9/1973")
