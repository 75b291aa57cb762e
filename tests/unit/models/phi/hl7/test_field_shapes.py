"""A segment with a field too many or too few is read by what stands in its fields."""

import pytest

from deidstream.models.phi.hl7.field_list import FieldKind, field_list
from deidstream.models.phi.hl7.field_shapes import find_rows
from deidstream.models.phi.hl7.message_grammar import read_hl7
from deidstream.models.phi.hl7.message_values import read_values
from deidstream.schemas.label import PhiLabel

ADDRESS = "12 KILN RD^APT 4^CARROWBY^OH^44107"
NAMED = "1||447192^^^GH^MR||ZYXWVAN^MARTA^J||19610203|F"
PATIENT = f"{NAMED}|||{ADDRESS}||(216)555-0142|||M||883112|219"
IDENTIFYING = {
    "447192": PhiLabel.MEDICALRECORD,
    "ZYXWVAN": PhiLabel.PATIENT,
    "MARTA": PhiLabel.PATIENT,
    "J": PhiLabel.PATIENT,
    "19610203": PhiLabel.DATE,
    "12 KILN RD": PhiLabel.STREET,
    "CARROWBY": PhiLabel.CITY,
    "OH": PhiLabel.STATE,
    "44107": PhiLabel.ZIP,
    "(216)555-0142": PhiLabel.PHONE,
}


def labels_in(text: str) -> dict[str, PhiLabel]:
    return {
        text[each.place.start : each.place.end]: each.label
        for segment in read_hl7(text)
        for each in read_values(segment, text)
        if each.label is not None
    }


def with_field(place: int) -> str:
    """The fields with an empty one more at a place."""
    fields = PATIENT.split("|")
    return "|".join([*fields[:place], "", *fields[place:]])


def without_field(place: int) -> str:
    fields = PATIENT.split("|")
    assert not fields[place]
    return "|".join([*fields[:place], *fields[place + 1 :]])


SHIFTED = [*map(with_field, (3, 4, 5, 8)), *map(without_field, (3, 5, 9))]


@pytest.mark.parametrize("fields", [PATIENT, *SHIFTED])
@pytest.mark.parametrize("before", ["MSH|^~\\&|ADT|GH\n", "", "Rejected: "])
def test_what_a_shifted_field_holds_is_known(fields: str, before: str) -> None:
    found = labels_in(f"{before}PID|{fields}\nplease mend.")
    assert {each: found.get(each) for each in IDENTIFYING} == IDENTIFYING
    assert found["883112"] in {PhiLabel.ACCOUNT, PhiLabel.SSN}
    assert found.get("F") is None


@pytest.mark.parametrize(
    ("field", "found"),
    [
        (ADDRESS, {"12 KILN RD", "APT 4", "CARROWBY", "OH", "44107"}),
        ("^^CARROWBY^OH^44107", {"CARROWBY", "OH", "44107"}),
        ("4 Weir St^^Elmford^^SW1A 1AA", {"4 Weir St", "Elmford", "SW1A 1AA"}),
        ("8812^^^GHX^MR", {"8812", "GHX"}),
        ("2165550142^PRN^PH", {"2165550142"}),
        ("2106-3^White^CDCREC", set()),
        ("A01^ADT^A01^B", set()),
        ("CARROWBY^OH", set()),
        ("7^mg^morning^PO^1", set()),
    ],
)
def test_addresses_and_numbers_are_known_in_any_field(field: str, found: set[str]) -> None:
    assert set(labels_in(f"MSH|^~\\&|ADT|\nZPD|1|{field}|x")) == found


@pytest.mark.parametrize(
    "segment",
    [
        "PID|1||44^^^GH^MR||ZYXWVAN^MARTA||19610203|F||2106-3^White^CDCREC|4 ELM^^ROME^NY^13440",
        "PV1|1|I|6W^12^B^GH||||88^ZYXWVAN^ARI^^^DR|||MED||||7|A0||88^ZYXWVAN^ARI|IN|V77|||||||||||||",
        "IN1|1|PPO01^Preferred plan|55|BLUE LANTERN|1 A ST^^ROME^NY^13440||(315)555-0101|GRP7",
        "PD1|||ROME CLINIC^^77|88^ZYXWVAN^ARI|||||||||20240304",
    ],
)
def test_a_segment_as_the_standard_has_it_keeps_its_own_rows(segment: str) -> None:
    name, *fields = segment.split("|")
    listed = field_list().fields_of(name)
    assert find_rows(fields, listed, "^") == [listed.row(n) for n in range(1, len(fields) + 1)]


def test_one_odd_value_shifts_nothing() -> None:
    listed = field_list().fields_of("PID")
    fields = PATIENT.replace("|F|", "|19990101|").split("|")
    assert find_rows(fields, listed, "^")[4].kind is FieldKind.NAME
    assert find_rows(fields, listed, "^")[10].kind is FieldKind.ADDRESS
