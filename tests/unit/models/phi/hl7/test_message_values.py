"""What the values of a message are by the standard."""

import pytest

from deidstream.models.phi.hl7.message_grammar import read_hl7
from deidstream.models.phi.hl7.message_values import read_values

HEADER = "MSH|^~\\&|ADT|GH\r"


def read(segment: str) -> dict[str, str]:
    """What each value of a segment is: a label, a code or free text; of equal ones the last."""
    text = HEADER + segment
    return {
        text[each.place.start : each.place.end]: each.label or ("code" if each.is_code else "text")
        for each in read_values(read_hl7(text)[-1], text)
    }


@pytest.mark.parametrize(
    ("segment", "found"),
    [
        ("PID|1||44^^^GHX^MR", {"44": "MEDICALRECORD", "GHX": "HOSPITAL", "MR": "code"}),
        ("PID|||9002^^^SSA^SS", {"9002": "MEDICALRECORD", "SSA": "code", "SS": "code"}),
        ("PID|||44^^^MRN~90^^^NRIC", {"44": "MEDICALRECORD", "MRN": "code", "NRIC": "code"}),
        ("PID|||||SHAW^ANN^B^JR^MRS", {"SHAW": "PATIENT", "B": "PATIENT", "JR": "code"}),
        ("PID|||||SHAW ANN went home at 0811", {"SHAW ANN went home at 0811": "text"}),
        ("PID|||||||19690308|F", {"19690308": "DATE", "F": "code"}),
        ("PID|||||||unknown", {"unknown": "code"}),
        ("PID|||||||about 1969", {"about 1969": "text"}),
        ("NK1|1|SHAW|SPO^Spouse|SAME", {"SPO": "code", "Spouse": "code", "SAME": "code"}),
        (
            "GT1|||||5 ELM^^ROME^NY^13440^USA^H",
            {"5 ELM": "STREET", "ROME": "CITY", "NY": "STATE", "13440": "ZIP", "USA": "code"},
        ),
        ("GT1||||||555-0101^PRN^PH", {"555-0101": "PHONE", "PRN": "code"}),
        ("PV1|||6 WEST^12^B^GHX", {"6 WEST": "HOSPITAL", "12": "code", "GHX": "HOSPITAL"}),
        ("PV1|||ED^RESUS^2", {"ED": "code", "RESUS": "code"}),
        ("PV1|||||||88^COLE^ARI^^^DR", {"88": "IDNUM", "COLE": "DOCTOR", "DR": "code"}),
        ("PV1|||||||COLE^ARI", {"COLE": "DOCTOR", "ARI": "DOCTOR"}),
        ("OBR||||||||||phleb kw", {"phleb kw": "text"}),
        ("IN1||||BLUE LANTERN", {"BLUE LANTERN": "ORGANIZATION"}),
        ("IN1||||GRP771", {"GRP771": "IDNUM"}),
        ("OBX|1|NM|8867-4^Rate^LN||1234567|/min", {"1234567": "code", "/min": "code"}),
        ("OBX|1|TM|N||101500", {"101500": "code"}),
        ("OBX|1|TM|N||1915", {"1915": "code"}),
        ("OBX|1|TM|N||101500.25-0500", {"101500.25-0500": "code"}),
        ("OBX|1|TM|N||after 7", {"after 7": "text"}),
        ("OBX|1|TS|N||1915", {"1915": "DATE"}),
        ("OBX|1|TX|N||Ann came at 3", {"Ann came at 3": "text"}),
        ("OBX|1|CWE|N||266919005^Never smoker^SCT", {"266919005": "code", "Never smoker": "code"}),
        ("OBX|1|XCN|N||88^COLE", {"COLE": "DOCTOR"}),
        ("OBX|1|NM|N||see Dr. Cole", {"see Dr. Cole": "text"}),
        ("OBX|1|SN|N||>^12 per Cole", {">": "code", "12 per Cole": "text"}),
        ("OBX|1|ED|N||^TEXT^PLAIN^A^seen by Ann", {"PLAIN": "code", "seen by Ann": "text"}),
        ("OBX|1|TX|1^Letter to Dr. Cole^L||ok", {"1": "code", "Letter to Dr. Cole": "text"}),
        ("DG1|1||S72^Fall, call 555-0101 b^I10", {"Fall, call 555-0101 b": "text"}),
        ("DG1|1||S72^Fall at home^I10", {"S72": "code", "Fall at home": "code"}),
        ("TXA|1||||||||||||^^88123991", {"88123991": "IDNUM"}),
        ("TXA|1||||||||||||D1^EHR^1.2.840.1137^ISO", {"D1": "IDNUM", "1.2.840.1137": "code"}),
        ("FT1|||||||||||185000", {"185000": "code"}),
        ("DG1|1|I10|L03.115^Cellulitis", {"L03.115": "code", "Cellulitis": "code"}),
        ("PID|||||||1969030807", {"1969030807": "DATE"}),
        ("PID|||||||196903080714+0100", {"196903080714+0100": "DATE"}),
        ("PID|||||||19690308T0714", {"19690308T0714": "DATE"}),
        ("OBX|1|NM|N||219-09-9999", {"219-09-9999": "text"}),
        ("OBX|1|NM|N||6085550199", {"6085550199": "text"}),
        ("OBX|1|NM|N||+1 (608) 555-0199", {"+1 (608) 555-0199": "text"}),
        ("OBX|1|NM|N||5.0999999999999996", {"5.0999999999999996": "code"}),
        ("OBX|1|NM|N||123456789", {"123456789": "code"}),
        ("OBX|1|NM|N||100-200", {"100-200": "code"}),
        ("OBX|1|PPN|N||S77^COLE", {"S77": "IDNUM", "COLE": "DOCTOR"}),
        ("OBX|1|XON|N||ELM HALL^L^77", {"ELM HALL": "HOSPITAL", "77": "IDNUM"}),
        ("OBX|1|PL|N||6 WEST^^^GHX", {"6 WEST": "HOSPITAL", "GHX": "HOSPITAL"}),
        ("PID|1||44^^^GHX^MR^^20190822^20290822", {"20190822": "DATE", "20290822": "DATE"}),
        ("PV1|||||||88^COLE^ARI" + "^" * 11 + "GHX&1.2&ISO", {"GHX": "HOSPITAL", "1.2": "code"}),
        ("PD1|||ELM CLINIC^L^77^^^GHX^XX^GHY", {"GHX": "HOSPITAL", "GHY": "HOSPITAL"}),
        ("PV1|||OPD^^^^^^^^practice of Dr Cole", {"practice of Dr Cole": "text"}),
        ("EVN|A08|20190822||rbnesbitt", {"A08": "code", "rbnesbitt": "text"}),
        ("DG1|1|1EG9TT4ZZ00|RESCHEDULE", {"1EG9TT4ZZ00": "text", "RESCHEDULE": "code"}),
        ("DG1|1|4417702", {"4417702": "text"}),
        ("DG1|1|seen by Ann", {"seen by Ann": "text"}),
        ("DG1|1|20240717061533", {"20240717061533": "DATE"}),
        ("SFT|V|6|X|b||20211201081500", {"20211201081500": "code"}),
        ("ZPV|Ann Cole|AA", {"Ann Cole": "text", "AA": "code"}),
        ("ZPV|COLE^ARI", {"COLE": "text", "ARI": "text"}),
        ("SCH|A88^PRHC|7", {"A88": "IDNUM", "PRHC": "text"}),
    ],
)
def test_values_are_what_the_standard_says(segment: str, found: dict[str, str]) -> None:
    assert found.items() <= read(segment).items()
